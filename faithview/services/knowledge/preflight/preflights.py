"""Preflights: begin or continue one, estimate its cost, and read what it says."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from faithview.documents.runs import RunEstimate
from faithview.domain.answer import View
from faithview.domain.errors import InvalidInput
from faithview.domain.preflight import PreflightRecord, PreflightResult
from faithview.domain.sample import Chunk, read_chunk
from faithview.services.container import Store
from faithview.services.knowledge.preflight.forecast import compute_forecast
from faithview.services.knowledge.preflight.judging import OnJudged, judge_pending, list_samples_to_judge
from faithview.services.knowledge.preflight.plan import Plan
from faithview.services.results import get_run
from faithview.services.runs.budget import NO_LIMITS, Limits
from faithview.services.runs.create import estimate_run
from faithview.services.runs.judge_answer import run_blocking
from faithview.store import preflights, results

if TYPE_CHECKING:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class PreflightProgress:
    """How many of a preflight's answers are judged; `total` are those that have to be."""

    done: int
    total: int


def to_chunks(documents: Iterable[str | Chunk | Mapping[str, Any]]) -> list[Chunk]:
    """Return chunks from texts, chunks, or dictionaries with "text" and optionally "id" and "metadata".

    Raises:
        InvalidSample: an item is of another type.
    """
    chunks = [read_chunk(item, number) for number, item in enumerate(documents, start=1)]
    return [replace(chunk, chunk_id=chunk.chunk_id or str(at)) for at, chunk in enumerate(chunks, start=1)]


def save_plan(store: Store, plan: Plan) -> PreflightRecord:
    """Store a preflight, or return the one that is stored already with the same run, versions and judge.

    Answers of that one that are judged stay so; those that the judge failed on are pending again.
    """
    record = plan.record
    known = preflights.find_preflight(store.db, content_hash=record.content_hash, fingerprint=record.fingerprint)
    if known is None:
        preflights.save_preflight(store.db, record, plan.answers, plan.passages)
        if record.answers == 0:
            preflights.finish_preflight(store.db, record.preflight_id, now=record.created_at)
        return preflights.get_preflight(store.db, record.preflight_id)
    failed = [row for row, judged in preflights.load_judged(store.db, known.preflight_id).items() if judged.error]
    if failed:
        preflights.forget_failed(store.db, known.preflight_id, failed)
    return preflights.get_preflight(store.db, known.preflight_id)


def estimate_plan(store: Store, plan: Plan) -> RunEstimate:
    """Estimate the calls, tokens and cost of judging a plan. Nothing is stored or sent.

    Answers of the same preflight that are judged already are left out.

    Raises:
        JudgeUnavailable: an option of the judge cannot be used.
    """
    record = plan.record
    known = preflights.find_preflight(store.db, content_hash=record.content_hash, fingerprint=record.fingerprint)
    done = preflights.load_judged(store.db, known.preflight_id) if known is not None else {}
    waiting = [one for one in plan.answers if one.is_judged and (one.row not in done or done[one.row].error)]
    passages = {passage.number: passage for passage in plan.passages}
    samples = (
        sample
        for first in range(0, len(waiting), _PAGE)
        for sample in list_samples_to_judge(
            results.load_details(store.db, record.run_id, [one.row for one in waiting[first : first + _PAGE]]),
            waiting[first : first + _PAGE],
            passages,
            is_run_judge=record.is_run_judge,
        )
    )
    return estimate_run(samples, record.judge, use_cache=False, given_claims=True)


# How many answers are read at a time.
_PAGE = 200


def judge_preflight(
    store: Store,
    preflight_id: str,
    *,
    concurrency: int = 8,
    workers: int = 1,
    limits: Limits = NO_LIMITS,
    on_judged: OnJudged | None = None,
) -> str | None:
    """Judge the answers of a preflight that are not judged yet.

    Each is stored when it is judged, so a preflight that was stopped in any way continues where it was.

    Args:
        store: the store.
        preflight_id: the preflight.
        concurrency: how many answers to judge at a time.
        workers: how many processes a judge on this machine may use.
        limits: the maximum calls and cost.
        on_judged: called after each answer.

    Returns:
        Why it stopped before the end, as a sentence; None if all answers are judged.

    Raises:
        NotFound: there is no such preflight.
        JudgeUnavailable: the judge cannot be built.
        InvalidInput: the judge has changed since the preflight was begun, or has no price for a cost limit.
    """
    if concurrency < 1:
        raise InvalidInput(f"The concurrency must be at least 1, not {concurrency}.")
    record = preflights.get_preflight(store.db, preflight_id)
    run = get_run(store, record.run_id)
    if preflights.count_pending(store.db, preflight_id) == 0:
        return None
    return run_blocking(
        judge_pending(store, record, run, concurrency=concurrency, workers=workers, limits=limits, on_judged=on_judged)
    )


def get_progress(store: Store, preflight_id: str) -> PreflightProgress:
    """Return how far a preflight is; raises NotFound."""
    record = preflights.get_preflight(store.db, preflight_id)
    pending = preflights.count_pending(store.db, preflight_id)
    return PreflightProgress(done=record.answers - pending, total=record.answers)


def get_preflight(store: Store, preflight_id: str, *, view: View = View.JUDGE) -> PreflightResult:
    """Return what a preflight says, as far as it is judged; raises NotFound.

    `view` says whose verdicts count as those before; the corrected view uses the reviewers'.
    """
    record = preflights.get_preflight(store.db, preflight_id)
    return compute_forecast(store, record, view)


def list_preflights(store: Store, *, run_id: str | None = None) -> Sequence[PreflightRecord]:
    """Return the stored preflights of a run, or of all runs, the newest first."""
    return preflights.list_preflights(store.db, run_id=run_id)


def delete_preflight(store: Store, preflight_id: str) -> None:
    """Delete a preflight with its texts; raises NotFound."""
    preflights.delete_preflight(store.db, preflight_id)
