"""A sync over https: what it brings, what it tells, and what it leaves alone."""

from __future__ import annotations

import threading

import pytest

from repositories import mirrors, reader
from repositories.errors import FetchFailed, MirrorBusy
from repositories.mirrors import places
from repositories.reader import Branch
from tests.repositories.given_git import a_repository


def test_the_first_sync_makes_the_mirror_and_finds_the_default_branch(repository, remote, sync, news):
    tip = remote.tip()
    synced = sync()
    assert reader.branches(repository.mirror) == [Branch("main", tip)]
    assert (synced.default_branch, synced.renewed) == ("main", False)
    repository.refresh_from_db()
    assert (repository.outcome, repository.error, repository.default_branch) == ("ok", "", "main")
    assert repository.remote_default_branch == "main"
    assert repository.synced_at == repository.attempted_at is not None
    assert repository.size > 0
    assert news == [("default", "", "main"), ("main", None, tip)]


def test_moved_new_and_deleted_branches_are_told(remote, sync, news):
    old = remote.tip()
    remote.branch("gone", old)
    sync()
    news.clear()
    new = remote.commit({"a.md": "# B"})
    remote.branch("fresh", old)
    remote.delete_branch("gone")
    sync()
    assert news == [("fresh", None, old), ("gone", old, None), ("main", old, new)]


def test_a_sync_that_finds_nothing_new_tells_nothing(remote, sync, news):
    sync()
    news.clear()
    assert sync().moved == ()
    assert news == []


def test_a_listener_that_fails_stops_no_sync(repository, remote, sync):
    from repositories import signals

    def fail(**kwargs):
        raise RuntimeError("listener")

    signals.branch_moved.connect(fail)
    try:
        sync()
    finally:
        signals.branch_moved.disconnect(fail)
    assert repository.outcome == "ok"


def test_a_default_branch_that_a_person_set_stays(repository, remote, sync, news):
    repository.default_branch = "next"
    repository.save()
    assert sync().default_branch == "main"
    repository.refresh_from_db()
    assert (repository.default_branch, repository.remote_default_branch) == ("next", "main")
    assert "default" not in {heard[0] for heard in news}


def test_a_remote_head_that_leads_nowhere_leaves_the_choice_open(repository, remote, sync):
    remote.default_branch("nowhere")
    remote.branch("next", remote.tip())
    sync()
    assert (repository.default_branch, repository.outcome) == ("", "ok")


def test_the_only_branch_of_a_remote_is_its_default_branch(repository, remote, sync, news):
    remote.default_branch("nowhere")
    sync()
    assert (repository.default_branch, repository.remote_default_branch) == ("main", "")
    assert news[0] == ("default", "", "main")


def test_an_empty_remote_is_mirrored(repository, served, sync):
    a_repository(served / "rules.git")
    sync()
    assert reader.branches(repository.mirror) == []
    assert repository.outcome == "ok"


def test_output_branches_are_neither_fetched_nor_pruned(repository, remote, sync):
    remote.branch("kintsugi/theirs", remote.tip())
    sync()
    ours = reader.open_mirror(repository.mirror)
    ours.references.create("refs/heads/kintsugi/ours", remote.tip())
    remote.commit({"a.md": "# B"})
    sync()
    names = sorted(reader.open_mirror(repository.mirror).references)
    assert names == ["refs/heads/kintsugi/ours", "refs/heads/main"]


def test_a_remote_branch_named_kintsugi_cannot_block_ours(repository, remote, sync):
    sync()
    reader.open_mirror(repository.mirror).references.create("refs/heads/kintsugi/ours", remote.tip())
    remote.branch("kintsugi", remote.tip())
    sync()
    assert repository.outcome == "ok"


def test_tags_notes_and_pull_requests_are_not_fetched(repository, remote, sync):
    for name in (
        "tags/v1",
        "notes/commits",
        "pull/1/head",
        "replace/" + remote.tip(),
        "brain/1/tree/" + remote.tip(),
    ):
        remote.raw_reference(f"refs/{name}".encode(), remote.tip())
    sync()
    assert list(reader.open_mirror(repository.mirror).references) == ["refs/heads/main"]


def test_odd_branches_of_a_remote_do_not_keep_the_others_out(repository, remote, sync):
    for name in (b"-x", b"\xff", "ä".encode(), b"a@b", b"x" * 240):
        remote.raw_reference(b"refs/heads/" + name, remote.tip())
    sync()
    assert [branch.name for branch in reader.branches(repository.mirror)] == ["main"]


def test_a_branch_may_become_a_folder_of_branches(repository, remote, sync):
    remote.branch("topic", remote.tip())
    sync()
    remote.delete_branch("topic")
    remote.branch("topic/one", remote.tip())
    sync()
    assert [branch.name for branch in reader.branches(repository.mirror)] == ["main", "topic/one"]


def test_a_pinned_commit_outlives_force_push_and_gc(repository, remote, sync):
    old = remote.tip()
    sync()
    mirrors.pin(repository, "7", "tree", old)
    remote.commit({"b.md": "# Other"}, parents=[])
    sync()
    a_world = remote.__class__(repository.mirror, reader.open_mirror(repository.mirror))
    a_world.git("gc", "--prune=now", "--quiet")
    assert [entry.path for entry in reader.tree_of(repository.mirror, old).files] == ["a.md"]
    assert [(pin.project_id, pin.use, pin.commit) for pin in mirrors.pins(repository)] == [("7", "tree", old)]
    mirrors.unpin(repository, "7", "tree", old)
    a_world.git("gc", "--prune=now", "--quiet")
    assert not reader.commit_exists(repository.mirror, old)


def test_history_is_indexed_for_quick_look_ups(repository, remote, sync):
    sync()
    assert (repository.mirror / "objects/info/commit-graph").exists()


def test_progress_is_told_as_it_is_made(remote, sync):
    for number in range(30):
        remote.commit({f"{number}.md": f"# {number}"})
    steps = []
    sync(progress=lambda *step: steps.append(step))
    assert ("receiving objects", 93, 93) in steps
    assert all(0 <= done <= total for _, done, total in steps)


def test_two_syncs_of_one_repository_do_not_run_at_once(repository, remote, sync):
    with places.locked(repository):
        failures = []

        def try_it():
            with pytest.raises(MirrorBusy), places.locked(repository):
                failures.append("held twice")

        thread = threading.Thread(target=try_it)
        thread.start()
        thread.join()
        with pytest.raises(MirrorBusy):
            sync()
    assert failures == []
    assert repository.attempted_at is None
    sync()


def test_a_failed_fetch_changes_nothing_but_outcome_and_error(repository, remote, served, sync, news):
    sync()
    repository.refresh_from_db()
    before, when = reader.branches(repository.mirror), repository.synced_at
    news.clear()
    (served / "rules.git").rename(served / "elsewhere.git")
    with pytest.raises(FetchFailed) as failed:
        sync()
    assert failed.value.code == "failed"
    repository.refresh_from_db()
    assert (repository.outcome, repository.error) == ("failed", "The remote could not be fetched.")
    assert repository.synced_at == when < repository.attempted_at
    assert repository.default_branch == "main"
    assert reader.branches(repository.mirror) == before
    assert news == []


def test_removing_takes_the_mirror_and_what_stands_beside_it(repository, remote, sync):
    sync()
    mirrors.report_damage(repository)
    mirrors.remove(repository)
    assert list(repository.mirror.parent.iterdir()) == []
    mirrors.remove(repository)
