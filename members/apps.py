"""The app members."""

from django.apps import AppConfig


class MembersApp(AppConfig):
    name = "members"
