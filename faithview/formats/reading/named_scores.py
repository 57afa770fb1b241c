"""Scores that a tool stores under names with an answer: the result, metrics, and human annotations."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from faithview.formats.reading.reader import Annotation, Judged, Row
from faithview.formats.reading.score_columns import (
    by_columns,
    is_about_faithfulness,
    is_more_worse,
    score_of_hallucination,
)
from faithview.formats.reading.values import as_metric, as_score, share_verdict
from faithview.formats.rows.cells import BadCell, is_missing
from faithview.formats.rows.mapping import score_range


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedScore:
    """One score about one answer.

    Attributes:
        name: its name in the tool.
        value: the tool's value: a number, a word, a flag, or None.
        reason: its explanation.
        judge: its author, which may be a person; "" if unknown.
        is_human: whether a person gave it.
        at: its time; None if unknown.
        error: why there is no value.
        about: the step of a trace that it is about; "" for the whole answer.
        is_reference: whether it is the right answer and not a score.
    """

    name: str
    value: object
    reason: str = ""
    judge: str = ""
    is_human: bool = False
    at: datetime | None = None
    error: str = ""
    about: str = ""
    is_reference: bool = False


def score_cells(scores: Iterable[NamedScore], *, prefix: str) -> dict[str, object]:
    """Return a column `PREFIX + NAME` for each name. The last score counts; a machine's outweighs a person's."""
    by_name: dict[str, list[NamedScore]] = {}
    for score in _named(scores):
        by_name.setdefault(f"{prefix}{score.name}", []).append(score)
    return {name: _counting(several).value for name, several in by_name.items()}


def _named(scores: Iterable[NamedScore]) -> list[NamedScore]:
    return [score for score in scores if score.name and not score.is_reference]


def _counting(scores: Sequence[NamedScore]) -> NamedScore:
    """Return the effective score of one name: the last one of a machine, even if it has no value."""
    rivals = [score for score in scores if not score.is_human] or scores
    telling = [score for score in rivals if score.error or not is_missing(score.value)]
    return (telling or rivals)[-1]


def judged_by_names(row: Row, scores: Sequence[NamedScore], *, prefix: str) -> Judged:
    """Return the result in the mapped score's column, with its reason and judge; the other scores are metrics.

    Human scores of faithfulness become annotations, except for one that is the result because no machine gave any.
    """
    scores = _named(scores)
    column = row.mapping.score or row.mapping.hallucination or ""
    own = [score for score in scores if f"{prefix}{score.name}" == column]
    chosen = _counting(own) if own else None
    others = [score.name for score in scores if f"{prefix}{score.name}" != column]
    metrics = {name: as_metric(row.cells.get(f"{prefix}{name}")) for name in others}
    annotations, notes = _annotations(scores, chosen, column=column, prefix=prefix, row=row)
    if chosen is not None and chosen.error and is_missing(chosen.value):
        judged = Judged(error=chosen.error)
    else:
        judged = by_columns(row if chosen is None else replace(row, cells={**row.cells, column: chosen.value}))
    return replace(
        judged,
        judge=(chosen.judge if chosen else "") or judged.judge,
        reason=(chosen.reason if chosen else "") or judged.reason,
        metrics={name: share for name, share in metrics.items() if share is not None},
        annotations=annotations,
        notes=(*judged.notes, *notes),
    )


def _annotations(
    scores: Sequence[NamedScore], chosen: NamedScore | None, *, column: str, prefix: str, row: Row
) -> tuple[tuple[Annotation, ...], tuple[str, ...]]:
    found: list[Annotation] = []
    notes: list[str] = []
    for score in scores:
        name = f"{prefix}{score.name}"
        if not score.is_human or score is chosen or not (name == column or is_about_faithfulness(score.name)):
            continue
        # The user has said the direction of the mapped score; the names of the others tell theirs.
        is_worse = name == row.mapping.hallucination or (name != row.mapping.score and is_more_worse(score.name))
        low, high = score_range(row.mapping.score_range if name == column else None)
        read = score_of_hallucination if is_worse else as_score
        try:
            share = read(score.value, low=low, high=high)
        except BadCell as error:
            notes.append(f"The value of {score.judge or 'a person'} under {score.name!r} is not a verdict: {error}.")
            continue
        if share is not None:
            verdict = share_verdict(share)
            found.append(Annotation(verdict=verdict, reviewer=score.judge, note=score.reason, at=score.at))
    return tuple(found), tuple(notes)
