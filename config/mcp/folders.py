"""Where a tool's question is answered without a server: at a folder of this machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from brain.folder.live import LiveFolder
from brain.tools import FOLDER_TOOLS, Told, Tool, tell


@dataclass(frozen=True, slots=True)
class FolderDesk:
    """A folder on this machine; an absolute path inside it is as good as a node id."""

    folder: LiveFolder
    of_projects = False
    tools = FOLDER_TOOLS

    def answer(self, tool: Tool, arguments: Mapping[str, Any], agent: str) -> Told:  # noqa: ARG002
        """The answer, from the folder as it is now."""
        known = {name: self._inside(value) for name, value in arguments.items()}
        _, query = tool.parse(known, of_projects=False)
        return tell(tool, self.folder.store(), query)

    def _inside(self, value: Any) -> Any:
        return self.folder.inside(value) if isinstance(value, str) else value
