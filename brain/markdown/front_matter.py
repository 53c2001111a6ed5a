"""Front matter: the YAML block a document may start with, read as text and within caps."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import Any

import frontmatter
import yaml
from frontmatter.default_handlers import YAMLHandler

MAX_BYTES = 64 * 1024
MAX_DEPTH = 20
MAX_ALIAS_NODES = 1_000  # values that aliases repeat
MAX_LABEL = 64  # characters

_OPENING = re.compile(r"---[ \t]*\r?\n")
_CLOSING = re.compile(r"^---[ \t]*\r?$", re.MULTILINE)
_ID = re.compile(r"[^\s#/\x00-\x1f\x7f]{1,128}\Z")
_SPACE = re.compile(r"[A-Za-z][A-Za-z0-9]{0,31}\Z")
_ORDER = re.compile(r"[+-]?[0-9]{1,9}\Z")


class Unreadable(Exception):
    """A text is no mapping within the caps; `line` is counted from its first line, from 0."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The mapping a document starts with; every scalar is text as written."""

    fields: dict[str, Any] = field(default_factory=dict)
    length: int = 0  # characters up to the body, fences included; 0: the document has none
    problem: tuple[int, str] | None = None  # line and message, when a block stands there but can't be read

    def text(self, *keys: str) -> str:
        """The first of these keys that holds a text that is not blank, trimmed; else nothing."""
        values = (self.fields.get(key) for key in keys)
        return next((value.strip() for value in values if isinstance(value, str) and value.strip()), "")

    @property
    def reference_id(self) -> str | None:
        """The id the document defines: 1 to 128 characters without white space, `#` or `/`."""
        value = self.text("id")
        return value if _ID.match(value) else None

    @property
    def labels(self) -> tuple[str, ...]:
        """Its labels as they are stored; `tags` count where there are no `labels`."""
        value = self.fields.get("labels", self.fields.get("tags"))
        written = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else []
        labels = (clean_label(label) for label in written if isinstance(label, str))
        return tuple(dict.fromkeys(label for label in labels if label))

    @property
    def space(self) -> str:
        """The key of the space this page opens, upper case; nothing when it is missing or malformed."""
        value = self.text("space")
        return value.upper() if _SPACE.match(value) else ""

    @property
    def order(self) -> int | None:
        """Where its space stands among the others."""
        value = self.text("order")
        return int(value) if _ORDER.match(value) else None

    @property
    def superseded_by(self) -> str:
        """What replaces the document, as written."""
        keys = ("supersededBy", "superseded_by", "superseded-by")
        named = next((self.fields[key] for key in keys if self.fields.get(key)), "")
        names = named if isinstance(named, list) else [named]
        return ", ".join(name.strip() for name in names if isinstance(name, str) and name.strip())


def read_front_matter(text: str) -> FrontMatter:
    """The front matter of a decoded document.

    A block that is no YAML mapping, or is over a cap, is no front matter: it stays text, with a problem.
    """
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    if not opening or not closing:
        return FrontMatter()
    block = text[opening.end() : closing.start()]
    try:
        # The marker keeps the indentation of a first line: python-frontmatter strips the text it is given.
        fields, _ = frontmatter.parse(f"---\n{block}", handler=_Block())
    except Unreadable as unreadable:
        # Lines of the block are counted from its opening fence, the marker it was given.
        return FrontMatter(
            problem=(1 + max(1, unreadable.line or 0), f"The front matter was not read. {unreadable}")
        )
    after = closing.end()
    return FrontMatter(fields, after + 1 if after < len(text) else after)


def read_mapping(block: str) -> dict[str, Any]:
    """A YAML mapping whose scalars are text as written; an empty text is an empty mapping.

    Raises Unreadable for anything else, and over a cap.
    """
    if len(block.encode(errors="replace")) > MAX_BYTES:
        raise Unreadable(f"It is larger than {MAX_BYTES // 1024} KiB.")
    try:
        value = _Builder().build(yaml.parse(f"{block}\n", Loader=yaml.CSafeLoader))
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line if error.problem_mark else None
        raise Unreadable(f"It is no YAML: {error.problem}.", line) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise Unreadable("It is no YAML.") from error
    if value in (None, ""):
        return {}
    if not isinstance(value, dict):
        raise Unreadable("It is no mapping of keys to values.")
    return value


def clean_label(label: str) -> str:
    """The label as it is stored; nothing when no character of it may stay or it is too long."""
    joined = "-".join(unicodedata.normalize("NFC", label).lower().split())
    kept = "".join(c for c in joined if c in "-_." or unicodedata.category(c).startswith(("L", "M", "Nd")))
    return kept if len(kept) <= MAX_LABEL else ""


class _Block(YAMLHandler):
    """Gives python-frontmatter a block whose fences were already found, read by `_fields_of`."""

    def detect(self, text: str) -> bool:  # noqa: ARG002
        return True

    def split(self, text: str) -> tuple[str, str]:
        return text, ""

    def load(self, fm: str, **kwargs: object) -> dict[str, Any]:  # noqa: ARG002
        return read_mapping(fm)


class _Builder:
    """Text, lists and mappings from YAML's events: no tag makes an object, no depth makes a recursion."""

    def __init__(self) -> None:
        self._open: list[Any] = []  # the collections around the next event, outermost first
        self._keys: list[Any] = []  # for each, the key that waits for its value
        self._anchors: dict[str, Any] = {}
        self._sizes: dict[int, int] = {}
        self._repeated = 0
        self._root: Any = None

    def build(self, events: Any) -> Any:
        """The value of the one document these events describe."""
        documents = 0
        for event in events:
            documents += isinstance(event, yaml.DocumentStartEvent)
            if documents > 1:
                raise Unreadable("It holds more than one YAML document.", event.start_mark.line)
            self._take(event)
        return self._root

    def _take(self, event: Any) -> None:
        match event:
            case yaml.ScalarEvent():
                self._add(event.value, event)
            case yaml.AliasEvent():
                self._add(self._aliased(event), event)
            case yaml.SequenceStartEvent():
                self._enter([], event)
            case yaml.MappingStartEvent():
                self._enter({}, event)
            case yaml.SequenceEndEvent() | yaml.MappingEndEvent():
                self._leave()

    def _enter(self, collection: Any, event: Any) -> None:
        if len(self._open) >= MAX_DEPTH:
            raise Unreadable(f"It is nested more than {MAX_DEPTH} deep.", event.start_mark.line)
        self._add(collection, event)
        self._open.append(collection)
        self._keys.append(None)

    def _leave(self) -> None:
        self._keys.pop()
        closed = self._open.pop()
        members = closed.values() if isinstance(closed, dict) else closed
        self._sizes[id(closed)] = 1 + sum(self._sizes.get(id(member), 1) for member in members)

    def _aliased(self, event: Any) -> Any:
        if event.anchor not in self._anchors:
            raise Unreadable(f"Nothing is anchored as {event.anchor}.", event.start_mark.line)
        value = self._anchors[event.anchor]
        if any(value is around for around in self._open):
            raise Unreadable("An alias stands within what it names.", event.start_mark.line)
        self._repeated += self._sizes.get(id(value), 1)
        if self._repeated > MAX_ALIAS_NODES:
            raise Unreadable(f"Aliases repeat more than {MAX_ALIAS_NODES} values.", event.start_mark.line)
        return value

    def _add(self, value: Any, event: Any) -> None:
        if getattr(event, "anchor", None) and not isinstance(event, yaml.AliasEvent):
            self._anchors[event.anchor] = value
        if not self._open:
            self._root = value
        elif isinstance(self._open[-1], list):
            self._open[-1].append(value)
        elif self._keys[-1] is None:
            if not isinstance(value, str):
                raise Unreadable("One of its keys is no text.", event.start_mark.line)
            self._keys[-1] = value
        else:
            self._open[-1][self._keys[-1]] = value
            self._keys[-1] = None
