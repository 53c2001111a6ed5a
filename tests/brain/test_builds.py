"""A whole build: the tip of a branch becomes rows, in one step or not at all."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from brain import models, snapshots, store
from brain.builds import build
from brain.errors import BuildFailed
from brain.folder import open_folder
from brain.management.dumping import dump
from brain.store import database_store
from repositories import mirrors
from tests.given_db import Team, a_built_team

pytestmark = pytest.mark.django_db(transaction=True)

FILES = {
    "README.md": "# Handbook\n\nHow we work, see [the review](rules/review.md#scope).\n",
    "rules/review.md": "---\nid: RVW\nlabels: [Review, people]\n---\n# Review\n\nTwo pairs of eyes.\n\n## Scope\n\nAll of it.\n",
    "rules/cards.md": "# Cards\n\n### RULE-A-001 Be kind\n\n- **since:** 2025\n\nSee RVW-9 and [gone](gone.md).\n",
    "notes.txt": "no Markdown",
}


def test_a_build_stores_what_the_folder_of_the_repository_holds(tmp_path: Path) -> None:
    team = a_built_team(tmp_path, FILES)
    with database_store(team.project) as stored:
        rows = list(dump(stored))
    assert rows == list(dump(open_folder(team.git.path)))


def test_a_build_reports_counts_commit_and_seconds_by_phase(tmp_path: Path) -> None:
    team = Team(tmp_path, FILES)
    report = team.build()
    assert report.commit == team.git.tip()
    assert {name: report.counts[name] for name in ("documents", "folders", "cards", "broken", "leftOut")} == {
        "documents": 3,
        "folders": 1,
        "cards": 1,
        "broken": 1,
        "leftOut": 0,
    }
    assert {"resolve", "list", "read", "parse", "assemble", "write", "pin", "history"} <= set(report.seconds)


def test_a_source_says_what_was_built(tmp_path: Path) -> None:
    team = a_built_team(tmp_path, FILES)
    source = store.source_of(team.project)
    assert (source.state, source.commit, source.last_build) == ("ready", team.git.tip(), "whole")
    assert source.progress is None
    assert source.error == ""
    assert source.refs_complete
    assert len(source.tree_hash) == 64
    build_row = models.Build.objects.get(source=source)
    assert (build_row.number, build_row.outcome, build_row.kind) == (1, "ready", "whole")


def test_building_the_same_commit_twice_gives_the_same_rows_and_hash(tmp_path: Path) -> None:
    team = a_built_team(tmp_path, FILES)
    before, first = _rows(team), store.source_of(team.project).tree_hash
    team.build()
    assert _rows(team) == before
    assert store.source_of(team.project).tree_hash == first


def test_a_document_knows_its_last_change_and_a_folder_the_latest_of_what_it_holds(tmp_path: Path) -> None:
    team = Team(tmp_path, FILES)
    second = team.git.commit(
        {"rules/review.md": "# Review\n\nThree pairs.\n"}, message="Ask a third\n\nBecause."
    )
    team.build()
    with database_store(team.project) as stored:
        review, readme, rules = (stored.node(one) for one in ("rules/review.md", "README.md", "rules/"))
    assert review is not None
    assert review.changed is not None
    assert (review.changed.commit, review.changed.subject) == (second, "Ask a third")
    assert readme is not None
    assert readme.changed is not None
    assert readme.changed.commit == team.first
    assert rules is not None
    assert rules.changed == review.changed


def test_the_subject_of_a_commit_that_touches_restricted_paths_is_withheld(tmp_path: Path) -> None:
    team = Team(tmp_path, FILES)
    team.git.commit({"README.md": "# Handbook\n", "hr/Restricted/pay.md": "# Pay\n"}, message="Raise all pay")
    team.build()
    with database_store(team.project) as stored:
        readme = stored.node("README.md")
    assert readme is not None
    assert readme.changed is not None
    assert readme.changed.subject is None
    assert readme.changed.commit == team.git.tip()


def test_a_failed_build_leaves_the_old_tree_readable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    team = a_built_team(tmp_path, FILES)
    before = _rows(team)
    team.git.commit({"README.md": "# Another\n"})
    team.sync()
    with connection.cursor() as cursor:  # a real failure of the database in the middle of the write
        cursor.execute("ALTER TABLE brain_problem RENAME TO brain_problem_away")
    try:
        with pytest.raises(BuildFailed):
            build(store.source_of(team.project))
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE brain_problem_away RENAME TO brain_problem")
    source = store.source_of(team.project)
    assert (source.state, source.commit) == ("failed", team.first)
    assert source.error.startswith("error: ")
    assert _rows(team) == before
    assert models.Build.objects.filter(source=source, outcome="failed").count() == 1


@pytest.mark.parametrize("phase", ["resolve", "list", "parse", "assemble", "write"])
def test_a_build_that_stops_in_any_phase_leaves_the_old_tree(tmp_path: Path, phase: str) -> None:
    team = a_built_team(tmp_path, FILES)
    before = _rows(team)
    team.git.commit({"README.md": "# Another\n", "new.md": "# New\n"})
    team.sync()

    def stop(reached: str, done: int, total: int) -> None:
        if reached == phase:
            raise OSError("the disk went away")

    with pytest.raises(BuildFailed):
        build(store.source_of(team.project), progress=stop)
    assert _rows(team) == before
    assert store.source_of(team.project).state == "failed"
    assert team.build().counts["documents"] == 4


def test_a_branch_that_is_not_mirrored_fails_with_its_name(tmp_path: Path) -> None:
    team = a_built_team(tmp_path, FILES)
    store.follow(team.project, "next")
    with pytest.raises(BuildFailed, match="next") as refused:
        build(store.source_of(team.project))
    assert refused.value.code == "branch-missing"


def test_a_build_that_began_before_the_branch_was_chosen_anew_writes_nothing(tmp_path: Path) -> None:
    team = a_built_team(tmp_path, FILES)
    team.git.commit({"README.md": "# Newer\n"})
    team.sync()
    before = _rows(team)

    def choose_another_branch(phase: str, done: int, total: int) -> None:
        if phase == "assemble":
            store.follow(team.project, "other")

    with pytest.raises(BuildFailed) as refused:
        build(store.source_of(team.project), progress=choose_another_branch)
    assert refused.value.code == "moved"
    assert _rows(team) == before


def test_only_one_build_of_a_project_runs_at_a_time(tmp_path: Path) -> None:
    team = a_built_team(tmp_path, FILES)
    source = store.source_of(team.project)
    elsewhere = connection.copy()
    with elsewhere.cursor() as other:
        other.execute("SELECT pg_advisory_lock(hashtextextended(%s, 0))", [f"brain-build:{source.pk}"])
        with pytest.raises(BuildFailed) as refused:
            build(source)
    elsewhere.close()
    assert refused.value.code == "busy"


def test_the_indexed_commit_survives_a_force_push_and_a_collection(tmp_path: Path) -> None:
    team = a_built_team(tmp_path, FILES)
    rewritten = team.git.commit({"README.md": "# Rewritten\n"}, parents=[])
    team.git.branch("main", rewritten)
    team.sync()
    collect = [
        "git",
        "-c",
        "safe.directory=*",
        "-C",
        str(team.repository.mirror),
        "gc",
        "--prune=now",
        "--quiet",
    ]
    subprocess.run(collect, check=True)
    with database_store(team.project) as stored:
        node = stored.node("README.md")
        assert node is not None
        assert b"How we work" in stored.blob(node)
    assert [pin.commit for pin in mirrors.pins(team.repository)] == [team.first]
    team.build()
    assert [pin.commit for pin in mirrors.pins(team.repository)] == [rewritten]


def test_a_snapshot_holds_the_text_of_the_indexed_commit_and_goes_with_it(tmp_path: Path) -> None:
    team = a_built_team(tmp_path, FILES)
    source = store.source_of(team.project)
    first = snapshots.path_of(source.pk, team.first)
    assert b"How we work" in first.read_bytes()
    assert b"how we work" in first.read_bytes()
    team.git.commit({"README.md": "# Newer\n"})
    team.build()
    assert not first.exists()
    assert b"Newer" in snapshots.path_of(source.pk, team.git.tip()).read_bytes()


def test_search_words_are_stored_with_their_weights_and_never_the_text(tmp_path: Path) -> None:
    files = {
        "a.md": "---\nlabels: [payroll]\n---\n# Refunds\n\nchargeCustomer pays DEC-0054.\n\n## Café\n\n日本語の文\n"
    }
    team = a_built_team(tmp_path, files)
    vectors = _vectors(team)
    assert "'refunds':1A" in vectors["a.md"]
    assert "'payroll'" in vectors["a.md"]
    assert all(
        word in vectors["a.md"]
        for word in ("'chargecustomer'", "'charge'", "'customer'", "'dec-0054'", "'54'")
    )
    assert all(word in vectors["a.md#café"] for word in ("'cafe'", "'日本'", "'本語'"))


def test_a_text_over_the_vector_limit_is_cut_and_named(tmp_path: Path) -> None:
    words = " ".join(f"{chr(0x4E00 + n % 20_000)}{chr(0x4E00 + n // 20_000)}中文" for n in range(80_000))
    team = a_built_team(tmp_path, {"big.md": f"# Big\n\n{words}\n", "small.md": "# Small\n"})
    source = store.source_of(team.project)
    assert source.state == "ready"
    assert [problem.code for problem in models.Problem.objects.filter(source=source)] == ["text-cut"]
    assert set(_vectors(team)) == {"big.md", "small.md"}


def test_a_progress_listener_hears_every_phase_in_order(tmp_path: Path) -> None:
    team = Team(tmp_path, FILES)
    team.sync()
    heard = io.StringIO()
    build(store.follow(team.project, "main"), progress=lambda phase, done, total: heard.write(f"{phase} "))
    phases = list(dict.fromkeys(heard.getvalue().split()))
    assert phases == ["resolve", "list", "parse", "assemble", "write", "pin"]


def test_globs_of_a_project_narrow_what_is_indexed(tmp_path: Path) -> None:
    team = Team(tmp_path, FILES | {"drafts/x.md": "# X\n"})
    team.sync()
    source = store.follow(team.project, "main")
    source.exclude = "drafts/\n"
    source.save()
    report = build(source)
    assert report.counts["documents"] == 3


def _rows(team: Team) -> list[object]:
    with database_store(team.project) as stored:
        return [dict(line) for line in dump(stored)]


def _vectors(team: Team) -> dict[str, str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT node_id, vector::text FROM brain_text JOIN brain_node USING (source_id, key)"
            " JOIN brain_source ON brain_source.id = source_id WHERE project_id = %s",
            [team.project.pk],
        )
        return dict(cursor.fetchall())


def test_mirrors_and_snapshots_are_closed_to_other_accounts_of_the_machine(
    tmp_path: Path, settings: Any
) -> None:
    settings.MIRROR_ROOT, settings.SNAPSHOT_ROOT = tmp_path / "mirrors", tmp_path / "snapshots"
    a_built_team(tmp_path, FILES)
    assert [root.stat().st_mode & 0o777 for root in (settings.MIRROR_ROOT, settings.SNAPSHOT_ROOT)] == [
        0o700
    ] * 2
