"""Repositories that are hard to build: the build ends ready, with the problems listed."""

from __future__ import annotations

from pathlib import Path

import pytest

from brain import models, store
from brain.builds import Report
from brain.store import database_store
from brain.tree.nodes import Node
from repositories.reader import HistoryLimits, changes
from tests.given_db import Team
from tests.repositories.given_git import Gitlink, Symlink

pytestmark = pytest.mark.django_db(transaction=True)

BROKEN_FRONT_MATTER = {
    "colon.md": "---\ntitle: Lesson 1: Basics\n---\n# One\n",
    "bracket.md": "---\ntags: [a, b\n---\n# Two\n",
    "list.md": "---\n- a\n- b\n---\n# Three\n",
    "scalar.md": "---\nDear reader\n---\n# Four\n",
    "tab.md": "---\na:\n\t- b\n---\n# Five\n",
    "control.md": b"---\na: \x01\n---\n# Six\n",
    "deep.md": "---\na: " + "[" * 5_000 + "\n---\n# Seven\n",
    "bomb.md": "---\na: &a [x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]\n"
    "c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]\nd: [*c, *c, *c]\n---\n# Eight\n",
    "huge.md": "---\n" + "".join(f"key{n}: value\n" for n in range(6_000)) + "---\n# Nine\n",
    "itself.md": "---\na: &a [*a]\n---\n# Ten\n",
    "nul.md": b'---\nid: "a\\0b"\ntitle: "c\\0d"\n---\n# Eleven\n',
}


def test_front_matter_broken_in_every_way_costs_a_document_nothing_but_its_front_matter(
    tmp_path: Path,
) -> None:
    team, report = _built(tmp_path, BROKEN_FRONT_MATTER | {"good.md": "---\ntitle: Good\n---\n"})
    assert report.counts["documents"] == len(BROKEN_FRONT_MATTER) + 1
    broken = {problem.path for problem in _problems(team) if problem.code == "front-matter"}
    assert broken == set(BROKEN_FRONT_MATTER) - {"nul.md"}
    assert _node(team, "good.md").title == "Good"
    assert "\0" not in _node(team, "nul.md").title


def test_pathological_markdown_is_parsed_or_given_up_without_harm_to_others(tmp_path: Path) -> None:
    files = {
        "brackets.md": "# P\n\n" + "[" * 50_000 + "\n\n## End\n",
        "quotes.md": "# Q\n\n" + "> " * 5_000 + "x\n\n## End\n",
        "table.md": "|" + "a|" * 2_000 + "\n|" + "-|" * 2_000 + "\n" + ("|" + "b|" * 2_000 + "\n") * 300,
        "plain.md": "# Plain\n\nSee [the brackets](brackets.md#end).\n",
    }
    team, report = _built(tmp_path, files)
    assert report.counts["documents"] == 4
    assert _node(team, "brackets.md#end").title == "End"
    assert _node(team, "quotes.md#end").title == "End"
    assert _node(team, "plain.md").outgoing == 1
    assert {problem.code for problem in _problems(team)} <= {"too-slow"}


def test_what_is_no_utf_8_is_named_and_the_rest_is_indexed(tmp_path: Path) -> None:
    files = {b"caf\xe9.md": "# Path\n", "text.md": b"# Caf\xe9\n\nna\xefve\n", "ok.md": "# OK\n"}
    team, _ = _built(tmp_path, files)
    source = store.source_of(team.project)
    assert source.left_out == [{"path": "caf\\xe9.md", "reason": "bad-path"}]
    assert [(problem.path, problem.code) for problem in _problems(team)] == [("text.md", "encoding")]
    assert _node(team, "text.md").title == "Caf\ufffd"


def test_links_and_submodules_are_never_followed_but_exist(tmp_path: Path) -> None:
    files = {
        "a.md": "# A\n\n[s](link.md) [m](sub.md) [n](none.md)\n",
        "link.md": Symlink("/etc/passwd"),
        "folder": Symlink("/etc"),
        "sub.md": Gitlink(),
    }
    team, report = _built(tmp_path, files)
    assert report.counts["documents"] == 1
    with database_store(team.project) as stored:
        assert [link.target for link in stored.broken().links] == ["none.md"]
        assert stored.node("link.md") is None


def test_limits_leave_files_out_by_name_and_cut_headings_and_links(tmp_path: Path) -> None:
    files = {
        "large.md": "# Large\n" + "x" * (2 * 1024 * 1024),
        "exact.md": "# Exact\n" + "y" * (2 * 1024 * 1024 - 8),
        "headings.md": "".join(f"## Heading {n}\n" for n in range(2_001)),
        "links.md": "# Links\n\n" + "".join(f"[{n}](t/{n}.md)\n" for n in range(60)),
    } | {f"t/{n}.md": f"# Target {n}\n" for n in range(60)}
    team, _ = _built(tmp_path, files)
    source = store.source_of(team.project)
    assert source.left_out == [{"path": "large.md", "reason": "too-large"}]
    assert source.counts["sections"] == 2_000
    assert ("headings.md", "headings-cut") in [(problem.path, problem.code) for problem in _problems(team)]
    assert _node(team, "links.md").outgoing == 60
    with database_store(team.project) as stored:
        assert len(stored.outgoing("links.md", 100)) == 50


def test_twenty_thousand_documents_are_indexed_and_the_next_is_left_out(tmp_path: Path) -> None:
    team = Team(tmp_path, {"a.md": "# A\n"})
    blob, folders = team.git.blob("x\n"), []
    for number in range(201):
        names = [(0o100644, f"{n:03}.md".encode(), blob) for n in range(100)]
        folders.append(
            (0o40000, f"d{number:03}".encode(), team.git.raw_tree(names[: 1 if number == 200 else 100]))
        )
    team.git.branch("main", team.git.raw_commit(team.git.raw_tree(folders)))
    report = team.build()
    assert (report.counts["documents"], report.counts["leftOut"]) == (20_000, 1)
    assert store.source_of(team.project).left_out == [{"path": "d200/000.md", "reason": "too-many"}]


def test_a_history_that_cannot_be_read_leaves_the_changes_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # No history of a test is large enough, so the limits are made small: git may print one byte.
    monkeypatch.setitem(changes.last_changes.__kwdefaults__, "limits", HistoryLimits(output=1))
    team, _ = _built(tmp_path, {"a.md": "# A\n"})
    assert _node(team, "a.md").changed is None
    assert [problem.code for problem in _problems(team)] == ["history"]


def test_twins_that_other_systems_confuse_stay_two_documents(tmp_path: Path) -> None:
    files = {
        "caf\u00e9.md": "# Composed\n",
        "cafe\u0301.md": "# Decomposed\n",
        "A.md": "# Upper\n",
        "a.md": "# Lower\n",
    }
    team, report = _built(tmp_path, files)
    assert report.counts["documents"] == 4
    with database_store(team.project) as stored:
        for path, text in files.items():
            assert stored.blob(_node(team, path)).decode() == text


def test_an_empty_repository_has_a_root_and_nothing_else(tmp_path: Path) -> None:
    team, report = _built(tmp_path, {"code.py": "pass\n"})
    assert report.counts["documents"] == 0
    assert _node(team, "/").children == 0


def _built(folder: Path, files: dict[str | bytes, object]) -> tuple[Team, Report]:
    team = Team(folder, files)  # type: ignore[arg-type]
    report = team.build()
    assert store.source_of(team.project).state == "ready"
    return team, report


def _problems(team: Team) -> list[models.Problem]:
    return list(models.Problem.objects.filter(source=store.source_of(team.project)).order_by("path", "code"))


def _node(team: Team, node_id: str) -> Node:
    with database_store(team.project) as stored:
        node = stored.node(node_id)
    assert node is not None
    return node
