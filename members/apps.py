"""The app members."""

from django.apps import AppConfig


class MembersApp(AppConfig):
    name = "members"

    def ready(self) -> None:
        """Listen to what others tell."""
        from members import receivers

        receivers.connect()
