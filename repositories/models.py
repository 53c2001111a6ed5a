"""Where the text comes from: a Git repository and what the last sync found."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.validators import RegexValidator
from django.db import models

slug_rule = RegexValidator(
    r"^[a-z0-9][a-z0-9-]{0,62}\Z",
    "Lower case letters, digits and hyphens, at most 63, a letter or digit first.",
)


class Repository(models.Model):
    """A remote Git repository, mirrored bare under `MIRROR_ROOT/<id>.git`."""

    class Outcome(models.TextChoices):
        """How the last sync ended; what a person may know of it."""

        NEVER = "never", "never synced"
        OK = "ok", "synced"
        REFUSED = "refused", "the address is not allowed"
        AUTH = "auth", "the remote wants other credentials"
        TIMEOUT = "timeout", "the remote was too slow"
        TOO_LARGE = "too-large", "the repository is too large"
        DISK = "disk", "not enough disk space"
        FAILED = "failed", "the fetch failed"

    slug = models.CharField(max_length=63, unique=True, validators=[slug_rule])
    name = models.CharField(max_length=200)
    remote = models.CharField(
        max_length=2000, help_text="An https address, or a folder below one of MIRROR_LOCAL_ROOTS."
    )
    default_branch = models.CharField(
        max_length=200, blank=True, help_text="Empty until the first sync finds one."
    )
    web_address = models.URLField(
        max_length=500,
        blank=True,
        help_text="Where people see the repository; links to its blobs are followed.",
    )
    write_back = models.BooleanField(
        default=False, help_text="Allow output branches kintsugi/* to be pushed."
    )
    linkable = models.BooleanField(default=False, help_text="Other projects may link their code to it.")
    credentials = models.BinaryField(null=True, blank=True, editable=False)
    remote_default_branch = models.CharField(max_length=200, blank=True, editable=False)
    outcome = models.CharField(max_length=10, choices=Outcome.choices, default=Outcome.NEVER, editable=False)
    error = models.CharField(max_length=500, blank=True, editable=False)
    attempted_at = models.DateTimeField(null=True, editable=False)
    synced_at = models.DateTimeField(null=True, editable=False)
    size = models.BigIntegerField("size in bytes", default=0, editable=False)

    # When it is synced: repositories.scheduling
    wanted_at = models.DateTimeField(null=True, editable=False)  # the newest ask that no sync has answered
    woken_at = models.DateTimeField(null=True, editable=False)  # a worker was told of it, and has not begun
    starts = ArrayField(models.DateTimeField(), default=list, editable=False)  # of the newest syncs, in order
    failures = models.PositiveSmallIntegerField(default=0, editable=False)  # begun since one ended well
    refs_seen = models.CharField(max_length=64, blank=True, editable=False)  # mirrors.watching; local ones
    hook_secret = models.BinaryField(null=True, blank=True, editable=False)  # repositories.webhooks

    class Meta:
        verbose_name = "Git repository"
        verbose_name_plural = "Git repositories"
        ordering: ClassVar = ["name", "slug"]

    def __str__(self) -> str:
        return self.name

    @property
    def mirror(self) -> Path:
        """Where its bare mirror stands, there or not."""
        return Path(settings.MIRROR_ROOT) / f"{self.pk}.git"
