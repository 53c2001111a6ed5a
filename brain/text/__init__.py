"""The readable text of every answer, for people and models alike."""

from brain.text.finding import lines_text, results_text
from brain.text.history import changes_text, resolutions_text
from brain.text.links import backlinks_text, broken_text, problems_text
from brain.text.nodes import freshness
from brain.text.places import level_text, matches_text, reading_text, status_text

__all__ = [
    "backlinks_text",
    "broken_text",
    "changes_text",
    "freshness",
    "level_text",
    "lines_text",
    "matches_text",
    "problems_text",
    "reading_text",
    "resolutions_text",
    "results_text",
    "status_text",
]
