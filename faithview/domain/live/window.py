"""Windows of live traffic: the hour or day that a run judges, and which of its logged answers are drawn."""

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

# How many digits of the hash decide; far more than any sampling rate has.
_DIGITS = 15


class WindowLength(StrEnum):
    """How long the windows are that a watch cuts live traffic into, in UTC."""

    HOUR = "hour"
    DAY = "day"

    @property
    def duration(self) -> timedelta:
        """The time from one window's start to the next."""
        return timedelta(hours=1) if self is WindowLength.HOUR else timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveWindow:
    """What a run of a watch is about: the answers that an application logged from `starts_at` to before `ends_at`.

    Each of them was drawn with probability `sample_rate`, in (0, 1]; the run holds those that were. `logged` is how
    many logged answers the watch has decided on so far, drawn or not.
    """

    application: str
    starts_at: datetime
    ends_at: datetime
    sample_rate: float
    logged: int

    @property
    def is_sampled(self) -> bool:
        """Whether some logged answers were left out on purpose."""
        return self.sample_rate < 1

    def is_open(self, now: datetime) -> bool:
        """Return whether answers of the window can still be given."""
        return now < self.ends_at

    def is_like(self, other: "LiveWindow") -> bool:
        """Return whether the other is a window of the same length of the same application."""
        return (self.application, self.ends_at - self.starts_at) == (
            other.application,
            other.ends_at - other.starts_at,
        )


def window_of(moment: datetime, length: WindowLength) -> tuple[datetime, datetime]:
    """Return start and end, in UTC, of the window that holds an aware moment."""
    moment = moment.astimezone(UTC)
    start = moment.replace(minute=0, second=0, microsecond=0)
    if length is WindowLength.DAY:
        start = start.replace(hour=0)
    return start, start + length.duration


def is_drawn(application: str, record_id: str, *, rate: float, seed: int = 0) -> bool:
    """Return whether a logged answer belongs to a sample of this rate.

    It depends on the ids and the seed alone, so a second look decides alike, and a larger rate draws all that a smaller
    one drew. Bernoulli sampling: each answer is drawn on its own, with probability `rate`.
    """
    if rate >= 1:
        return True
    digest = hashlib.sha256(f"{seed}\x1e{application}\x1e{record_id}".encode()).hexdigest()
    return float(int(digest[:_DIGITS], 16) / 16**_DIGITS) < rate
