"""Random histories of small repositories: files come, change, move, hide and go; branches merge and are forced."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from random import Random

from tests.brain.living.histories import (
    TOO_LARGE,
    Amend,
    Changes,
    Commit,
    Files,
    History,
    Merge,
    Revert,
    Rewind,
    Step,
    changed,
)
from tests.brain.living.phrasing import a_document, a_layout, edited
from tests.repositories.given_git import FIRST_DATE, Content, Executable, Gitlink, Symlink

FOLDERS = (
    *("", "rules/", "rules/deep/", "rules/deep/er/", "adr/"),
    *("Adr/", "guides/", "held.md/", "Ünï/", "a b/"),
)
HIDDEN = (
    *("restricted/", "rules/Restricted/", "ＲＥＳＴＲＩＣＴＥＤ/", ".github/"),
    *("plugins/", "drafts/", "rules/drafts/"),
)
NAMES = (
    *("README.md", "index.md", "readme.MD", "a.md", "A.md", "b.md"),
    *("0007-c.md", "d e.md", "ü.md", "u\u0308.md", "held.md"),
)
OTHERS = (
    *("layout.yml", "notes.txt", "rules/code.py", "held.md/notes.txt", "x.md/picture.png"),
    *("odd\udce9.md", "rules/d\udce9/a.md"),
)
GONE = ("gone.md", "rules/gone.md", "nowhere/a.md", "restricted/gone.md")
GLOBS = ("drafts/", "*.private.md", "/adr/b.md")
INCLUDES = (("rules/", "README.md"), ("*.md", "!adr/"))
TARGETS = (
    *(f"{folder}{name}" for folder in (*FOLDERS, *HIDDEN[:3]) for name in NAMES[:8]),
    *(*GONE, *OTHERS[:4]),
)
# A limit, how often it is narrowed, and to what at least and at most.
NARROWED = (
    ("links", 0.2, 1, 4),
    ("broken", 0.15, 2, 12),
    ("comparisons", 0.15, 3, 200),
    ("documents", 0.1, 8, 24),
)
LAST_DATE = 253_402_300_799

type Act = Callable[[], Changes]


def grown(seed: int, *, most_steps: int = 5) -> History:
    """The history of this seed: the same each time."""
    return _Garden(Random(seed), seed, most_steps).history()


class _Garden:
    def __init__(self, rng: Random, seed: int, most_steps: int) -> None:
        self.rng, self.seed = rng, seed
        self.count = rng.randrange(2, most_steps + 1)
        self.targets = rng.sample(TARGETS, 8)
        self.files: Files = {}
        self.behind: list[Files] = []  # the files of the commits before
        self.date = FIRST_DATE
        self.acts: tuple[Act, ...] = (
            *(self._edit,) * 8,
            *(self._add,) * 3,
            *(self._move,) * 3,
            *(self._delete,) * 2,
            self._restrict,
            self._turn,
            self._vary_case,
            *(self._aside,) * 2,
            self._spoil,
            self._fold,
        )

    def history(self) -> History:
        """A first commit of ten to twenty-five files, and what happens to them."""
        rng = self.rng
        paths = [self._path() for _ in range(rng.randrange(10, 26))]
        self.targets += rng.sample(paths, 8)
        for path in paths:
            self.files = changed(self.files, {path: self._text(path)})
        first = dict(self.files)
        steps = [self._step(last=at == self.count - 1) for at in range(self.count)]
        exclude = tuple(glob for glob in GLOBS if rng.random() < 0.4)
        return History(
            seed=self.seed, first=first, steps=tuple(steps), exclude=exclude, limits=self._limits()
        )

    def _limits(self) -> dict[str, int]:
        limits = {}
        if self.rng.random() < 0.75:
            limits["share"] = 1  # any part of the documents may have changed
        for name, chance, least, most in NARROWED:
            if self.rng.random() < chance:
                limits[name] = self.rng.randrange(least, most + 1)
        return limits

    def _step(self, *, last: bool) -> Step:
        self.date = self._next_date()
        common = {"date": self.date, "build": last or self.rng.random() < 0.75}
        kind = self.rng.random()
        if kind < 0.68:
            return self._keep(Commit(changes=self._changes(), **common))
        if kind < 0.82:
            ours, theirs = self._changes(), self._changes()
            evil = self._changes() if self.rng.random() < 0.4 else {}
            return self._keep(
                Merge(ours=ours, theirs=theirs, evil=evil, fork=self.rng.randrange(3), **common)
            )
        if kind < 0.9:
            step = Revert(back=self.rng.randrange(1, 3), **common)
            self._turn_back(step.back)
            return step
        if kind < 0.95:
            self._turn_back(1)
            return self._keep(Amend(changes=self._changes(), **common))
        if kind < 0.97:
            step = Rewind(back=1, **common)
            self._turn_back(1)
            return step
        return self._keep(Commit(changes={}, **common))

    def _keep[S: Step](self, step: S) -> S:
        self.behind.append(self.files)
        for name in ("changes", "ours", "theirs", "evil"):
            self.files = changed(self.files, getattr(step, name, {}))
        return step

    def _turn_back(self, back: int) -> None:
        if len(self.behind) >= back:
            self.files = self.behind[-back]

    def _next_date(self) -> int:
        draw = self.rng.random()
        if draw < 0.7:
            return self.date + 60
        if draw < 0.98:
            return self.date - self.rng.choice((0, 0, 60, 86_400))
        return self.rng.choice((0, LAST_DATE + 5))

    def _changes(self) -> Changes:
        """What one to three acts do, each on what the one before left."""
        before, made = self.files, {}
        for _ in range(self.rng.choice((1, 1, 1, 2, 3))):
            acted = self.rng.choice(self.acts)()
            made |= acted
            self.files = changed(self.files, acted)
        self.files = before
        return made

    def _text(self, path: str) -> str:
        return a_document(self.rng, self._seen_from(path))

    def _seen_from(self, path: str) -> tuple[str, ...]:
        """The targets as a document there writes them: from the root, or from its own folder."""
        folder = posixpath.dirname(path) or "."
        return tuple(
            f"/{target}" if self.rng.random() < 0.4 else posixpath.relpath(target, folder)
            for target in self.targets
        )

    def _path(self) -> str:
        if self.rng.random() < 0.25:
            return self.rng.choice(self.targets)
        folders = FOLDERS if self.rng.random() < 0.9 else HIDDEN
        return self.rng.choice(folders) + self.rng.choice(NAMES)

    def _present(self) -> str:
        texts = [path for path, content in self.files.items() if isinstance(content, str)]
        return self.rng.choice(sorted(texts)) if texts else self._path()

    def _add(self) -> Changes:
        path = self._path()
        return {path: self._text(path)}

    def _edit(self) -> Changes:
        path = self._present()
        was = self.files.get(path)
        if isinstance(was, str) and len(was) < 10_000:
            return {path: edited(self.rng, was, self._seen_from(path))}
        return {path: self._text(path)}

    def _delete(self) -> Changes:
        return {self._present(): None}

    def _move(self) -> Changes:
        path = self._present()
        return {path: None, self._path(): self.files.get(path, "")}

    def _restrict(self) -> Changes:
        """Into a hidden folder, or out of it."""
        hidden = [path for path in self.files if path.startswith(HIDDEN)]
        if hidden and self.rng.random() < 0.5:
            path = self.rng.choice(sorted(hidden))
            return {path: None, self.rng.choice(NAMES): self.files[path]}
        path = self._present()
        return {path: None, self.rng.choice(HIDDEN) + path.rpartition("/")[2]: self.files.get(path, "")}

    def _turn(self) -> Changes:
        """Into another kind of entry: a link, an executable, a submodule, a folder."""
        path = self._present() if self.rng.random() < 0.6 else self.rng.choice(self.targets)
        was = self.files.get(path, "")
        text = was if isinstance(was, str) else ""
        kinds: tuple[Content, ...] = (Symlink("README.md"), Executable(text), Gitlink())
        draw = self.rng.randrange(4)
        return {path: kinds[draw]} if draw < 3 else {path: None, f"{path}/notes.txt": "notes\n"}

    def _vary_case(self) -> Changes:
        path = self._present()
        folder, slash, name = path.rpartition("/")
        return {path: None, f"{folder}{slash}{name.swapcase()}": self.files.get(path, "")}

    def _aside(self) -> Changes:
        """What is no document."""
        path = self.rng.choice(OTHERS)
        if path == "layout.yml":
            return {path: a_layout(self.rng) if self.rng.random() < 0.8 else None}
        return {path: self.rng.choice(("x\n", "y\n", None))}

    def _spoil(self) -> Changes:
        """Bytes that are no UTF-8, or too many of them."""
        if self.rng.random() < 0.25:
            return {self._path(): b"x" * TOO_LARGE}
        return {self._path(): b"\xff\xfe# Caf\xe9\n\n[a](a.md) R-01 \x00 end\n"}

    def _fold(self) -> Changes:
        """A whole folder moves or goes."""
        folder = self.rng.choice(FOLDERS[1:])
        new = self.rng.choice((*FOLDERS[1:], *HIDDEN[:2], ""))
        held = [path for path in self.files if path.startswith(folder)]
        moved: dict[str, Content] = dict.fromkeys(held)
        if new:
            moved |= {new + path[len(folder) :]: self.files[path] for path in held}
        return moved
