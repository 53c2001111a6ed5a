"""A JSON-RPC message, looked at before the SDK reads it: how large, how deep, and what it counts as."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any, NamedTuple

from django.http import JsonResponse

from brain.tools import TOOLS
from members.errors import BodyTooLarge

MAX_BODY = 1 << 16  # bytes; a hundred citations with short quotes
MAX_DEPTH = 16  # of objects and lists inside each other
PARSE_ERROR = -32_700
INVALID_REQUEST = -32_600
RATE_LIMITED = -32_000  # of the codes that JSON-RPC leaves to servers
TOO_DEEP = (INVALID_REQUEST, f"Lists and objects are nested deeper than {MAX_DEPTH}.")


class Message(NamedTuple):
    """What is to be known of a message here."""

    id: int | str | None
    policy: str  # the rate limit that counts it
    flaw: tuple[int, str] | None = None  # code and text of the error that is its answer


def message_of(body: bytes) -> Message:
    """A message of any form; what is none gets its error from the SDK. Raises BodyTooLarge."""
    if len(body) > MAX_BODY:
        raise BodyTooLarge(f"A message has at most {MAX_BODY >> 10} KiB.")
    if not body.strip():
        return Message(None, "default", (PARSE_ERROR, "The body is empty."))
    try:
        told = json.loads(body)
    except RecursionError:
        return Message(None, "default", TOO_DEEP)
    except ValueError:
        return Message(None, "default")
    return Message(_id_of(told), _policy_of(told), TOO_DEEP if _depth(told) > MAX_DEPTH else None)


def error_answer(message: Message, code: int, text: str, *, status: int) -> JsonResponse:
    """An error of the protocol."""
    error = {"code": code, "message": text}
    return JsonResponse({"jsonrpc": "2.0", "id": message.id, "error": error}, status=status)


def _id_of(told: Any) -> int | str | None:
    number = told.get("id") if isinstance(told, dict) else None
    return number if isinstance(number, int | str) and not isinstance(number, bool) else None


def _policy_of(told: Any) -> str:
    params = told.get("params") if isinstance(told, dict) else None
    if not isinstance(params, dict) or told.get("method") != "tools/call":
        return "default"
    name = params.get("name")
    tool = TOOLS.get(name) if isinstance(name, str) else None
    return tool.read.policy if tool else "default"


def _depth(told: Any) -> int:
    """How deep lists and objects stand in each other; no recursion, as depth is what is doubted."""
    depth, level = 0, _inside(told)
    while level is not None:
        depth += 1
        deeper = [inner for one in level if (inner := _inside(one)) is not None]
        level = [one for inner in deeper for one in inner] if deeper else None
    return depth


def _inside(one: Any) -> Collection[Any] | None:
    """What stands in an object or a list; None for what holds nothing."""
    if isinstance(one, dict):
        return one.values()
    return one if isinstance(one, list) else None
