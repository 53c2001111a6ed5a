"""What is stored of a tree, in one look: five tables and what their source says of them."""

from __future__ import annotations

from typing import NamedTuple

from django.db import connection

from tests.brain.living.comparing import OWN, TABLES
from tests.crash.places import ask

SAID = ("commit", "tree_hash", "counts", "broken", "left_out", "basis")


class Stored(NamedTuple):
    """Hashes of what stands there."""

    commit: str
    said: str  # by the source
    nodes: str
    links: str
    refs: str
    texts: str
    problems: str


def stored(source_id: int) -> Stored | None:
    """As one statement sees it, so that no commit comes in between; None without a source."""
    said = " || ' ' || ".join(f"source.{name}::text" for name in SAID)
    rows = ", ".join(_rows_of(model) for model in TABLES)
    found = ask(
        f"SELECT source.commit, md5({said}), {rows} FROM brain_source source WHERE id = %s", source_id
    )
    return Stored(*map(str, found[0])) if found else None


def rows_left(source_id: int) -> int:
    """How many rows a source has, or had before it was removed."""
    counts = (
        f"(SELECT count(*) FROM {model._meta.db_table} WHERE source_id = {source_id})" for model in TABLES
    )
    return int(str(ask(f"SELECT {' + '.join(counts)}")[0][0]))


def differing(found: Stored | None, *expected: Stored) -> str:
    """How what was found is none of the expected; "" when it is one of them."""
    if found in expected:
        return ""
    if found is None:
        return "there is no source"
    near = next((one for one in expected if one.commit == found.commit), None)
    if near is None:
        return f"the commit is {found.commit[:8] or 'none'}"
    parts = [name for name, a, b in zip(Stored._fields, found, near, strict=True) if a != b]
    return f"partial at {found.commit[:8]}: {', '.join(parts)} differ"


def _rows_of(model: type) -> str:
    columns = [field.column for field in model._meta.concrete_fields if getattr(field, "column", None)]
    quote = connection.ops.quote_name
    names = ", ".join(quote(name) for name in columns if name not in OWN)
    rows = f"SELECT ({names})::text AS line FROM {model._meta.db_table} WHERE source_id = source.id"
    return f"(SELECT md5(coalesce(string_agg(line, '|' ORDER BY line), '')) FROM ({rows}) one)"
