"""The rows of a Brain: one tree per project, a copy of one commit that only a build may write.

Rows are keyed by their source and a hash of the node id (`tree.nodes.key_of`), never by a long path.
"""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models

CODE_POINTS = "C"  # names are ordered by code point, whatever the database's locale


class State(models.TextChoices):
    """Where a Brain stands; `failed` with an indexed commit still serves its tree."""

    NOT_BUILT = "not-built"
    QUEUED = "queued"
    INDEXING = "indexing"
    READY = "ready"
    FAILED = "failed"
    OFF = "off"


class Wanted(models.TextChoices):
    """Which build was asked for and has not begun; none is the empty text."""

    BUILD = "build"  # of whatever kind is right
    WHOLE = "whole"


class Source(models.Model):
    """What a project's Brain is built from, and how its last builds went."""

    project = models.OneToOneField("members.Project", on_delete=models.CASCADE, related_name="brain")
    branch = models.CharField(max_length=200, blank=True)
    enabled = models.BooleanField(default=True)
    wiki = models.BooleanField(default=False)
    include = models.TextField(
        blank=True, help_text="Globs as in .gitignore, one a line: index only what matches."
    )
    exclude = models.TextField(
        blank=True, help_text="Globs as in .gitignore, one a line: never index what matches."
    )

    state = models.CharField(max_length=10, choices=State.choices, default=State.NOT_BUILT, editable=False)
    wanted = models.CharField(max_length=5, choices=Wanted.choices, blank=True, editable=False)
    wanted_by = models.CharField(max_length=200, blank=True, editable=False)
    wanted_at = models.DateTimeField(null=True, editable=False)
    wait_until = models.DateTimeField(null=True, editable=False)  # the wanted build may not start before
    patient = models.BooleanField(default=False, editable=False)  # nobody waits for the wanted build
    running = models.JSONField(null=True, editable=False)  # the build that runs: job, whole, by, patient
    generation = models.IntegerField(default=0, editable=False)
    attempted_commit = models.CharField(max_length=40, blank=True, editable=False)
    attempts = models.IntegerField(default=0, editable=False)
    heartbeat = models.DateTimeField(null=True, editable=False)
    progress = models.JSONField(null=True, editable=False)
    error = models.CharField(max_length=500, blank=True, editable=False)

    commit = models.CharField("indexed commit", max_length=40, blank=True, editable=False)
    built_at = models.DateTimeField(null=True, editable=False)
    whole_built_at = models.DateTimeField(null=True, editable=False)
    last_build = models.CharField(max_length=11, blank=True, editable=False)
    incremental_builds = models.IntegerField(default=0, editable=False)
    refs_complete = models.BooleanField(default=False, editable=False)
    builder = models.IntegerField("builder version", default=0, editable=False)
    settings_hash = models.CharField(max_length=64, blank=True, editable=False)
    tree_hash = models.CharField(max_length=64, blank=True, editable=False)
    checked_at = models.DateTimeField("last compared with a whole build", null=True, editable=False)
    differed_at = models.DateTimeField("last found to differ", null=True, editable=False)
    basis = models.JSONField(default=dict, editable=False)  # what the next incremental build starts from
    counts = models.JSONField(default=dict, editable=False)
    left_out = models.JSONField(default=list, editable=False)
    broken = models.JSONField(default=dict, editable=False)

    class Meta:
        verbose_name = "Brain"
        indexes: ClassVar = [
            models.Index(fields=["wanted_at"], name="source_wanted", condition=~models.Q(wanted="")),
        ]

    def __str__(self) -> str:
        return f"Brain of {self.project}"


class Node(models.Model):
    """A place in the tree of the indexed commit."""

    pk = models.CompositePrimaryKey("source_id", "key")
    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="nodes", db_index=False)
    key = models.UUIDField()
    parent = models.UUIDField(null=True)
    document = models.UUIDField(null=True)
    kind = models.CharField(max_length=8)
    node_id = models.TextField()
    path = models.TextField(db_collation=CODE_POINTS)
    sort = models.TextField(db_collation=CODE_POINTS)
    title = models.TextField()
    summary = models.CharField(max_length=240, blank=True)
    summary_source = models.CharField(max_length=12, blank=True)
    line_start = models.IntegerField(null=True)
    line_end = models.IntegerField(null=True)
    subtree_end = models.IntegerField(null=True)
    size = models.IntegerField()
    level = models.SmallIntegerField()
    children = models.IntegerField()
    name_key = models.BigIntegerField(null=True)
    title_key = models.BigIntegerField()
    reference_key = models.BigIntegerField(null=True)
    number = models.BigIntegerField(null=True)
    reference_id = models.CharField(max_length=128, null=True)
    labels = ArrayField(models.CharField(max_length=64), default=list)
    status = models.TextField(blank=True)
    space = models.CharField(max_length=32, blank=True)
    order = models.IntegerField(null=True)
    blob = models.CharField(max_length=40, blank=True)
    changed_commit = models.CharField(max_length=40, blank=True)
    changed_at = models.DateTimeField(null=True)
    changed_subject = models.CharField(max_length=240, null=True)
    outgoing_links = models.IntegerField(default=0)
    home = models.JSONField(default=dict)
    digest = models.BinaryField(null=True)  # of a folder or document: what the tree hash is made of

    class Meta:
        indexes: ClassVar = [
            models.Index(
                fields=["source", "path"],
                include=["digest"],
                name="node_digest",
                condition=models.Q(digest__isnull=False),
            ),
            models.Index(fields=["source", "parent", "sort", "line_start"], name="node_level"),
            models.Index(fields=["source", "document", "line_start"], name="node_lines"),
            models.Index(fields=["source", "title_key"], name="node_title"),
            models.Index(
                fields=["source", "reference_key"],
                name="node_reference",
                condition=models.Q(reference_key__isnull=False),
            ),
            models.Index(
                fields=["source", "name_key"], name="node_name", condition=models.Q(name_key__isnull=False)
            ),
            models.Index(
                fields=["source", "number"], name="node_number", condition=models.Q(number__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return self.node_id


class Link(models.Model):
    """A resolved reference from one node to another, in the order it stands in its node."""

    pk = models.CompositePrimaryKey("source_id", "from_node", "position")
    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="links", db_index=False)
    from_node = models.UUIDField()
    position = models.IntegerField()
    to_node = models.UUIDField()
    kind = models.CharField(max_length=7)
    line = models.IntegerField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["source", "to_node"], name="link_incoming")]


class Ref(models.Model):
    """What a document says, resolved or not, in the order it says it."""

    pk = models.CompositePrimaryKey("source_id", "document", "position")
    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="refs", db_index=False)
    document = models.UUIDField()
    position = models.IntegerField()
    anchor = models.TextField(blank=True)
    kind = models.CharField(max_length=7)
    target = models.TextField()
    line = models.IntegerField()
    goal = models.UUIDField(null=True)  # the place or id it means, there or not; see `tree.links`

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["source", "goal"], name="ref_goal", condition=models.Q(goal__isnull=False)),
        ]


class Text(models.Model):
    """The search words of a document, section or card; only lexemes, never the text."""

    pk = models.CompositePrimaryKey("source_id", "key")
    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="texts", db_index=False)
    key = models.UUIDField()
    document = models.UUIDField()
    vector = SearchVectorField()

    class Meta:
        indexes: ClassVar = [
            GinIndex(fields=["vector"], name="text_vector"),
            models.Index(fields=["source", "document"], name="text_document"),
        ]


class Problem(models.Model):
    """Something in the repository that a writer can mend; never a failed build."""

    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="problems")
    path = models.TextField(blank=True)
    line = models.IntegerField(null=True)
    code = models.CharField(max_length=32)
    severity = models.CharField(max_length=7)
    message = models.CharField(max_length=500)


class Build(models.Model):
    """One finished build: what it read, how long each phase took, how it ended."""

    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="builds")
    number = models.IntegerField()
    commit = models.CharField(max_length=40, blank=True)
    kind = models.CharField(max_length=11)
    asked_by = models.CharField(max_length=200, blank=True)
    started_at = models.DateTimeField()
    seconds = models.JSONField(default=dict)
    counts = models.JSONField(default=dict)
    outcome = models.CharField(max_length=10)
    error = models.CharField(max_length=500, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["source", "number"], name="build_number"),
        ]
