"""Tags of the portal: icons, addresses of nodes, short forms of commits and sizes."""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.conf import settings
from django.template import Context
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from brain.markdown.summaries import RETIRED
from brain.pages.addresses import Addresses
from brain.pages.citing import Cited, cited
from brain.pages.freshness import Banner, banner_of, tone_of, words_of
from brain.reads.answers import Reading
from brain.rendering.values import Rendered
from brain.store.homes import has_wiki
from brain.store.protocol import Envelope
from brain.tree.nodes import Kind, Node, key_of
from members.models import Project

register = template.Library()

SETTLED = frozenset({"accepted", "active", "approved", "done", "final", "implemented", "understood"})
THOUSAND = 1_000


@register.simple_tag
def icon(name: str) -> SafeString:
    """A symbol of the sprite in base.html."""
    return format_html('<svg class="i" aria-hidden="true"><use href="#i-{}"/></svg>', name)


@register.simple_tag
def kind(node: Node) -> SafeString:
    """The mark of a node's kind, with its name for those who do not see it."""
    name = "folder" if node.kind is Kind.ROOT else str(node.kind)
    return format_html(
        '<span class="kind">{}<span class="vh">{}</span></span>', icon(name), name.capitalize()
    )


@register.simple_tag(takes_context=True)
def place(context: Context, node: Node) -> str:
    """The address where a node is read."""
    return _addresses(context).of(node)


@register.simple_tag(takes_context=True)
def place_of(context: Context, node_id: str) -> str:
    """The same, of an id."""
    return _addresses(context).of_id(node_id)


@register.simple_tag(takes_context=True)
def level_of(context: Context, node_id: str, **parameters: object) -> str:
    """The address of the level below a node."""
    return _addresses(context).tree(node_id, **parameters)


@register.simple_tag(takes_context=True)
def text_of(context: Context, node_id: str, **parameters: object) -> str:
    """The address of a node's text, rendered, or as written with `view="written"`."""
    return _addresses(context).read(node_id, **parameters)


@register.simple_tag(takes_context=True)
def cite(context: Context, reading: Reading) -> Cited | None:
    """The citation of a reading, with the address it was read at."""
    return cited(
        reading.citation, context["request"].build_absolute_uri(_addresses(context).of(reading.node))
    )


@register.simple_tag(takes_context=True)
def role(context: Context, project: Project) -> str:
    """The member's role in the project."""
    user = context["request"].user
    membership = project.memberships.filter(member_id=user.pk).first()
    return str(membership.role) if membership else "superuser" if user.is_superuser else ""


@register.simple_tag
def wiki_of(project: Project) -> bool:
    """Whether the project's wiki is on."""
    return has_wiki(project)


@register.simple_tag
def stale(envelope: Envelope) -> Banner | None:
    """What a reader should know of the tree, if there is such a thing."""
    return banner_of(envelope, timezone.now(), settings.SYNC_MINUTES)


@register.filter
def article(rendered: Rendered) -> SafeString:
    """The HTML of a text: the one place where markup is trusted, because rendering has cleaned it."""
    return mark_safe(rendered.html)  # noqa: S308


@register.filter
def commit(value: str) -> str:
    """The first seven digits of a commit."""
    return value[:7]


@register.filter
def tokens(size: int) -> str:
    """A size in estimated tokens, rounded."""
    if size < THOUSAND:
        return f"{size} tokens" if size != 1 else "1 token"
    return f"{size / THOUSAND:.1f}k tokens" if size < 100 * THOUSAND else f"{size // THOUSAND}k tokens"


@register.filter
def thousands(number: int | None) -> str:
    """A count with its thousands parted."""
    return f"{number or 0:,}"


@register.filter
def plus(number: int, more: int) -> int:
    """The sum."""
    return number + more


@register.filter
def less(number: int, fewer: int) -> int:
    """The difference, never below nothing."""
    return max(0, number - fewer)


@register.filter
def span(start: int, end: int | None) -> str:
    """What follows the word line: one number, or an s and two."""
    return f"s {start:,} to {end:,}" if end and end > start else f" {start:,}"


@register.filter
def minutes(seconds: int) -> str:
    """A pause in whole minutes."""
    count = max(1, round(seconds / 60))
    return f"{count} minute{'' if count == 1 else 's'}"


@register.filter
def ordered(words: Iterable[str]) -> list[str]:
    """In order of the alphabet."""
    return sorted(words)


@register.filter
def is_building(state: str) -> bool:
    """Whether a build waits or runs."""
    return state in ("queued", "indexing")


@register.filter
def row_id(node: Node) -> str:
    """The id of the group of rows below a node in the tree at the side."""
    return f"t-{key_of(node.id).hex[:16]}"


@register.filter
def name(node: Node) -> str:
    """The last step of a node's path."""
    tail = node.path.rstrip("/").rpartition("/")[2]
    return f"{tail}/" if node.kind is Kind.FOLDER else tail


@register.filter
def mark(node: Node) -> str:
    """The id shown before a title in narrow places: of a card its number, of a document the whole."""
    reference = node.reference_id or ""
    return reference.rpartition("-")[2] if node.kind is Kind.CARD else reference


@register.filter
def status_class(status: str) -> str:
    """How the chip of a status looks."""
    word = status.strip().lower()
    return "struck" if word in RETIRED else "ok" if word in SETTLED else ""


@register.filter
def tone(envelope: Envelope) -> str:
    """The tone of a Brain's freshness."""
    return tone_of(envelope)


@register.filter
def freshness(envelope: Envelope) -> str:
    """A Brain's freshness in words."""
    return words_of(envelope)


def _addresses(context: Context) -> Addresses:
    return Addresses(context["project"].slug)
