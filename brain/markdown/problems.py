"""What a document's writer can mend."""

from typing import NamedTuple


class Problem(NamedTuple):
    """A fault in the repository; `path` is empty and `line` None for a fault of the whole build."""

    path: str
    line: int | None  # counted from 1, as Git counts lines
    code: str
    message: str
    severity: str = "warning"  # or "error"


def place_of(problem: Problem) -> tuple[str, int, str, str]:
    """What problems are ordered by: path, line, code; those of the whole build first."""
    return problem.path, problem.line or 0, problem.code, problem.message
