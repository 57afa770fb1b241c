"""Pulling from a test's server, as `faithview pull` does, with everything that is printed and left behind looked at."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from faithview.services.pulls.pull import Pulled, Request, pull_file
from faithview.services.pulls.tools import find_tool
from tests.services.pulls import tool_server
from tests.services.pulls.tool_server import PROJECT, Answers, ToolServer

KEYS = {
    "LANGFUSE_PUBLIC_KEY": "pk-lf-public",
    "LANGFUSE_SECRET_KEY": "sk-lf-secret",
    "PHOENIX_API_KEY": "phx-secret-key",
    "MLFLOW_TRACKING_TOKEN": "mlf-secret-key",
    "LANGSMITH_API_KEY": "lsv2_pt_secret_key",
}
URLS = ("LANGFUSE_BASE_URL", "PHOENIX_ENDPOINT", "MLFLOW_TRACKING_URI", "LANGSMITH_ENDPOINT")
# Each tool, the server that answers as it does, and where it is asked for pages.
SERVERS: dict[str, tuple[str, Answers, str]] = {
    "phoenix": ("phoenix", tool_server.phoenix, "/spans$"),
    "mlflow": ("mlflow", tool_server.mlflow, "/traces/search$"),
    "langfuse": ("langfuse", tool_server.langfuse, "/v2/observations$"),
    "langsmith": ("langsmith", tool_server.langsmith, "/runs/query$"),
}


@dataclass(slots=True)
class Puller:
    """Pulls into one file, and keeps what was said and how long was waited."""

    folder: Path
    server: ToolServer
    tool: str
    said: list[str] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    environment: dict[str, str] = field(default_factory=lambda: dict(KEYS))

    @property
    def file(self) -> Path:
        return self.folder / "pulled.jsonl"

    @property
    def part(self) -> Path:
        return self.folder / "pulled.jsonl.part"

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The file's lines."""
        return [json.loads(line) for line in self.file.read_text(encoding="utf-8").splitlines()]

    def pull(self, *, project: str = PROJECT, page_size: int | None = 2, **options: Any) -> Pulled:
        """Pull; whatever becomes of it, no key is in anything that was said or written."""
        environment = {**dict.fromkeys(URLS, self.server.url), **self.environment}
        request = Request(tool=find_tool(self.tool), project=project, page_size=page_size, **options)
        try:
            return pull_file(request, self.file, environment=environment, say=self.said.append, wait=self.waits.append)
        except Exception as error:
            self.said.append(str(error))
            raise
        finally:
            written = b"".join(path.read_bytes() for path in self.folder.iterdir() if path.is_file())
            for key in self.environment.values():
                assert key not in " ".join(self.said)
                assert key.encode() not in written
