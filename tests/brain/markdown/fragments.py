"""Lines that Markdown parsers quarrel about, and documents made of them."""

from __future__ import annotations

from hypothesis import strategies as st

HEADINGS = ["# Alpha", "## Beta ##", "#", "#\tTab", "   ### Three", "    # four", "####### seven", "#none"]
HEADINGS += ["\\# escaped", "&#35; entity", "# odd \u00a0#", "#\u00a0hard", "\u00a0# hard", "\u2003## wide"]
HEADINGS += ["\x0c# form feed", "# RULE-A-0001: One", "## ADR-12", "\t# tab", "  \t# tab"]
UNDERLINES = ["===", "---", "   ---", "    ---", "-", "=", "--", "- - -", "***", "_ _ _"]
TEXT = ["plain", "two words", "   three", "      deep", "a | b", "wide\u2028line", "\u3000x", "\x0by", "="]
LISTS = ["* one", "- # in a list", "-", "1. one", "2) two", "  - nested", "+ plus", "10. ten", "1.", "- \tx"]
LISTS += ["-\t# tab", " -  wide", "- ## RULE-B-0002"]
QUOTES = ["> quoted", "> # quoted", ">", ">\t# tab", "> - # deep", "> > ## deeper"]
CODE = ["```", "~~~", "````", "``` py", "```no`fence", "    code", "\tcode", "`open", "open`"]
HTML = ["<!--", "-->", "<div>", "</div>", "<pre>", "<script>", "<?x", "?>", "<!D", "<![CDATA[", "]]>"]
TABLES = ["| a | b |\n|---|---|", "| c | d |", "e | f\n--|:-:", "| g |\n---"]
INLINE = ["[a](b.md)", "![i](j.png)", "**", "[^1]", "\\", "[b.md#alpha]", "ADR-12 and RULE-A-0001"]
NOTES = ["[^1]: note", "[^1]: # noted"]

# Written with the line that keeps cmark-gfm 0.29 and CommonMark 0.31.2 of one mind: see `test_headings`.
APART = ["[x]: /u\n", "[y]: <b.md> 'title'\n", "\n<b>", "\n</b> x", "\n</pre>", "\n<br/>", "text\n  \t"]

LINES = [*HEADINGS, *UNDERLINES, *TEXT, *LISTS, *QUOTES, *CODE, *HTML, *TABLES, *INLINE, *NOTES, *APART]

line_ends = st.sampled_from(["\n", "\n", "\r\n", "\r"])
lines = st.one_of(st.sampled_from(LINES), st.just(""), st.sampled_from(HEADINGS), st.sampled_from(UNDERLINES))


@st.composite
def documents(draw: st.DrawFn) -> str:
    """A text of up to some twenty quarrelsome lines, with line ends of one kind or the other."""
    end = draw(line_ends)
    text = "\n".join(draw(st.lists(lines, max_size=16))).replace("\n", end)
    return text + draw(st.sampled_from(["", end]))
