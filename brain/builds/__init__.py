"""Builds: the tip of a branch becomes the tree that a project reads."""

from brain.builds.reports import Progress, Report
from brain.builds.whole import build

__all__ = ["Progress", "Report", "build"]
