"""What the admin may enter about a repository."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.utils.html import format_html, format_html_join

from repositories.cleaning import clean_line
from repositories.credentials import Credentials, encrypted
from repositories.errors import RemoteRefused, RepositoryError
from repositories.mirrors import checked_remote
from repositories.models import Repository
from repositories.reader import branches, is_branch_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.utils.safestring import SafeString

    ModelForm = forms.ModelForm[Repository]
else:
    ModelForm = forms.ModelForm


class RepositoryForm(ModelForm):
    """A repository's own columns, and credentials that go in and never come out."""

    user = forms.CharField(required=False, max_length=200, label="User name")
    token = forms.CharField(
        required=False,
        max_length=2_000,
        widget=forms.PasswordInput(render_value=False, attrs={"autocomplete": "new-password"}),
        help_text="Kept encrypted and never shown again. Empty: what is stored stays.",
    )
    forget = forms.BooleanField(required=False, label="Forget the stored credentials")

    class Meta:
        model = Repository
        fields: ClassVar = [
            "slug",
            "name",
            "remote",
            "default_branch",
            "web_address",
            "write_back",
            "linkable",
        ]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "default_branch" in self.fields:
            self.fields["default_branch"].widget = BranchInput(mirrored_branches(self.instance))

    def clean_remote(self) -> str:
        try:
            return checked_remote(self.cleaned_data["remote"])
        except RemoteRefused as error:
            raise ValidationError(str(error)) from error

    def clean_default_branch(self) -> str:
        branch: str = self.cleaned_data["default_branch"]
        if branch and not is_branch_name(branch):
            raise ValidationError("No branch of this name can be followed.")
        return branch

    def clean(self) -> dict[str, Any]:
        entered = super().clean() or self.cleaned_data
        user, token = entered.get("user", ""), entered.get("token", "")
        if clean_line(user) != user or clean_line(token) != token or ":" in user:
            raise ValidationError("A user name or token holds a character that it cannot hold.")
        if user and not token:
            self.add_error("token", "Enter the token that belongs to the user name.")
        return entered

    def save(self, commit: bool = True) -> Repository:  # noqa: FBT001, FBT002 (Django's signature)
        if self.is_valid():
            self.instance.credentials = self._credentials(self.cleaned_data)
        return super().save(commit)

    def _credentials(self, entered: Mapping[str, Any]) -> bytes | None:
        if entered.get("token"):
            # Hosts that want a token alone take any name beside it.
            return encrypted(Credentials(entered.get("user") or "git", entered["token"]))
        # Credentials belong to the address they were entered for: another host must not get them.
        kept = not entered.get("forget") and "remote" not in self.changed_data
        stored = self.instance.credentials
        return bytes(stored) if stored and kept else None


class BranchInput(forms.TextInput):
    """A text field that offers the mirrored branches and takes any other name."""

    def __init__(self, names: list[str]) -> None:
        super().__init__()
        self.names = names

    def render(
        self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None
    ) -> SafeString:
        offered = f"{name}-offered"
        field = super().render(name, value, {**(attrs or {}), "list": offered}, renderer)
        options = format_html_join("", '<option value="{}"></option>', ((name,) for name in self.names))
        return format_html('{}<datalist id="{}">{}</datalist>', field, offered, options)


def mirrored_branches(repository: Repository) -> list[str]:
    """The names of the branches that the mirror has; none when it cannot be read."""
    try:
        return [branch.name for branch in branches(repository.mirror)]
    except RepositoryError:
        return []
