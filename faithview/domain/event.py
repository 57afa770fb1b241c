"""Events: what happened at a point in time and may show in the scores."""

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
    """Something that happened, as a person noted it down or as it was detected from the runs.

    `event_id` is None for a detected one. A detected event stands at the time of the first run that shows it: it
    happened at some time after the run before. `kb_version` is the knowledge base's version from then on, None where it
    is not known. `before_run_id` and `after_run_id` are the runs to be compared to see what it did, None where there
    is no complete run on that side yet.
    """

    event_id: int | None = None
    at: datetime
    kind: EventKind = EventKind.OTHER
    label: str
    kb_version: str | None = None
    is_detected: bool = False
    before_run_id: str | None = None
    after_run_id: str | None = None
