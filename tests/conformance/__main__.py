"""Try the server for agents with other people's clients: `python -m tests.conformance`.

It brings its own Node, sets up a product of its own with a real server, has the Inspector list and call
every tool by every way in, and plays the official conformance suite.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import tests.environment  # noqa: F401 (comes before the settings)
from tests.conformance import inspector, scenarios
from tests.conformance.node import Tools, bring
from tests.conformance.product import a_product
from tests.conformance.tally import Check, table


def main() -> int:
    """Try everything; 1 when something failed."""
    tools = bring()
    checks = []
    for one in _checks(tools):
        _say(f"{'FAILED' if one.wrong else 'passed'}  {one.group}: {one.name}")
        checks.append(one)
    versions = [*tools.versions(inspector.PACKAGE, scenarios.PACKAGE), f"mcp {version('mcp')} in the product"]
    _say("", *versions, "", *table(checks))
    failed = sum(1 for one in checks if one.wrong)
    _say("", f"{len(checks) - failed} passed, {failed} failed")
    return int(bool(failed))


def _checks(tools: Tools) -> Iterator[Check]:
    with tempfile.TemporaryDirectory() as home, a_product() as product:
        yield from scenarios.played(tools, product, Path(home))
        yield from inspector.inspected(tools, product, Path(home))


def _say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
