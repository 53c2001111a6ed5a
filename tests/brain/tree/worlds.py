"""Small repositories whose documents link to each other, define the same ids and have odd names."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.brain.markdown.fragments import documents

PATHS = ["README.md", "a.md", "A.md", "b.MD", "docs/index.md", "docs/a.md", "docs/deep/b.md", "docs/deep/.md"]
PATHS += ["caf\u00e9.md", "cafe\u0301.md", "it.md/a.md", "adr/0001-x.md", "adr/0002-y.md", "Docs/a.md"]
PATHS += ["restricted/a.md", ".hidden/a.md", "notes.txt", "layout.yml"]

FRONT = ["", "", "---\nid: ADR-12\n---\n", "---\nspace: eng\norder: 1\n---\n", "---\nstatus: retired\n---\n"]
FRONT += ["---\nsummary: S\nlabels: a, b\n---\n", "---\na: [\n---\n", "---\n- a\n---\n"]

TARGETS = [
    *PATHS,
    "gone.md",
    "../gone.md",
    "../../x.md",
    "/docs/",
    ".",
    "#alpha",
    "a.md#beta",
    "docs/a.md#ADR-12",
]
TARGETS += ["a.md#nowhere", "restricted/gone.md", "https://host.example/x.md", "caf%C3%A9.md", "a.md?x#L3"]


@st.composite
def texts(draw: st.DrawFn) -> bytes:
    links = draw(st.lists(st.sampled_from(TARGETS), max_size=4))
    words = "".join(f"[{target}](<{target}>) ADR-12\n" for target in links)
    return (draw(st.sampled_from(FRONT)) + draw(documents()) + "\n" + words).encode()


worlds = st.dictionaries(st.sampled_from(PATHS), texts(), max_size=8)
