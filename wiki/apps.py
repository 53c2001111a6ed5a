"""The app wiki."""

from django.apps import AppConfig


class WikiApp(AppConfig):
    name = "wiki"
