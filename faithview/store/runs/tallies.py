"""Counts of verdicts: how many answers of a run have how many supported and partly supported claims."""

from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import func, select

from faithview.domain.result import State
from faithview.domain.views import View
from faithview.store.database import Database
from faithview.store.runs.results_under import results_under


class Tally(NamedTuple):
    """The number of judged answers that have these numbers of claims."""

    claims: int
    supported: int
    partially_supported: int
    answers: int


class Tallies(NamedTuple):
    """A run's judged answers by their numbers of claims, and all its answers by state."""

    judged: tuple[Tally, ...]
    states: Mapping[State, int]


def count_verdicts(db: Database, run_id: str, view: View) -> Tallies:
    """Count the answers of a run by their verdicts under the view, and by state."""
    scores = results_under(view).c
    kinds = (scores.claims, scores.supported, scores.partially_supported)
    judged = (
        select(*kinds, func.count())
        .where(scores.run_id == run_id, scores.state == State.JUDGED)
        .group_by(*kinds)
        .order_by(*kinds)
    )
    states = select(scores.state, func.count()).where(scores.run_id == run_id).group_by(scores.state)
    with db.read() as connection:
        return Tallies(
            judged=tuple(Tally(*row) for row in connection.execute(judged).all()),
            states={State(state): count for state, count in connection.execute(states).all()},
        )
