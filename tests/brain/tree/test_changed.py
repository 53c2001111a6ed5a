"""When a node last changed: documents as Git says, folders the latest of what they hold."""

from __future__ import annotations

from datetime import UTC, datetime

from brain.tree.digests import tree_hash
from brain.tree.nodes import Changed
from tests.given import a_tree, node

FILES = {"a/x.md": "# X\n\n## Part\n\n## R-01 Card\n", "a/b/y.md": "# Y", "z.md": "# Z", "c/w.md": "# W"}


def on(day, commit="1" * 40):
    return Changed(commit, datetime(2026, 3, day, tzinfo=UTC), f"Day {day}")


def changed(changes):
    tree = a_tree(FILES, changed=changes)
    return {each.id: each.changed for each in tree.nodes if each.changed}


def test_a_folder_and_the_root_carry_the_latest_change_of_what_they_hold():
    assert changed({"a/x.md": on(2), "a/b/y.md": on(5), "z.md": on(3)}) == {
        "a/x.md": on(2),
        "a/b/y.md": on(5),
        "a/b/": on(5),
        "a/": on(5),
        "z.md": on(3),
        "/": on(5),
    }


def test_sections_and_cards_carry_none():
    assert not [name for name in changed({path: on(1) for path in FILES}) if "#" in name]


def test_without_a_history_nothing_is_known():
    assert changed({}) == {}


def test_of_two_changes_at_one_time_one_is_always_chosen():
    first, second = on(1, "a" * 40), on(1, "b" * 40)
    assert changed({"a/x.md": first, "a/b/y.md": second})["/"] == second
    assert changed({"a/x.md": second, "a/b/y.md": first})["/"] == second


def test_a_change_without_a_subject_counts_like_another():
    hidden = Changed("c" * 40, datetime(2026, 4, 1, tzinfo=UTC), None)
    assert changed({"a/x.md": hidden, "z.md": on(9)})["/"] == hidden


def test_times_are_compared_not_their_order_in_the_log():
    tree = a_tree(FILES, changed={"a/x.md": on(9), "a/b/y.md": on(1)})
    assert node(tree, "a/").changed == on(9)


def test_the_tree_hash_does_not_depend_on_changes():
    assert tree_hash(a_tree(FILES)) == tree_hash(a_tree(FILES, changed={"z.md": on(1)}))
