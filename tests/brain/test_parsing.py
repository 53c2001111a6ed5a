"""Parsing many documents: their order, the budget of each, and that processes change nothing."""

from __future__ import annotations

import signal

import pytest

from brain.markdown.documents import parse
from brain.parsing import BATCH_BYTES, SMALL_BYTES, parse_all, parse_within_budget

SLOW = b"[a]:\nb\n'x\n" * 150_000  # each definition looks for the end of its title in all that follows


def some_texts(count, size):
    filler = b"word " * (size // 5)
    return [(f"{number:03}.md", b"# Doc %d\n\n## Part\n\n%s\n" % (number, filler)) for number in range(count)]


def parsed(texts, processes=2):
    return list(parse_all(iter(texts), processes=processes, not_prefixes=("UTF",)))


def test_a_document_over_its_budget_becomes_one_without_sections():
    document, words = parse_within_budget("slow.md", b"---\ntitle: Slow\n---\n" + SLOW, (), seconds=0.05)
    (part,) = document.parts
    assert (part.title, document.references) == ("Slow", ())
    assert [(problem.path, problem.code) for problem in document.problems] == [("slow.md", "too-slow")]
    assert len(words) == 1


def test_the_budget_leaves_no_timer_and_no_handler_behind():
    before = signal.getsignal(signal.SIGPROF)
    parse_within_budget("slow.md", SLOW, (), seconds=0.05)
    parse_within_budget("a.md", b"# A\n", ())
    assert signal.getsignal(signal.SIGPROF) is before
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)


def test_a_document_within_its_budget_is_as_without_one():
    blob = b"# A\n\n## Part UTF-8\n\n[x](b.md)\n"
    assert parse_within_budget("a.md", blob, ("UTF",)) == parse("a.md", blob, not_prefixes=("UTF",))


def test_no_texts_are_no_documents():
    assert parsed([]) == []


@pytest.mark.parametrize(
    ("count", "size"),
    [(5, 100), (3, BATCH_BYTES), (40, BATCH_BYTES // 8), (1, SMALL_BYTES)],
    ids=["a few, parsed here", "a batch each", "several a batch", "one large"],
)
def test_documents_come_in_the_order_of_their_texts_wherever_they_are_parsed(count, size):
    texts = some_texts(count, size)
    assert parsed(texts) == [parse(path, blob, not_prefixes=("UTF",)) for path, blob in texts]


def test_one_slow_document_leaves_the_others_whole():
    texts = some_texts(8, BATCH_BYTES // 8)
    documents = [document for document, _ in parsed([*texts[:4], ("slow.md", SLOW), *texts[4:]])]
    assert [document.path for document in documents] == [*(path for path, _ in texts[:4]), "slow.md"] + [
        path for path, _ in texts[4:]
    ]
    assert [len(document.parts) for document in documents] == [2, 2, 2, 2, 1, 2, 2, 2, 2]
    assert [problem.code for document in documents for problem in document.problems] == ["too-slow"]


def test_texts_are_taken_only_as_fast_as_they_are_parsed():
    taken = []

    def texts():
        for path, blob in some_texts(60, BATCH_BYTES):
            taken.append(path)
            yield path, blob

    documents = parse_all(texts(), processes=1, not_prefixes=())
    next(documents)
    assert len(taken) < 20
    documents.close()
