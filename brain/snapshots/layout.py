"""How a snapshot's file is laid out, and whether one is whole.

A head, the index (where each text and each folded text starts, then the paths with NUL between them), all
texts, all case-folded texts. Numbers are in the machine's own order: the file is never carried to another.
"""

from __future__ import annotations

import struct
import zlib
from array import array
from collections.abc import Iterable, Sequence
from mmap import mmap

from brain.snapshots.texts import Run, Texts

# Mark, CRC-32 of all that follows the head, documents, bytes of the paths, of the texts, of the folded texts.
_HEAD = struct.Struct("=16sIQQQQ")
_MARK = b"kintsugi texts 2"
_NUMBER = "Q"
_BLOCK = 1 << 20  # bytes that are read at a time


def index_of(paths: Iterable[str], starts: array[int], folded: array[int]) -> bytes:
    """The index of texts that start there."""
    return starts.tobytes() + folded.tobytes() + "\0".join(paths).encode()


def head_of(index: bytes, starts: Sequence[int], folded: Sequence[int], checksum: int) -> bytes:
    """The head of a file with this index; `checksum` is the CRC-32 of index, texts and folded texts."""
    paths = len(index) - 2 * len(starts) * array(_NUMBER).itemsize
    return _HEAD.pack(_MARK, checksum, len(starts) - 1, paths, starts[-1], folded[-1])


def new_starts() -> array[int]:
    """Where texts start, before the first is added."""
    return array(_NUMBER, [0])


def texts_in(file: mmap) -> Texts | None:
    """The texts of a snapshot's file; None when it is none, or not as it was written."""
    if len(file) < _HEAD.size:
        return None
    mark, checksum, documents, of_paths, of_texts, of_folded = _HEAD.unpack(file[: _HEAD.size])
    of_starts = (documents + 1) * array(_NUMBER).itemsize
    texts_at = _HEAD.size + 2 * of_starts + of_paths
    if mark != _MARK or len(file) != texts_at + of_texts + of_folded or checksum != _checksum(file):
        return None
    starts, folded = array(_NUMBER), array(_NUMBER)
    starts.frombytes(file[_HEAD.size : _HEAD.size + of_starts])
    folded.frombytes(file[_HEAD.size + of_starts : _HEAD.size + 2 * of_starts])
    paths = file[texts_at - of_paths : texts_at].decode().split("\0") if documents else []
    return Texts(paths, Run(file, texts_at, starts), Run(file, texts_at + of_texts, folded))


def _checksum(file: mmap) -> int:
    checksum = 0
    for at in range(_HEAD.size, len(file), _BLOCK):
        checksum = zlib.crc32(file[at : at + _BLOCK], checksum)
    return checksum
