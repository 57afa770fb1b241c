"""A run judged with the vendor's batches: submit, poll until it is done, collect; can be resumed after a restart."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace

from faithview.domain.errors import InvalidInput, JudgeFailed
from faithview.domain.result import Result, State
from faithview.domain.run import Run
from faithview.domain.sample import Sample
from faithview.judges.base import Judge
from faithview.judges.capabilities import AsksModel
from faithview.services.runs.judge_answer import checked
from faithview.services.runs.judge_rows import JudgedRow, Row, Save, load_unknown, share_result
from faithview.store import runs
from faithview.store.database import Database

_log = logging.getLogger(__name__)

# A batch takes hours; a few failed polls in a row are not an error.
_MOST_FAILURES = 5


def begin_batches(judge: Judge) -> str:
    """Return the state of a batch run before its first batch.

    Raises:
        InvalidInput: the judge does not support batches.
    """
    if not isinstance(judge, AsksModel):
        raise InvalidInput(f"Judge {judge.name!r} cannot judge by batches; leave --batch out.")
    from faithview.judges.llm.batch import BatchState

    return BatchState(fingerprint=judge.fingerprint).to_json()


async def judge_by_batches(db: Database, run: Run, judge: Judge, save: Save, *, poll_s: float) -> None:
    """Judge every pending row of the run, and save the results as the batches bring them.

    Raises:
        JudgeFailed: a batch could not be submitted, or the vendor did not answer for a long time. The batch's id is
            stored, so the run can be resumed.
    """
    from faithview.judges.llm.batch import BatchState, advance

    stored = runs.find_batch_state(db, run.run_id)
    if stored is None or not isinstance(judge, AsksModel):
        raise InvalidInput(f"Run {run.run_id} is not judged by batches.")
    state = BatchState.from_json(stored)
    pending = await load_unknown(db, run, save)  # of each group with the same texts, one row goes into a batch

    async def keep(by_key: Mapping[str, Result]) -> None:
        judged: list[JudgedRow] = []
        left: list[Sequence[Row]] = []
        for rows in pending:
            key = rows[0][1].key
            shared, rest = share_result(rows, _checked(by_key[key], rows[0][1], run)) if key in by_key else ([], rows)
            judged += shared
            left += [rest] if rest else []
        await save(judged)
        pending[:] = left

    async def take_step() -> BatchState:
        following = await advance(judge, state, [rows[0][1] for rows in pending], keep=keep)
        await asyncio.to_thread(runs.save_batch_state, db, run.run_id, following.to_json())
        return following

    failures = 0
    while pending:
        step = asyncio.ensure_future(take_step())
        try:
            state, failures = await asyncio.shield(step), 0
        except JudgeFailed as error:
            failures += 1
            if state.batch_id is None or failures >= _MOST_FAILURES:
                raise
            _log.warning("The state of batch %s of run %s could not be fetched: %s", state.batch_id, run.run_id, error)
        except asyncio.CancelledError:
            await asyncio.wait([step])  # a batch that was submitted and is not stored would be submitted twice
            raise
        if pending:
            await asyncio.sleep(poll_s)


def _checked(result: Result, sample: Sample, run: Run) -> Result:
    try:
        return checked(result, sample, threshold=run.threshold)
    except ValueError as error:
        _log.exception("Judge %s failed on row %s", run.fingerprint, sample.key)
        reason = f"The judge failed unexpectedly: {type(error).__name__}: {error!a}"
        return replace(result, state=State.FAILED, claims=(), error=reason, suggestions=(), metrics={}, raw_reply=None)
