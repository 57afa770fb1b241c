"""Rank runs under each definition of the score, to see whether the ranking depends on the definition."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from faithview.domain.answer import View
from faithview.domain.result import State
from faithview.services.container import Store
from faithview.services.results import get_run
from faithview.stats.sensitivity import RunVerdicts, Sensitivity, sensitivity
from faithview.store import revisions, summaries

__all__ = ["Ranking", "rank_runs"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Runs under every definition of the score.

    `ranked` are the ids of the runs in `sensitivity`, in its order. `left_out` are those with answers that another tool
    scored without claims: the definitions need claims. `answers` counts the judged answers of each ranked run.
    """

    sensitivity: Sensitivity
    ranked: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    answers: tuple[int, ...] = ()


def rank_runs(store: Store, run_ids: Sequence[str], *, view: View = View.JUDGE) -> Ranking:
    """Score and rank runs, in the order given, under every definition; raises NotFound.

    The result is cached until one of the runs or its labels change.
    """
    states = tuple(revisions.list_revisions(store.db, run_ids).values())
    return store.cache.get(
        "sensitivity",
        (tuple(run_ids), view),
        states,
        lambda: _rank_known_runs(store, run_ids, view),
    )


def _rank_known_runs(store: Store, run_ids: Sequence[str], view: View) -> Ranking:
    verdicts = {run_id: _load_verdicts(store, run_id, view) for run_id in run_ids}
    known = {run_id: counted for run_id, counted in verdicts.items() if counted is not None}
    return Ranking(
        sensitivity=sensitivity(list(known.values())),
        ranked=tuple(known),
        left_out=tuple(run_id for run_id in verdicts if run_id not in known),
        answers=tuple(len(counted.claims) for counted in known.values()),
    )


def _load_verdicts(store: Store, run_id: str, view: View) -> RunVerdicts | None:
    """Return a run's verdicts; None if some of its scores have no claims."""
    run = get_run(store, run_id)
    counts = summaries.count_verdicts(store.db, run.run_id, view)
    if any(tally.claims == 0 for tally in counts.judged):
        return None
    judged = np.array([(t.claims, t.supported, t.partially_supported) for t in counts.judged], dtype=np.int64)
    judged = judged.reshape(-1, 3).repeat([t.answers for t in counts.judged], axis=0)
    return RunVerdicts(
        claims=judged[:, 0],
        supported=judged[:, 1],
        partial=judged[:, 2],
        without_claims=sum(counts.states.get(state, 0) for state in (State.NO_CLAIMS, State.ABSTAINED)),
        unscored=sum(counts.states.get(state, 0) for state in (State.FAILED, State.PENDING)),
    )
