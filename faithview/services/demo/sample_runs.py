"""The sample's five weekly runs with their knowledge bases and events, judged as they are loaded."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache
from typing import Any

from faithview.domain.run import JudgeSpec, Run
from faithview.services.bundled_files import sample_folder
from faithview.services.container import Services
from faithview.services.datasets import open_dataset
from faithview.services.knowledge.versions import read_knowledge_base, save_knowledge_base
from faithview.services.results.runs import count_runs
from faithview.services.runs.create import RunRequest, create_run, judge_here
from faithview.services.trends.events import add_event

SERIES = "Help centre"


def load_sample_runs(services: Services, *, on_run: Callable[[Run], None] | None = None) -> int:
    """Judge the bundled runs, store them and return how many; a store that already has runs is left unchanged."""
    if count_runs(services):
        return 0
    folder = sample_folder()
    manifest = read_manifest()
    for entry in manifest["runs"]:
        judge_week(services, entry["name"], judge=JudgeSpec(), on_run=on_run)
    for entry in manifest["knowledge_bases"]:
        file = folder / entry["file"]
        chunks, _ = read_knowledge_base(file)
        save_knowledge_base(services, entry["version"], chunks, source=file.name)
    for entry in manifest["events"]:
        at = datetime.fromisoformat(entry["at"])
        add_event(services, entry["label"], at=at, kb_version=entry["kb_version"])
    return len(manifest["runs"])


def judge_week(
    services: Services, week: str, *, judge: JudgeSpec, note: str = "", on_run: Callable[[Run], None] | None = None
) -> Run:
    """Judge the answers of one week and return the stored run.

    Args:
        services: the services.
        week: the name of a run of the sample: "2026-w43".
        judge: the judge.
        note: what to add to the run's name.
        on_run: called with the run once it is judged.
    """
    folder = sample_folder()
    manifest = read_manifest()
    entry = next(entry for entry in manifest["runs"] if entry["name"] == week)
    file = folder / entry["file"]
    samples, _ = open_dataset(file).read()
    request = RunRequest(
        name=f"{SERIES} {week}{note}", judge=judge, kb_version=entry["kb_version"], source=file.name, series=SERIES
    )
    run = create_run(services, samples, request)
    judge_here(services, run)
    if on_run is not None:
        on_run(run)
    return run


def sample_week_names() -> list[str]:
    """Return the names of the sample's weeks, the earliest first."""
    return [entry["name"] for entry in read_manifest()["runs"]]


@cache
def read_manifest() -> Mapping[str, Any]:
    """Return the list of the sample's files: runs, knowledge bases, events, benchmark."""
    manifest: dict[str, Any] = json.loads((sample_folder() / "demo.json").read_text(encoding="utf-8"))
    return manifest
