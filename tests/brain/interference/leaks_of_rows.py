"""Leaks of what is stored beside the tree: subjects, words, references, texts, counts."""

from __future__ import annotations

from brain import snapshots
from brain.store import staging, writing
from brain.store.rows import ref_rows
from brain.tree.scope import never_indexed
from repositories.reader import history
from tests.brain.interference.planting import beside, knowing, leak


@leak(built=True)
def subjects_of_mixed_commits_are_told(patch):
    patch.setattr(history, "is_restricted", lambda path: False)


@leak(built=True)
def subjects_are_told_where_restricted_is_spelt_otherwise(patch):
    patch.setattr(history, "is_restricted", lambda path: b"/restricted/" in b"/" + path.lower())


@leak(built=True)
def every_hidden_file_withholds_a_subject(patch):
    def touches(honest, chunks, marker):
        tokens = list(chunks)
        found, commit = honest(tokens, marker), b""
        for token in b"".join(tokens).split(b"\0"):
            if token.startswith(marker.encode()):
                commit = token[len(marker) :].split(b" ")[0]
            elif never_indexed(token.strip(b"\n").decode(errors="replace").rpartition("/")[0]):
                found.restricted.add(commit)
        return found

    beside(patch, history, "touches_in", touches)


@leak(built=True)
def words_of_hidden_files_are_left_in_the_index(patch):
    known = knowing(patch)

    def add(honest, table, parsed):
        honest(table, [*parsed, *(one.parsed for one in known.values())])

    beside(patch, staging.Staging, "add", add)


@leak(built=True)
def references_of_hidden_files_are_left_in_the_index(patch):
    known = knowing(patch)

    def rows(honest, table, columns, told):
        told = list(told)
        if table == "brain_ref":
            for document in (one.parsed.document for one in known.values()):
                told += ref_rows(told[0][0], document, [""] * len(document.references))
        honest(table, columns, told)

    beside(patch, writing, "copy_rows", rows)


@leak(built=True)
def exact_search_is_given_hidden_texts(patch):
    known = knowing(patch)

    def keep(honest, writer, path):
        for hidden, one in known.items():
            writer.add(hidden, one.blob)
        honest(writer, path)

    beside(patch, snapshots.Writer, "keep", keep)


@leak(built=True)
def hidden_files_are_counted_as_left_out(patch):
    known = knowing(patch)

    def counts(built):
        honest = built.tree.counts | {"problems": len(built.problems), "leftOut": len(built.left_out)}
        return honest | {"leftOut": honest["leftOut"] + len(known)}

    patch.setattr(writing.Built, "counts", property(counts))
