"""When a build is incremental and when whole, one condition after the other; the rows are the same either way."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from brain import models
from brain.builds import build
from brain.builds.conditions import MAX_AGE, MAX_INCREMENTAL
from brain.errors import BuildFailed
from brain.store import Source
from brain.tree.assembly import BUILDER_VERSION
from tests.brain.living.comparing import differences
from tests.brain.living.histories import TOO_LARGE, Amend, Commit, History, Merge, Rewind
from tests.brain.living.standing import INCREMENTAL, WHOLE, Pair, a_pair, built

pytestmark = pytest.mark.django_db(transaction=True)

FILES = {
    f"rules/{number:02}.md": f"# Rule {number}\n\nSee [next](0{number + 1}.md).\n" for number in range(9)
}
HANDBOOK = History(seed=0, first={"README.md": "# Handbook\n", **FILES}, steps=())  # ten documents
EDIT = Commit(changes={"rules/03.md": "# Rule 3\n\nChanged.\n"})
SECOND = Commit(changes={"rules/04.md": "# Rule 4\n\nChanged too.\n"})


@pytest.fixture
def pair(db):
    """Both projects of the handbook, built."""
    with a_pair(HANDBOOK) as both:
        assert both.build() == []
        yield both


def kind_after(pair: Pair, *steps) -> str:
    """The kind of the build after these steps, when its rows are right."""
    for step in steps:
        pair.player.play(step)
    assert pair.build() == []
    return pair.kinds[-1]


def note(pair: Pair, **row) -> None:
    """Change the row of the living project's source."""
    Source.objects.filter(pk=pair.living.pk).update(**row)


def edits(count: int) -> Commit:
    return Commit(changes={path: f"# Edited {path}\n" for path in list(FILES)[:count]})


def test_the_first_build_is_whole_and_the_next_incremental(pair):
    assert pair.kinds == [WHOLE]
    assert kind_after(pair, EDIT) == INCREMENTAL


def test_a_source_tells_of_its_incremental_builds(pair):
    whole_at = Source.objects.get(pk=pair.living.pk).whole_built_at
    kind_after(pair, EDIT)
    kind_after(pair, SECOND)
    source = Source.objects.get(pk=pair.living.pk)
    assert (source.last_build, source.incremental_builds, source.whole_built_at) == (INCREMENTAL, 2, whole_at)
    assert source.refs_complete
    assert source.state == "ready"
    kinds = models.Build.objects.filter(source=source).order_by("number").values_list("kind", flat=True)
    assert list(kinds) == [WHOLE, INCREMENTAL, INCREMENTAL]


def test_a_tree_of_an_older_builder_is_built_whole(pair):
    note(pair, builder=BUILDER_VERSION - 1)
    assert kind_after(pair, EDIT) == WHOLE


def test_a_tree_whose_references_are_not_stored_is_built_whole(pair):
    note(pair, refs_complete=False)
    assert kind_after(pair, EDIT) == WHOLE


@pytest.mark.parametrize("field", ["include", "exclude"])
def test_other_globs_make_a_whole_build(pair, field):
    Source.objects.filter(pk__in=(pair.living.pk, pair.whole.pk)).update(**{field: "rules/\n"})
    assert kind_after(pair, EDIT) == WHOLE


@pytest.mark.parametrize(
    "row", [{"name": "Another"}, {"web_address": "https://git.example.org/other"}], ids=str
)
def test_a_repository_that_changed_makes_a_whole_build(pair, row):
    repository = pair.living.project.repository
    type(repository).objects.filter(pk=repository.pk).update(**row)
    pair.living, pair.whole = (Source.objects.get(pk=one.pk) for one in (pair.living, pair.whole))
    assert kind_after(pair, EDIT) == WHOLE


@pytest.mark.parametrize(
    ("name", "value"), [("BRAIN_NOT_ID_PREFIXES", ["R"]), ("BRAIN_MAX_LINKS_PER_NODE", 3)]
)
def test_other_settings_make_a_whole_build(pair, settings, name, value):
    setattr(settings, name, value)
    assert kind_after(pair, EDIT) == WHOLE


def test_a_forced_push_to_a_sibling_is_built_whole(pair):
    kind_after(pair, EDIT)
    assert kind_after(pair, Amend(changes=SECOND.changes)) == WHOLE


def test_a_branch_set_back_is_built_whole(pair):
    kind_after(pair, EDIT)
    assert kind_after(pair, Rewind(back=1)) == WHOLE


def test_a_merge_is_built_incrementally(pair):
    assert kind_after(pair, Merge(ours=EDIT.changes, theirs=SECOND.changes)) == INCREMENTAL


def test_a_fifth_of_the_documents_may_change_and_not_one_more(pair):
    assert kind_after(pair, edits(2)) == INCREMENTAL
    assert kind_after(pair, Commit(changes=dict.fromkeys(list(FILES)[:3], "# Again\n"))) == WHOLE


def test_no_more_documents_than_the_limit_may_change(pair, monkeypatch):
    monkeypatch.setattr("brain.builds.conditions.MAX_CHANGED", 1)
    assert kind_after(pair, edits(1)) == INCREMENTAL
    assert kind_after(pair, EDIT, SECOND) == WHOLE


def test_files_that_are_no_documents_do_not_count(pair):
    others = {f"data/{number}.txt": "x\n" for number in range(30)} | {
        "restricted/a.md": "# A\n",
        ".b/c.md": "# C\n",
    }
    assert kind_after(pair, Commit(changes=others)) == INCREMENTAL


def test_after_fifty_incremental_builds_comes_a_whole_one(pair):
    note(pair, incremental_builds=MAX_INCREMENTAL - 1)
    assert kind_after(pair, EDIT) == INCREMENTAL
    assert kind_after(pair, SECOND) == WHOLE
    assert Source.objects.get(pk=pair.living.pk).incremental_builds == 0


def test_a_whole_build_that_is_a_day_old_is_followed_by_another(pair):
    note(pair, whole_built_at=timezone.now() - MAX_AGE + timedelta(minutes=5))
    assert kind_after(pair, EDIT) == INCREMENTAL
    note(pair, whole_built_at=timezone.now() - MAX_AGE)
    assert kind_after(pair, SECOND) == WHOLE


def test_a_rebuild_is_whole_even_when_nothing_moved(pair):
    assert built(pair.living, whole=True).kind == WHOLE
    pair.player.play(EDIT)
    assert built(pair.living, whole=True).kind == WHOLE


def test_past_the_most_documents_every_build_is_whole(pair, monkeypatch):
    monkeypatch.setattr("brain.tree.scope.MAX_DOCUMENTS", 10)
    assert kind_after(pair, Commit(changes={"new.md": "# New\n"})) == WHOLE
    assert kind_after(pair, EDIT) == WHOLE
    assert kind_after(pair, Commit(changes={"new.md": None})) == WHOLE
    assert kind_after(pair, SECOND) == INCREMENTAL


def test_a_file_that_is_too_large_forces_nothing(pair):
    assert kind_after(pair, Commit(changes={"large.md": b"x" * TOO_LARGE})) == INCREMENTAL
    assert kind_after(pair, Commit(changes={"rules/03.md": b"x" * TOO_LARGE})) == INCREMENTAL
    assert [left["path"] for left in Source.objects.get(pk=pair.living.pk).left_out] == [
        "large.md",
        "rules/03.md",
    ]
    assert kind_after(pair, EDIT) == INCREMENTAL


def test_where_the_stored_tree_lacks_a_row_the_same_build_becomes_whole(pair):
    models.Node.objects.filter(source=pair.living, path="rules/03.md").delete()
    assert kind_after(pair, EDIT) == WHOLE
    assert models.Build.objects.filter(source=pair.living, outcome="ready").count() == 2


def test_a_tree_that_is_not_what_its_hash_says_is_built_whole(pair):
    models.Node.objects.filter(source=pair.living, path="rules/07.md").update(digest=b"no digest")
    assert kind_after(pair, EDIT) == WHOLE


def test_when_an_incremental_build_fails_the_same_build_becomes_whole(pair):
    pair.player.play(EDIT)
    left = ["once"]

    def fail_once(phase: str, done: int, total: int) -> None:
        if phase == "assemble" and left:
            left.clear()
            raise OSError("the disk went away")

    pair.living.refresh_from_db()
    assert build(pair.living, progress=fail_once).kind == WHOLE
    built(pair.whole, whole=True)
    assert differences(pair.living, pair.whole) == []


def test_a_tree_that_moved_meanwhile_is_left_alone(pair):
    pair.player.play(EDIT)
    elsewhere = "1" * 40

    def move(phase: str, done: int, total: int) -> None:
        if phase == "assemble":
            note(pair, commit=elsewhere)

    pair.living.refresh_from_db()
    with pytest.raises(BuildFailed) as refused:
        build(pair.living, progress=move)
    assert refused.value.code == "moved"
    note(pair, commit=pair.player.line[0])
    assert differences(pair.living, pair.whole) == []


def test_only_rows_that_differ_are_written(pair):
    before = versions(pair)
    assert kind_after(pair, EDIT) == INCREMENTAL
    after = versions(pair)
    written = {name for name in after if after[name] != before.get(name)}
    assert {"rules/03.md", "rules/", "/"} >= written >= {"rules/03.md"}


def versions(pair: Pair) -> dict[str, object]:
    """Where each node's row stands and which transaction wrote it; another after any write."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT node_id, ctid::text, xmin::text FROM brain_node WHERE source_id = %s", [pair.living.pk]
        )
        return {name: place for name, *place in cursor.fetchall()}
