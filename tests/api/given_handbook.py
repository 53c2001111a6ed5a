"""What the project of these tests holds, at its first and at its second commit."""

from __future__ import annotations

from tests.repositories.given_git import Content

SECRET = "topsecret-canary"
WIDE = 130  # documents of the wide folder: more than a window of either door
PARTS = 42  # of the long document, which holds more than the portal's cut
LONG_LINE = 60_000  # characters of one line: more than a member's cut

REVIEW = """\
---
id: ADR-007
status: accepted
labels: [Safety First, review]
---
# Review rules

Two pairs of eyes read every change.

## Scope

All code, see [the card](#RULE-REV-001).

### RULE-REV-001 Two reviewers

Two reviewers approve before a merge.

## Limits

None today.
"""
OTHER = """\
# Other rules

They follow RULE-REV-001 and [the review](review.md), [gone](gone.md) and [the scop](review.md#scop).
Refunds are paid within ten days.
"""
LONG = "# Long\n\nIts own words.\n\n" + "".join(
    f"## Part {part}\n\n" + "Words of a text that is longer than any answer may be.\n" * 100
    for part in range(PARTS)
)
ONE_LINE = "# One line\n\n" + "".join(f"word{n:05} " for n in range(LONG_LINE // 10)) + "\n"
FIRST: dict[str | bytes, Content] = {
    "README.md": "# Handbook\n\nStart with [the rules](rules/review.md#scope).\n",
    "rules/README.md": "# All rules\n\nEvery rule of the team.\n",
    "rules/review.md": REVIEW.replace("None today.", "At most ten files."),
    "rules/other.md": OTHER,
    "rules/old-name.md": "# Naming\n\nNames are words of the field.\nOne word has one meaning.\n",
    "wiki/eng/README.md": "---\nspace: eng\norder: 2\n---\n# Engineering\n\nThe home of the engineers: refunds, queues.\n",
    "wiki/eng/queue.md": "---\nlabels: queue\n---\n# Queue\n\nA queue of refunds.\n\n## Retries\n\nThree retries, then a letter.\n",
    "odd.md": "---\ntitle: Lesson 1: Basics\ntags: [a, b\n---\n\n# Odd\n\nIts front matter is no YAML.\n",
    "restricted/secret.md": f"# Secret\n\n{SECRET}\n",
    "long.md": LONG,
    "line.md": ONE_LINE,
    **{f"wide/{n:03}.md": f"# Branch {n}\n\n[up](../README.md)\n" for n in range(WIDE)},
}  # fmt: skip
SECOND: dict[str | bytes, Content] = {
    "rules/review.md": REVIEW,
    "rules/old-name.md": None,
    "rules/new-name.md": FIRST["rules/old-name.md"],
    "rules/added.md": "# Added\n\n## New part\n\nIt is new.\n",
}
