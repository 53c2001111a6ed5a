"""Where cited lines stand in later versions of their document, line ends aside; pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from brain.reads.matching import Matched, Text, is_telling


@dataclass(frozen=True, slots=True)
class Place:
    """Where cited lines stand in one version, counted from 0; `end` is the first line after."""

    start: int
    end: int  # start: nothing of them is left
    lines: tuple[int | None, ...]  # where each cited line stands; None: nowhere
    doubtful: bool = False  # they may as well stand elsewhere

    @classmethod
    def of_range(cls, start: int, end: int) -> Place:
        """Lines that stand as they were cited."""
        return cls(start, end, tuple(range(start, end)))

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left."""
        return self.start == self.end

    def shifted(self, by: int) -> Place:
        """The same lines, further down by so many."""
        lines = tuple(None if line is None else line + by for line in self.lines)
        return replace(self, start=self.start + by, end=self.end + by, lines=lines)


def trace(
    places: Sequence[Place], versions: Iterable[tuple[str, Text]], in_time: Callable[[], bool]
) -> tuple[list[Place], Text]:
    """Where lines of the first version stand in the last one, and its text; a version comes with its blob id.

    A document that goes back to an earlier text has its lines where they were then. When the time is over,
    all that would have to be found out is doubtful.
    """
    ahead = iter(versions)
    blob, old = next(ahead)
    cited = [old.lines[place.start : place.end] for place in places]
    known = {blob: list(places)}
    for blob, new in ahead:
        if blob not in known:
            matched = Matched(old, new)
            known[blob] = [
                carried(place, lines, matched) if in_time() else replace(place, doubtful=True)
                for place, lines in zip(places, cited, strict=True)
            ]
        places, old = known[blob], new
    return list(places), old


def carried(place: Place, cited: Sequence[bytes], matched: Matched) -> Place:
    """The place of the cited lines in the next version."""
    changed = place if place.is_empty else _carried(place, matched)
    if changed.doubtful or matched.new.lines[changed.start : changed.end] == cited:
        return changed
    return _found_again(changed, cited, matched)


def _carried(place: Place, matched: Matched) -> Place:
    """Lines that stay together go where they are, and a text that is unmistakable goes where it stands.

    Else what is left of the lines and what replaced the others is the place.
    """
    wanted = matched.old.lines[place.start : place.end]
    found = _unmistakable(wanted, matched)
    run = matched.run_of(place.start, place.end)
    if run is not None:
        trusted = found is not None or matched.is_anchored(run)
        return replace(place.shifted(run.shift), doubtful=place.doubtful or not trusted)
    if found is not None:
        return place.shifted(found - place.start)
    start, end = matched.span_of(place.start, place.end)
    images = (None if line is None or start == end else matched.image(line) for line in place.lines)
    changed = Place(start, end, tuple(images), place.doubtful)
    return replace(changed, doubtful=place.doubtful or _is_doubtful(place, changed, matched))


def _unmistakable(wanted: Sequence[bytes], matched: Matched) -> int | None:
    """Where the text stands in the newer version, when it stands once in both; not for a text of no words."""
    if not is_telling(wanted) or len(matched.old.where(wanted)) != 1:
        return None
    found = matched.new.where(wanted)
    return found[0] if len(found) == 1 else None


def _found_again(place: Place, cited: Sequence[bytes], matched: Matched) -> Place:
    """Lines that are no longer what was cited: the cited text may have come again since the last version.

    Where they stood, or alone where nothing was left of them, it is taken for them; anywhere else that cannot
    be told from a new text of the same words.
    """
    found = matched.new.where(cited)
    here = [at for at in found if at < place.end and place.start < at + len(cited)]
    if place.is_empty and len(found) == 1 and not matched.old.where(cited):
        here = found
    if len(here) == 1 and is_telling(cited):
        return Place.of_range(here[0], here[0] + len(cited))
    came = found if place.is_empty else is_telling(cited) and _new_ones(cited, matched)
    return replace(place, doubtful=bool(came))


def _is_doubtful(place: Place, changed: Place, matched: Matched) -> bool:
    """Whether the lines of the place, which changed, may just as well have gone somewhere else."""
    old, new = matched.old, matched.new
    wanted = old.lines[place.start : place.end]
    if _new_ones(wanted, matched) or (changed.is_empty and new.where(wanted)):
        return True
    telling = [(at, line) for at, line in enumerate(wanted, place.start) if is_telling([line])]
    if any(matched.image(at) is not None for at, _ in telling):
        return False
    return any(old.counts[line] == 1 and new.counts[line] for _, line in telling)


def _new_ones(wanted: Sequence[bytes], matched: Matched) -> set[int]:
    """Where these lines begin in the newer version, and are not those of the older one that stayed."""
    runs = ((start, matched.run_of(start, start + len(wanted))) for start in matched.old.where(wanted))
    return set(matched.new.where(wanted)) - {start + run.shift for start, run in runs if run}
