"""The app wiki."""

from django.apps import AppConfig


class WikiApp(AppConfig):
    name = "wiki"

    def ready(self) -> None:
        """Listen to what others tell."""
        from wiki import receivers

        receivers.connect()
