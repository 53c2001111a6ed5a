"""Refusals in words for an agent: what was wrong, the right form, what to call next."""

from __future__ import annotations

import logging
from typing import Any

from brain.tools import Tool
from config.errors import UNKNOWN, answer_for, detail_of, details_of

NEXT = {
    "invalid-argument": "Correct the argument and call {tool} again. It takes: {takes}.",
    "node-not-found": "Call brain_lookup with its name, or brain_tree on a folder that exists.",
    "commit-not-found": "Use the commit of an earlier answer or citation of this project.",
    "project-not-found": "Leave projectId out, or ask the person you work for which project is meant.",
    "permission-denied": "Tell the person you work for; calling again changes nothing.",
    "brain-off": "Tell the person you work for; brain_status shows the state.",
    "brain-not-built": "Call brain_status to see how the build stands, and try again when it is ready.",
    "rate-limited": "Wait, then call again with fewer calls at a time.",
    "unavailable": "Wait half a minute and call again; brain_status shows the state.",
}
AWAY = ("mirror-missing", "mirror-damaged", "commit-unavailable", "internal")

log = logging.getLogger(__name__)


def refusal(error: Exception, tool: Tool, *, of_projects: bool) -> tuple[str, dict[str, Any]]:
    """The text of a refusal, and the same for programs; one that nobody foresaw is logged, never shown."""
    answer = answer_for(error)
    if answer is None:
        log.error("%s failed", tool.name, exc_info=error)
        answer = UNKNOWN
    detail = detail_of(error, answer)
    told = details_of(answer, detail, error)
    said = [f"{answer.title}: {detail}"]
    if told.get("near"):
        said.append(f"Close to it: {', '.join(told['near'])}.")
    code = "unavailable" if answer.code in AWAY else answer.code
    if code in NEXT:
        takes = ", ".join(tool.schema(of_projects=of_projects)["properties"]) or "no arguments"
        said.append(NEXT[code].format(tool=tool.name, takes=takes))
    return " ".join(said), told
