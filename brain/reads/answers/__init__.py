"""The answers of the reads: frozen values that every door renders, each with its facts of freshness."""

from brain.reads.answers.finding import LineHit, Lines, Result, Results
from brain.reads.answers.history import ChangedDocument, ChangedNode, Changes, Resolution, Resolutions
from brain.reads.answers.links import Backlink, Backlinks, Broken, Problems
from brain.reads.answers.places import (
    Branch,
    Citation,
    Crumb,
    Level,
    Match,
    Matches,
    Neighbour,
    Reading,
    Status,
    following,
)

__all__ = [
    "Backlink",
    "Backlinks",
    "Branch",
    "Broken",
    "ChangedDocument",
    "ChangedNode",
    "Changes",
    "Citation",
    "Crumb",
    "Level",
    "LineHit",
    "Lines",
    "Match",
    "Matches",
    "Neighbour",
    "Problems",
    "Reading",
    "Resolution",
    "Resolutions",
    "Result",
    "Results",
    "Status",
    "following",
]
