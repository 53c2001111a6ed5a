"""Progress and scrubbing: what of git's talk is told on."""

from __future__ import annotations

import pytest

from repositories.credentials import scrub
from repositories.mirrors.progress import ProgressLines

TALK = b"""\
remote: Enumerating objects: 9, done.
remote: Counting objects:  50% (1/2)\rremote: Counting objects: 100% (2/2), done.
Receiving objects:  45% (450/1000), 1.2 MiB | 3 MiB/s\rReceiving objects: 100% (1000/1000), done.
remote: Receiving objects: lies% (x/y)
remote: anything
Resolving deltas: 100% (7/7), done.
"""


@pytest.mark.parametrize("size", [1, 7, 50, 1_000])
def test_steps_are_read_from_pieces_of_any_size(size):
    steps = []
    lines = ProgressLines(lambda *step: steps.append(step))
    for at in range(0, len(TALK), size):
        lines(TALK[at : at + size])
    assert steps[-1] == ("resolving deltas", 7, 7)
    if size == 1:
        assert steps == [
            ("counting objects", 1, 2),
            ("counting objects", 2, 2),
            ("receiving objects", 450, 1000),
            ("receiving objects", 1000, 1000),
            ("resolving deltas", 7, 7),
        ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("token s3cret is wrong", "token … is wrong"),
        ("https://user:pass@git.example.org/a", "https://…@git.example.org/a"),
        ("Authorization: Bearer abc.def", "Authorization: Bearer …"),
        ("connect to 10.0.0.7:443 failed", "connect to (address) failed"),
        ("connect to [fe80::1:2:3] failed", "connect to (address) failed"),
        ("cannot open '/srv/kintsugi/mirrors/1.git/HEAD'", "cannot open '(path)'"),
        ("two\nlines\x1b[0m", "two lines[0m"),
        ("at 12:30:45", "at 12:30:45"),
    ],
)
def test_a_reason_is_scrubbed_for_the_log(text, told):
    assert scrub(text, "s3cret") == told
