"""What a person types to make a token, or to have one replaced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.contrib.auth import authenticate

from members.models import Project
from members.permissions import SCOPES
from members.tokens import DAYS, MOST_NAME

EVERY = "all"  # instead of a project
LIFETIMES = ((90, "in 90 days"), (30, "in 30 days"), (365, "in a year"))
WRONG = "That is not your password."


class PasswordAgain(forms.Form):
    """The password of whoever is signed in, when they signed in long ago; else nothing."""

    password = forms.CharField(
        max_length=4_096, strip=False, error_messages={"required": "Your password is needed again."}
    )

    def __init__(self, data: Mapping[str, Any] | None, *, request: Any, is_stale: bool) -> None:
        super().__init__(data)
        self.request = request
        if not is_stale:
            del self.fields["password"]

    def clean_password(self) -> str:
        """Refuse a wrong one; django-axes counts those as it does at the door."""
        told: str = self.cleaned_data["password"]
        name = self.request.user.get_username()
        if authenticate(self.request, username=name, password=told) is None:
            raise forms.ValidationError(WRONG)
        return told


class NewToken(PasswordAgain):
    """A name, what it reads, until when."""

    name = forms.CharField(
        max_length=MOST_NAME,
        error_messages={
            "required": "Name it after the client that gets it.",
            "max_length": f"A name has at most {MOST_NAME} characters.",
        },
    )
    project = forms.ChoiceField(error_messages={"invalid_choice": "Choose one of the projects."})
    days = forms.TypedChoiceField(
        choices=LIFETIMES, coerce=int, initial=DAYS, error_messages={"invalid_choice": "Choose one of these."}
    )
    scopes = forms.MultipleChoiceField(
        choices=[(scope, scope) for scope in SCOPES],
        initial=list(SCOPES),
        error_messages={
            "required": "A token that may do nothing is no use.",
            "invalid_choice": "Choose one of these.",
        },
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        *,
        request: Any,
        is_stale: bool,
        projects: Sequence[Project],
    ) -> None:
        super().__init__(data, request=request, is_stale=is_stale)
        self.projects = {str(project.pk): project for project in projects}
        named = [(key, project.name) for key, project in self.projects.items()]
        self.fields["project"].choices = [*named, (EVERY, "All your projects")]  # type: ignore[attr-defined]

    @property
    def wish(self) -> dict[str, Any]:
        """What is asked for, as `tokens.issue` takes it."""
        told = self.cleaned_data
        return {
            "name": told["name"],
            "project": self.projects.get(told["project"]),
            "days": told["days"],
            "scopes": told["scopes"],
        }
