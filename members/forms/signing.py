"""What a person types to sign in."""

from __future__ import annotations

from django import forms
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm


class SignIn(AuthenticationForm):
    """A user name and a password."""

    error_messages = AuthenticationForm.error_messages | {
        "invalid_login": (
            "That name and password do not belong together. "
            f"After {settings.AXES_FAILURE_LIMIT} wrong tries sign-in pauses for "
            f"{settings.AXES_COOLOFF_TIME.seconds // 60} minutes."
        ),
        "inactive": "This account is switched off. Ask whoever runs this server.",
    }
    username = forms.CharField(max_length=150, strip=True)
    password = forms.CharField(max_length=4_096, strip=False)
