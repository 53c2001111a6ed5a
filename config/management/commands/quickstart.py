"""`manage.py quickstart`: from nothing to a Brain of one repository in the browser."""

from __future__ import annotations

import os
import re
import secrets
import sys
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connections
from django.utils.text import slugify

from config.management.commands.serve import add_address, prepare
from config.supervisor import clusters, portal
from members.models import Member, Project

if TYPE_CHECKING:
    from django.core.management.base import CommandParser

USAGE = os.EX_USAGE


class Command(BaseCommand):
    """Each step is announced in a line; on an existing installation all of them are done again."""

    help = "Set up the database, an administrator and a project of one repository, build it, and serve it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "repository",
            nargs="?",
            default=str(settings.BASE_DIR),
            help="a folder with a Git repository, or an https address (this checkout)",
        )
        add_address(parser)

    def handle(self, *, repository: str, host: str, port: int, **_options: Any) -> None:
        remote = remote_of(repository)
        prepare([portal(host, port), *clusters()], host, port)
        self._migrate()
        password = self._make_administrator()
        try:
            self._build(remote)
        finally:  # the password is told even when the repository is refused, as nobody can see it again
            if password:
                self._say(f"Sign in as admin with the password {password} - it is shown this once.")
        if settings.PLAIN_HTTP:
            self._say(
                "This is plain http, for this machine only; docs/operations.md says how to serve others."
            )
        self._serve(host, port)

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()

    def _migrate(self) -> None:
        self._say("Bringing the database up to date.")
        try:
            call_command("migrate", verbosity=0)
        except OperationalError as failure:
            raise CommandError(str(failure)) from failure

    def _make_administrator(self) -> str:
        """The new administrator's password; empty when there is an administrator already."""
        known = Member.objects.filter(is_superuser=True).first()
        if known:
            renew = f"./run python manage.py changepassword {known}"
            self._say(f"{known} is the administrator; for a new password: {renew}")
            return ""
        self._say("Making the administrator admin.")
        password = secrets.token_urlsafe(12)
        Member.objects.create_superuser("admin", password=password)
        return password

    def _build(self, remote: str) -> None:
        if remote.startswith("/"):
            settings.MIRROR_LOCAL_ROOTS = [Path(remote)]
            os.environ["MIRROR_LOCAL_ROOTS"] = remote  # for the server that takes this process over
        project = Project.objects.filter(repository__remote=remote).first()
        slug = project.slug if project else free_slug(remote)
        if project is None:
            self._say(f"Adding the project {slug} of {remote}.")
            call_command("project", "add", slug, "--repository", remote)
        self._say(f"Building {slug}.")
        try:
            call_command("project", "build", slug)
        except (CommandError, SystemExit) as failure:
            self._say(f"The build failed ({failure}); the portal says why.")

    def _serve(self, host: str, port: int) -> None:
        """Become `serve`, which then has none of the memory that the build took."""
        connections.close_all()
        os.chdir(settings.BASE_DIR)
        argv = [sys.executable, "manage.py", "serve", "--host", host, "--port", str(port)]
        os.execv(sys.executable, argv)  # noqa: S606 -- no shell is meant


def remote_of(repository: str) -> str:
    """An https address as it is, or the absolute path of a local repository; anything else is refused."""
    if repository.startswith("https://"):
        return repository
    if "://" in repository or re.match(r"[\w.-]+@[\w.-]+:", repository):
        raise CommandError(f"{repository} is not an https address: only those are fetched.", returncode=USAGE)
    folder = Path(repository).expanduser().resolve()
    if not ((folder / ".git").exists() or ((folder / "HEAD").is_file() and (folder / "objects").is_dir())):
        raise CommandError(
            f"{folder} is not a Git repository: name the top folder of one, or an https address.",
            returncode=USAGE,
        )
    return str(folder)


def free_slug(remote: str) -> str:
    """The repository's own name as a slug, with a number when another project has it."""
    name = (
        slugify(remote.rstrip("/").rpartition("/")[2].removesuffix(".git")).replace("_", "-")[:60]
        or "project"
    )
    for slug in chain([name], (f"{name}-{number}" for number in count(2))):
        if not Project.objects.filter(slug=slug).exists():
            return slug
    raise AssertionError("count() has no end")
