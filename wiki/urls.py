"""Addresses of the wiki: the portal's pages."""

from django.urls import path

from wiki import views
from wiki.api import Wiki

urlpatterns = [
    path("projects/<str:slug>/wiki", views.wiki, name="wiki"),
    path("projects/<str:slug>/wiki/pages", views.wiki_pages, name="wiki-pages"),
    path("projects/<str:slug>/wiki/switch", views.switch_wiki, name="switch-wiki"),
    path("api/projects/<str:reference>/wiki", Wiki.as_view(), name="api-wiki"),
]
