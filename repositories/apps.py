"""The app repositories."""

from django.apps import AppConfig


class RepositoriesApp(AppConfig):
    name = "repositories"
