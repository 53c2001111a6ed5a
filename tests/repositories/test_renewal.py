"""A damaged mirror: found, cloned again beside the old one, and swapped with all that is ours."""

from __future__ import annotations

import shutil

import pytest

from repositories import mirrors, reader
from repositories.errors import FetchFailed, MirrorDamaged
from repositories.mirrors import places


def lose_the_packs(mirror):
    shutil.rmtree(mirror / "objects/pack")
    (mirror / "objects/pack").mkdir()


def cut_the_packs(mirror):
    for pack in (mirror / "objects/pack").glob("*.pack"):
        pack.chmod(0o644)
        pack.write_bytes(pack.read_bytes()[:40])


def lose_the_head(mirror):
    (mirror / "HEAD").unlink()


def lose_the_objects(mirror):
    shutil.rmtree(mirror / "objects")


def break_the_references(mirror):
    (mirror / "packed-refs").write_bytes(b"\x00nonsense\n")


def break_a_reference(mirror):
    (mirror / "refs/heads/main").write_text("nonsense\n")


def become_a_file(mirror):
    shutil.rmtree(mirror)
    mirror.write_text("no repository")


DAMAGES = [lose_the_packs, cut_the_packs, lose_the_head, lose_the_objects, break_the_references]
DAMAGES += [break_a_reference, become_a_file]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_mirror_is_whole_after_the_next_sync(repository, remote, sync, damage):
    sync()
    damage(repository.mirror)
    assert sync().renewed
    tip = reader.tip_of(repository.mirror, "main")
    assert tip == remote.tip()
    assert [entry.path for entry in reader.tree_of(repository.mirror, tip).files] == ["a.md"]
    assert repository.outcome == "ok"
    assert not sync().renewed


def test_a_mirror_that_is_whole_is_not_cloned_again(remote, sync):
    sync()
    remote.commit({"b.md": "1"})
    assert not sync().renewed


def test_damage_that_a_reader_reports_is_mended(repository, remote, sync):
    """No sync looks into old texts. A handle on the broken pack that is still open spoils no later one."""
    text = remote.blob("# A")
    sync()
    pack = next((repository.mirror / "objects/pack").glob("*.pack"))
    pack.chmod(0o644)
    raw = bytearray(pack.read_bytes())
    for place in range(12, len(raw) - 20):
        raw[place] ^= 1
    pack.write_bytes(raw)
    held = reader.open_mirror(repository.mirror)
    with pytest.raises(MirrorDamaged):
        reader.blob(repository.mirror, text)
    assert held.odb.exists(text)
    mirrors.report_damage(repository)
    assert sync().renewed
    assert reader.blob(repository.mirror, text) == b"# A"
    assert not places.damage_note(repository).exists()
    held.free()


def test_pins_and_output_branches_move_into_the_new_mirror(repository, remote, sync):
    old = remote.tip()
    sync()
    mirrors.pin(repository, "3f", "tree", old)
    reader.open_mirror(repository.mirror).references.create("refs/heads/kintsugi/notes", old)
    remote.commit({"other.md": "1"}, parents=[])
    sync()
    mirrors.report_damage(repository)
    sync()
    assert [pin.commit for pin in mirrors.pins(repository)] == [old]
    names = sorted(reader.open_mirror(repository.mirror).references)
    assert names == [f"refs/brain/3f/tree/{old}", "refs/heads/kintsugi/notes", "refs/heads/main"]
    assert [entry.path for entry in reader.tree_of(repository.mirror, old).files] == ["a.md"]


def test_the_old_mirror_stays_when_the_remote_is_gone(repository, remote, served, sync):
    sync()
    tip = remote.tip()
    mirrors.report_damage(repository)
    (served / "rules.git").rename(served / "elsewhere.git")
    with pytest.raises(FetchFailed):
        sync()
    assert reader.tip_of(repository.mirror, "main") == tip
    assert sorted(place.name for place in repository.mirror.parent.iterdir()) == [
        f"{repository.pk}.damaged",
        f"{repository.pk}.git",
        f"{repository.pk}.lock",
    ]


def test_leftovers_of_killed_fetches_are_swept_when_they_are_old(repository, remote, sync):
    import os
    import time

    sync()
    packs = repository.mirror / "objects/pack"
    old, young = packs / "tmp_pack_old", packs / "tmp_pack_young"
    for leftover in (old, young):
        leftover.write_bytes(b"x")
    os.utime(old, (time.time() - 7_200,) * 2)
    sync()
    assert (old.exists(), young.exists()) == (False, True)


def test_many_packs_become_one(repository, remote, sync, monkeypatch):
    from repositories.mirrors import syncing

    monkeypatch.setattr(syncing, "PACKS", 2)
    for number in range(4):
        remote.commit({f"{number}.md": str(number)})
        sync()
    assert places.pack_count(repository.mirror) <= 2
    assert len(reader.tree_of(repository.mirror, remote.tip()).files) == 5
