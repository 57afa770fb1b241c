"""Events: changes at a point in time that may affect the scores."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class EventKind(StrEnum):
    """What an event changed: the knowledge base, the system's prompt or model, the judge, or something else."""

    KNOWLEDGE_BASE = "knowledge_base"
    PROMPT = "prompt"
    MODEL = "model"
    JUDGE = "judge"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A change that a person recorded or that was detected from the runs.

    `event_id` is None for a detected one. A detected event has the time of the first run that shows it: it happened
    at some time after the run before. `kb_version` is the knowledge base's version from then on, None if it is not
    known. `before_run_id` and `after_run_id` are the runs to compare to see the effect, None if there is no complete
    run on that side yet.
    """

    event_id: int | None = None
    at: datetime
    kind: EventKind = EventKind.OTHER
    label: str
    kb_version: str | None = None
    is_detected: bool = False
    before_run_id: str | None = None
    after_run_id: str | None = None
