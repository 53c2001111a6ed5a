"""One fetch into one bare repository: what git is asked, and what its complaints mean."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from repositories import git
from repositories.errors import FetchFailed
from repositories.git import GitFailed
from repositories.mirrors import places
from repositories.mirrors.complaints import SENTENCES, SHALLOW, Outcome, explained, means_shallow
from repositories.mirrors.progress import Progress, ProgressLines
from repositories.processes import Limits
from repositories.reader import is_branch_name

if TYPE_CHECKING:
    from pathlib import Path

    from repositories.mirrors.remotes import Reach

# Branches and nothing else, so that prune cannot touch a pin; and never ours, neither fetched nor pruned.
BRANCHES = ("+refs/heads/*:refs/heads/*", "^refs/heads/kintsugi/*", "^refs/heads/kintsugi")

# The owner of a local source is whoever the operator gave the folder to: MIRROR_LOCAL_ROOTS has decided.
LOCAL_UPLOAD = ("--upload-pack", 'git -c "safe.directory=*" upload-pack')

QUIET_FETCH = (
    "--no-tags",
    "--force",
    "--no-write-fetch-head",
    "--no-auto-maintenance",
    "--no-recurse-submodules",
)

_IN_THE_WAY = re.compile(rb"cannot lock ref .* exists; cannot create")
_SYMREF = re.compile(r"ref: refs/heads/(\S+)\tHEAD\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncLimits:
    """What one sync may take."""

    ask: float = 30  # seconds for the first answer of the remote
    seconds: float = 900  # wall time of the fetch
    patience: int = 60  # seconds below 1,000 bytes a second
    bytes: int = 8 << 30  # by which one fetch may let the mirror grow
    free: int = 1 << 30  # bytes that must stay free on the disk, besides twice the largest pack
    floor: float = 1.0  # seconds that a failure takes at least, whatever failed


def create(mirror: Path) -> None:
    """Make an empty bare repository, or complete one whose making was cut off."""
    mirror.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    git.run(None, "init", "--quiet", "--bare", "--template=", "--initial-branch=main", str(mirror))


def head_of(reach: Reach, limits: SyncLimits) -> str:
    """The remote's own default branch; empty when it has none, or one that cannot be followed."""
    arguments = ("ls-remote", "--symref", *_upload(reach), "--", reach.address, "HEAD")
    with explained(reach):
        done = git.run(
            None,
            *arguments,
            connection=reach.connection,
            limits=Limits(seconds=limits.ask, output=1 << 20),
        )
    found = _SYMREF.search(done.stdout.decode(errors="replace"))
    return found[1] if found and is_branch_name(found[1]) else ""


def fetch(mirror: Path, reach: Reach, limits: SyncLimits, progress: Progress | None) -> None:
    """Bring the mirror's branches to the remote's state, all or none of them."""
    _require_space(mirror, limits)
    try:
        with explained(reach):
            _fetch_branches(mirror, reach, limits, progress)
    except FetchFailed:
        places.sweep(mirror, older=0)  # git had no time to, and this sync is the only writer
        raise


def index_history(mirror: Path, limits: SyncLimits) -> None:
    """Write the commit graph with changed paths, which makes the history of one path quick to read."""
    arguments = ("commit-graph", "write", "--reachable", "--changed-paths", "--no-progress")
    git.run(mirror, *arguments, limits=Limits(seconds=limits.seconds))


def pack_anew(mirror: Path, limits: SyncLimits) -> None:
    """Make one pack of many; what no branch and no pin holds goes after two weeks."""
    git.run(mirror, "gc", "--quiet", "--prune=2.weeks.ago", limits=Limits(seconds=limits.seconds))


def is_readable(mirror: Path, limits: SyncLimits) -> bool:
    """Whether the commit of every branch and pin can be read."""
    return _can_list(mirror, limits, "--no-walk")


def is_whole(mirror: Path, limits: SyncLimits) -> bool:
    """Whether every object that a branch or a pin needs is there."""
    return _can_list(mirror, limits, "--objects")


def copy_from(other: Path, mirror: Path, reference: str) -> None:
    """Take over one reference of another mirror, with its objects. Raises GitFailed."""
    git.run(
        mirror,
        "fetch",
        *QUIET_FETCH,
        *LOCAL_UPLOAD,
        "--",
        str(other),
        f"+{reference}:{reference}",
        connection=git.Connection(),
    )


def _can_list(mirror: Path, limits: SyncLimits, how: str) -> bool:
    # Without the commit graph, which would answer for objects that are gone.
    arguments = ("-c", "core.commitGraph=false", "rev-list", how, "--all", "--quiet")
    try:
        git.run(mirror, *arguments, limits=Limits(seconds=limits.seconds))
    except GitFailed:
        return False
    return True


def _fetch_branches(mirror: Path, reach: Reach, limits: SyncLimits, progress: Progress | None) -> None:
    packs = mirror / "objects/pack"
    before = places.size_of(packs)

    def watch() -> None:
        if places.size_of(packs) - before > limits.bytes:
            raise FetchFailed(Outcome.TOO_LARGE, SENTENCES[Outcome.TOO_LARGE])

    ask = functools.partial(
        git.run,
        connection=reach.connection,
        limits=Limits(seconds=limits.seconds),
        heard=ProgressLines(progress) if progress else None,
        watch=watch,
    )
    options = ("fetch", "--progress", "--prune", *QUIET_FETCH, *_upload(reach))
    try:
        done = ask(mirror, *options, "--atomic", "--", reach.address, *BRANCHES)
    except GitFailed as error:
        # One transaction cannot make `a/b` where it deletes `a`. The objects are here by now: the second
        # fetch moves references only, and deletes before it makes.
        if not _IN_THE_WAY.search(error.stderr):
            raise
        done = ask(mirror, *options, "--", reach.address, *BRANCHES)
    if means_shallow(done.stderr):  # branches were left out, and git calls that a success
        raise FetchFailed(Outcome.FAILED, SHALLOW)


def _upload(reach: Reach) -> tuple[str, ...]:
    return () if reach.connection.origin else LOCAL_UPLOAD


def _require_space(mirror: Path, limits: SyncLimits) -> None:
    if places.free_space(mirror) < limits.free + 2 * places.largest_pack(mirror):
        raise FetchFailed(Outcome.DISK, SENTENCES[Outcome.DISK])
