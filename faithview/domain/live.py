"""Answers that a live application logs, and the time windows (an hour or a day) that runs judge."""

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, NamedTuple

from faithview.domain.sample import Sample

# The default application name.
DEFAULT_APPLICATION = "default"
# The longest application name, in characters.
LONGEST_APPLICATION = 100
# Days for which the texts of undrawn answers are kept.
KEEP_DAYS = 30


class LogRecord(NamedTuple):
    """One answer as an application passes it, unchecked. A tuple, because creating one must be as cheap as possible.

    `answer` and `question` are texts; the question may be None. `context` is a text, a `Chunk`, a mapping with `text`
    and optionally `id`, `rank`, `score` and `metadata`, or a sequence of these. `record_id` is the application's own id
    of the answer, unique within the application; with None it gets one. `at` is when the answer was given: an aware
    datetime or a text in ISO 8601 with its time zone; None is when it is stored. `segment` is as for samples.
    `metadata` is a mapping that JSON can represent; exports have it in the columns `extra`.
    """

    answer: Any
    context: Any
    question: Any = None
    record_id: Any = None
    at: Any = None
    segment: Any = None
    metadata: Any = None
    application: Any = DEFAULT_APPLICATION


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLimits:
    """How long the texts of a logged answer may be, in characters; a record with a longer one is refused.

    Nothing is cut, because half an answer or half a context would be judged wrongly. `context` limits the sum of all
    chunks, `chunks` their number, `metadata` its length as JSON.
    """

    answer: int = 100_000
    question: int = 50_000
    context: int = 1_000_000
    chunks: int = 1_000
    metadata: int = 50_000


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedAnswer:
    """A logged answer that can be stored and judged; `sample.key` is its id, `sample.timestamp` when it was given."""

    application: str
    sample: Sample


class Fate(StrEnum):
    """The state of a logged answer.

    It waits until a watch decides on it. Then it is either taken into a run that judges it, or skipped because the
    watch judges only a sample. The texts of a skipped answer are removed after a while.
    """

    WAITING = "waiting"
    TAKEN = "taken"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A record that was not stored: its place in the batch, from 0, its id if known, and the reason."""

    index: int
    record_id: str | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Appended:
    """The result of a batch: how many records were stored, how many were duplicates, and which were refused."""

    stored: int
    known: int
    refused: tuple[Refusal, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """How many logged answers of an application are waiting, were taken and were skipped.

    `oldest_at` is when the oldest waiting one was logged; None if none is waiting.
    """

    application: str
    waiting: int
    taken: int
    skipped: int
    oldest_at: datetime | None


# Digits of the hash that are compared; far more than any sampling rate has.
_DIGITS = 15


class WindowLength(StrEnum):
    """The length of the windows that a watch divides live traffic into, in UTC."""

    HOUR = "hour"
    DAY = "day"

    @property
    def duration(self) -> timedelta:
        """The time from one window's start to the next."""
        return timedelta(hours=1) if self is WindowLength.HOUR else timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveWindow:
    """The window of a watch's run: the answers that an application logged from `starts_at` to before `ends_at`.

    Each of them was drawn with probability `sample_rate`, in (0, 1]; the run contains the drawn ones. `logged` is how
    many of them the watch has decided on so far, drawn or not.
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

    def is_like(self, other: "LiveWindow") -> bool:
        """Return whether the other is a window of the same length of the same application."""
        return (self.application, self.ends_at - self.starts_at) == (
            other.application,
            other.ends_at - other.starts_at,
        )


def window_of(moment: datetime, length: WindowLength) -> tuple[datetime, datetime]:
    """Return the start and end, in UTC, of the window that contains an aware moment."""
    moment = moment.astimezone(UTC)
    start = moment.replace(minute=0, second=0, microsecond=0)
    if length is WindowLength.DAY:
        start = start.replace(hour=0)
    return start, start + length.duration


def is_drawn(application: str, record_id: str, *, rate: float, seed: int = 0) -> bool:
    """Return whether a logged answer is in a sample of this rate.

    It depends only on the ids and the seed, so it is the same every time, and a larger rate draws all that a smaller
    one draws. Bernoulli sampling: each answer is drawn independently, with probability `rate`.
    """
    if rate >= 1:
        return True
    digest = hashlib.sha256(f"{seed}\x1e{application}\x1e{record_id}".encode()).hexdigest()
    return float(int(digest[:_DIGITS], 16) / 16**_DIGITS) < rate
