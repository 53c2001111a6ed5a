"""Addresses of signing in and out."""

from django.urls import path

from members import views

urlpatterns = [
    path("signin", views.sign_in, name="signin"),
    path("signout", views.sign_out, name="signout"),
]
