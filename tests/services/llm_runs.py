"""Runs judged by asking a scripted model, for tests of what surrounds the asking."""

from collections.abc import Sequence
from typing import Any

import pytest

from faithview import Sample
from faithview.domain.run import JudgeSpec, Run, RunSummary
from faithview.services.container import Store
from faithview.services.exports import export_document
from faithview.services.results import iterate_answers
from faithview.services.runs.create import judge_here
from tests.factories import add_run
from tests.vendor import Vendor

ROWS = 10
SPEC = JudgeSpec(name="openai:m")


def point_at(vendor: Vendor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the SDKs call this server."""
    for name, value in vendor.environment.items():
        monkeypatch.setenv(name, value)


def samples(count: int = ROWS) -> list[Sample]:
    """Answers that differ in a number."""
    return [
        Sample.of(f"Answer {n} is here.", [f"Chunk about {n}.", "Another one."], question="q?", key=f"k{n}")
        for n in range(count)
    ]


def judge_run(
    services: Store, rows: Sequence[Sample], spec: JudgeSpec = SPEC, **options: Any
) -> tuple[Run, RunSummary]:
    """Judge them as a run; the options are those of `create_run` and `judge_here`."""
    run = add_run(services, rows, judge=spec, use_cache=options.pop("use_cache", True))
    return run, judge_here(services, run, **options)


def rows_of(services: Store, run: Run) -> list[dict[str, Any]]:
    """The run's rows as they are exported, without what names the run and what judging them cost."""
    documents = [export_document(detail) for detail in iterate_answers(services, run.run_id)]
    for document in documents:
        del document["seconds"], document["usage"]
        for claim in document["claims"]:
            claim["claim_id"] = claim["claim_id"].removeprefix(run.run_id)
    return documents
