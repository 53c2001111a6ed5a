"""What a project's Brain follows: turned on and off, moved and built again, each change noted in the log.

Each is one transaction with its activity: it happens and is noted, or neither.
"""

from __future__ import annotations

import logging
from functools import partial

from django.db import transaction

from brain import builds
from brain.errors import BrainOff, BranchNotMirrored, NoRepository, WikiFollowsDefault, WikiOn
from brain.store import Source, State
from brain.store.managing import Changes, astray, clear_away, decide, hold, hold_to_remove
from members.activity import record
from members.callers import SYSTEM, Caller, Door
from members.models import Project
from repositories import reader
from repositories.cleaning import clean_line
from repositories.errors import BranchMissing, RepositoryError
from repositories.models import Repository

CONFIGURE, REBUILD = "brain.configure", "brain.rebuild"  # in the activity log
DEFAULT_BRANCH, RECONCILER = "default-branch", "reconciler"  # why a Brain was moved
HEALED = "wiki"  # why it was: its wiki was asked for again

log = logging.getLogger(__name__)


def configure(project: Project, caller: Caller, *, enabled: bool, branch: str = "") -> Source:
    """Turn the Brain on, which builds it, or off, which keeps its tree; a named branch is followed then.

    Raises NoRepository, BranchNotMirrored, MirrorMissing, and while the wiki is on WikiFollowsDefault for
    another branch than the default one and WikiOn for turning the Brain off.
    """
    with transaction.atomic():
        source = hold(project)
        if source.wiki:
            branch = _default_for(source, branch, enabled=enabled)
        if enabled or branch:
            branch = _followable(source, branch or source.branch)
        changes = decide(source, enabled=enabled, branch=branch or source.branch)
        if enabled or changes:
            _note(caller, CONFIGURE, source, changes, build=enabled)
    return source


def rebuild(project: Project, caller: Caller) -> Source:
    """Have the tip of the branch built whole, whether it moved or not, and whatever became of the last build.

    Raises BrainOff, NoRepository, BranchNotMirrored and MirrorMissing.
    """
    with transaction.atomic():
        source = hold(project)
        if not source.enabled:
            raise BrainOff("The Brain is turned off: turn it on, which builds it too.", state=State.OFF)
        _followable(source, source.branch)
        record(caller, REBUILD, project=project, target=source.branch)
        builds.request(source, asked_by=_name_of(caller), whole=True)
        source.refresh_from_db()
    return source


def bind(project: Project, caller: Caller, *, action: str) -> Source:
    """Let the project's wiki hold the Brain: on, and at the default branch of its repository.

    A wiki that holds it already changes and queues nothing, unless the Brain was left on another branch.
    `action` is what the log calls it. Raises NoRepository and BranchNotMirrored.
    """
    with transaction.atomic():
        source = hold(project)
        repository = _repository_of(source)
        wanted = {"wiki": True, "enabled": True, "branch": repository.default_branch}
        if any(getattr(source, name) != value for name, value in wanted.items()):
            if not _is_mirrored(repository):
                raise BranchNotMirrored(_not_yet(repository.default_branch), state=_state_of(source))
            changes = decide(source, **wanted)
            is_new = "wiki" in changes
            _note(
                caller,
                action if is_new else CONFIGURE,
                source,
                changes,
                build=True,
                reason="" if is_new else HEALED,
            )
    return source


def release(project: Project, caller: Caller, *, action: str) -> Source:
    """Let the project's wiki hold the Brain no more, which stays as it is."""
    with transaction.atomic():
        source = hold(project)
        changes = decide(source, wiki=False)
        if changes:
            # A build that runs is overtaken, as by every change: it begins again.
            _note(caller, action, source, changes, build=source.state == State.INDEXING)
    return source


def move_to_default(project: Project, caller: Caller, *, reason: str) -> bool:
    """Let the Brain of a wiki project follow the default branch and be on; whether it had gone astray.

    It is built at once when the mirror has the branch, otherwise by the sync that brings it.
    """
    with transaction.atomic():
        source = hold(project)
        repository = source.project.repository
        if not source.wiki or repository is None or not repository.default_branch:
            return False
        changes = decide(source, enabled=True, branch=repository.default_branch)
        if not changes:
            return False
        _note(caller, CONFIGURE, source, changes, reason=reason)
    # Asked now that the move stands: a sync that brings the branch later finds the Brain following it.
    if _is_mirrored(repository):
        builds.request(source, asked_by=_name_of(caller))
    return True


def move_all(caller: Caller, *, reason: str, repository: Repository | None = None) -> int:
    """Move every wiki project, of this repository or of all, that has gone astray; how many were moved.

    Each is moved on its own: what fails is logged, and stops no other.
    """
    moved = 0
    for project in astray(repository):
        try:
            moved += move_to_default(project, caller, reason=reason)
        except Exception:
            log.exception("The Brain of %s was not moved to the default branch.", project.slug)
    return moved


def heal() -> int:
    """Move every wiki project that was left off its default branch; how many were moved."""
    return move_all(SYSTEM, reason=RECONCILER)


def let_go(project: Project) -> None:
    """Within a project's deletion: wait for a build that writes, and clear away what lies beside the rows."""
    source_id = hold_to_remove(project)
    if source_id is not None:
        gone = partial(clear_away, source_id, project.repository, str(project.pk))
        transaction.on_commit(gone, robust=True)


def _default_for(source: Source, branch: str, *, enabled: bool) -> str:
    """The one branch that the Brain of a wiki project may follow."""
    repository = _repository_of(source)
    if branch and branch != repository.default_branch:
        raise WikiFollowsDefault("A wiki project's Brain follows the default branch", state=_state_of(source))
    if not enabled:
        raise WikiOn("Turn the wiki off before turning the Brain off", state=_state_of(source))
    return repository.default_branch


def _followable(source: Source, branch: str) -> str:
    """The branch, or the default one where none was ever chosen, once it was found in the mirror."""
    repository = _repository_of(source)
    branch = branch or repository.default_branch
    try:
        reader.tip_of(repository.mirror, branch)
    except BranchMissing as error:
        raise BranchNotMirrored(_not_yet(branch), state=_state_of(source)) from error
    return branch


def _repository_of(source: Source) -> Repository:
    if source.project.repository is None:
        raise NoRepository(
            "The project has no document repository; an administrator chooses one.", state=_state_of(source)
        )
    return source.project.repository


def _is_mirrored(repository: Repository) -> bool:
    try:
        reader.tip_of(repository.mirror, repository.default_branch)
    except RepositoryError:  # no mirror yet, or a damaged one: a sync brings either
        return False
    return True


def _not_yet(branch: str) -> str:
    if not branch:
        return "The repository has no default branch yet; the first sync finds one."
    return f"The branch {clean_line(branch, 200)} is not in the mirror; a sync brings it."


def _note(
    caller: Caller, action: str, source: Source, changes: Changes, *, build: bool = False, reason: str = ""
) -> None:
    """Write the change into the log, and ask for a build where there is to be one."""
    details = changes | ({"build": True} if build else {})
    record(caller, action, project=source.project, target=source.branch, details=details, reason=reason)
    if build:
        builds.request(source, asked_by=_name_of(caller))
        source.refresh_from_db()


def _name_of(caller: Caller) -> str:
    if caller.member is not None:
        return caller.member.get_username()
    return "operator" if caller.door == Door.COMMAND else "system"


def _state_of(source: Source) -> str:
    return source.state if source.enabled else State.OFF
