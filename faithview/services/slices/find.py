"""Where a run goes wrong: its low slices, worked out once for each state of the run."""

import math
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from faithview.domain.result import State
from faithview.domain.run import Run
from faithview.domain.scoring import Interval
from faithview.domain.views import SliceDefinition, View
from faithview.services.container import Services
from faithview.services.results.runs import get_run, get_summary
from faithview.services.slices.properties import list_properties, naturalness
from faithview.stats.slices.noticeable import Noticeable
from faithview.stats.slices.search import LowSlice, SliceSearch, find_low_slices
from faithview.store.runs import revisions
from faithview.store.slices import answer_facts

__all__ = ["FoundSlice", "RunSlices", "SliceRows", "find_slices", "open_slice"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceRows:
    """A slice with its answers, as rows of the run from 1, and their mean score."""

    definition: SliceDefinition
    positions: tuple[int, ...]
    mean: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSlice:
    """A slice that scores lower than elsewhere; the figures are those of `stats.slices.search.LowSlice`.

    `positions` are the rows that count, from 1. `overlaps` are the slices before it that hold some of its answers,
    which therefore do not count here. `same` describe just the same answers otherwise, and `parts` are other low slices
    within it, or nearly.
    """

    definition: SliceDefinition
    positions: tuple[int, ...]
    questions: int
    mean: float
    elsewhere: float
    elsewhere_answers: int
    difference: float
    interval: Interval
    p_value: float
    overlaps: tuple[SliceDefinition, ...]
    same: tuple[SliceDefinition, ...]
    parts: tuple[SliceRows, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSlices:
    """Where a run goes wrong under a view.

    `answers` have a score and `left_out` count those without one, by state. `tested` counts the slices looked at, of at
    least `fewest` questions each. `noticeable` says what would have been found among the answers that are in no slice
    found; it is empty where all of them score the same, or are too few. `not_searched` names columns of the file that
    hold labels or scores of the answers, of which no slices are made.
    """

    run: Run
    view: View
    answers: int
    questions: int
    left_out: dict[str, int]
    tested: int
    fewest: int
    slices: tuple[FoundSlice, ...]
    noticeable: tuple[Noticeable, ...]
    not_searched: tuple[str, ...] = ()


def find_slices(services: Services, reference: str, *, view: View = View.JUDGE) -> RunSlices:
    """Return the slices of a run that score lower than elsewhere by more than chance, the most certain first.

    The corrected score is an estimate for a whole run, so in that view people's verdicts count.

    Args:
        services: FaithView.
        reference: the run's id or unique name.
        view: whose verdicts count.

    Raises:
        NotFound: there is no such run.
    """
    run = get_run(services, reference)
    view = View.REVIEWED if view is View.CORRECTED else view
    state = revisions.list_revisions(services.db, [run.run_id]).get(run.run_id)
    found = services.cache.get("slices", (run.run_id, view), state, partial(_work_out, services, run, view))
    return replace(found, run=run)


def open_slice(services: Services, reference: str, slice_id: str, *, view: View = View.JUDGE) -> SliceRows | None:
    """Return the answers of a slice: those that count where it was found, else all that fit its description.

    Args:
        services: FaithView.
        reference: the run's id or unique name.
        slice_id: the slice, as `SliceDefinition.slice_id` has it.
        view: whose verdicts count.

    Returns:
        The slice; None where no slice of the run has this id.

    Raises:
        NotFound: there is no such run.
    """
    found = find_slices(services, reference, view=view)
    for low in found.slices:
        rows = SliceRows(definition=low.definition, positions=low.positions, mean=low.mean)
        for other in (rows, *(replace(rows, definition=same) for same in low.same), *low.parts):
            if other.definition.slice_id == slice_id:
                return other
    return _Answers(services, found.run, found.view).look_up(slice_id)


class _Answers:
    """The judged answers of a run, and the slices that they are in."""

    def __init__(self, services: Services, run: Run, view: View) -> None:
        db = services.db
        self.answers = answer_facts.list_answers(db, run.run_id, view=view)
        self.properties = list_properties(
            self.answers,
            answer_facts.list_chunks(db, run.run_id),
            answer_facts.list_claims(db, run.run_id),
            answer_facts.list_citations(db, run.run_id),
        )

    def search(self) -> SliceSearch:
        clusters = {name: at for at, name in enumerate(dict.fromkeys(answer.cluster for answer in self.answers))}
        return find_low_slices(
            np.array([answer.faithfulness for answer in self.answers], dtype=np.float64),
            np.array([answer.claims for answer in self.answers], dtype=np.int64),
            np.array([clusters[answer.cluster] for answer in self.answers], dtype=np.int64),
            self.properties.members,
            naturalness=naturalness(self.properties),
        )

    def found(self, low: LowSlice) -> FoundSlice:
        definitions = self.properties.definitions
        return FoundSlice(
            definition=definitions[low.number],
            positions=self._positions(low.rows),
            questions=low.questions,
            mean=low.mean,
            elsewhere=low.elsewhere,
            elsewhere_answers=low.elsewhere_answers,
            difference=low.difference,
            interval=low.interval,
            p_value=low.p_value,
            overlaps=tuple(definitions[number] for number in low.overlaps),
            same=self.properties.same.get(low.number, ()),
            parts=tuple(self._whole(number, definitions[number]) for number in low.parts),
        )

    def look_up(self, slice_id: str) -> SliceRows | None:
        for number, definition in enumerate(self.properties.definitions):
            for one in (definition, *self.properties.same.get(number, ())):
                if one.slice_id == slice_id:
                    return self._whole(number, one)
        return None

    def _whole(self, number: int, definition: SliceDefinition) -> SliceRows:
        rows = self.properties.members[[number]].indices
        mean = math.fsum(self.answers[at].faithfulness for at in rows) / len(rows)
        return SliceRows(definition=definition, positions=self._positions(rows), mean=mean)

    def _positions(self, rows: NDArray[np.int64]) -> tuple[int, ...]:
        return tuple(sorted(self.answers[int(at)].position for at in rows))


def _work_out(services: Services, run: Run, view: View) -> RunSlices:
    answers = _Answers(services, run, view)
    search = answers.search()
    states = get_summary(services, run.run_id, view=view).states
    return RunSlices(
        run=run,
        view=view,
        answers=search.answers,
        questions=search.questions,
        left_out={state: count for state, count in states.items() if count and state != State.JUDGED},
        tested=search.tested,
        fewest=search.fewest,
        slices=tuple(answers.found(low) for low in search.slices),
        noticeable=search.noticeable,
        not_searched=answers.properties.left_out,
    )
