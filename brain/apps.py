"""The app brain."""

from django.apps import AppConfig


class BrainApp(AppConfig):
    name = "brain"

    def ready(self) -> None:
        """Listen to the news of repositories."""
        from brain import receivers

        receivers.connect()
