"""Secrets that let programs read what their members may read: made, replaced, found and revoked."""

from members.tokens.finding import find
from members.tokens.issuing import DAYS, MOST_DAYS, MOST_NAME, MOST_TOKENS, issue, rotate
from members.tokens.lifetimes import live_of, warning
from members.tokens.listing import Listed, State, projects_for_tokens, state_of, tokens_shown
from members.tokens.revoking import revoke, revoke_leaked, revoke_of_project

__all__ = [
    "DAYS",
    "MOST_DAYS",
    "MOST_NAME",
    "MOST_TOKENS",
    "Listed",
    "State",
    "find",
    "issue",
    "live_of",
    "projects_for_tokens",
    "revoke",
    "revoke_leaked",
    "revoke_of_project",
    "rotate",
    "state_of",
    "tokens_shown",
    "warning",
]
