"""The rows of many runs with their scores, as far as pairing them needs: without texts."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import func, select

from faithview.domain.result import State
from faithview.domain.views import View
from faithview.store.database import Database
from faithview.store.runs.results_under import results_under
from faithview.store.schema.comparison import PairChoiceRow
from faithview.store.schema.runs import SampleRow


class ScoredRow(NamedTuple):
    """One row: `cluster` names its question, `score` is None where the answer has none."""

    row: int
    key: str
    cluster: str
    segment: str | None
    score: float | None

    @property
    def has_own_key(self) -> bool:
        """Whether the key came with the row; rows without one are numbered."""
        return self.key != str(self.row)


def list_scored_rows(db: Database, run_ids: Sequence[str], *, view: View) -> Mapping[str, Sequence[ScoredRow]]:
    """Return the rows of these runs, of at most 500, in the order of their files."""
    scores = results_under(view).c
    query = (
        select(
            scores.run_id,
            scores.position,
            SampleRow.key,
            scores.cluster,
            scores.segment,
            scores.state,
            scores.faithfulness,
        )
        .join(SampleRow, SampleRow.id == scores.sample_id)
        .where(scores.run_id.in_(list(run_ids)))
        .order_by(scores.run_id, scores.position)
    )
    rows: dict[str, list[ScoredRow]] = {run_id: [] for run_id in run_ids}
    with db.read() as connection:
        for run_id, row, key, cluster, segment, state, score in connection.execute(query):
            rows[run_id].append(ScoredRow(row, key, cluster, segment, score if state == State.JUDGED else None))
    return rows


def list_chosen_pairs(db: Database) -> Mapping[tuple[str, str], int]:
    """Return the pairs of runs, earlier and later, of which people paired answers, each with the newest choice."""
    query = select(PairChoiceRow.baseline_id, PairChoiceRow.candidate_id, func.max(PairChoiceRow.id)).group_by(
        PairChoiceRow.baseline_id, PairChoiceRow.candidate_id
    )
    with db.read() as connection:
        return {(before, after): newest for before, after, newest in connection.execute(query)}
