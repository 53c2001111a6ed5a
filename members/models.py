"""Who there is, and which project they belong to."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import HashIndex
from django.db import models
from django.db.models.functions import Now

from repositories.models import slug_rule


class Member(AbstractUser):
    """A person who signs in; the user model."""

    class Meta(AbstractUser.Meta):
        verbose_name, verbose_name_plural = "member", "members"


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

    role = ""  # of the member to whom `access.py` opened it

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


class Token(models.Model):
    """A secret that lets a program read what its member may read; only its SHA-256 is kept."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="tokens")
    project = models.ForeignKey(
        Project,
        on_delete=models.CASCADE,
        null=True,
        related_name="tokens",
        help_text="The project it reads; none: all of its member's.",
    )
    name = models.CharField(max_length=100)
    scopes = ArrayField(models.CharField(max_length=32))
    digest = models.CharField(max_length=64, unique=True)  # SHA-256 of the whole token, hex
    hint = models.CharField(max_length=8)  # its first letters, for lists
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    expiry_noted = models.BooleanField(default=False)  # the activity log has it
    last_used_at = models.DateTimeField(null=True)  # at most half a minute too early
    last_agent = models.CharField(max_length=200, blank=True)
    networks = ArrayField(models.CharField(max_length=43), default=list)  # the newest it was used from
    revoked_at = models.DateTimeField(null=True)
    revoked_by = models.CharField(max_length=150, blank=True)
    revoked_why = models.CharField(max_length=200, blank=True)
    # What it was rotated into; both go with their member or project, so nothing has to be said of one alone.
    successor = models.OneToOneField(
        "self", on_delete=models.DO_NOTHING, null=True, related_name="predecessor", db_constraint=False
    )

    class Meta:
        ordering: ClassVar = ["-created_at"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["member", "name"],
                condition=models.Q(revoked_at__isnull=True, successor__isnull=True),
                name="token_name_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} of {self.member}"


class Activity(models.Model):
    """Something that was done or refused; the database lets nobody change or delete a row.

    `at`, `number`, `prev_hash` and `hash` are the database's: see migration 0003. No column is a foreign key,
    because a row outlives whom and what it names.
    """

    class Actor(models.TextChoices):
        MEMBER = "member"
        OPERATOR = "operator"  # whoever runs commands on this machine
        SYSTEM = "system"
        ANONYMOUS = "anonymous"

    class Door(models.TextChoices):
        PORTAL = "portal"
        API = "api"
        MCP = "mcp"
        ADMIN = "admin"
        COMMAND = "command"
        SYSTEM = "system"

    chain = models.UUIDField()  # the project's id; 0 for what belongs to no project
    number = models.BigIntegerField(db_default=0)  # in its chain, from 1, without a gap
    at = models.DateTimeField(db_default=Now())  # the database's clock, to the millisecond
    actor_type = models.CharField(max_length=9, choices=Actor.choices)
    actor_id = models.BigIntegerField(null=True)
    actor_name = models.CharField(max_length=150, blank=True)
    door = models.CharField(max_length=7, choices=Door.choices)
    token_id = models.UUIDField(null=True)
    token_name = models.CharField(max_length=100, blank=True)
    token_hash = models.CharField(max_length=8, blank=True)  # first letters of its SHA-256
    ip = models.GenericIPAddressField(null=True)
    agent = models.CharField(max_length=200, blank=True)
    action = models.CharField(max_length=40)
    project = models.CharField(max_length=63, blank=True)  # its slug at the time
    target = models.TextField(blank=True)  # a node id, a branch, a name
    details = models.TextField(default="{}")  # JSON; commits, lines and counts, never a text or a query
    status = models.SmallIntegerField(default=200)  # as HTTP counts outcomes
    reason = models.CharField(max_length=200, blank=True)
    request_id = models.UUIDField(null=True)
    prev_hash = models.CharField(max_length=64, db_default="")
    hash = models.CharField(max_length=64, db_default="")

    class Meta:
        verbose_name_plural = "activities"
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["chain", "number"], name="activity_chain"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["chain", "-id"], name="activity_newest"),
            models.Index(fields=["action", "-id"], name="activity_action"),
            models.Index(fields=["actor_name", "-id"], name="activity_actor"),
            models.Index(fields=["token_id", "-id"], name="activity_token"),
            models.Index(fields=["at"], name="activity_at"),
            HashIndex(fields=["target"], name="activity_target"),
        ]

    def __str__(self) -> str:
        return f"{self.action} by {self.actor_name or self.actor_type}"


class ReadCount(models.Model):
    """How often a member read what is counted and not listed: levels of the tree, look-ups, lists."""

    pk = models.CompositePrimaryKey("day", "project_id", "member_id", "token_id", "action")
    day = models.DateField()
    project_id = models.UUIDField()
    member_id = models.BigIntegerField()
    token_id = models.UUIDField()  # 0: in the portal
    action = models.CharField(max_length=40)
    count = models.BigIntegerField()


class RateWindow(models.Model):
    """How much of a rate limit is used up; its table survives no crash and needs not."""

    pk = models.CompositePrimaryKey("key", "policy")
    key = models.CharField(max_length=80)  # whom it counts: "token:…", "member:…" or "ip:…"
    policy = models.CharField(max_length=16)
    opened_at = models.DateTimeField()
    count = models.IntegerField()
