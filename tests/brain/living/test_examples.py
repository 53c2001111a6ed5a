"""Histories worth reading: what once looked like a small change and moves much of a tree."""

from __future__ import annotations

import pytest

from tests.brain.living.histories import TOO_LARGE, Amend, Commit, History, Merge, Revert, Rewind
from tests.brain.living.standing import lived
from tests.repositories.given_git import FIRST_DATE, Executable, Symlink

FIRST = {
    "README.md": "---\nspace: eng\n---\n# Handbook\n\nR-01 and R-02, [rules](rules/), [b](rules/b.md#scope).\n",
    "rules/README.md": "# Rules\n\nAll rules, as [a](a.md) says.\n",
    "rules/a.md": "---\nid: R-01\nlabels: [x]\n---\n# A\n\n[b](b.md) [gone](gone.md) [c](/rules/deep/c.md)\n",
    "rules/b.md": "# B\n\n## Scope\n\nR-01.\n\n### R-02 Be kind\n\n## Scope\n",
    "rules/deep/c.md": "# C\n\nUp to [b](../b.md#r-02-be-kind), [code](../x.py).\n",
    "adr/d.md": "# D\n\nTwo: R-02.\n",
    "guides/e.md": "# E\n",
    "guides/f.md": "# F\n",
    "x.py": "pass\n",
    "layout.yml": "folders: {guides: Where to begin}\n",
}


def define(*paths: str) -> Commit:
    return Commit(changes={path: f"# {path}\n\n### R-02 Once more\n" for path in paths})


EXAMPLES = {
    "an id that a fourth node defines is a word, and with three again a reference": (
        define("g.md"),
        define("h.md"),
        define("i.md"),
        Commit(changes={"g.md": None}),
    ),
    "two definers of an id change places": (
        Commit(
            changes={"g.md": "# G\n\n### R-05 A\n\n### R-05 B\n\n### R-05 C\n", "adr/d.md": "See R-05.\n"}
        ),
        Commit(changes={"g.md": "# G\n\n### R-05 A\n\n### R-05 C\n\n### R-05 B\n"}),
    ),
    "an id that nobody defines any more": (Commit(changes={"rules/a.md": "# A\n"}), Revert(back=1)),
    "a link comes to lead somewhere, and nowhere again": (
        Commit(changes={"rules/gone.md": "# There\n"}),
        Commit(changes={"rules/gone.md": None}),
    ),
    "a heading that others link to is named anew": (
        Commit(changes={"rules/b.md": "# B\n\n## Reach\n\n### R-02 Be kind\n"}),
    ),
    "a document goes into a restricted folder and comes back": (
        Commit(changes={"rules/b.md": None, "rules/Restricted/b.md": FIRST["rules/b.md"]}),
        Commit(changes={"rules/b.md": FIRST["rules/b.md"], "rules/Restricted/b.md": None}),
    ),
    "a folder goes with its last document, and a link to it": (
        Commit(changes={"rules/deep/c.md": None}),
        Commit(changes={"rules/deep/c.md": "# Back\n"}),
    ),
    "a README comes and goes": (
        Commit(changes={"guides/README.md": "# Guides\n\nBegin here.\n"}),
        Commit(
            changes={
                "guides/README.md": None,
                "guides/index.md": "---\nspace: gui\norder: 3\n---\n# Guides\n",
            }
        ),
    ),
    "two home pages of one space": (
        Commit(changes={"adr/README.md": "---\nspace: ENG\n---\n# Decisions\n"}),
        Commit(changes={"README.md": "# Handbook without a space\n"}),
    ),
    "the second home page of a folder takes over": (
        Commit(changes={"adr/README.md": "---\nspace: adr\n---\n", "adr/index.md": "---\nspace: adr\n---\n"}),
        Commit(changes={"adr/README.md": "# Decisions\n"}),
    ),
    "a link leads to what is there but no document": (
        Commit(changes={"rules/gone.md": Symlink("a.md")}),
        Commit(changes={"rules/gone.md": b"x" * TOO_LARGE}),
        Commit(changes={"rules/gone.md": None}),
    ),
    "other words for folders": (
        Commit(changes={"layout.yml": "folders: {guides: Begin, adr: Choices}\n"}),
        Commit(changes={"layout.yml": "folders: [\n"}),
        Commit(changes={"layout.yml": None}),
    ),
    "a name in another case": (Commit(changes={"rules/b.md": None, "rules/B.md": FIRST["rules/b.md"]}),),
    "a folder named like a document": (
        Commit(changes={"rules/gone.md/notes.txt": "x\n"}),
        Commit(changes={"rules/gone.md/inner.md": "# Inner\n"}),
        Commit(changes={"rules/gone.md": "# A file\n"}),
    ),
    "a file takes the place of a folder, and its commit is older than the folder's": (
        Commit(changes={"held.md/a.md": "# A\n"}, date=FIRST_DATE + 120),
        Commit(changes={"held.md": "# Held\n"}, date=FIRST_DATE + 60),
    ),
    "a document becomes a link, a program, and text again": (
        Commit(changes={"rules/b.md": Symlink("a.md")}),
        Commit(changes={"rules/b.md": Executable("# B runs\n")}),
        Commit(changes={"rules/b.md": "# B\n"}),
    ),
    "a broken front matter": (
        Commit(changes={"rules/a.md": "---\nid: [\n---\n# A\n"}),
        Commit(changes={"rules/a.md": "---\nid: R-01\nspace: [x]\n---\n# A\n"}),
    ),
    "what a merge changes by itself has no commit of its own": (
        Merge(ours={"x.py": "1\n"}, theirs={"guides/e.md": "# E2\n"}, evil={"guides/f.md": "# F2\n"}),
    ),
    "a change undone between two builds": (
        Commit(changes={"rules/b.md": "# Other\n"}, build=False),
        Revert(back=1),
    ),
    "dates that go backward": (
        Commit(changes={"guides/e.md": "# E2\n"}, date=FIRST_DATE - 9_000),
        Commit(changes={"guides/f.md": "# F2\n"}, date=FIRST_DATE + 60),
        Commit(changes={"guides/e.md": "# E3\n"}, date=FIRST_DATE + 60),
    ),
    "a change that comes with one in a restricted folder": (
        Commit(changes={"guides/e.md": "# E2\n", "restricted/pay.md": "# Pay\n"}),
    ),
    "nothing, and nothing that is indexed": (Commit(changes={}), Commit(changes={"x.py": "pass  # 2\n"})),
    "a forced push, back and forth": (
        Commit(changes={"guides/e.md": "# E2\n"}),
        Amend(changes={"guides/e.md": "# E3\n"}),
        Rewind(back=1),
        Commit(changes={"guides/f.md": "# F2\n"}),
    ),
    "everything goes, and something comes": (
        Commit(changes=dict.fromkeys(FIRST)),
        Commit(changes={"a.md": "# A\n"}),
    ),
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("steps", EXAMPLES.values(), ids=EXAMPLES.keys())
def test_the_rows_are_those_of_a_whole_build(steps):
    wrong, kinds = lived(History(seed=0, first=FIRST, steps=steps, limits={"share": 1}))
    assert not wrong, [kinds, *wrong]
