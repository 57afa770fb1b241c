"""The bundled sample data: five weekly runs over one help centre, judged on loading, and a few short examples."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path

from faithview.domain.run import JudgeSpec, Run
from faithview.services.bundled_files import app_folder
from faithview.services.container import Services
from faithview.services.datasets import open_dataset
from faithview.services.knowledge.versions import read_knowledge_base, save_knowledge_base
from faithview.services.results.runs import count_runs
from faithview.services.runs.create import RunRequest, create_run, judge_here
from faithview.services.trends.events import add_event

_SERIES = "Help centre"


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One answer with its chunks, to try a judge with."""

    name: str
    question: str
    answer: str
    chunks: tuple[str, ...]


def load_demo(services: Services, *, on_run: Callable[[Run], None] | None = None) -> int:
    """Judge the bundled runs, store them and return how many; a store that already has runs is left unchanged."""
    if count_runs(services):
        return 0
    manifest = json.loads((_folder() / "demo.json").read_text(encoding="utf-8"))
    for entry in manifest["runs"]:
        file = _folder() / entry["file"]
        samples, _ = open_dataset(file).read()
        run = create_run(
            services,
            samples,
            RunRequest(
                name=f"{_SERIES} {entry['name']}",
                judge=JudgeSpec(),
                kb_version=entry["kb_version"],
                source=file.name,
                series=_SERIES,
            ),
        )
        judge_here(services, run)
        if on_run is not None:
            on_run(run)
    for entry in manifest["knowledge_bases"]:
        file = _folder() / entry["file"]
        chunks, _ = read_knowledge_base(file)
        save_knowledge_base(services, entry["version"], chunks, source=file.name)
    for entry in manifest["events"]:
        at = datetime.fromisoformat(entry["at"])
        add_event(services, entry["label"], at=at, kb_version=entry["kb_version"])
    return len(manifest["runs"])


@cache
def load_examples() -> tuple[Example, ...]:
    """Return the bundled examples."""
    entries = json.loads((_folder() / "examples.json").read_text(encoding="utf-8"))
    return tuple(
        Example(
            name=entry["name"],
            question=entry["question"],
            answer=entry["answer"],
            chunks=tuple(chunk["text"] for chunk in entry["chunks"]),
        )
        for entry in entries
    )


def _folder() -> Path:
    return app_folder() / "data"
