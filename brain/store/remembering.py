"""What a process keeps of earlier answers that can't change, because they belong to one build."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock

from brain import models


class Remembered[K: Hashable, V]:
    """The answers asked for last, up to so many; safe in threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: OrderedDict[tuple[Hashable, K], V] = OrderedDict()
        self._lock = Lock()

    def get(self, source: models.Source, key: K) -> V | None:
        """What was kept for this build of the source."""
        whole = (_build(source), key)
        with self._lock:
            found = self._held.get(whole)
            if found is not None:
                self._held.move_to_end(whole)
            return found

    def keep(self, source: models.Source, key: K, value: V) -> None:
        """Keep it for this build of the source."""
        with self._lock:
            self._held[_build(source), key] = value
            self._held.move_to_end((_build(source), key))
            while len(self._held) > self._most:
                self._held.popitem(last=False)


def _build(source: models.Source) -> Hashable:
    return source.pk, source.built_at, source.tree_hash
