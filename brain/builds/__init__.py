"""Builds: the tip of a branch becomes the tree that a project reads."""

from brain.builds.checking import check
from brain.builds.queue import request, wake, wake_rested
from brain.builds.reports import Progress, Report
from brain.builds.running import Postponed, build

__all__ = ["Postponed", "Progress", "Report", "build", "check", "request", "wake", "wake_rested"]
