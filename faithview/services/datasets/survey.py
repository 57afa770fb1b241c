"""What the rows of a file amount to, before it is judged."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from faithview.formats.dataset import Question, ReadReport


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """What a file's rows amount to under a mapping.

    Attributes:
        answers: how many rows can be used.
        chunks: how many answers have so many chunks.
        segments: how many segments there are.
        first: the time of the earliest answer that has one; None where none has.
        last: that of the latest.
        timed: how many answers have a time.
        is_partial: whether only the first rows of the file were looked at.
        questions: what has to be asked of a tool's scores because of rows further down (`ScoreCheck`).
        report: the rows that cannot be used, warnings, and the dates that need an order of day and month.
    """

    answers: int
    chunks: Mapping[int, int]
    segments: int
    first: datetime | None
    last: datetime | None
    timed: int
    report: ReadReport
    is_partial: bool = False
    questions: tuple[Question, ...] = ()

    @property
    def told_date_order(self) -> str | None:
        """The order of day and month that some dates show, where none shows the other one."""
        return told_order(self.report)


def told_order(report: ReadReport) -> str | None:
    """Return the order of day and month that some dates of a file show, where none shows the other one."""
    orders = report.date_orders
    return next(iter(orders)) if len(orders) == 1 else None
