"""Who there is, and which project they belong to."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models

from repositories.models import slug_rule


class Member(AbstractUser):
    """A person who signs in; the user model."""

    class Meta(AbstractUser.Meta):
        verbose_name = "member"


class Role(models.TextChoices):
    """What a membership lets a member do; `permissions.py` says what each means."""

    READER = "reader"
    MEMBER = "member"
    MAINTAINER = "maintainer"


class Project(models.Model):
    """A team's project: its document repository and the people who may see it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.CharField(max_length=63, unique=True, validators=[slug_rule])
    name = models.CharField(max_length=200)
    repository = models.ForeignKey(
        "repositories.Repository",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="projects",
        help_text="The repository that holds the project's documents.",
    )
    members = models.ManyToManyField(Member, through="Membership", related_name="projects")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["name", "slug"]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """One member of one project, with a role."""

    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="memberships")
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.READER)

    class Meta:
        ordering: ClassVar = ["project", "member"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["member", "project"], name="membership_once"),
        ]

    def __str__(self) -> str:
        return f"{self.member} in {self.project} as {self.role}"
