"""One world, made by hand, in which every known way to tell of hidden files would show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tests.brain.interference.phrasing import WEB
from tests.brain.interference.worlds import GLOBS, LAYOUT, Commit, World
from tests.repositories.given_git import FIRST_DATE, Content, Gitlink, Symlink

type Changes = Mapping[str, Content | None]  # None: the file goes

TOO_LARGE = "# Logbook\n\n" + "zinnober tide\n" * 160_000  # over 2 MiB
LINKS = f"""\
[there](restricted/plan.md) and [not there](restricted/none.md) and [part](restricted/plan.md#scope)
and [code](%72estricted/plan.md) and [root](/restricted/plan.md?raw=1) and [angles](<./restricted/plan.md>)
and [case](Restricted/plan.md), [wide](ＲＥＳＴＲＩＣＴＥＤ/plan.md), [long s](re%C5%BFtricted/plan.md).

> - [quoted](guides/RESTRICTED/edited-in.md) and ![picture](.hidden/plan.md)
> - [excluded](drafts/plan.md), [missing draft](drafts/none.md), [private](rules/pay.private.md)

| where | what |
|---|---|
| [plugin](plugins/copy.md) | [ledger](identifiers/ledger.md), [scratch](scratch/big.md), [none](scratch/none.md) |

[by name][plan], [collapsed][], [web]({WEB}/blob/main/restricted/plan.md), [up](guides/../restricted/plan.md).
[a folder](empty/), [another](restricted/), [named like a page](held.md), [gone](gone.md), [out](../restricted/x.md).

[plan]: restricted/plan.md "Plan"
[collapsed]: plugins/none.md
"""
FEES = """\
---
labels: open
---
# Fees

As CASE-9 and PLAN-03 say, RULE-01 and [the plan](../restricted/plan.md#case-9-the-porter) hold.

## RULE-01 Night ferry

A night ticket costs a quartz, see RULE-02.

## RULE-02 Day ferry

A day ticket is free, see [the start](../guides/start.md#scope) and CASE-10.
"""
PLAN = """\
---
title: plan of the zinnober
id: PLAN-03
labels: hush, open
---
# Plan

The nightporter goes in May, see RULE-01 and [the fees](/rules/fees.md#rule-01).

## CASE-9 The porter

karmesin ferry ferry ferry

## RULE-01 Not this one

## Scope

zinnober harbour
"""
TEXT = "# {0}\n\nThe {0} keeps the ferry on time. See RULE-02.\n\n## Scope\n\nAll of the harbour.\n\n## Limits\n\nNo {0}.\n"
BROKEN = "---\ntitle: one: two\n---\n# Karmesin\n\nzinnober\n"
HUSHED_HOME = "---\nspace: {0}\nlabels: hush\norder: 1\n---\n# Home of {0}\n\nzinnober ferry\n"
PIER = TEXT.format("pier")
BESIDE = "Beside main: the figures"
BEGIN: Mapping[str, Content] = {
    LAYOUT: 'folders: {empty: "Nothing yet", "rules": "What holds", restricted: "Sealed"}',
    "README.md": f"# Ferry\n\nWhat the crew knows of RULE-01, CASE-9 and CASE-10.\n\n{LINKS}",
    "rules/fees.md": FEES,
    "guides/README.md": "---\nspace: OPS\n---\n# Guides\n\nHow the [pier](7-pier.md) works.\n",
    "guides/start.md": TEXT.format("lantern"),
    "guides/7-pier.md": PIER,
    "guides/moved-in.md": TEXT.format("winch"),
    "guides/edited-in.md": TEXT.format("keel"),
    "docs/plugins/a.md": "# Near\n\nNot hidden: [plans](../../Plugins/a.md).\n",
    "Plugins/a.md": "# Near too\n\nNor is this, see [plan](../plugins/copy.md).\n",
    "restricted/plan.md": PLAN,
    "restricted/out.md": TEXT.format("karmesin"),
    "restricted/start.md": TEXT.format("nightporter"),
    "restricted/odd\udce9.md": "# Odd\n",
    "Restricted/plan.md": PLAN,
    "ＲＥＳＴＲＩＣＴＥＤ/plan.md": PLAN,
    "reſtricted/plan.md": PLAN.replace("CASE-9", "CASE-10"),
    "rules/restricted/deep/7-pier.md": "# Deep\n\nzinnober RULE-02\n",
    ".hidden/README.md": HUSHED_HOME.format("OPS"),
    ".hidden/out.md": TEXT.format("zinnober"),
    "plugins/copy.md": TEXT.format("lantern"),  # the very blob of a public page
    "identifiers/ledger.md": "# RULE-02 Ledger\n\nkarmesin\n",
    "drafts/plan.md": BROKEN,
    "rules/pay.private.md": HUSHED_HOME.format("HUSH"),
    "empty/restricted/README.md": HUSHED_HOME.format("HUSH"),
    "held.md/restricted/plan.md": "# Held\n",
}


def adversary() -> World:
    """The world: moves into hiding and out of it, telling subjects, a branch beside main, late secrets."""
    commits: list[Commit] = []
    main = side = 0
    for message, changes in _told():
        files = dict(commits[main].files) if commits else {}
        files |= {path: content for path, content in changes.items() if content is not None}
        files = {path: content for path, content in files.items() if changes.get(path, content) is not None}
        parents = (main,) if commits else ()
        commits.append(Commit(files, message, FIRST_DATE + 3_600 * len(commits), parents))
        if message == BESIDE:
            side = len(commits) - 1
        else:
            main = len(commits) - 1
    return World(commits=tuple(commits), main=main, side=side, exclude=tuple(GLOBS))


def _told() -> Iterator[tuple[str, Changes]]:
    yield "Begin", BEGIN
    yield "Let the nightporter go", _mixed()
    yield "Settle CASE-9 out of court", {"restricted/plan.md": PLAN + "\nSettled.\n"}
    yield "Seal the winch, tell of the porter", _moved()
    yield BESIDE, {"guides/side.md": "# Side\n", "restricted/side.md": "# Sealed side\n"}
    yield "Edit on the way", _edited()
    yield "Number the piers", {"guides/7-pier.md": None, "guides/8-pier.md": f"{PIER}\nThe eighth.\n"}
    yield "Plug in", _plugged()
    yield (
        "Seal it wide",
        {"guides/late.md": TEXT.format("rope"), "ＲＥＳＴＲＩＣＴＥＤ/plan.md": f"{PLAN}\nWide.\n"},
    )
    yield "Hide the figures of the karmesin", {"rules/restricted/deep/7-pier.md": "# Deeper\n"}
    yield (
        "Draft a letter to the nightporter",
        {"guides/drafts/letter.md": PLAN, "rules/pay.private.md": BROKEN},
    )


def _mixed() -> Changes:
    return {
        "guides/start.md": TEXT.format("lantern") + "\nLit at dusk.\n",
        "restricted/plan.md": PLAN + "\nIn May.\n",
    }


def _moved() -> Changes:
    """In and out as they are, and a page that a hidden one replaces under its name."""
    return {
        "guides/moved-in.md": None,
        "restricted/moved-in.md": BEGIN["guides/moved-in.md"],
        "restricted/out.md": None,
        "guides/out.md": BEGIN["restricted/out.md"],
    }


def _edited() -> Changes:
    return {
        "guides/edited-in.md": None,
        "guides/RESTRICTED/edited-in.md": f"{BEGIN['guides/edited-in.md']}\nSealed in June.\n",
        ".hidden/out.md": None,
        "rules/out.md": f"{BEGIN['.hidden/out.md']}\nOpened in June.\n",
    }


def _plugged() -> Changes:
    """Copies, links, a submodule, and the logbook that is too large, hidden and not."""
    return {
        "guides/copied.md": BEGIN["restricted/start.md"],
        "plugins/link.md": Symlink("../README.md"),
        "plugins/module.md": Gitlink(),
        "guides/link.md": Symlink("../restricted/plan.md"),
        "scratch/big.md": TOO_LARGE,
        "scratch/logbook.md": TEXT.format("tide"),
    }
