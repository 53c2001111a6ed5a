"""Addresses of the portal's pages of a project."""

from django.urls import path

from brain import views

urlpatterns = [
    path("", views.projects, name="projects"),
    path("projects/<str:slug>/", views.project, name="project"),
    path("projects/<str:slug>/brain", views.state, name="state"),
    path("projects/<str:slug>/brain/tree", views.tree, name="tree"),
    path("projects/<str:slug>/brain/read", views.read, name="read"),
    path("projects/<str:slug>/brain/broken", views.broken, name="broken"),
]
