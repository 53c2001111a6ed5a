"""The scenarios of the official conformance suite that ask nothing which the product does not offer."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tests.conformance.doorman import a_doorman
from tests.conformance.node import Tools
from tests.conformance.product import Product
from tests.conformance.tally import Check, check

PACKAGE = "@modelcontextprotocol/conformance"
GROUP = "Conformance suite, HTTP"
# The others call tools, prompts and resources of a server that is made for them.
SCENARIOS = ("server-initialize", "ping", "tools-list", "dns-rebinding-protection")


def played(tools: Tools, product: Product, home: Path) -> Iterator[Check]:
    """Each scenario, by a door without a lock, as the suite can't send a token."""
    with a_doorman(product.port, product.token) as address:
        for scenario in SCENARIOS:
            yield check(GROUP, scenario, partial(_play, tools, home, address, scenario))


def _play(tools: Tools, home: Path, address: str, scenario: str) -> None:
    done = tools.run("conformance", ["server", "--url", address, "--scenario", scenario], home)
    assert done.returncode == 0, f"ended with {done.returncode}: {done.stdout[-2_000:]}{done.stderr[-500:]}"
