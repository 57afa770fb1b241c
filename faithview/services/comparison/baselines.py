"""Find the runs to compare if the user names none, and decide whether faithfulness fell."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from faithview.domain.errors import InvalidInput
from faithview.domain.run import Run, RunStatus
from faithview.domain.series import SHARED_QUESTIONS, has_trend
from faithview.services.container import Store
from faithview.services.results import list_runs
from faithview.stats.intervals import ALPHA
from faithview.store import alerts

if TYPE_CHECKING:
    from faithview.services.comparison.compared_runs import Comparison

# How many of a series' newest runs `find_pair` reads; with unrelated runs it compares every pair.
_TRIED = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Fall:
    """How a run, or one segment of it, differs from its baseline on the answers that both have.

    `difference` is candidate - baseline, None if no answer was judged in both. `is_real` is true for a significant fall
    (p < `ALPHA`). `comparison` compares the whole runs; None if they have no
    answer in common.
    """

    baseline: Run
    difference: float | None
    p_value: float | None
    is_real: bool
    comparison: "Comparison | None" = None


def find_previous(store: Store, run: Run) -> Run | None:
    """Return the last complete, comparable run before this one in its series, or None.

    That run is earlier (`Run.is_before`), has the same judge and method, is not a repeat, and has at least half of this
    run's questions.
    """
    earlier = [other for other in list_runs(store, series=run.series) if other.is_before(run)]
    return next((other for other in earlier if is_comparable(store, run, other)), None)


def find_pair(store: Store, series: str | None) -> tuple[Run, Run] | None:
    """Return the two runs of a series to compare if the user names none; None if no two can be compared.

    They are the newest comparable runs, the earlier one first. If no two have the same judge, they are the newest two
    that share half of the later one's questions. Answers that were checked one at a time are not compared.
    """
    known = [
        run
        for run in list_runs(store, series=series)
        if run.status is RunStatus.COMPLETE and run.repeat_of is None and has_trend(run.series)
    ][:_TRIED]
    pairs = [(earlier, later) for at, later in enumerate(known) for earlier in known[at + 1 :]]
    comparable = (pair for pair in pairs if is_comparable(store, pair[1], pair[0]))
    by_two_judges = (pair for pair in pairs if _has_its_questions(store, pair[1], pair[0]))
    return next(comparable, None) or next(by_two_judges, None)


def is_comparable(store: Store, run: Run, other: Run) -> bool:
    """Return whether the other run is complete, by the same judge and method, and has half of this one's questions."""
    return is_alike(run, other) and _has_its_questions(store, run, other)


def is_alike(run: Run, other: Run) -> bool:
    """Return whether the other run is complete, not a repeat, and by the same judge and method; needs no query."""
    return (
        other.run_id != run.run_id
        and other.status is RunStatus.COMPLETE
        and other.repeat_of is None
        and (other.fingerprint, other.judge.method) == (run.fingerprint, run.judge.method)
    )


def find_fall(store: Store, run: Run, baseline: Run, *, segment: str | None = None) -> Fall:
    """Compare a run, or one segment of it, with its baseline by the judge's verdicts.

    Raises:
        InvalidInput: the two have no answer in common.
    """
    # Imported here so that checking a run without rules does not load the statistics.
    from faithview.services.comparison.compare import compare_runs

    comparison = compare_runs(store, baseline.run_id, run.run_id)
    if segment is None:
        difference = comparison.difference
        return Fall(
            baseline=baseline,
            difference=difference.mean,
            p_value=difference.p_value,
            is_real=comparison.is_regression,
            comparison=comparison,
        )
    for part in comparison.segments:
        if part.segment == segment:
            # Not the adjusted p-value: the segment was chosen beforehand, so this is a single test.
            is_real = part.p_value is not None and part.p_value < ALPHA and part.difference < 0
            return Fall(baseline=baseline, difference=part.difference, p_value=part.p_value, is_real=is_real)
    return Fall(baseline=baseline, difference=None, p_value=None, is_real=False)


def find_fall_or_none(store: Store, run: Run, *, segment: str | None = None) -> Fall | None:
    """Compare a run with the previous comparable run; None if there is none, or no answer is in both."""
    previous = find_previous(store, run)
    if previous is None:
        return None
    try:
        return find_fall(store, run, previous, segment=segment)
    except InvalidInput:  # no answer is in both
        return None


def _has_its_questions(store: Store, run: Run, other: Run) -> bool:
    """Return whether the other run has half of this one's questions."""

    def compute() -> bool:
        shared = alerts.count_questions(store.db, run.run_id, shared_with=other.run_id)
        return shared > 0 and shared >= SHARED_QUESTIONS * alerts.count_questions(store.db, run.run_id)

    # A run's questions never change.
    return store.cache.get("runs that share questions", (run.run_id, other.run_id), None, compute)
