"""What went wrong is counted, and failed answers become pending again with their cost kept."""

from dataclasses import replace
from datetime import timedelta

import pytest

from faithview import Result, Sample, State, Verdict
from faithview.domain.errors import RunConflict
from faithview.domain.result import Usage, Weakness
from faithview.domain.run import RunStatus
from faithview.services.container import Store
from faithview.services.results import Trouble, list_troubles
from faithview.store import results, runs, samples
from faithview.store.database import Database
from tests.factories import HOSTILE, NOW, make_result, store_run

_SPENT = Usage(llm_calls=4, prompt_tokens=100, completion_tokens=10, cost_usd=0.5)
_SAMPLES = [Sample(answer=f"Answer {n}.", key=str(n)) for n in range(1, 6)]


def _failed(error: str) -> Result:
    return make_result(state=State.FAILED, error=error, usage=_SPENT, raw_reply="No.")


def _store(db: Database) -> None:
    judged = make_result(Verdict.SUPPORTED)
    repaired = ("Repaired: a was b (2 times).", "Repaired: c.")
    store_run(
        db,
        _SAMPLES,
        [
            _failed(f"Status 400, request req_1a2b3c: {HOSTILE}"),
            _failed(f"Status 400, request req_9f: {HOSTILE}"),
            _failed("Unreachable."),
            replace(judged, warnings=repaired),
            replace(judged, warnings=("Repaired: a was b.", "No relevance figures: it broke.")),
        ],
    )


def test_errors_repairs_and_gaps_are_counted_by_kind(db: Database) -> None:
    _store(db)
    troubles = list_troubles(Store(db), "r1")
    assert [(error.answers, error.text.split(",")[0]) for error in troubles.errors] == [
        (2, "Status 400"),
        (1, "Unreachable."),
    ]
    assert (troubles.failed, troubles.repaired) == (3, 2)
    assert troubles.repairs == (Trouble(text="a was b", answers=2), Trouble(text="c", answers=1))
    assert troubles.gaps == (Trouble(text="No relevance figures: it broke.", answers=1),)
    assert list_troubles(Store(db), "unknown").errors == ()


def test_claims_that_cannot_be_checked_are_added_up_and_are_no_gaps(db: Database) -> None:
    judged = make_result(Verdict.SUPPORTED)
    unquoted = "The verdict on {} needs a quote and has none that is in a chunk."
    unplaced = "The words of 2 claims were not found in the answer."
    warnings: list[tuple[str, ...]] = [
        (unquoted.format("1 claim"), "Repaired: c."),
        (unquoted.format("1 claim"),),
        (unquoted.format("12 claims"), unplaced),
        (),
        ("The verdict on 3 claims is odd.",),
    ]
    store_run(db, _SAMPLES, [replace(judged, warnings=texts) for texts in warnings])
    troubles = list_troubles(Store(db), "r1")
    assert troubles.weak == {Weakness.UNQUOTED: (14, 3), Weakness.UNPLACED: (2, 1)}
    assert (troubles.unquoted, troubles.unplaced) == (14, 2)
    assert [gap.text for gap in troubles.gaps] == ["The verdict on 3 claims is odd."]
    assert troubles.repaired == 1
    assert list_troubles(Store(db), "unknown").unquoted == 0


def test_failed_answers_become_pending_and_what_they_cost_is_added_to(db: Database) -> None:
    _store(db)
    before = runs.get_run(db, "r1", now=NOW).revision
    assert runs.reset_failed(db, "r1", now=NOW) == 3
    run = runs.get_run(db, "r1", now=NOW)
    assert run.status is RunStatus.PENDING
    assert run.revision > before
    pending = samples.list_pending(db, "r1", after=0, limit=10)
    assert [position for position, _ in pending] == [1, 2, 3]
    detail = results.get_answer(db, "r1", "1")
    assert (detail.result.state, detail.result.error, detail.result.raw_reply) == (State.PENDING, None, None)
    runs.take_run(db, "r1", worker="w", now=NOW)
    again = make_result(Verdict.SUPPORTED, usage=replace(_SPENT, cost_usd=None))
    results.save_results(db, "r1", [(1, _SAMPLES[0], again)], worker="w", now=NOW, seconds=1.0)
    usage = results.get_answer(db, "r1", "1").result.usage
    assert (usage.llm_calls, usage.prompt_tokens, usage.cost_usd) == (8, 200, 0.5)
    assert runs.reset_failed(db, "unknown", now=NOW) == 0


def test_a_run_that_is_being_judged_keeps_its_failed_answers(db: Database) -> None:
    _store(db)
    runs.take_run(db, "r1", worker="w", now=NOW)
    with pytest.raises(RunConflict, match="is being judged"):
        runs.reset_failed(db, "r1", now=NOW)
    assert samples.list_pending(db, "r1", after=0, limit=10) == []
    assert runs.reset_failed(db, "r1", now=NOW + timedelta(minutes=5)) == 3
