"""The app brain."""

from django.apps import AppConfig


class BrainApp(AppConfig):
    name = "brain"
