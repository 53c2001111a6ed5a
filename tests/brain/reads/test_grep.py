"""Grep: the lines that hold every word of a text, each in the deepest node that holds the line."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from brain.errors import BrainOff, CommitUnavailable, InvalidArgument, NodeNotFound, NotBuilt
from brain.folder import FolderStore, open_folder
from brain.folder.held import Held
from brain.markdown.lines import decode
from brain.reads.answers import Crumb, Lines
from brain.reads.grep import grep
from brain.snapshots import path_of
from brain.store import Store, database_store, source_of
from tests.brain.test_cases import cases, content
from tests.given import Blob, tree_of
from tests.given_db import STORES, Team, a_built_team, a_store

WITH_ROWS = pytest.mark.django_db(transaction=True)

type Files = Mapping[str, str | bytes]


def a_folder(files: Files) -> FolderStore:
    """A store in memory over these files."""
    texts = {path: text if isinstance(text, bytes) else text.encode() for path, text in sorted(files.items())}
    tree = tree_of([Blob(*text) for text in texts.items()], texts, {}, {})
    held = {path: texts[path] for path in tree.documents}
    return FolderStore(Held(name="shop", branch="", commit="", tree=tree, texts=held, left_out=()))


def places(lines: Lines) -> list[tuple[str, int]]:
    return [(hit.node.path, hit.line) for hit in lines.matches]


def lines_in(text: str | bytes, words: str, **within: Any) -> list[int]:
    """The numbers of the lines found in one document of this text."""
    return [hit.line for hit in grep(a_folder({"a.md": text}), words, **within).matches]


@cases("grep")
def test_lines_are_those_of_the_log(case):
    files = {path: content(entry) or b"" for path, entry in case["input"]["files"].items()}
    lines = grep(a_folder(files), case["input"]["query"]["text"])
    assert places(lines) == [(expected["path"], expected["line"]) for expected in case["expected"]]
    for hit, expected in zip(lines.matches, case["expected"], strict=True):
        assert hit.node.id == expected.get("node", hit.node.id)


CARS = "# A\n\nThe blue and the red car.\nred car blue\nblue car red\nthe red  car\nredcar blue\n"


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("red blue", [3, 4, 5, 7]),
        ("blue red", [3, 4, 5, 7]),
        ("RED Blue", [3, 4, 5, 7]),
        ("edca", [7]),
        ("blue red blue", [3, 4, 5, 7]),
        ('"red car"', [3, 4]),
        ('"red car" blue', [3, 4]),
        ('"car blue"', [4, 7]),
        ('"red car', []),
        ('"red\ncar"', []),
        ('"blue\nblue"', []),
        ("green", []),
        ("red green", []),
    ],
)
def test_every_word_stands_on_one_line_in_any_order(words, lines):
    assert lines_in(CARS, words) == lines


LITERAL = (
    'price is 100% now\nprice is 1000 now\na.b*c\naxbbc\nsnake_case\nsnakeXcase\n[x](y)\n\\d+\n5" wide\n'
)


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("100%", [1]),
        ("%", [1]),
        ("a.b*c", [3]),
        ("*", [3]),
        ("snake_case", [5]),
        ("[x]", [7]),
        ("\\d+", [8]),
        ('5"', [9]),
    ],
)
def test_every_character_is_meant_as_it_is(words, lines):
    assert lines_in(LITERAL, words) == lines


FOLDING = "Straße\nSTRASSE\n\u212aelvin\nkelvin\nlong \u017f\n\u0130stanbul\nistanbul\nΟΔΟΣ\nοδος\nοδοσ\n\ufb01ne\nFINE\n\u1e9e\n"


@pytest.mark.parametrize(
    ("words", "folded", "exact"),
    [
        ("strasse", [1, 2], []),
        ("STRAßE", [1, 2], []),
        ("Straße", [1, 2], [1]),
        ("ss", [1, 2, 13], []),
        ("s", [1, 2, 5, 6, 7, 13], [6, 7]),
        ("\u212a", [3, 4], [3]),
        ("k", [3, 4], [4]),
        ("i\u0307", [6], []),
        ("\u0130", [6], [6]),
        ("οδοσ", [8, 9, 10], [10]),
        ("ΟΔΟΣ", [8, 9, 10], [8]),
        ("fine", [11, 12], []),
        ("\ufb01", [11, 12], [11]),
    ],
)
def test_case_is_ignored_by_folding_both_sides_or_not_at_all(words, folded, exact):
    assert lines_in(FOLDING, words) == folded
    assert lines_in(FOLDING, words, ignore_case=False) == exact


@pytest.mark.parametrize(
    ("text", "words", "line", "shown"),
    [
        (b"\xef\xbb\xbfmark\n", "mark", 1, "mark"),
        (b"a\r\nwindows\r\n", "windows", 2, "windows␍"),
        (b"one\rtwo\nthree\r", "two", 1, "one␍two"),
        ("a\u2028b\u0085c\x0cd\n".encode(), "a b c d", 1, "a\u2028b\u0085c\x0cd"),
        (b"x\x00y\n", "x\x00y", 1, "x\x00y"),
        (b"caf\xe9 \xff\n", "caf\ufffd", 1, "caf\ufffd \ufffd"),
        (b"no line feed", "feed", 1, "no line feed"),
        (b"\n\n\nlast", "last", 4, "last"),
        (b"---\nid: X-1\n---\n# T\n", "id: X-1", 2, "id: X-1"),
    ],
)
def test_lines_are_counted_at_line_feeds_and_shown_as_a_read_shows_them(text, words, line, shown):
    (hit,) = grep(a_folder({"a.md": text}), words).matches
    assert (hit.line, hit.text) == (line, shown)


def test_a_lone_surrogate_is_on_no_line():
    assert lines_in("\ud83d?\n".encode(errors="surrogatepass"), "\ud83d") == []


def test_of_a_line_of_two_mebibytes_500_characters_around_the_word_are_told():
    text = "ẞ" * 400_000 + "needle" + "\u0130" * 400_000 + "\nneedle\n"
    first, second = grep(a_folder({"a.md": text}), "needle").matches
    assert (first.line, len(first.text), second.text) == (1, 500, "needle")
    assert 100 < first.text.index("needle") < 300


FILES = {
    "README.md": "---\nspace: top\nlabels: [Team Rules]\n---\n# Top\n\nred\n",
    "a-b.md": "red beside\n",
    "a.md": "---\ntags: [team rules, other]\n---\n# A\n\nred one\n\n## Part\n\nred two\n\n### Deep\n\nred three\n\n## Next\n\nred four\n",
    "a/README.md": "---\nspace: inner\n---\n# Inner\n\nred\n",
    "a/b/c.md": "---\nlabels: team rules\n---\n# C\n\n### RULE-A-001 Be kind\n\nred card\n\n### RULE-A-002 Be red\n\nblue\n",
    "a0.md": "red after\n",
    "restricted/x.md": "red canary\n",
    ".hidden/x.md": "red canary\n",
    "code.py": "red canary\n",
}
ALL = [
    ("README.md", 7),
    ("a-b.md", 1),
    ("a.md", 6),
    ("a.md", 10),
    ("a.md", 14),
    ("a.md", 18),
    ("a/README.md", 6),
]
ALL += [("a/b/c.md", 8), ("a/b/c.md", 10), ("a0.md", 1)]


@pytest.fixture(params=STORES)
def stored(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """One world, asked through each store."""
    request.getfixturevalue("transactional_db")
    team = a_built_team(tmp_path, FILES)
    with a_store(team, request.param) as store:
        yield store


def test_hits_come_by_path_and_line_with_the_deepest_node_and_the_way_to_it(stored: Store) -> None:
    lines = grep(stored, "red")
    assert places(lines) == ALL
    assert (lines.truncated, lines.total, lines.space, lines.label) == (False, 10, None, None)
    third = lines.matches[4]
    assert (third.node.id, third.text) == ("a.md#deep", "red three")
    assert [crumb.id for crumb in third.breadcrumb] == ["/", "a.md", "a.md#part", "a.md#deep"]
    card = lines.matches[7]
    assert card.node.id == "a/b/c.md#RULE-A-001"
    assert card.breadcrumb[1] == Crumb("a/", "a")


UNDER = {
    "": ALL,
    "/": ALL,
    "a/": [place for place in ALL if place[0].startswith("a/")],
    "a/b/": [("a/b/c.md", 8), ("a/b/c.md", 10)],
    "a.md": [place for place in ALL if place[0] == "a.md"],
    "a.md#part": [("a.md", 10), ("a.md", 14)],
    "a.md#deep": [("a.md", 14)],
    "a.md#next": [("a.md", 18)],
    "a/b/c.md#RULE-A-002": [("a/b/c.md", 10)],
}


def test_under_a_node_is_what_stands_at_or_below_it(stored: Store) -> None:
    assert {under: places(grep(stored, "red", under=under)) for under in UNDER} == UNDER


def test_under_what_is_no_node_is_refused_alike(stored: Store) -> None:
    refusals = set()
    for under in ["restricted/", "restricted/x.md", ".hidden/", "nowhere/", "a", "code.py", "a.md#gone"]:
        with pytest.raises(NodeNotFound) as refused:
            grep(stored, "red", under=under)
        refusals.add(str(refused.value))
    assert len(refusals) == 1


WITHIN = [
    ({"space": "inner"}, ("INNER", None), [place for place in ALL if place[0].startswith("a/")]),
    ({"space": "TOP"}, ("TOP", None), [place for place in ALL if not place[0].startswith("a/")]),
    ({"label": " Team  RULES! "}, (None, "team-rules"), [*ALL[:1], *ALL[2:6], *ALL[7:9]]),
    ({"label": "other"}, (None, "other"), ALL[2:6]),
    ({"space": "inner", "label": "team rules"}, ("INNER", "team-rules"), ALL[7:9]),
    ({"space": "top", "label": "team rules", "under": "a.md#part"}, ("TOP", "team-rules"), ALL[3:5]),
    ({"space": "top", "under": "a/"}, ("TOP", None), []),
    ({"space": "none"}, ("NONE", None), []),
    ({"label": "none"}, (None, "none"), []),
]


def test_a_space_and_a_label_narrow_to_the_pages_that_have_both(stored: Store) -> None:
    for within, used, expected in WITHIN:
        lines = grep(stored, "red", **within)
        assert (within, places(lines)) == (within, expected)
        assert (lines.space, lines.label, lines.total) == (*used, len(expected))


@pytest.mark.parametrize("label", [" ", "!?", "x" * 65])
def test_a_label_of_which_nothing_is_stored_is_refused(label):
    with pytest.raises(InvalidArgument) as refused:
        grep(a_folder(FILES), "red", label=label)
    assert refused.value.field == "label"


def test_a_text_that_holds_no_word_is_refused():
    with pytest.raises(InvalidArgument) as refused:
        grep(a_folder(FILES), ' "" ')
    assert refused.value.field == "text"


def test_a_word_of_a_restricted_file_is_answered_like_any_word_that_is_nowhere(stored: Store) -> None:
    canary, other = grep(stored, "canary"), grep(stored, "zyzzyv")
    assert canary.matches == ()
    assert replace(canary, text="") == replace(other, text="")


def test_fifty_lines_are_told_after_everything_was_narrowed():
    files = {f"{n:02}.md": "red\n" * 60 for n in range(3)} | {"z/home.md": "red\n" * 50}
    store = a_folder(files)
    lines = grep(store, "red")
    assert places(lines) == [("00.md", line) for line in range(1, 51)]
    assert (lines.truncated, lines.total) == (True, None)
    below = grep(store, "red", under="z/")
    assert (len(below.matches), below.truncated, below.total) == (50, False, 50)


@WITH_ROWS
def test_off_and_not_built_are_refused_and_a_mirror_that_is_away_too(tmp_path: Path) -> None:
    team = Team(tmp_path, {"a.md": "red\n"})
    with database_store(team.project) as store, pytest.raises(NotBuilt):
        grep(store, "red")
    team.build()
    source = source_of(team.project)
    path_of(source.pk, source.commit).unlink()
    shutil.rmtree(team.repository.mirror / "objects" / "pack")
    with database_store(team.project) as store, pytest.raises(CommitUnavailable):
        grep(store, "red")
    source.enabled = False
    source.save()
    with database_store(team.project) as store, pytest.raises(BrainOff):
        grep(store, "red")


PIECES = [
    "red",
    "Red",
    "RED",
    "blue",
    "straße",
    "STRASSE",
    "\u212a",
    "k",
    "\u0130",
    "i",
    "ς",
    "Σ",
    "\u017f",
    "s",
]
PIECES += [
    " ",
    " ",
    "\t",
    "\r",
    "\u2028",
    '"',
    "%",
    "\0",
    "# ",
    "## ",
    "```",
    "- ",
    "\n",
    "\n",
    "\r\n",
    "\n\n",
]


def _any_text(chance: Random) -> bytes:
    text = "".join(chance.choices(PIECES, k=chance.randrange(60))).encode()
    return chance.choice([b"", b"", b"\xef\xbb\xbf"]) + text + chance.choice([b"", b"\xff", b"\n"])


def _naive(files: Mapping[str, bytes], words: list[str], *, ignore_case: bool) -> list[tuple[str, int, str]]:
    """Path, line and text of every line, by the rule itself."""
    fold = str.casefold if ignore_case else str
    return [
        (path, number, line.replace("\r", "␍"))
        for path, blob in sorted(files.items())
        for number, line in enumerate(decode(blob).text.split("\n"), 1)
        if line and all(fold(word) in fold(line) for word in words)
    ]


@WITH_ROWS
def test_both_stores_answer_what_a_filter_of_all_lines_finds(tmp_path: Path) -> None:
    chance = Random(7)
    files = {f"{chance.choice(['', 'b/', 'b-c/'])}{n:02}.md": _any_text(chance) for n in range(40)}
    team = a_built_team(tmp_path, files)
    folder, asked = open_folder(team.git.path), 0
    with database_store(team.project) as rows:
        for _ in range(60):
            words = chance.choices(["red", "BLUE", "ss", "K", "i", "σ", "s", "%", "\0", "d s", "-", "#"], k=2)
            ignore_case = chance.random() < 0.7
            text = " ".join(f'"{word}"' if " " in word else word for word in words)
            expected = _naive(files, words, ignore_case=ignore_case)
            answers = [grep(store, text, ignore_case=ignore_case) for store in (rows, folder)]
            for lines in answers:
                assert [(hit.node.path, hit.line, hit.text) for hit in lines.matches] == expected[:50]
                assert lines.truncated == (len(expected) > 50)
            first, second = ([(hit.node.id, hit.breadcrumb) for hit in lines.matches] for lines in answers)
            assert first == second
            for hit in answers[0].matches:
                around = rows.document(hit.node.path)
                holding = [node for node in around if node.lines.start <= hit.line <= node.lines.end]
                assert [node.id for node in holding] == [hit.node.id]
            asked += bool(expected)
    assert asked > 30
