"""The app config."""

from django.apps import AppConfig


class ConfigApp(AppConfig):
    name = "config"
