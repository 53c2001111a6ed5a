"""The JSON of every answer, in camelCase once, for API, MCP and command line alike."""

from brain.wire.finding import lines_json, results_json
from brain.wire.history import changes_json, document_json, resolution_json, resolutions_json
from brain.wire.links import backlinks_json, broken_json, problems_json
from brain.wire.nodes import (
    Json,
    changed_json,
    crumb_json,
    envelope_json,
    moment,
    neighbour_json,
    view_json,
    way_json,
)
from brain.wire.places import citation_json, level_json, matches_json, reading_json, status_json

__all__ = [
    "Json",
    "backlinks_json",
    "broken_json",
    "changed_json",
    "changes_json",
    "citation_json",
    "crumb_json",
    "document_json",
    "envelope_json",
    "level_json",
    "lines_json",
    "matches_json",
    "moment",
    "neighbour_json",
    "problems_json",
    "reading_json",
    "resolution_json",
    "resolutions_json",
    "results_json",
    "status_json",
    "view_json",
    "way_json",
]
