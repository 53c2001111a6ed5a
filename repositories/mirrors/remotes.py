"""How the remote of a repository is reached, checked anew before every fetch."""

from __future__ import annotations

import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

from repositories.addresses import NOT_PUBLIC, Remote, parse_remote, public_addresses
from repositories.credentials import Credentials, decrypted
from repositories.errors import RemoteRefused
from repositories.git import Connection

if TYPE_CHECKING:
    from repositories.models import Repository

# From a host and a port to the addresses that git may connect to. It alone decides: git asks no other name
# service, so what was checked is what is reached. Tests pass one that answers with a server of their own.
type Resolver = Callable[[str, int], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Reach:
    """What git needs for one fetch."""

    address: str  # a url, or a folder's path
    connection: Connection
    credentials: Credentials | None = None


def public_resolver(host: str, port: int) -> tuple[str, ...]:
    """Every address of the host. Raises RemoteRefused unless all of them are public."""
    try:
        answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise RemoteRefused(NOT_PUBLIC) from error
    return public_addresses(str(answer[4][0]) for answer in answers)


def checked_remote(text: str) -> str:
    """The remote in the one spelling that is stored. Raises RemoteRefused."""
    return str(local_folder(text)) if text.startswith("/") else parse_remote(text).url


def reach(repository: Repository, resolver: Resolver, authority: Path | None, patience: int) -> Reach:
    """The way to the repository's remote. Raises RemoteRefused and CredentialsUnreadable."""
    if repository.remote.startswith("/"):
        return Reach(str(local_folder(repository.remote)), Connection())
    remote = parse_remote(repository.remote)
    credentials = decrypted(bytes(repository.credentials)) if repository.credentials else None
    connection = Connection(
        origin=remote.origin,
        pin=_pin(remote, resolver(remote.host, remote.port)),
        header=credentials.header if credentials else "",
        authority=authority,
        patience=patience,
    )
    return Reach(remote.url, connection, credentials)


def local_folder(text: str) -> Path:
    """The folder of a remote on this machine, with a working tree or bare. Raises RemoteRefused."""
    folder = Path(text).resolve()
    if not any(_lies_below(folder, Path(root)) for root in settings.MIRROR_LOCAL_ROOTS):
        raise RemoteRefused("A folder must lie below one of MIRROR_LOCAL_ROOTS.")
    place = git_folder(folder)
    if not (place / "HEAD").is_file() or not (place / "objects").is_dir():
        raise RemoteRefused("The folder holds no Git repository.")
    if place.resolve() != place:
        raise RemoteRefused("The repository in the folder stands somewhere else.")
    if (place / "shallow").exists():
        raise RemoteRefused("The folder is a shallow clone; run `git fetch --unshallow` in it.")
    if any((place / "objects/pack").glob("*.promisor")):
        raise RemoteRefused("The folder is a partial clone; a mirror needs a whole one.")
    return folder


def git_folder(folder: Path) -> Path:
    """Where in a local folder Git keeps its own."""
    inner = folder / ".git"
    return inner if inner.exists() else folder


def _pin(remote: Remote, addresses: tuple[str, ...]) -> str:
    bracketed = (f"[{address}]" if ":" in address else address for address in addresses)
    return f"{remote.host}:{remote.port}:{','.join(bracketed)}"


def _lies_below(folder: Path, root: Path) -> bool:
    return folder.is_relative_to(root.resolve())
