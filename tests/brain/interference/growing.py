"""Random worlds: public and hidden files that come, change, move between both, and go again."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.brain.interference.phrasing import a_document, edited
from tests.brain.interference.worlds import GLOBS, LAYOUT, Commit, World
from tests.repositories.given_git import FIRST_DATE, Content, Gitlink, Symlink

PLACES = (  # hidden or not, as the world's globs decide; near misses stay public
    *("README.md", "index.md", "harbour.md", "7-pier.md", ".hidden-file.md", "Restricted.md"),
    *("guides/README.md", "guides/start.md", "guides/deep/12-fees.md", "guides/with space.md"),
    *("rules/plan.md", "rules/index.md", "docs/plugins/a.md", "Plugins/a.md", "unrestricted/plan.md"),
    *("restricted-not/plan.md", "held.md", "held.md/notes.txt", "drafts/plan.md", "rules/pay.private.md"),
    *("archive/2019/plan.md", "guides/drafts/README.md"),
)
HIDDEN = (
    *("restricted/plan.md", "restricted/README.md", "Restricted/plan.md", "guides/RESTRICTED/plan.md"),
    *(
        "ＲＥＳＴＲＩＣＴＥＤ/plan.md",
        "guides/reſtricted/start.md",
        ".hidden/README.md",
        ".hidden/harbour.md",
    ),
    *("guides/.github/start.md", "plugins/README.md", "plugins/deep/plan.md", "scratch/7-pier.md"),
    *("identifiers/harbour.md", "identifiers/ledger.txt", "empty/restricted/README.md"),
    *("held.md/restricted/plan.md", "guides/deep/restricted/index.md", "restricted/odd\udce9.md"),
)
MISSING = ("gone.md", "guides/gone.md", "restricted/gone.md", "plugins/gone.md", "drafts/gone.md")
TELLING = ("Let the nightporter go:", "Settle CASE-9 out of court:", "Touch", "Rework")
WORDS_OF_FOLDERS = 'folders: {guides: "Guides of the crew", restricted: "Sealed", "*/drafts": "Not yet said"}'
MOST_FILES = 25

type Act = Callable[[dict[str, Content]], str]  # changes the files, and says so


def grown(seed: int, *, most_commits: int = 8) -> World:
    """The world of this seed: the same each time."""
    return _Garden(Random(seed), most_commits).world()


class _Garden:
    def __init__(self, rng: Random, most_commits: int) -> None:
        self.rng = rng
        self.exclude = tuple(glob for glob in GLOBS if rng.random() < 0.6)
        self.places = World(commits=(), main=0, side=0, exclude=self.exclude)
        self.targets = tuple(path for path in (*PLACES, *HIDDEN, *HIDDEN, *MISSING) if path.isprintable())
        self.commits: list[Commit | None] = []
        self.count = rng.randrange(4, most_commits + 1)
        hours = rng.sample(range(500), self.count + 2)  # no two alike: equal dates are told apart by id
        self.dates = [FIRST_DATE + 3_600 * hour for hour in sorted(hours)]
        if rng.random() < 0.5:
            rng.shuffle(self.dates)

    def world(self) -> World:
        """A root, commits on main, and one beside it that may be merged."""
        files: dict[str, Content] = {}
        for path in self.rng.sample(PLACES, 9) + self.rng.sample(HIDDEN, 7):
            _put(files, path, self._content(path))
        if self.rng.random() < 0.5:
            files[LAYOUT] = WORDS_OF_FOLDERS
        self._commit(files, "Begin", ())
        fork = self.rng.randrange(1, self.count - 1)
        side = -1
        for position in range(1, self.count):
            files, told = self._step(files)
            self._commit(files, told, (self._before(side),))
            if position == fork:
                side = self._commit(*self._step(files), (len(self.commits) - 1,))
        main = len(self.commits) - 1
        if self.rng.random() < 0.5:
            beside = self.commits[side]
            for path, content in (beside.files if beside else {}).items():
                _put(files, path, content)
            main = self._commit(files, "Merge side", (main, side))
        return World(commits=tuple(self.commits), main=main, side=side, exclude=self.exclude)

    def _before(self, side: int) -> int:
        """The commit that main stood at; the one beside it is left out."""
        last = len(self.commits) - 1
        return last - 1 if last == side else last

    def _commit(self, files: dict[str, Content], told: str, parents: tuple[int, ...]) -> int:
        self.commits.append(Commit(dict(files), told, self.dates[len(self.commits)], parents))
        return len(self.commits) - 1

    def _step(self, files: dict[str, Content]) -> tuple[dict[str, Content], str]:
        files, told = dict(files), ""
        for _ in range(self.rng.choice((1, 1, 2, 3))):
            told = self.rng.choice(self._acts)(files) or told
        return files, f"{self.rng.choice(TELLING)} {told} ({len(self.commits)})"

    @property
    def _acts(self) -> tuple[Act, ...]:
        """What may happen to files, the likelier the more often it stands here."""
        often = (self._add, self._edit, self._move, self._rename)
        return (*often, *often, self._copy, self._drop)

    def _add(self, files: dict[str, Content]) -> str:
        path = self.rng.choice((*PLACES, *HIDDEN))
        if len(files) < MOST_FILES:
            _put(files, path, self._content(path))
        return path

    def _edit(self, files: dict[str, Content]) -> str:
        path = self._one_of(files)
        text = files[path]
        if isinstance(text, str) and path.endswith(".md"):
            hidden = self.places.hides(path)
            files[path] = edited(self.rng, text, path, hidden=hidden, targets=self.targets)
        return path

    def _move(self, files: dict[str, Content]) -> str:
        """Into hiding, out of it, or within; as it is or edited on the way."""
        return self._moved(files, self._one_of(files), self.rng.choice((*PLACES, *HIDDEN)))

    def _rename(self, files: dict[str, Content]) -> str:
        """From one public place to another."""
        public = [path for path in sorted(files) if not self.places.hides(path)]
        return self._moved(files, self.rng.choice(public or sorted(files)), self.rng.choice(PLACES))

    def _moved(self, files: dict[str, Content], old: str, new: str) -> str:
        if new not in files:
            content = files.pop(old)
            if self.rng.random() < 0.5 and isinstance(content, str):
                content = edited(self.rng, content, new, hidden=False, targets=self.targets)
            _put(files, new, content)
        return f"{old} to {new}"

    def _copy(self, files: dict[str, Content]) -> str:
        old, new = self._one_of(files), self.rng.choice((*PLACES, *HIDDEN))
        if len(files) < MOST_FILES:
            _put(files, new, files[old])
        return f"{old} as {new}"

    def _drop(self, files: dict[str, Content]) -> str:
        path = self._one_of(files)
        if len(files) > 4:
            del files[path]
        return path

    def _one_of(self, files: dict[str, Content]) -> str:
        return self.rng.choice(sorted(files))

    def _content(self, path: str) -> Content:
        chance = self.rng.random()
        if chance < 0.04:
            return Symlink("README.md")
        if chance < 0.06:
            return Gitlink()
        return a_document(self.rng, path, hidden=self.places.hides(path), targets=self.targets)


def _put(files: dict[str, Content], path: str, content: Content) -> None:
    """A path is a file or a folder: what stands in the way goes."""
    for other in [
        other for other in files if f"{other}/".startswith(f"{path}/") or path.startswith(f"{other}/")
    ]:
        del files[other]
    files[path] = content
