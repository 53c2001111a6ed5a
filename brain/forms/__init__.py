"""What a caller may ask: arguments become frozen queries, valid all the way down."""

from brain.forms.citations import ResolveQuery
from brain.forms.parameters import Door, Parameter
from brain.forms.queries import (
    BacklinksQuery,
    BrokenQuery,
    ChangesQuery,
    GrepQuery,
    LookupQuery,
    ProblemsQuery,
    Query,
    ReadQuery,
    SearchQuery,
    StatusQuery,
    TreeQuery,
)

__all__ = [
    "BacklinksQuery",
    "BrokenQuery",
    "ChangesQuery",
    "Door",
    "GrepQuery",
    "LookupQuery",
    "Parameter",
    "ProblemsQuery",
    "Query",
    "ReadQuery",
    "ResolveQuery",
    "SearchQuery",
    "StatusQuery",
    "TreeQuery",
]
