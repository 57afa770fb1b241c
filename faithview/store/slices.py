"""The data of a run's judged answers, in one wide query."""

from typing import Any, NamedTuple

from sqlalchemy import select

from faithview.domain.answer import View
from faithview.domain.result import State
from faithview.store.claims import results_under
from faithview.store.database import Database
from faithview.store.schema.runs import SampleRow


class AnswerFact(NamedTuple):
    """One judged answer; `cluster` identifies its question.

    A tuple, because tens of thousands of them are read at once.
    """

    position: int
    segment: str | None
    cluster: str
    faithfulness: float
    question: str | None
    extra: dict[str, Any]


def list_answers(db: Database, run_id: str, *, view: View) -> list[AnswerFact]:
    """Return the judged answers of a run under a view's verdicts, in the order of the file."""
    scores = results_under(view).c
    query = (
        select(
            scores.position,
            scores.segment,
            scores.cluster,
            scores.faithfulness,
            SampleRow.question,
            SampleRow.extra,
        )
        .join(SampleRow, SampleRow.id == scores.sample_id)
        .where(scores.run_id == run_id, scores.state == State.JUDGED, scores.faithfulness.is_not(None))
        .order_by(scores.position)
    )
    with db.read() as connection:
        return [AnswerFact._make(row) for row in connection.execute(query).all()]
