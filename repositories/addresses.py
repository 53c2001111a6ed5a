"""Whether a remote is allowed: every spelling of its address, and every address its host resolves to."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

from repositories.errors import RemoteRefused

if TYPE_CHECKING:
    from collections.abc import Iterable

LENGTH_LIMIT = 2_000  # characters of a remote
ANSWER_LIMIT = 32  # addresses of one host
# One sentence for a host that is unknown, private or both: the difference would map an inner network.
NOT_PUBLIC = "The host of the address cannot be found on the public internet."
PORTS = {"": 443, "443": 443, "8443": 8443}

_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\Z")
_NUMBER = re.compile(r"(?:[0-9]+|0x[0-9a-f]*)\Z")
# RFC 3986: pchar, and the slash between segments.
_PATH = re.compile(r"(?:/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})*)*\Z")
_INSIDE = ("localhost", "local", "localdomain", "internal", "intranet", "lan", "home.arpa", "onion")

# What `is_global` lets through and still leads inside, or to who knows where. Of IPv6 only 2000::/3 is handed
# out, so mapped, compatible, translated (NAT64), local and multicast addresses are outside of it.
_GLOBAL_V6 = ipaddress.ip_network("2000::/3")
_REFUSED = tuple(
    ipaddress.ip_network(network)
    for network in (
        "168.63.129.16/32",  # the platform server of Azure
        "192.88.99.0/24",  # 6to4 relays
        "2001::/23",  # Teredo and other protocol assignments
        "2001:db8::/32",
        "2002::/16",  # 6to4
        "3fff::/20",
    )
)


@dataclass(frozen=True, slots=True)
class Remote:
    """An https remote in its parts; what is stored and fetched is rebuilt from them."""

    host: str  # lower case, international names as punycode
    port: int
    path: str  # from its first slash on

    @property
    def origin(self) -> str:
        """Scheme, host and port, as credentials are bound to."""
        return f"https://{self.host}" + (f":{self.port}" if self.port != PORTS[""] else "")

    @property
    def url(self) -> str:
        """The address in its one spelling."""
        return self.origin + self.path


def parse_remote(text: str) -> Remote:
    """The remote of an https address. Raises RemoteRefused with a sentence for each rule that is broken."""
    _refuse_characters(text)
    scheme, mark, rest = text.partition("://")
    if not mark or "::" in scheme:
        raise RemoteRefused("Write a whole https address, such as https://git.example.org/team/rules.git.")
    if scheme.lower() != "https":
        raise RemoteRefused("Only https addresses are allowed.")
    if "?" in rest or "#" in rest:
        raise RemoteRefused("The address may hold no query (?) and no fragment (#).")
    authority, slash, path = rest.partition("/")
    if "@" in authority:
        raise RemoteRefused("The address may hold no user name and no token; they have fields of their own.")
    host, colon, port = authority.partition(":")
    if authority.startswith("[") or port not in PORTS or (colon and not port):
        raise RemoteRefused("Write the name of a host; of ports only 443 and 8443 are allowed.")
    return Remote(_host(host.lower()), PORTS[port], _path(slash + path))


def public_addresses(answers: Iterable[str]) -> tuple[str, ...]:
    """The addresses, each once, when every one of them is public.

    Raises RemoteRefused when one is not, or when there is none: a host with a public and a private address
    would be a way inside.
    """
    found = tuple(dict.fromkeys(answers))
    if not found or len(found) > ANSWER_LIMIT:
        raise RemoteRefused(NOT_PUBLIC)
    return tuple(_public(answer) for answer in found)


def _refuse_characters(text: str) -> None:
    if not text or len(text) > LENGTH_LIMIT:
        raise RemoteRefused(f"Write an address of at most {LENGTH_LIMIT} characters.")
    if text.startswith("-"):
        raise RemoteRefused("An address cannot begin with a hyphen.")
    if not text.isascii():
        raise RemoteRefused("Write the address in ASCII; an international host name as punycode (xn--…).")
    if not text.isprintable() or " " in text or "\\" in text:
        raise RemoteRefused("The address may hold no space, no backslash and no control character.")


def _host(host: str) -> str:
    labels = host.split(".")
    if _NUMBER.match(labels[-1]):
        raise RemoteRefused("Write the name of a host, not its number.")
    if len(host) > 253 or not all(_LABEL.match(label) for label in labels):
        raise RemoteRefused("The address has no valid host name.")
    if len(labels) < 2 or any(f".{host}".endswith(f".{name}") for name in _INSIDE):
        raise RemoteRefused("The host is a name of an inner network.")
    return host


def _path(path: str) -> str:
    if not _PATH.match(path):
        raise RemoteRefused("The path of the address holds a character that must be written otherwise.")
    plain = unquote_to_bytes(path)
    if any(byte < 0x21 or byte in b"\x7f\\?#" for byte in plain):
        raise RemoteRefused("The path of the address hides a control character, a space, or a mark.")
    segments = plain[1:].removesuffix(b"/").split(b"/")
    if any(segment in {b"", b".", b".."} for segment in segments):
        raise RemoteRefused("The path of the address must name a repository, without empty or dot segments.")
    return path.removesuffix("/")


def _public(answer: str) -> str:
    try:
        address = ipaddress.ip_address(answer)
    except ValueError as error:
        raise RemoteRefused(NOT_PUBLIC) from error
    outside = address.version == 4 or (address in _GLOBAL_V6 and address.scope_id is None)
    if not outside or not address.is_global or address.is_multicast:
        raise RemoteRefused(NOT_PUBLIC)
    if any(address in network for network in _REFUSED if network.version == address.version):
        raise RemoteRefused(NOT_PUBLIC)
    return str(address)
