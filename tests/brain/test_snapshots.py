"""Snapshots: the texts of an indexed commit in one file, which may be lost at any time."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pygit2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain import snapshots
from brain.builds import build
from brain.errors import CommitUnavailable
from brain.snapshots import Texts, in_memory, texts_at
from brain.store import database_store, source_of
from repositories.errors import MirrorDamaged, MirrorMissing
from repositories.mirrors import places
from tests.given_db import Team, a_built_team

WITH_ROWS = pytest.mark.django_db(transaction=True)

DOCUMENTS = {
    "a-b.md": b"# Beside a folder\n",
    "a.md": b"\xef\xbb\xbfBEHIND a mark\r\nStra\xc3\x9fe\n",
    "a/b.md": b"no line feed",
    "a/empty.md": b"",
    "a0.md": b"caf\xe9\rlone\n",
    "\u00fc.md": b"\x00NUL\n\n",
}


@pytest.fixture(autouse=True)
def _a_place_for_snapshots(settings: Any, tmp_path: Path) -> None:
    settings.SNAPSHOT_ROOT = tmp_path / "snapshots"


def kept(path: Path, documents: dict[str, bytes] | None = None) -> Path:
    """A snapshot's file with these documents."""
    with snapshots.writing() as writer:
        for document in (DOCUMENTS if documents is None else documents).items():
            writer.add(*document)
        writer.keep(path)
    return path


def asked(
    path: Path,
    documents: dict[str, bytes] | None = None,
    *,
    tree: str = "tree",
    read: list[str] | None = None,
) -> Texts:
    """The texts of these documents; `read` notes each time they are read anew."""
    stored = DOCUMENTS if documents is None else documents

    def reading() -> Iterator[tuple[str, bytes]]:
        if read is not None:
            read.append(tree)
        yield from stored.items()

    return texts_at(path, tree, lambda: stored, reading)


def held(texts: Texts) -> dict[str, str | None]:
    return {path: texts.text_of(path) for path in texts.paths}


def mapped(folder: Path) -> list[str]:
    """The snapshots below the folder that this process has mapped, a dropped one too."""
    maps = Path("/proc/self/maps").read_text().split("\n")
    return [line for line in maps if f"{folder}/" in line and snapshots.places.SUFFIX in line]


def test_a_snapshot_holds_every_text_as_it_is_decoded(tmp_path: Path) -> None:
    read: list[str] = []
    texts = asked(kept(tmp_path / "one.text"), read=read)
    assert held(texts) == {
        "a-b.md": "# Beside a folder\n",
        "a.md": "BEHIND a mark\r\nStraße\n",
        "a/b.md": "no line feed",
        "a/empty.md": "",
        "a0.md": "caf\ufffd\rlone\n",
        "ü.md": "\0NUL\n\n",
    }
    assert texts.text_of("b.md") is None
    assert not read


def test_the_folded_run_has_the_lines_of_the_other(tmp_path: Path) -> None:
    texts = asked(kept(tmp_path / "one.text"))
    for number, path in enumerate(texts.paths):
        folded = texts.folded.between(number, number + 1)
        assert folded.decode() == f"{texts.text_of(path)}\n".casefold()
    everything = texts.folded.between(0, len(texts.paths))
    assert everything.count(b"\n") == texts.written.between(0, len(texts.paths)).count(b"\n")


def test_texts_in_memory_are_those_of_a_file(tmp_path: Path) -> None:
    loose, stored = in_memory(DOCUMENTS.items()), asked(kept(tmp_path / "one.text"))
    assert held(loose) == held(stored)
    assert loose.folded.between(0, 6) == stored.folded.between(0, 6)


def test_what_stands_below_a_folder_is_a_range_of_its_own() -> None:
    texts = in_memory(DOCUMENTS.items())
    assert [texts.paths[number] for number in texts.below("a/")] == ["a/b.md", "a/empty.md"]
    assert list(texts.below("a/b/")) == []
    assert list(texts.below("")) == list(range(6))


def test_a_commit_without_documents_has_a_snapshot_too(tmp_path: Path) -> None:
    read: list[str] = []
    assert held(asked(kept(tmp_path / "none.text", {}), {}, read=read)) == {}
    assert not read


def test_a_snapshot_is_opened_once_while_its_file_stays(tmp_path: Path) -> None:
    path = kept(tmp_path / "one.text")
    assert asked(path) is asked(path)


def test_a_replaced_file_is_opened_anew_and_who_reads_the_old_one_goes_on(tmp_path: Path) -> None:
    path = kept(tmp_path / "one.text", {"a.md": b"old"})
    old = asked(path, {"a.md": b"old"})
    kept(path, {"a.md": b"new"})
    new = asked(path, {"a.md": b"new"})
    assert (old.text_of("a.md"), new.text_of("a.md")) == ("old", "new")


def test_a_missing_snapshot_is_made_anew_where_it_was_and_for_its_owner_alone(tmp_path: Path) -> None:
    path, read = tmp_path / "snapshots" / "7" / "one.text", list[str]()
    assert held(asked(path, read=read)) == held(in_memory(DOCUMENTS.items()))
    assert read == ["tree"]
    assert asked(path, read=read).paths == list(DOCUMENTS)
    assert read == ["tree"]
    assert [each.name for each in path.parent.iterdir()] == ["one.text"]
    assert [each.stat().st_mode & 0o777 for each in (path, path.parent)] == [0o600, 0o700]


def test_a_dropped_snapshot_is_not_served_from_memory(tmp_path: Path) -> None:
    path = kept(tmp_path / "one.text", {"a.md": b"old"})
    asked(path, {"a.md": b"old"})
    path.unlink()
    assert asked(path, {"a.md": b"new"}).text_of("a.md") == "new"


@given(place=st.floats(0, 1, exclude_max=True), flipped=st.integers(0, 255))
def test_a_snapshot_with_any_damage_is_made_anew(
    tmp_path_factory: pytest.TempPathFactory, place: float, flipped: int
) -> None:
    path, read = kept(tmp_path_factory.mktemp("damage") / "one.text"), list[str]()
    whole = bytearray(path.read_bytes())
    at = int(place * len(whole))
    whole[at] ^= flipped
    path.write_bytes(whole if flipped else whole[:at])
    assert held(asked(path, read=read)) == held(in_memory(DOCUMENTS.items()))
    assert read == ["tree"]
    assert held(asked(path, read=read)) == held(in_memory(DOCUMENTS.items()))
    assert read == ["tree"]


def test_a_file_that_was_cut_after_it_was_opened_is_made_anew(tmp_path: Path) -> None:
    path, read = kept(tmp_path / "one.text"), list[str]()
    asked(path, read=read)
    os.truncate(path, 100)
    assert held(asked(path, read=read)) == held(in_memory(DOCUMENTS.items()))
    assert read == ["tree"]


@pytest.mark.parametrize("other", [{"a.md": b"x", "b.md": b"y"}, {}, {"c.md": b"x"}])
def test_a_snapshot_of_other_documents_is_never_served(tmp_path: Path, other: dict[str, bytes]) -> None:
    path = kept(tmp_path / "one.text", other)
    asked(path, other, tree="with others")
    assert held(asked(path, {"a.md": b"x"}, tree="with one")) == {"a.md": "x"}


def test_threads_that_ask_at_once_make_it_once(tmp_path: Path) -> None:
    path, read, together = tmp_path / "one.text", list[str](), Barrier(8)

    def ask() -> Texts:
        together.wait()
        return asked(path, read=read)

    with ThreadPoolExecutor(8) as pool:
        answers = [future.result() for future in [pool.submit(ask) for _ in range(8)]]
    assert all(held(texts) == held(answers[0]) for texts in answers)
    assert read == ["tree"]


def test_a_process_keeps_a_few_snapshots_open_and_none_that_was_dropped(tmp_path: Path) -> None:
    paths = [kept(tmp_path / f"{number}.text") for number in range(20)]
    for path in paths:
        asked(path)
    assert 1 < len(mapped(tmp_path)) < 10
    for path in paths:
        path.unlink()
    asked(kept(tmp_path / "last.text"))
    assert len(mapped(tmp_path)) == 1


def test_where_no_file_can_be_kept_the_texts_come_from_memory(tmp_path: Path, settings: Any) -> None:
    (tmp_path / "no-folder").write_text("in the way")
    settings.SNAPSHOT_ROOT = tmp_path / "no-folder"
    assert held(asked(snapshots.path_of(1, "f" * 40))) == held(in_memory(DOCUMENTS.items()))


def test_what_a_killed_process_left_goes_with_older_snapshots(tmp_path: Path) -> None:
    path = kept(snapshots.path_of(3, "a" * 40))
    forsaken, fresh = path.with_name("x.new"), path.with_name("y.new")
    forsaken.touch()
    fresh.touch()
    day = time.time() - 86_400
    os.utime(forsaken, (day, day))
    snapshots.drop_others(3, "b" * 40)
    assert [each.name for each in path.parent.iterdir()] == ["y.new"]


FILES = {"README.md": "# Hello\n", "rules/a.md": "# A\r\n\r\nStraße\r\n", "restricted/b.md": "# Hidden\n"}


def texts_of(team: Team) -> Texts:
    with database_store(team.project) as store:
        return store.texts()


def path_of(team: Team) -> Path:
    source = source_of(team.project)
    return snapshots.path_of(source.pk, source.commit)


@WITH_ROWS
def test_a_build_leaves_the_snapshot_that_reads_open(tmp_path: Path) -> None:
    team = a_built_team(tmp_path, FILES)
    before = path_of(team).stat()
    assert held(texts_of(team)) == {"README.md": "# Hello\n", "rules/a.md": "# A\r\n\r\nStraße\r\n"}
    assert path_of(team).stat() == before


@WITH_ROWS
@pytest.mark.parametrize(
    "lost", [Path.unlink, lambda path: os.truncate(path, 50), lambda path: path.write_text("x")]
)
def test_a_lost_snapshot_is_made_anew_from_the_mirror(tmp_path: Path, lost: Callable[[Path], object]) -> None:
    team = a_built_team(tmp_path, FILES)
    whole = path_of(team).read_bytes()
    lost(path_of(team))
    assert held(texts_of(team)) == {"README.md": "# Hello\n", "rules/a.md": "# A\r\n\r\nStraße\r\n"}
    assert path_of(team).read_bytes() == whole


@WITH_ROWS
def test_a_tree_of_narrower_globs_never_meets_the_texts_of_wider_ones(tmp_path: Path) -> None:
    team = a_built_team(tmp_path, FILES)
    wide = path_of(team).read_bytes()
    source = source_of(team.project)
    source.exclude = "rules/\n"
    source.save()
    build(source)
    path_of(team).write_bytes(wide)  # as a build of the same commit leaves it that ends after this read began
    assert held(texts_of(team)) == {"README.md": "# Hello\n"}


def _empty(mirror: Path) -> None:
    shutil.rmtree(mirror)
    pygit2.init_repository(mirror, bare=True)


def _break(mirror: Path) -> None:
    for pack in mirror.glob("objects/pack/*.pack"):
        pack.chmod(0o600)
        whole = pack.read_bytes()
        pack.write_bytes(whole[:12] + bytes(byte ^ 1 for byte in whole[12:-20]) + whole[-20:])


@WITH_ROWS
@pytest.mark.parametrize(
    ("harm", "refusal"),
    [(_empty, CommitUnavailable), (_break, MirrorDamaged), (shutil.rmtree, MirrorMissing)],
)
def test_without_snapshot_and_blobs_the_refusal_is_that_of_a_read(
    tmp_path: Path, harm: Callable[[Path], object], refusal: type[Exception]
) -> None:
    team = a_built_team(tmp_path, FILES)
    path_of(team).unlink()
    harm(team.repository.mirror)
    for ask in (lambda store: store.texts(), lambda store: store.blob(store.node("README.md"))):
        with pytest.raises(refusal), database_store(team.project) as store:
            ask(store)
        assert places.damage_note(team.repository).exists() == (refusal is MirrorDamaged)
        places.damage_note(team.repository).unlink(missing_ok=True)
    assert not path_of(team).exists()


@WITH_ROWS
def test_with_a_snapshot_texts_need_no_mirror(tmp_path: Path) -> None:
    team = a_built_team(tmp_path, FILES)
    _empty(team.repository.mirror)
    assert texts_of(team).text_of("README.md") == "# Hello\n"
