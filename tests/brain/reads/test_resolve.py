"""Resolve: where the lines of an old citation stand today, or that this cannot be told."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from brain import wire
from brain.errors import BrainOff, CommitUnavailable, NoHistory, NotBuilt
from brain.folder import open_folder
from brain.reads.answers import Resolution
from brain.reads.read import read_node
from brain.reads.resolve import CUT, MAX_DIFF, Cited, resolve
from brain.store import database_store, follow, source_of
from tests.given_db import Team, a_built_team
from tests.repositories.given_git import GitWorld, a_repository

SPEC = """\
# Spec

Every order has a number.

## Refunds

A refund takes ten days.
It needs two pairs of eyes.

## Limits

No order is above a thousand.
"""
REFUND = "A refund takes ten days.\n"
LINES = (7, 8)  # of the paragraph on refunds


@pytest.fixture
def git(tmp_path: Path) -> GitWorld:
    return a_repository(tmp_path / "handbook")


def resolved(
    git: GitWorld, commit: str, lines: tuple[int, int] = LINES, *, path: str = "spec.md", **more: str
) -> Resolution:
    cited = Cited(path=path, line_start=lines[0], line_end=lines[1], commit=commit, **more)
    return resolve(open_folder(git.path), [cited]).results[0]


def after(git: GitWorld, old: str | bytes, *new: Any, lines: tuple[int, int] = LINES) -> Resolution:
    """What became of lines of a first text of spec.md, after others have followed it; None deletes it."""
    first = git.commit({"spec.md": old})
    for text in new:
        git.commit(text if isinstance(text, Mapping) else {"spec.md": text})
    return resolved(git, first, lines)


def told(answer: Resolution) -> tuple[str, str | None, int | None, int | None]:
    return answer.status, answer.path, answer.line_start, answer.line_end


# Unchanged and moved


def test_lines_of_a_document_that_did_not_change_are_unchanged(git: GitWorld) -> None:
    answer = after(git, SPEC, {"other.md": "# Other\n"})
    assert told(answer) == ("unchanged", "spec.md", 7, 8)
    assert (answer.node_id, answer.diff) == ("spec.md#refunds", None)


def test_lines_are_unchanged_when_only_others_changed(git: GitWorld) -> None:
    assert told(after(git, SPEC, SPEC.replace("a thousand", "two thousand"))) == (
        "unchanged",
        "spec.md",
        7,
        8,
    )


def test_lines_move_when_some_are_inserted_above(git: GitWorld) -> None:
    answer = after(git, SPEC, SPEC.replace("# Spec\n", "# Spec\n\nRead this first.\n"))
    assert told(answer) == ("moved", "spec.md", 9, 10)
    assert answer.node_id == "spec.md#refunds"


def test_lines_move_with_their_section(git: GitWorld) -> None:
    start, refunds, limits = (
        SPEC.partition("## Refunds")[0],
        SPEC[SPEC.index("## Ref") : SPEC.index("## Lim")],
        SPEC[SPEC.index("## Lim") :],
    )
    assert told(after(git, SPEC, start + limits + "\n" + refunds)) == ("moved", "spec.md", 11, 12)


def test_lines_that_move_away_and_back_are_unchanged(git: GitWorld) -> None:
    assert told(after(git, SPEC, "Above.\n" + SPEC, SPEC)) == ("unchanged", "spec.md", 7, 8)


@pytest.mark.parametrize("text", [SPEC, SPEC.replace("a thousand", "two thousand")])
def test_lines_move_with_their_document(git: GitWorld, text: str) -> None:
    answer = after(git, SPEC, {"spec.md": None, "rules/orders.md": text})
    assert told(answer) == ("moved", "rules/orders.md", 7, 8)
    assert answer.node_id == "rules/orders.md#refunds"


def test_lines_move_through_a_chain_of_renames(git: GitWorld) -> None:
    answer = after(git, SPEC, {"spec.md": None, "b.md": SPEC}, {"b.md": None, "c.md": f"Above.\n{SPEC}"})
    assert told(answer) == ("moved", "c.md", 8, 9)


def test_lines_move_when_two_documents_change_places(git: GitWorld) -> None:
    other = SPEC.replace("order", "invoice").replace("refund", "return")
    answer = after(git, SPEC, {"b.md": other}, {"b.md": SPEC, "spec.md": other})
    assert told(answer) == ("moved", "b.md", 7, 8)


def test_lines_that_are_cut_in_one_commit_and_pasted_in_the_next_are_moved(git: GitWorld) -> None:
    without = SPEC.replace(REFUND, "").replace("It needs two pairs of eyes.\n", "")
    assert told(after(git, SPEC, without, f"{without}\n{REFUND}It needs two pairs of eyes.\n")) == (
        "moved",
        "spec.md",
        12,
        13,
    )


def test_lines_that_were_edited_and_are_again_as_they_were_are_found(git: GitWorld) -> None:
    edited = SPEC.replace("ten days", "twenty days")
    assert told(after(git, SPEC, edited, f"Above.\n{SPEC}")) == ("moved", "spec.md", 8, 9)


def test_equal_lines_at_the_end_stay_at_the_end(git: GitWorld) -> None:
    text = "# List\n\nFirst.\n- yes\n- yes\n"
    answer = after(git, text, "# Many\n\nMuch else.\nAnd more.\n- yes\n- yes\n", lines=(5, 5))
    assert told(answer) == ("moved", "spec.md", 6, 6)


def test_a_document_that_goes_back_to_an_earlier_text_has_its_lines_where_they_were(git: GitWorld) -> None:
    text = "# List\n\n- yes\n- no\n- yes\n"
    answer = after(git, text, f"Above.\n{text}", "# List\n\n- no\n- yes\n", f"Above.\n{text}", lines=(3, 3))
    assert told(answer) == ("moved", "spec.md", 4, 4)


# Edited and split


def test_an_edited_line_is_shown_beside_what_was_cited(git: GitWorld) -> None:
    answer = after(git, SPEC, "Above.\n" + SPEC.replace("ten days", "twenty days"))
    assert told(answer) == ("edited", "spec.md", 8, 9)
    assert answer.node_id == "spec.md#refunds"
    assert answer.diff == (
        "@@ -7,2 +8,2 @@\n-A refund takes ten days.\n+A refund takes twenty days.\n It needs two pairs of eyes."
    )


def test_an_edit_is_followed_on(git: GitWorld) -> None:
    edited = SPEC.replace("ten days", "twenty days")
    again = "Above.\n" + SPEC.replace("ten days", "thirty days, at most")
    assert told(after(git, SPEC, edited, again)) == ("edited", "spec.md", 8, 9)


def test_of_lines_that_were_edited_together_each_is_told_by_its_place(git: GitWorld) -> None:
    edited = SPEC.replace("ten days", "twenty days").replace("two pairs", "three pairs")
    assert told(after(git, SPEC, edited, lines=(8, 8))) == ("edited", "spec.md", 8, 8)


def test_what_is_left_of_the_lines_is_edited(git: GitWorld) -> None:
    assert told(after(git, SPEC, SPEC.replace(REFUND, ""))) == ("edited", "spec.md", 7, 7)


def test_lines_with_others_between_them_are_split(git: GitWorld) -> None:
    answer = after(git, SPEC, SPEC.replace(REFUND, f"{REFUND}\nNobody waits longer.\n"))
    assert told(answer) == ("split", "spec.md", 7, 10)
    assert (
        answer.diff
        == "@@ -7,2 +7,4 @@\n A refund takes ten days.\n+\n+Nobody waits longer.\n It needs two pairs of eyes."
    )


def test_lines_that_come_together_again_are_no_longer_split(git: GitWorld) -> None:
    between = SPEC.replace(REFUND, f"{REFUND}Nobody waits longer.\n")
    assert told(after(git, SPEC, between, f"Above.\n{SPEC}")) == ("moved", "spec.md", 8, 9)


def test_other_line_ends_are_an_edit_of_these_lines(git: GitWorld) -> None:
    answer = after(git, SPEC, SPEC.replace("\n", "\r\n"))
    assert told(answer) == ("edited", "spec.md", 7, 8)
    assert answer.diff
    assert "+A refund takes ten days.␍" in answer.diff


def test_a_line_feed_at_the_end_of_the_file_counts(git: GitWorld) -> None:
    answer = after(git, SPEC.removesuffix("\n"), f"{SPEC}More.\n", lines=(12, 12))
    assert told(answer) == ("edited", "spec.md", 12, 12)
    assert answer.diff == (
        "@@ -12 +12 @@\n-No order is above a thousand.\n\\ No newline at end of text\n+No order is above a thousand."
    )


def test_a_long_difference_is_cut_at_a_line(git: GitWorld) -> None:
    many = "".join(f"Rule {number} says something about orders.\n" for number in range(300))
    answer = after(git, many, many.replace("says", "tells"), lines=(1, 300))
    assert answer.status == "edited"
    assert answer.diff
    assert len(answer.diff) <= MAX_DIFF
    assert answer.diff.endswith(f" orders.\n{CUT}")


# Deleted


def test_lines_that_are_cut_are_deleted(git: GitWorld) -> None:
    answer = after(git, SPEC, SPEC.replace(REFUND, "").replace("It needs two pairs of eyes.\n", ""))
    assert told(answer) == ("deleted", "spec.md", None, None)
    assert answer.node_id is answer.diff is None


def test_a_deleted_document_is_told_by_its_last_path(git: GitWorld) -> None:
    answer = after(git, SPEC, {"spec.md": None, "b.md": SPEC}, {"b.md": None, "c.md": "# Else\n"})
    assert told(answer) == ("deleted", "b.md", None, None)


@pytest.mark.parametrize(("again", "found"), [
    (SPEC, ("unchanged", "spec.md", 7, 8)),
    (f"# New\n\n{SPEC}", ("moved", "spec.md", 9, 10)),
    (f"# New\n\n{SPEC}\n{SPEC}", ("ambiguous", "spec.md", None, None)),
    ("# New\n\nOf something else.\n", ("deleted", "spec.md", None, None)),
])  # fmt: skip
def test_a_document_may_come_back(git: GitWorld, again: str, found: tuple[Any, ...]) -> None:
    assert told(after(git, SPEC, None, again)) == found


def test_a_move_to_where_nothing_is_shown_is_a_deletion(git: GitWorld) -> None:
    answer = after(git, SPEC, {"spec.md": None, "restricted/spec.md": SPEC, "x.md": "# X\n"})
    assert told(answer) == ("deleted", "spec.md", None, None)


# Ambiguous


@pytest.mark.parametrize(
    "quote",
    [REFUND, REFUND.strip(), "needs two", "ten days.\nIt needs", f"{REFUND}It needs two pairs of eyes.\n"],
)
def test_a_quote_is_the_text_or_a_part_of_it(git: GitWorld, quote: str) -> None:
    assert resolved(git, git.commit({"spec.md": SPEC}), quote=quote).status == "unchanged"


@pytest.mark.parametrize("quote", ["ten\ndays.\nIt", "ten days.␍\nIt"])
def test_line_ends_of_a_quote_may_be_those_that_a_read_shows(git: GitWorld, quote: str) -> None:
    commit = git.commit(
        {"spec.md": "A refund takes ten\r\ndays.\r\nIt" if "ten\n" in quote else "ten days.\r\nIt\n"}
    )
    assert resolved(git, commit, (1, 2 + ("ten\n" in quote)), quote=quote).status == "unchanged"


@pytest.mark.parametrize("given", [{"quote": "A refund takes twenty days."}, {"quote_hash": "0" * 64}])
def test_a_quote_that_does_not_stand_there_is_ambiguous(git: GitWorld, given: dict[str, str]) -> None:
    commit = git.commit({"spec.md": SPEC})
    assert told(resolved(git, commit, **given)) == ("ambiguous", "spec.md", None, None)


def test_the_hash_of_a_read_is_the_hash_of_the_lines(git: GitWorld) -> None:
    git.commit({"spec.md": SPEC})
    citation = read_node(open_folder(git.path), "spec.md#refunds", scope="node").citation
    assert citation
    lines = citation.line_start, citation.line_end
    assert resolved(git, citation.commit, lines, quote_hash=citation.quote_hash.upper()).status == "unchanged"
    text = "".join(SPEC.splitlines(keepends=True)[lines[0] - 1 : lines[1]])
    assert citation.quote_hash == hashlib.sha256(text.encode()).hexdigest()


def test_a_text_that_went_and_came_twice_is_ambiguous(git: GitWorld) -> None:
    without = SPEC.replace(REFUND, "").replace("It needs two pairs of eyes.\n", "")
    twice = f"{REFUND}It needs two pairs of eyes.\n\n" * 2
    assert told(after(git, SPEC, f"{without}\n## More\n\n{twice}")) == ("ambiguous", "spec.md", None, None)


def test_one_of_two_equal_lines_that_is_gone_is_ambiguous(git: GitWorld) -> None:
    text = "# List\n\n- yes\n- no\n- yes\n"
    assert told(after(git, text, "# List\n\n- no\n- yes\n", lines=(3, 3))) == (
        "ambiguous",
        "spec.md",
        None,
        None,
    )


def test_one_of_two_equal_lines_that_is_edited_is_no_move_to_the_other(git: GitWorld) -> None:
    text = "# List\n\nFirst:\n- yes\nSecond:\n- yes\n"
    answer = after(git, text, text.replace("First:\n- yes", "First:\n- perhaps"), lines=(4, 4))
    assert told(answer) == ("edited", "spec.md", 4, 4)


def test_a_blank_line_among_others_is_never_said_to_have_moved(git: GitWorld) -> None:
    text = "# A\n\nOne.\n\n# B\n\nTwo.\n"
    answer = after(git, text, "# C\n\nThree.\n\n# D\n\nFour.\n", lines=(2, 2))
    assert told(answer) == ("ambiguous", "spec.md", None, None)


def test_a_blank_line_is_not_found_by_its_text(git: GitWorld) -> None:
    answer = after(git, "# A\n\nOne.\nTwo.\n", "# A\nOne.\n\nTwo.\n", lines=(2, 2))
    assert told(answer) == ("ambiguous", "spec.md", None, None)


def test_an_edited_line_that_went_beside_an_equal_one_is_ambiguous(git: GitWorld) -> None:
    text = "# List\n\nFirst:\n- yes\nSecond:\n- no\n"
    answer = after(git, text, text.replace("yes", "no"), text.replace("- yes\n", ""), lines=(4, 4))
    assert told(answer) == ("ambiguous", "spec.md", None, None)


def test_an_edit_whose_old_words_come_again_elsewhere_is_ambiguous(git: GitWorld) -> None:
    edited = SPEC.replace("ten days", "twenty days")
    answer = after(git, SPEC, edited, f"{edited}\n## Returns\n\n{REFUND}", lines=(7, 7))
    assert told(answer) == ("ambiguous", "spec.md", None, None)


def test_a_section_that_moved_and_was_edited_at_once_is_ambiguous(git: GitWorld) -> None:
    start, refunds, limits = (
        SPEC.partition("## Refunds")[0],
        SPEC[SPEC.index("## Ref") : SPEC.index("## Lim")],
        SPEC[SPEC.index("## Lim") :],
    )
    answer = after(git, SPEC, f"{start}{limits}\n{refunds.replace('ten', 'twenty')}")
    assert told(answer) == ("ambiguous", "spec.md", None, None)


def test_two_copies_of_a_document_that_is_gone_are_ambiguous(git: GitWorld) -> None:
    answer = after(git, SPEC, {"spec.md": None, "one.md": SPEC, "two.md": SPEC})
    assert told(answer) == ("ambiguous", "spec.md", None, None)


# Unknown commits


def test_whatever_the_history_does_not_show_has_one_answer(git: GitWorld) -> None:
    first = git.commit(
        {"spec.md": SPEC, "restricted/spec.md": SPEC, ".hidden/spec.md": SPEC, "spec.txt": SPEC}
    )
    side = git.commit({"spec.md": SPEC}, branch="side", parents=[first])
    old = git.commit({"spec.md": SPEC * 2})
    git.branch("main", first)  # the remote forgot a commit
    git.commit({"spec.md": f"Above.\n{SPEC}"})
    tree = git.git("rev-parse", f"{first}^{{tree}}").decode().strip()
    asked = [
        Cited(path="spec.md", line_start=7, line_end=8, commit=one)
        for one in (side, old, "0" * 40, tree, "main", "HEAD~1")
    ]
    hidden = (
        "restricted/spec.md",
        ".hidden/spec.md",
        "none.md",
        "spec.txt",
        "",
        "\ud800.md",
        "spec.md\0",
        "../spec.md",
        "spec.md/",
    )
    asked += [Cited(path=path, line_start=7, line_end=8, commit=first) for path in hidden]
    asked += [
        Cited(path="spec.md", line_start=start, line_end=end, commit=first)
        for start, end in ((13, 13), (7, 13), (0, 1), (9, 8))
    ]
    nothing = Resolution(status="unknownCommit", path=None, line_start=None, line_end=None, node_id=None)
    assert set(resolve(open_folder(git.path), asked).results) == {nothing}


def test_a_citation_of_a_merged_side_branch_is_followed_over_the_merge(git: GitWorld) -> None:
    first = git.commit({"spec.md": SPEC})
    side = git.commit({"spec.md": SPEC + "\nOn the side.\n"}, branch="side", parents=[first])
    main = git.commit({"spec.md": f"Above.\n{SPEC}"}, parents=[first])
    git.commit({"spec.md": f"Above.\n{SPEC}\nOn the side.\n"}, parents=[main, side])
    assert told(resolved(git, side, (14, 14))) == ("moved", "spec.md", 15, 15)
    assert told(resolved(git, side)) == ("moved", "spec.md", 8, 9)


# Lists, stores and refusals


def test_answers_come_in_the_order_of_the_citations(git: GitWorld) -> None:
    many = "".join(f"Rule {number} says something.\n" for number in range(50))
    first = git.commit({"a.md": many, "b.md": many})
    second = git.commit({"a.md": f"Above.\n{many}"})
    git.commit({"b.md": f"Above.\nAnd above.\n{many}"})
    cited = [
        (path, line, commit) for line in range(1, 51) for path, commit in (("a.md", first), ("b.md", second))
    ]
    asked = [Cited(path=path, line_start=line, line_end=line, commit=commit) for path, line, commit in cited]
    results = resolve(open_folder(git.path), asked).results
    assert [told(one) for one in results] == [
        ("moved", path, line + (1 if path == "a.md" else 2), line + (1 if path == "a.md" else 2))
        for path, line, _ in cited
    ]


def test_no_citations_have_no_answers(git: GitWorld) -> None:
    git.commit({"spec.md": SPEC})
    assert resolve(open_folder(git.path), []).results == ()


@pytest.mark.django_db(transaction=True)
def test_a_project_answers_as_its_repository_does(tmp_path: Path) -> None:
    team = a_built_team(
        tmp_path, {"spec.md": SPEC, "b.md": SPEC.replace("order", "invoice"), "restricted/c.md": SPEC}
    )
    team.git.commit({"spec.md": SPEC.replace("ten", "twenty"), "b.md": None})
    tip = team.git.commit({"spec.md": None, "rules/spec.md": "Above.\n" + SPEC.replace("ten", "twenty")})
    team.build()
    ranges = [
        ("spec.md", 7, 7),
        ("spec.md", 8, 8),
        ("b.md", 7, 8),
        ("restricted/c.md", 7, 8),
        ("spec.md", 5, 8),
    ]
    asked = [
        Cited(path=path, line_start=start, line_end=end, commit=team.first) for path, start, end in ranges
    ]
    with database_store(team.project) as store:
        answer = resolve(store, asked)
    assert [one.status for one in answer.results] == ["edited", "moved", "deleted", "unknownCommit", "edited"]
    assert answer.results == resolve(open_folder(team.git.path), asked).results
    assert wire.resolutions_json(answer)["results"][1] == {
        "status": "moved", "path": "rules/spec.md", "lineStart": 9, "lineEnd": 9,
        "nodeId": "rules/spec.md#refunds", "commit": tip,
    }  # fmt: skip


@pytest.mark.django_db(transaction=True)
def test_what_a_project_excludes_is_hidden_in_the_past_too(tmp_path: Path) -> None:
    team = Team(tmp_path, {"spec.md": SPEC, "drafts/spec.md": SPEC})
    team.git.commit({"spec.md": None, "drafts/spec.md": None, "drafts/new.md": SPEC, "x.md": "# X\n"})
    team.sync()
    source = source_of(team.project)
    source.exclude = "drafts/"
    source.save()
    team.build()
    asked = [
        Cited(path=path, line_start=7, line_end=8, commit=team.first)
        for path in ("spec.md", "drafts/spec.md", "drafts/none.md")
    ]
    with database_store(team.project) as store:
        results = resolve(store, asked).results
    assert told(results[0]) == ("deleted", "spec.md", None, None)
    assert results[1] == results[2]
    assert results[2].status == "unknownCommit"


@pytest.mark.django_db(transaction=True)
def test_without_a_tree_or_its_commit_resolve_refuses(tmp_path: Path) -> None:
    team = Team(tmp_path, {"spec.md": SPEC})
    team.sync()
    source = follow(team.project, "main")
    source.enabled = True
    source.save()
    asked = [Cited(path="spec.md", line_start=7, line_end=8, commit=team.first)]
    with database_store(team.project) as store, pytest.raises(NotBuilt):
        resolve(store, asked)
    team.build()
    source = source_of(team.project)
    source.commit = "1" * 40
    source.save()
    with database_store(team.project) as store, pytest.raises(CommitUnavailable):
        resolve(store, asked)
    source.enabled = False
    source.save()
    with database_store(team.project) as store, pytest.raises(BrainOff):
        resolve(store, asked)


def test_files_on_disk_have_no_history(tmp_path: Path) -> None:
    (tmp_path / "spec.md").write_text(SPEC)
    with pytest.raises(NoHistory):
        resolve(open_folder(tmp_path), [Cited(path="spec.md", line_start=7, line_end=8, commit="0" * 40)])
