"""The tools whose servers can be read."""

from faithview.domain.errors import InvalidInput
from faithview.services.pulls.langfuse import LANGFUSE
from faithview.services.pulls.langsmith import LANGSMITH
from faithview.services.pulls.mlflow import MLFLOW
from faithview.services.pulls.phoenix import PHOENIX
from faithview.services.pulls.tool import Tool

TOOLS: dict[str, Tool] = {tool.name: tool for tool in (LANGFUSE, PHOENIX, MLFLOW, LANGSMITH)}


def find_tool(name: str) -> Tool:
    """Return the tool of that name.

    Raises:
        InvalidInput: there is none.
    """
    if (tool := TOOLS.get(name.strip().lower())) is None:
        raise InvalidInput(f"There is no source {name!r}; FaithView pulls from {', '.join(TOOLS)}.")
    return tool
