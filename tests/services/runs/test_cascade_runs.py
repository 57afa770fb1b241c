"""Runs judged by a cascade: who decided is stored and counted, and calls are estimated, limited, reused and batched."""

import asyncio
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from faithview import FaithfulnessGuard, Sample, State
from faithview.documents.runs import RunFigures
from faithview.domain.live import LogRecord
from faithview.domain.run import JudgeSpec, Run, RunStatus
from faithview.formats.exporters import exporter_named
from faithview.services.container import Store
from faithview.services.dataset_files import open_dataset
from faithview.services.exports import export_document
from faithview.services.imports import find_results, import_run
from faithview.services.judge_catalogue import make_spec
from faithview.services.live.append import append_answers
from faithview.services.live.watch import Watch, WatchPlan
from faithview.services.results import (
    get_run,
    get_summary,
    iterate_answers,
    list_runs,
    list_troubles,
    retry_failed,
)
from faithview.services.runs.budget import Limits
from faithview.services.runs.create import estimate_run, judge_again, judge_here
from faithview.store import results
from tests.factories import add_run
from tests.judges.cascade.test_asking_a_model import SAMPLE, SURE_SAMPLE
from tests.judges.llm.batch_server import Batches
from tests.judges.llm.server import Request, Say, sensible
from tests.services.llm_runs import judge_run, point_at
from tests.vendor import Vendor, running

pytestmark = pytest.mark.process  # takes long

CASCADE = JudgeSpec(name="cascade:openai:m")
_NOON = datetime(2026, 5, 6, 12, tzinfo=UTC)


def rows(mixed: int = 2, sure: int = 2) -> list[Sample]:
    """Answers with two claims to send and one that is decided here, then answers with such a claim alone."""
    texts = [SAMPLE] * mixed + [SURE_SAMPLE] * sure
    return [
        Sample.of(sample.answer, [f"{sample.chunks[0].text} Note {number}."], question="q?", key=f"k{number}")
        for number, sample in enumerate(texts)
    ]


def deciders(services: Store, run: Run) -> list[list[str | None]]:
    return [[c.decided_by for c in detail.result.claims] for detail in iterate_answers(services, run.run_id)]


def test_each_claim_is_stored_with_the_judge_that_decided_it(services: Store, vendor: Vendor) -> None:
    run, summary = judge_run(services, rows(), CASCADE)
    assert deciders(services, run) == [["openai:m", "openai:m", "embedded"]] * 2 + [["embedded"]] * 2
    assert (vendor.calls, summary.usage.llm_calls, summary.states[State.JUDGED]) == (2, 2, 4)
    assert summary.decided_by == {"embedded": 4, "openai:m": 4}
    assert get_summary(services, run.run_id).decided_by == summary.decided_by
    document = RunFigures.of(summary, troubles=list_troubles(services, run.run_id))
    assert document.decided_by == {"embedded": 4, "openai:m": 4}


def test_other_judges_say_nothing_of_who_decided(services: Store) -> None:
    run, summary = judge_run(services, rows(1, 0), JudgeSpec())
    assert deciders(services, run) == [[None] * 3]
    assert summary.decided_by == {}


@pytest.mark.parametrize("format_name", ["jsonl", "csv", "parquet"])
def test_who_decided_is_exported_and_read_back(
    services: Store, vendor: Vendor, tmp_path: Path, format_name: str
) -> None:
    run, _ = judge_run(services, rows(), CASCADE)
    path = tmp_path / f"out.{format_name}"
    documents = [export_document(detail) for detail in iterate_answers(services, run.run_id)]
    assert [claim["decided_by"] for claim in documents[0]["claims"]] == ["openai:m", "openai:m", "embedded"]
    exporter_named(format_name).write(documents, path)
    imported = _import(services, path)
    assert deciders(services, imported) == deciders(services, run)
    assert get_summary(services, imported.run_id).decided_by == {"embedded": 4, "openai:m": 4}


def _import(services: Store, path: Path) -> Run:
    return import_run(services, find_results(open_dataset(path)), name="imported").summary.run


def test_verdicts_are_reused_by_the_same_cascade_and_by_no_other(services: Store, vendor: Vendor) -> None:
    first, _ = judge_run(services, rows(), CASCADE)
    again, summary = judge_run(services, rows(), CASCADE)
    assert (vendor.calls, summary.usage.llm_calls, summary.usage.cached_calls) == (2, 0, 2)
    assert deciders(services, again) == deciders(services, first)
    judge_run(services, rows(), make_spec("cascade:openai:m", cascade_share=1.0))
    assert vendor.calls == 2 + 4


def test_a_budget_of_calls_leaves_answers_that_are_judged_later(services: Store, vendor: Vendor) -> None:
    run, summary = judge_run(services, rows(3, 3), CASCADE, limits=Limits(max_calls=1), concurrency=2)
    assert 1 <= vendor.calls <= 2
    assert summary.states[State.PENDING] > 0
    assert get_run(services, run.run_id).status is RunStatus.CANCELLED
    resumed = judge_here(services, run)
    assert (resumed.run.status, vendor.calls, resumed.states[State.JUDGED]) == (RunStatus.COMPLETE, 3, 6)


def test_an_answer_that_the_model_cannot_decide_is_failed_and_can_be_tried_again(
    services: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_mended: list[bool] = []

    def script(request: Request) -> Say:
        return sensible(request) if is_mended or "Note 1." in request.user else Say(text="no JSON")

    with running(script) as vendor:
        point_at(vendor, monkeypatch)
        run, summary = judge_run(services, rows(), CASCADE)
        assert (summary.states[State.FAILED], summary.states[State.JUDGED]) == (1, 3)
        failed = results.get_answer(services.db, run.run_id, "k0").result
        assert (failed.claims, failed.raw_reply) == ((), "no JSON")
        assert failed.error is not None
        assert failed.error.startswith("openai:m was asked about 2 of 3 claims: ")
        is_mended.append(True)
        assert retry_failed(services, run.run_id) == 1
        again = judge_here(services, get_run(services, run.run_id))
    assert (again.states[State.JUDGED], again.decided_by) == (4, {"embedded": 4, "openai:m": 4})


def test_an_estimate_is_the_calls_that_the_run_makes(services: Store, vendor: Vendor) -> None:
    estimate = estimate_run(rows(3, 2), CASCADE, store=services)
    assert (estimate.calls, estimate.answers, estimate.examined_answers) == (3, 5, 5)
    assert estimate.host == vendor.url.removeprefix("http://")
    assert vendor.calls == 0
    _, summary = judge_run(services, rows(3, 2), CASCADE)
    assert summary.usage.llm_calls == estimate.calls
    reused = estimate_run(rows(3, 2), CASCADE, store=services)
    assert (reused.calls, reused.cached_answers, reused.examined_answers) == (0, 5, 0)


def test_an_estimate_needs_no_key_and_names_the_price(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    prices = {"as_of": "2026-01-01", "vendors": {"openai": {"models": {"m": {"input": 1.0, "output": 1.0}}}}}
    path = tmp_path / "prices.json"
    path.write_text(json.dumps(prices), encoding="utf-8")
    spec = make_spec("cascade:openai:m", options={"prices": str(path)})
    estimate = estimate_run(rows(1, 1), spec)
    assert estimate.cost_usd == pytest.approx((estimate.prompt_tokens + estimate.completion_tokens) / 1e6)
    half = estimate_run(rows(1, 1), spec, is_batch=True)
    assert half.cost_usd == pytest.approx((estimate.cost_usd or 0) / 2)


def test_a_run_is_judged_again_by_a_cascade_beside_the_first_judge(services: Store, vendor: Vendor) -> None:
    first, _ = judge_run(services, rows(), JudgeSpec())
    again = judge_again(services, first, CASCADE)
    summary = judge_here(services, again)
    assert summary.decided_by == {"embedded": 4, "openai:m": 4}
    assert again.fingerprint.startswith("cascade:openai:m@")
    assert get_summary(services, first.run_id).decided_by == {}


def test_relevance_is_measured_without_a_call(services: Store, vendor: Vendor) -> None:
    sample = replace(rows(0, 1)[0], question="How long do refunds take?")
    run, _ = judge_run(services, [sample], make_spec("cascade:openai:m", companions=True))
    (detail,) = iterate_answers(services, run.run_id)
    assert "answer_relevance" in detail.result.metrics
    assert vendor.calls == 0


def test_the_guard_takes_a_cascade(vendor: Vendor) -> None:
    with FaithfulnessGuard("cascade:openai:m", options={"cascade_share": "1"}) as guard:
        check = guard.check(answer=SAMPLE.answer, context=[SAMPLE.chunks[0].text])
    assert check.passed
    assert [claim.decided_by for claim in check.result.claims] == ["openai:m"] * 3
    assert vendor.calls == 1


def test_the_guard_blocks_an_answer_that_the_model_cannot_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    with running(lambda _: Say(text="no JSON")) as vendor:
        point_at(vendor, monkeypatch)
        with FaithfulnessGuard("cascade:openai:m") as guard:
            check = guard.check(answer=SAMPLE.answer, context=[SAMPLE.chunks[0].text])
    assert not check.passed
    assert "openai:m was asked about 2 of 3 claims" in check.reason


@pytest.mark.parametrize("vendor_name", ["openai", "anthropic"])
def test_a_run_by_batches_submits_only_what_is_unsure(
    services: Store, vendor_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = Batches()
    with running(script) as vendor:
        point_at(vendor, monkeypatch)
        run = add_run(services, rows(), judge=JudgeSpec(name=f"cascade:{vendor_name}:m"), by_batches=True)
        summary = judge_here(services, run, poll_s=0.01)
    assert [len(batch) for batch in script.submitted.values()] == [2]
    assert (summary.states[State.JUDGED], summary.decided_by) == (4, {"embedded": 4, f"{vendor_name}:m": 4})


def test_live_answers_are_watched_by_a_cascade(services: Store, vendor: Vendor) -> None:
    records = [
        LogRecord(answer=row.answer, context=[row.chunks[0].text], record_id=row.key, question=row.question, at=_NOON)
        for row in rows()
    ]
    append_answers(services, records)
    asyncio.run(Watch(services, WatchPlan(judge=CASCADE)).round())
    (run,) = list_runs(services)
    assert sorted(deciders(services, run), key=len) == [["embedded"]] * 2 + [["openai:m", "openai:m", "embedded"]] * 2
    assert vendor.calls == 2
