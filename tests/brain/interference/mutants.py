"""All planted leaks."""

from tests.brain.interference import (
    leaks_of_links,
    leaks_of_reads,
    leaks_of_rows,
    leaks_of_rules,
    leaks_of_trees,
)
from tests.brain.interference.planting import MUTANTS, planted

LEAKS = (leaks_of_links, leaks_of_reads, leaks_of_rows, leaks_of_rules, leaks_of_trees)
__all__ = ["LEAKS", "MUTANTS", "planted"]
