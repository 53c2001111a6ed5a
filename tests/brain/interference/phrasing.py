"""Random documents that speak of each other, hidden or not, in every syntax a link has."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from random import Random
from urllib.parse import quote

WEB = "https://git.example.org/team/world"
WORDS = (
    *("quartz", "ferry", "harbour", "ticket", "pier", "tide", "winch", "lantern"),
    *("buoy", "crew", "deck", "rope", "knot", "keel", "chart"),
)
SECRETS = ("zinnober", "karmesin", "nightporter")  # words that hidden documents alone hold
IDS = ("RULE-01", "RULE-02", "ADR-7", "PLAN-03", "FEE-12", "CASE-9")
SECRET_IDS = ("CASE-9", "CASE-10")  # that hidden documents alone define
HEADINGS = ("Scope", "Limits", "Summary", "Scope", "Why")
ANCHORS = ("scope", "limits", "RULE-01", "rule-01", "CASE-9", "scop", "nowhere", "L3")
LABELS = ("open", "draft", "night shift")
SECRET_LABEL = "hush"
SPACES = ("OPS", "CREW", "HUSH")  # the last one is claimed by hidden documents alone
BROKEN = ("title: one: two", "labels: [a, b", "- no\n- mapping", "id: &a [*a]")
LINKS = (
    "[{words}]({near})",
    "[{words}]({near})",
    "[{words}](/{path})",
    "[{words}](</{path}>)",
    "[{words}]({coded})",
    "[{words}](./{near}?raw=1)",
    "[{words}]({near}#{anchor})",
    "[{words}](/{path}#{anchor})",
    "[{words}]({web}/blob/main/{path})",
    "> - [{words}]({near})",
    "![{words}]({near})",
    "[![{words}](pier.png)]({near})",
    "[{words}](restricted/../{near})",
    "[{words}]({folder})",
    "[[{path}]]",
    "`{path}`",
    "[{words}][{anchor}]\n\n[{anchor}]: /{path}",
    "[{words}][]\n\n[{words}]: {coded}",
    "| pier | deck |\n|---|---|\n| [{words}]({near}) | {path} |",
)


def a_document(rng: Random, path: str, *, hidden: bool, targets: Sequence[str]) -> str:
    """A text for this path with front matter, cards and links, now and then broken."""
    title = " ".join(rng.sample(WORDS, 2)).title()
    parts = [_front_matter(rng, hidden=hidden), f"# {title}", _paragraph(rng, path, targets, hidden=hidden)]
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        parts += [_heading(rng, hidden=hidden), _paragraph(rng, path, targets, hidden=hidden)]
    return "\n\n".join(part for part in parts if part) + "\n"


def edited(rng: Random, text: str, path: str, *, hidden: bool, targets: Sequence[str]) -> str:
    """The text with a paragraph more, alike enough to be taken for a renamed one."""
    return f"{text}\n{_paragraph(rng, path, targets, hidden=hidden)}\n"


def _front_matter(rng: Random, *, hidden: bool) -> str:
    if rng.random() < 0.45:
        return ""
    if rng.random() < 0.15:
        return f"---\n{rng.choice(BROKEN)}\n---"
    keys = {
        "title": f"{rng.choice(WORDS)} {rng.choice(SECRETS if hidden else WORDS)}",
        "id": rng.choice(("pier-guide", *IDS)),
        "labels": ", ".join([rng.choice(LABELS), SECRET_LABEL] if hidden else [rng.choice(LABELS)]),
        "space": rng.choice(SPACES if hidden else SPACES[:-1]),
        "order": str(rng.randrange(9)),
        "status": rng.choice(("open", "superseded")),
        "superseded_by": rng.choice((*IDS, "restricted/plan.md")),
        "summary": f"About the {rng.choice(SECRETS if hidden else WORDS)}.",
    }
    chosen = [key for key in keys if rng.random() < 0.4]
    return "\n".join(["---", *(f"{key}: {keys[key]}" for key in chosen), "---"]) if chosen else ""


def _heading(rng: Random, *, hidden: bool) -> str:
    if rng.random() < 0.5:
        return f"## {rng.choice(HEADINGS)}"
    return f"## {rng.choice((*IDS[:-1], *SECRET_IDS) if hidden else IDS[:-1])} {rng.choice(WORDS)}"


def _paragraph(rng: Random, path: str, targets: Sequence[str], *, hidden: bool) -> str:
    words = rng.choices(WORDS, k=rng.randrange(3, 9))
    if hidden:
        words.append(rng.choice(SECRETS))
    if rng.random() < 0.6:
        words.append(f"see {rng.choice((*IDS, *SECRET_IDS))}")
    rng.shuffle(words)
    links = [_link(rng, path, rng.choice(targets)) for _ in range(rng.choice((0, 1, 1, 2)))]
    return "\n\n".join([" ".join(words) + ".", *links])


def _link(rng: Random, path: str, target: str) -> str:
    near = posixpath.relpath(f"/{target}", f"/{posixpath.dirname(path)}")
    return rng.choice(LINKS).format(
        words=" ".join(rng.sample(WORDS, 2)),
        near=near.replace(" ", "%20"),
        path=target.replace(" ", "%20"),
        coded="/" + quote(target, safe="/").replace("s", "%73", 1),
        folder=f"{posixpath.dirname(near)}/" if "/" in near else "./",
        anchor=rng.choice(ANCHORS),
        web=WEB,
    )
