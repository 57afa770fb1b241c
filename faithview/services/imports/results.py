"""One row of another tool's file as a result: its claims, else its score, else why it has none."""

from dataclasses import replace

from faithview.domain.claim import Claim
from faithview.domain.result import Result, State, Usage
from faithview.domain.sample import Sample
from faithview.formats.reading.by_columns import by_columns
from faithview.formats.reading.judged import Judged
from faithview.formats.reading.reader import Reader, Row
from faithview.formats.rows.cells import BadCell
from faithview.services.runs.judge_answer import checked

_OWN_SCORE = "{judge} faithfulness"


def judged_row(reader: Reader, row: Row) -> Judged:
    """Return what the tool found about a row; a result that cannot be read is a failed one with the reason."""
    try:
        judged = (reader.judged or by_columns)(row)
    except BadCell as error:
        return Judged(error=f"The result cannot be read: {error}.")
    return judged if judged is not None else Judged()


def to_result(judged: Judged, sample: Sample, *, judge: str, threshold: float) -> Result:
    """Return a tool's finding as a result.

    Where there are claims, faithfulness is counted from them as for every judge, and the tool's own score is kept among
    the metrics. What cannot be stored, and chunks that the answer does not have, are left out and named.
    """
    claims, notes = _with_known_chunks(judged.claims, sample)
    state = _state(judged)
    metrics = {name: value for name, value in judged.metrics.items() if 0 <= value <= 1}
    if claims and judged.score is not None:
        metrics[_OWN_SCORE.format(judge=judge)] = judged.score
    result = Result(
        state=state,
        judge=judge,
        claims=claims if state is State.JUDGED else (),
        error=_why_failed(judged, judge) if state is State.FAILED else None,
        suggestions=(*judged.suggestions, *((f"{judge}: {judged.reason}",) if judged.reason.strip() else ())),
        raw_reply=judged.raw_reply,
        given_score=judged.score if state is State.JUDGED and not claims else None,
        threshold=threshold,
        metrics=metrics,
        warnings=(*judged.notes, *notes),
        seconds=max(0.0, judged.seconds),
        usage=judged.usage or Usage(cost_usd=judged.cost_usd),
        answer_score=judged.answer_score,
    )
    try:
        return checked(result, sample, threshold=threshold)
    except ValueError as error:
        failed = (
            f"The result cannot be stored: {error}".encode("utf-8", "backslashreplace").decode().replace("\x00", " ")
        )
        return Result(state=State.FAILED, judge=judge, error=failed, threshold=threshold)


def _state(judged: Judged) -> State:
    if judged.state is not None:
        return judged.state
    if judged.claims:
        return State.JUDGED
    if judged.error is not None or judged.score is None:
        return State.FAILED
    return State.JUDGED


def _why_failed(judged: Judged, judge: str) -> str:
    return judged.error or f"{judge} gave this answer no score."


def _with_known_chunks(claims: tuple[Claim, ...], sample: Sample) -> tuple[tuple[Claim, ...], tuple[str, ...]]:
    known = {chunk.chunk_id for chunk in sample.chunks}
    unknown: dict[str, None] = {}
    kept = []
    for claim in claims:
        cited = [*claim.supporting_chunk_ids, *(item.chunk_id for item in claim.evidence)]
        missing = [chunk_id for chunk_id in cited if chunk_id not in known]
        if missing:
            unknown.update(dict.fromkeys(missing))
            claim = replace(
                claim,
                supporting_chunk_ids=tuple(i for i in claim.supporting_chunk_ids if i in known),
                evidence=tuple(item for item in claim.evidence if item.chunk_id in known),
            )
        kept.append(claim)
    listed = ", ".join(list(unknown)[:3])
    notes = (f"Claims name chunks that the row does not have: {listed}.",) if unknown else ()
    return tuple(kept), notes
