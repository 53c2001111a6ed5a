"""What the documents of a random history say: few words, many ways to link, ids that come and go."""

from __future__ import annotations

from random import Random
from urllib.parse import quote

WEB = "https://git.example.org/team/handbook"
IDS = ("R-01", "R-02", "ADR-7", "RULE-A-001", "DEC-54", "HOME")
HEADINGS = ("Scope", "Summary", "Scope", "Fees & *costs*", "Größe", "1. Begin", "Decision", "Über `code`")
ANCHORS = (
    "scope",
    "scope-1",
    "SCOPE",
    "fees--costs",
    "größe",
    "gr%C3%B6%C3%9Fe",
    "summery",
    "R-01",
    "r-01-be-kind",
)
MORE_ANCHORS = (*ANCHORS, "begin", "named", "user-content-scope", "L3", "", "decison", "über-code", "%zz")
WORDS = ("harbour", "pilot", "tide", "fee", "Café", "日本語の文", "chargeCustomer", "UTF-8", "co-op", "7")
SPACES = ("ENG", "eng", "OPS", "two words")
STATUS = ("draft", "superseded", "accepted", "Deprecated")
BROKEN_YAML = ("title: [", "a: b: c", "- a list", "id: &a [*a]", "title: 'x")


def a_document(rng: Random, targets: tuple[str, ...]) -> str:
    """A whole document, or next to nothing."""
    if rng.random() < 0.04:
        return rng.choice(("", "\n", "\ufeff# Marked\n", "---\n", "---\n---\n", "    code\n"))
    blocks = [_block(rng, targets) for _ in range(rng.randrange(1, 5))]
    if rng.random() < 0.7:
        blocks.insert(0, f"# {_title(rng)}")
    text = _front_matter(rng) + "\n\n".join(blocks) + "\n" * rng.randrange(3)
    return text.replace("\n", "\r\n") if rng.random() < 0.05 else text


def edited(rng: Random, text: str, targets: tuple[str, ...]) -> str:
    """The document with one thing changed: a block more or less, a line, its front matter, its words."""
    blocks = text.split("\n\n")
    at = rng.randrange(len(blocks))
    match rng.randrange(8):
        case 7:
            return _reordered(rng, text)
        case 0:
            blocks.insert(at + 1, _block(rng, targets))
        case 1:
            del blocks[at]
        case 2:
            blocks[at] = _block(rng, targets)
        case 3:
            body = text.partition("---\n")[2].partition("---\n")[2] if text.startswith("---\n") else text
            return _front_matter(rng, always=True) + body
        case 4:
            return text.replace("Scope", rng.choice(("Reach", "Scope of it"))).replace(
                "R-01", rng.choice(IDS)
            )
        case 5:
            blocks[at] += f"\n{_sentence(rng, targets)}"
        case _:
            lines = text.split("\n")
            del lines[rng.randrange(len(lines))]
            return "\n".join(lines)
    return "\n\n".join(blocks)


def _reordered(rng: Random, text: str) -> str:
    """The same sections, but for the first, in another order."""
    first, *sections = text.split("\n\n#")
    rng.shuffle(sections)
    return "\n\n#".join((first, *sections))


def a_layout(rng: Random) -> str:
    """Words for folders, or something that is no layout."""
    return rng.choice(
        (
            'folders: {rules: "What holds", "rules/*": "Held deeper."}',
            'folders: {"*": "Everything of it"}',
            "folders: [rules]",
            "folders: {",
            "",
        )
    )


def _block(rng: Random, targets: tuple[str, ...]) -> str:
    match rng.randrange(10):
        case 9:
            name = rng.choice(IDS)
            return "\n\n".join(f"### {name} {word}" for word in rng.sample(WORDS, rng.randrange(2, 4)))
        case 0 | 1:
            return f"{'#' * rng.randrange(1, 5)} {_title(rng)}\n\n{_sentence(rng, targets)}"
        case 2:
            card = f"### {rng.choice(IDS)} {rng.choice(('Be kind', 'Pay', ''))}"
            return f"{card}\n\n- **since:** {_sentence(rng, targets)}\n- **by:** {rng.choice(WORDS)}"
        case 3:
            return "\n".join(f"- {_sentence(rng, targets)}" for _ in range(rng.randrange(1, 4)))
        case 4:
            rows = "\n".join(f"| {rng.choice(IDS)} | {_sentence(rng, targets)} |" for _ in range(2))
            return f"| Key | What |\n| --- | --- |\n{rows}"
        case 5:
            return f"```text\n# {_title(rng)}\n{rng.choice(IDS)}\n```"
        case 6:
            return f'<a id="{rng.choice(("named", "scope", "old"))}"></a>\n\n> # {_title(rng)}\n>\n> {_sentence(rng, targets)}'
        case _:
            return _sentence(rng, targets)


def _title(rng: Random) -> str:
    if rng.random() < 0.2:
        return f"{rng.choice(IDS)} {rng.choice(HEADINGS)}"
    return rng.choice(HEADINGS)


def _sentence(rng: Random, targets: tuple[str, ...]) -> str:
    said = [rng.choice(WORDS) for _ in range(rng.randrange(1, 4))]
    said += [
        _link(rng, rng.choice(targets)) if rng.random() < 0.7 else rng.choice(IDS)
        for _ in range(rng.choice((0, 1, 1, 2, 3)))
    ]
    return " ".join(said) + "."


def _link(rng: Random, target: str) -> str:
    """A link to the target: a path from the root of the repository (with a slash first) or from the document."""
    anchor = rng.choice(MORE_ANCHORS) if rng.random() < 0.5 else ""
    fragment = f"#{anchor}" if anchor else ""
    from_root = quote(target.lstrip("./"))
    there, folder = f"{quote(target)}{fragment}", quote(target.rpartition("/")[0])
    return rng.choice(
        (
            *(f"[a]({there})", f"[a]({there} 'title')", f"[a](<{target}{fragment}>)") * 2,
            f"[a][ref]\n\n[ref]: {there}\n",
            f"[a](#{anchor})",
            f"[a]({folder}/)",
            f"[a]({folder})" if folder else "[a](/)",
            f"[a]({WEB}/blob/main/{from_root}{fragment})",
            f"[a]({WEB}/tree/other/{from_root})",
            f"![a]({quote(target)}?raw=1{fragment})",
            f"[a](../../../../{there})",
            f"[a]({quote(target)}/)",
            f"<{WEB}/blob/main/{from_root}>",
        )
    )


def _front_matter(rng: Random, *, always: bool = False) -> str:
    if not always and rng.random() < 0.6:
        return ""
    if rng.random() < 0.08:
        return f"---\n{rng.choice(BROKEN_YAML)}\n---\n"
    fields = {
        "title": rng.choice(("Handbook", "'Rules: all'", "日本", "''")),
        "id": rng.choice(IDS),
        "labels": rng.choice(("[a, B c]", "one, two", "[]")),
        "status": rng.choice(STATUS),
        "space": rng.choice(SPACES),
        "order": rng.choice(("1", "20", "x")),
        "summary": rng.choice(("In short.", "''", "See R-01.")),
        "supersededBy": rng.choice(IDS),
        "name": "named",
    }
    kept = [name for name in fields if rng.random() < 0.35]
    return "---\n" + "".join(f"{name}: {fields[name]}\n" for name in kept) + "---\n"
