"""A tool's result that lies in columns: its score, its claims, and why there is no score."""

from collections.abc import Mapping

from faithview.formats.files.aliases import fold_name
from faithview.formats.reading.judged import Judged
from faithview.formats.reading.reader import Row
from faithview.formats.reading.values import BAD, GOOD, as_score, error_in, read_claims, text_of
from faithview.formats.rows.mapping import score_range


def by_columns(row: Row) -> Judged:
    """Return the result in the columns that the mapping names; raises BadCell for a score that is none."""
    mapping = row.mapping
    low, high = score_range(mapping.score_range)
    claims, notes = read_claims(row.at(mapping.claims), answer=row.sample.answer) if mapping.claims else ((), ())
    error = error_in(row.at(mapping.error)) if mapping.error else ""
    judge = text_of(row.at(mapping.judge)) if mapping.judge else ""
    score = as_score(row.at(mapping.score), low=low, high=high) if mapping.score else None
    if score is None and mapping.hallucination:
        score = score_of_hallucination(row.at(mapping.hallucination), low=low, high=high)
    if score is None and notes and not error:
        return Judged(error=notes[0], judge=judge)
    return Judged(score=score, claims=claims, error=error or None, judge=judge, notes=notes)


def score_of_hallucination(value: object, *, low: float = 0.0, high: float = 1.0) -> float | None:
    """Return the faithfulness in [0, 1] behind a score in which more is worse; raises BadCell for one that is none."""
    worse = as_score(_flipped(value), low=low, high=high)
    return None if worse is None else 1 - worse


# In a column of hallucinations a word names what was found, whichever way round the numbers are.
_FOUND: Mapping[str, bool] = {
    **dict.fromkeys(GOOD, False),
    **dict.fromkeys(BAD, True),
    **dict.fromkeys(("not_hallucinated", "no_hallucination", "no_hallucinations", "non_hallucinated"), False),
    "hallucinations": True,
}


def tells_what_was_found(value: object) -> bool:
    """Return whether a value is a word that says by itself whether there is a hallucination, as yes and 1 do not."""
    return isinstance(value, str) and fold_name(value) in _FOUND


def _flipped(value: object) -> object:
    return _FOUND[fold_name(value)] if isinstance(value, str) and fold_name(value) in _FOUND else value
