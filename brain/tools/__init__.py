"""The Brain's tools for agents: the reads again, in words that a model reads, with arguments it can guess."""

from brain.tools.answers import Told, tell
from brain.tools.instructions import INSTRUCTIONS
from brain.tools.kinds import Tool
from brain.tools.listing import FOLDER_TOOLS, TOOLS

__all__ = ["FOLDER_TOOLS", "INSTRUCTIONS", "TOOLS", "Told", "Tool", "tell"]
