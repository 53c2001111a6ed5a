"""Code, diagrams and raw HTML: always text in a box that scrolls, coloured where that is cheap."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Generic, Keyword, Literal, Name, Number, Operator, String

from brain.rendering import limits
from brain.rendering.markup import attributes
from brain.rendering.sheet import sheet_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token
    from markdown_it.utils import EnvType, OptionsDict
    from pygments.token import _TokenType

    from brain.rendering.sheet import Sheet

# A closed list: looking up an unknown name scans every installed package.
LANGUAGES = {
    "bash": "Bash", "sh": "Shell", "shell": "Shell", "console": "Console", "c": "C", "cpp": "C++",
    "c++": "C++", "csharp": "C#", "cs": "C#", "css": "CSS", "diff": "Diff", "dockerfile": "Dockerfile",
    "go": "Go", "graphql": "GraphQL", "groovy": "Groovy", "html": "HTML", "http": "HTTP", "ini": "INI",
    "java": "Java", "javascript": "JavaScript", "js": "JavaScript", "json": "JSON", "kotlin": "Kotlin",
    "make": "Makefile", "markdown": "Markdown", "md": "Markdown", "nginx": "Nginx", "php": "PHP",
    "powershell": "PowerShell", "protobuf": "Protobuf", "python": "Python", "py": "Python", "ruby": "Ruby",
    "rb": "Ruby", "rust": "Rust", "rs": "Rust", "scala": "Scala", "sql": "SQL", "swift": "Swift",
    "terraform": "Terraform", "toml": "TOML", "typescript": "TypeScript", "ts": "TypeScript", "xml": "XML",
    "yaml": "YAML", "yml": "YAML",
}  # fmt: skip
CLASSES: tuple[tuple[_TokenType, str], ...] = (
    (Keyword, "k"),
    (Operator.Word, "k"),
    (Name.Tag, "k"),
    (String, "s"),
    (Generic.Inserted, "s"),
    (Number, "n"),
    (Literal, "n"),
    (Comment, "c"),
    (Name.Function, "f"),
    (Name.Class, "f"),
    (Name.Attribute, "f"),
    (Generic.Deleted, "d"),
)
LANGUAGE_NAME = re.compile(r"[\w+#.-]{1,30}")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
ANCHOR = re.compile(
    r"</a\s*>|<a\s+(?:id|name)\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s\"'<>=`]+)\s*/?>", re.IGNORECASE
)
SIMPLE = re.compile(r"<(/?)(br|sub|sup|kbd)\s*/?>", re.IGNORECASE)


def fence(tokens: Sequence[Token], index: int, _options: OptionsDict, env: EnvType) -> str:
    """A fenced block under the name of its language; a Mermaid diagram is shown as it is written."""
    token = tokens[index]
    words = token.info.split(maxsplit=1)
    language = words[0].lower() if words and LANGUAGE_NAME.fullmatch(words[0]) else ""
    if language == "mermaid":
        return _figure(sheet_of(env), token, "Mermaid diagram", escape(token.content))
    coloured = _coloured(sheet_of(env), token.content, language)
    return _figure(sheet_of(env), token, LANGUAGES.get(language, language), coloured)


def code_block(tokens: Sequence[Token], index: int, _options: OptionsDict, env: EnvType) -> str:
    """An indented block; also a table that passes the caps."""
    token = tokens[index]
    return _figure(sheet_of(env), token, token.info, escape(token.content))


def html_block(tokens: Sequence[Token], index: int, _options: OptionsDict, env: EnvType) -> str:
    """Raw HTML as text; comments and bare anchors are not shown, as on any Git host."""
    token = tokens[index]
    rest = ANCHOR.sub("", COMMENT.sub("", token.content)).strip()
    return _figure(sheet_of(env), token, "HTML, shown as text", escape(token.content)) if rest else ""


def html_inline(tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
    """Raw HTML as text; a line break and three marks without attributes are kept."""
    content = tokens[index].content
    simple = SIMPLE.fullmatch(content)
    if simple:
        return f"<{simple[1]}{simple[2].lower()}>"
    return "" if COMMENT.fullmatch(content) or ANCHOR.fullmatch(content) else escape(content)


def _figure(sheet: Sheet, token: Token, caption: str, inner: str) -> str:
    lines = sheet.lines_of(token.map)
    name = f"{caption or 'Code'}, {lines}" if lines else caption or "Code"
    told = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    region = attributes(tabindex="0", role="region", aria_label=name)
    return f'<figure class="code">{told}<pre{region}><code>{inner.rstrip()}</code></pre></figure>\n'


def _coloured(sheet: Sheet, content: str, language: str) -> str:
    sheet.highlight_left -= len(content)
    short = all(len(line) <= limits.MAX_HIGHLIGHTED_LINE for line in content.split("\n"))
    if language not in LANGUAGES or sheet.highlight_left < 0 or not short:
        return escape(content)
    lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    return "".join(_piece(kind, words) for kind, words in lexer.get_tokens(content))


def _piece(kind: _TokenType, words: str) -> str:
    name = next((name for family, name in CLASSES if _within(kind, family)), "")
    return f'<span class="{name}">{escape(words)}</span>' if name and words.strip() else escape(words)


def _within(kind: _TokenType, family: _TokenType) -> bool:
    return kind[: len(family)] == family
