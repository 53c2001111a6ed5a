"""Search: the nodes whose words meet a question, best first, each with the line that shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from brain.errors import BrainOff, NodeNotFound, NotBuilt
from brain.folder import open_folder
from brain.reads.answers import Results
from brain.reads.search import search
from brain.store import Store, database_store, source_of
from tests.given_db import STORES, Team, a_built_team, a_store

pytestmark = pytest.mark.django_db(transaction=True)

FILES: dict[str, str] = {
    "README.md": "# Library\n\nHow the town library works.\n",
    "lending/fees.md": "# Fees\n\nA late book costs 20 cents a day.\n\n## Waiving\n\nThe desk may waive a late fee once.\n\n"
    "## Lost books\n\nWho loses a book pays its price; see RULE-LEN-007.\n",
    "lending/loans.md": "# Loans\r\n\r\nA loan lasts four weeks.\r\n\r\n## Renewing\r\n\r\n"
    "Readers renew a loan twice, never a book that someone reserved.\r\n",
    "rules/lending.md": "# Lending rules\n\n## RULE-LEN-007 Replacement\n\nThe price is that of a new copy.\n\n"
    "## RULE-LEN-008 Members\n\nMembers are sixteen or older.\n",
    "code/desk.md": "# The desk program\n\n`chargeMember` is called by `close_day`; it takes a `Vec<Loan>`.\n\n"
    "Settings lie in /etc/desk/settings.toml; see <https://example.org/manual?page=stamps&x=1>.\n",
    "names/cafe.md": "# Café\n\nIn the reading room.\n",
    "names/crepe.md": "# Other\n\nCrepes are sold on Sundays “here”.\n",
    "中文/预订.md": "# 预订\n\n读者可以在网上取消预订。\n",
    "notes/id.md": "---\nid: INTRO\ntitle: Notes\n---\nNothing about it.\n",
    "notes/mentions.md": "# Mentions\n\nINTRO INTRO INTRO RULE-LEN-008 RULE-LEN-008 lending/fees.md lending/fees.md\n",
}


@pytest.fixture
def team(tmp_path: Path) -> Team:
    return a_built_team(tmp_path, FILES)


@pytest.fixture
def store(team: Team) -> Iterator[Store]:
    with database_store(team.project) as store:
        yield store


@pytest.fixture(params=STORES)
def either(request: pytest.FixtureRequest, team: Team) -> Iterator[Store]:
    with a_store(team, request.param) as store:
        yield store


def ids(results: Results) -> list[str]:
    return [result.node.id for result in results.results]


QUESTIONS = {
    "What does a late book cost?": "lending/fees.md",
    "Can I get a fee waived?": "lending/fees.md#waiving",
    "How often can I renew my loans?": "lending/loans.md#renewing",
    "How old must a member be?": "rules/lending.md#RULE-LEN-008",
    "What is the price of lost books?": "lending/fees.md#lost-books",
}
SPELLINGS = {
    "RULE-LEN-007": "rules/lending.md#RULE-LEN-007",
    "rule len 7": "rules/lending.md#RULE-LEN-007",
    "chargeMember": "code/desk.md",
    "charge member": "code/desk.md",
    "close_day": "code/desk.md",
    "close day": "code/desk.md",
    "vec": "code/desk.md",
    "etc": "code/desk.md",
    "stamps": "code/desk.md",
    "café": "names/cafe.md",
    "cafe\u0301": "names/cafe.md",
    "CAFE": "names/cafe.md",
    "here": "names/crepe.md",
    "怎么取消预订？": "中文/预订.md",
    "取消": "中文/预订.md",
    "twice": "lending/loans.md#renewing",
}
NAMED = {
    "who said rule-len-008?": "rules/lending.md#RULE-LEN-008",
    "(RULE-LEN-008)": "rules/lending.md#RULE-LEN-008",
    "intro": "notes/id.md",
    "lending/fees.md": "lending/fees.md",
    "lending/fees.md#waiving late": "lending/fees.md#waiving",
}


def test_a_question_in_plain_language_finds_its_node_first(store):
    assert {question: ids(search(store, question))[0] for question in QUESTIONS} == QUESTIONS


def test_words_are_found_however_they_are_written(store):
    assert {query: ids(search(store, query))[0] for query in SPELLINGS} == SPELLINGS


def test_a_node_that_the_query_names_comes_first(store):
    assert {query: ids(search(store, query))[0] for query in NAMED} == NAMED


def test_no_word_has_to_be_held_and_what_holds_more_of_them_comes_first(tmp_path):
    held = {
        "d.md": "alder birch cedar",
        "c.md": "birch alder fir",
        "b.md": "cedar fir fir",
        "a.md": "fir oak",
    }
    team = a_built_team(tmp_path, {path: f"# Trees\n\n{text}\n" for path, text in held.items()})
    with database_store(team.project) as store:
        assert ids(search(store, "alder birch cedar unheardof")) == ["d.md", "c.md", "b.md"]


def test_a_word_in_the_title_of_a_document_helps_its_sections(tmp_path):
    page = "# {0}\n\nAbout {0}.\n\n## Depth\n\nHow deep it goes.\n"
    team = a_built_team(tmp_path, {f"{name}.md": page.format(name) for name in ("alder", "birch", "cedar")})
    with database_store(team.project) as store:
        sections = [one for one in ids(search(store, "depth of birch", limit=50)) if one.endswith("#depth")]
    assert sections == ["birch.md#depth", "alder.md#depth", "cedar.md#depth"]


def test_a_phrase_in_quotes_has_to_stand_there(store):
    assert ids(search(store, '"late fee" book')) == ["lending/fees.md#waiving"]
    assert ids(search(store, '"late book"')) == ["lending/fees.md"]
    assert ids(search(store, '"fee late"')) == []
    assert ids(search(store, '"member are"')) == []


def test_or_between_phrases_asks_for_either(store):
    assert set(ids(search(store, '"late fee" or "late book"'))) == {
        "lending/fees.md",
        "lending/fees.md#waiving",
    }


def test_a_hyphen_before_a_word_or_phrase_leaves_out(store):
    everything = set(ids(search(store, "book", limit=50)))
    assert set(ids(search(store, "book -reserved", limit=50))) == everything - {"lending/loans.md#renewing"}
    assert "lending/fees.md" not in ids(search(store, 'book -"a late book"', limit=50))
    assert "lending/fees.md#lost-books" not in ids(search(store, "book -RULE-LEN-007", limit=50))


def test_a_query_that_only_leaves_out_asks_for_its_words(store):
    assert ids(search(store, "-reserved")) == ["lending/loans.md#renewing"]


def test_a_search_can_stay_at_a_node_and_under_it(store):
    fees = ["lending/fees.md", "lending/fees.md#waiving", "lending/fees.md#lost-books"]
    lending = sorted([*fees, "lending/loans.md#renewing"])
    found = {
        under: sorted(ids(search(store, "late book fee", under=under, limit=50)))
        for under in ("lending/", "lending/fees.md", "lending/fees.md#lost-books", "names/")
    }
    assert found == {
        "lending/": lending,
        "lending/fees.md": sorted(fees),
        "lending/fees.md#lost-books": fees[2:],
        "names/": [],
    }
    assert set(lending) < set(ids(search(store, "late book fee", under="/", limit=50)))


def test_an_unknown_place_is_refused_with_what_comes_close(either):
    with pytest.raises(NodeNotFound) as refused:
        search(either, "book", under="lendin/")
    assert refused.value.told["near"] == ["lending/"]


def test_the_common_words_of_a_small_place_are_found_though_rarer_ones_stand_elsewhere(tmp_path):
    files = {f"many/{n:03}.md": f"# Page {n}\n\nA common thing.\n" for n in range(30)}
    files |= {f"rare/{n:03}.md": "# Rare\n\nSingular.\n" for n in range(25)} | {
        "few/one.md": "# One\n\nCommon.\n"
    }
    team = a_built_team(tmp_path, files)
    with database_store(team.project) as store:
        assert ids(search(store, "singular common", under="few/")) == ["few/one.md"]


def test_where_every_word_is_common_the_nodes_that_hold_all_of_them_are_found(tmp_path):
    common = "".join(f"## Part {n}\n\nCommon{' usual' if n % 2 else ''}.\n\n" for n in range(1_300))
    team = a_built_team(tmp_path, {"a.md": common, "b.md": "# B\n\nUsual.\n"})
    with database_store(team.project) as store:
        both = search(store, "common usual", limit=50)
        assert both.total == 650
        assert all(int(result.node.title.split()[1]) % 2 for result in both.results)
        assert search(store, "common").total == 1_300
        assert ids(search(store, "common usual", under="b.md")) == ["b.md"]


def test_pages_beyond_the_nodes_that_are_ranked_fully_join_too(tmp_path):
    text = "".join(f"## Part {n}\n\nWord {'and more ' * (n % 7)}\n\n" for n in range(700))
    team = a_built_team(tmp_path, {"a.md": text})
    with database_store(team.project) as store:
        paged = [one for at in range(0, 700, 50) for one in ids(search(store, "word", offset=at, limit=50))]
        assert ids(search(store, "word", offset=480, limit=50)) == paged[480:530]
    assert len(paged) == len(set(paged)) == 700


def test_the_line_shows_the_most_words_and_marks_them(store):
    result = search(store, "waive a late fee").results[0]
    assert (result.node.id, result.line) == ("lending/fees.md#waiving", 7)
    assert result.highlight == "The desk may **waive** a **late** **fee** once."


def test_a_line_ends_before_its_carriage_return(store):
    result = search(store, "loan lasts").results[0]
    assert (result.line, result.highlight) == (3, "A **loan** **lasts** four weeks.")


def test_a_node_found_by_its_path_alone_shows_its_first_line(store):
    result = search(store, "notes id", limit=50).results[0]
    assert (result.node.id, result.line, result.highlight) == ("notes/id.md", 2, "**id**: INTRO")
    assert search(store, "md code").results[0].line == 1


def test_a_breadcrumb_leads_to_each_result(store):
    assert [crumb.id for crumb in search(store, "waive").results[0].breadcrumb] == [
        "/",
        "lending/",
        "lending/fees.md",
        "lending/fees.md#waiving",
    ]


def test_pages_join_without_gap_or_repetition(store):
    whole = search(store, "book lending rule late", limit=50)
    assert whole.next_offset is None
    assert len(whole.results) == whole.total > 5
    paged = [
        ids(search(store, "book lending rule late", offset=at, limit=2)) for at in range(0, whole.total, 2)
    ]
    assert [node_id for page in paged for node_id in page] == ids(whole)
    beyond = search(store, "book lending rule late", offset=whole.total + 5)
    assert (beyond.results, beyond.total, beyond.next_offset) == ((), whole.total, None)


def test_pages_beyond_those_that_are_remembered_join_too(tmp_path):
    team = a_built_team(tmp_path, {f"{n:03}.md": "# Same\n\nWord for word.\n" for n in range(130)})
    with database_store(team.project) as store:
        paged = [ids(search(store, "word", offset=at, limit=20)) for at in (0, 20, 40, 60, 80, 100, 120)]
    assert [len(page) for page in paged] == [20, 20, 20, 20, 20, 20, 10]
    assert {node_id for page in paged for node_id in page} == {f"{n:03}.md" for n in range(130)}


def test_a_question_asked_again_is_answered_without_looking_through_the_words(store):
    search(store, "late book", limit=2)
    with CaptureQueriesContext(connection) as queries:
        again = search(store, "late book", offset=2, limit=2)
    assert ids(again)
    assert [query["sql"] for query in queries if "brain_text" in query["sql"]] == []


def test_a_build_brings_new_answers(team):
    with database_store(team.project) as store:
        assert ids(search(store, "dragons")) == []
    team.git.commit({"new.md": "# Dragons\n"})
    team.build()
    with database_store(team.project) as store:
        assert ids(search(store, "dragons")) == ["new.md"]


def test_other_projects_neither_show_nor_count(tmp_path, team):
    with database_store(team.project) as store:
        before = [(one.node.id, one.score) for one in search(store, "late book fee", limit=50).results]
    a_built_team(tmp_path, {f"{n}.md": "# Late\n\nlate late fee canary\n" for n in range(40)}, "other")
    source_of(team.project)  # nothing of it is remembered for another build
    team.build()
    with database_store(team.project) as store:
        after = [(one.node.id, one.score) for one in search(store, "late book fee", limit=50).results]
        assert ids(search(store, "canary")) == []
    assert after == before


def test_where_no_word_is_known_the_lines_that_hold_it_literally_are_found(store):
    results = search(store, "eserve")
    assert (results.mode, results.total, ids(results)) == ("substring", 1, ["lending/loans.md#renewing"])
    found = results.results[0]
    assert (found.score, found.line) == (0, 7)
    assert found.highlight == "Readers renew a loan twice, never a book that someone r**eserve**d."


def test_a_folder_is_searched_by_substrings(team):
    folder = open_folder(team.git.path)
    results = search(folder, "late fee")
    assert (results.mode, ids(results)) == ("substring", ["lending/fees.md#waiving"])
    assert results.results[0].highlight == "The desk may waive a **late** **fee** once."
    assert ids(search(folder, "How is it unheard? Renewing!")) == ["lending/loans.md#renewing"]
    assert ids(search(folder, '"four weeks"')) == ["lending/loans.md"]
    assert "lending/loans.md#renewing" not in ids(search(folder, "book -reserved", limit=50))
    assert ids(search(folder, "book", under="lending/loans.md")) == ["lending/loans.md#renewing"]


def test_substrings_are_paged_by_node(team):
    folder = open_folder(team.git.path)
    whole = search(folder, "le", limit=50)
    paged = [ids(search(folder, "le", offset=at, limit=2)) for at in range(0, whole.total, 2)]
    assert [node_id for page in paged for node_id in page] == ids(whole)
    assert len(set(ids(whole))) == whole.total > 4


HOSTILE = [
    '"' * 1_000,
    "' & | ! ( ) : *" * 60,
    "a'b \\ c:*A <-> d & !e | (f",
    " or OR or ",
    '"or" or -"or"',
    "-" * 1_000,
    '- -- -" "-',
    "-a -b -c",
    '-"" "" -"-"',
    "x" * 1_000,
    '"' + "y" * 998 + '"',
    "é" * 1_000,
    "字" * 1_000,
    " ".join(f"w{n}" for n in range(200)),
    " ".join(f'"p {n}"' for n in range(120)),
    " ".join(f"-n{n}" for n in range(200)) + " book",
    "a-" * 500,
    "a/" * 500,
    "A1-" * 333,
    "the of and",
    "...!?",
    "\u2028\u200b\ufeff",
    "%s %(source)s {worth} %%",
    "1e999 -5 +7 0x1F 1.2.3.4",
    "😀😀",
    "\x01\x02",
]


def test_any_query_is_answered(either):
    for query in HOSTILE:
        results = search(either, query[:1_000], limit=50)
        assert results.mode in ("text", "substring")
        assert len(results.results) == min(results.total, 50)


def test_a_query_without_a_word_finds_nothing(either):
    assert [search(either, query).total for query in ("...!?", "' & | ! ( ) : *", '"" ""', "-- _ --")] == [
        0
    ] * 4


def test_stop_words_alone_are_looked_for(store):
    assert "lending/fees.md#waiving" in ids(search(store, "may", limit=50))


def test_a_brain_that_is_off_or_not_built_refuses(tmp_path):
    team = Team(tmp_path, FILES)
    with database_store(team.project) as store, pytest.raises(NotBuilt):
        search(store, "book")
    team.build()
    source = source_of(team.project)
    source.enabled = False
    source.save()
    with database_store(team.project) as store, pytest.raises(BrainOff):
        search(store, "book")


def test_restricted_documents_are_not_found_and_leave_no_trace(tmp_path):
    plain = a_built_team(tmp_path, FILES, "plain")
    with_secret = a_built_team(tmp_path, FILES | {"restricted/plan.md": "# Late fee canary\n"}, "secret")
    answers = []
    for team in (plain, with_secret):
        with database_store(team.project) as store:
            assert search(store, "canary").total == 0
            answers.append([(one.node.id, one.score) for one in search(store, "late fee", limit=50).results])
    assert answers[0] == answers[1]


PIECES = [
    *(
        "loan",
        "Loan",
        "desk",
        "STAMP",
        "café",
        "naïve",
        "Straße",
        "取消预订",
        "日本語テスト",
        "книга",
        "x1",
        "1x",
        "3D",
    ),
    *(
        "sendLoan",
        "close_day",
        "LOAN-007",
        "a/b.md",
        "/etc/desk",
        "./run",
        "../up",
        "v1.2.3",
        "1e5",
        "-5kg",
        "+7",
        "0042",
    ),
    *(
        "<String>",
        "Vec<Loan>",
        "&amp;",
        "&late;",
        "a@b.org",
        "https://x.org/y?z=fee&q=1#top",
        "“quoted”",
        "em—dash",
    ),
    *(
        "it's",
        "C++",
        ".net",
        "e.g.",
        "**bold**",
        "`code`",
        "[text](fees.md)",
        "|cell|",
        "\u200bzero",
        "x\u00a0y",
        "T\u0301",
    ),
]
PLAIN_WORD = re.compile(r"[^\W_]+")


def a_corpus(chance: Random, documents: int) -> dict[str, str]:
    """Documents of sections, cards and lines of pieces, some glued together."""

    def line() -> str:
        return "".join(
            chance.choice(PIECES) + chance.choice([" ", " ", " ", ", ", "-", "", "/"]) for _ in range(9)
        )

    def text() -> str:
        parts = [f"# {line()}", line()]
        for _ in range(chance.randint(0, 4)):
            parts += [
                f"{'#' * chance.randint(1, 4)} {line()}",
                *(line() for _ in range(chance.randint(0, 3))),
            ]
        return "\n\n".join(parts)

    return {f"{chance.choice(['a/', 'a/b/', ''])}{number}.md": text() for number in range(documents)}


@pytest.mark.parametrize("seed", range(2))
def test_every_plain_word_of_a_node_finds_it(tmp_path, seed):
    chance = Random(seed)
    team = a_built_team(tmp_path, dict(a_corpus(chance, 9)))
    with database_store(team.project) as store:
        texts = store.texts()
        nodes = [node for path in texts.paths for node in store.document(path)]
        held: dict[str, set[str]] = {}
        for node in nodes:
            own = (texts.text_of(node.path) or "").split("\n")[node.lines.start - 1 : node.lines.end]
            for word in PLAIN_WORD.findall("\n".join(own)):
                held.setdefault(word, set()).add(node.id)
        places = ["", "a/", nodes[0].path, chance.choice(nodes).id]
        for word in chance.sample(sorted(held), min(70, len(held))):
            holding = held[word]
            under = chance.choice(places)
            inside = {node.id for node in nodes if _is_under(store, node, under)}
            first = search(store, word, under=under, limit=50)
            found = [*ids(first)]
            while len(found) < first.total:
                found += ids(search(store, word, under=under, offset=len(found), limit=50))
            assert len(found) == len(set(found))
            assert set(found) <= inside, (word, under)
            assert holding & inside <= set(found), (word, under)


def _is_under(store: Store, node, under: str) -> bool:
    return not under or under in [node.id, *(one.id for one in store.ancestors(node))]
