"""The words for events: in a sentence, in a list and on a chart."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from zoneinfo import ZoneInfo

from faithview.domain.buckets import in_zone
from faithview.domain.event import Event, EventKind

KIND_NAMES: Mapping[EventKind, str] = MappingProxyType(
    {
        EventKind.KNOWLEDGE_BASE: "knowledge base",
        EventKind.PROMPT: "prompt",
        EventKind.MODEL: "model",
        EventKind.JUDGE: "judge",
        EventKind.OTHER: "something else",
    }
)
SHORT_KIND_NAMES: Mapping[EventKind, str] = MappingProxyType(
    {
        EventKind.KNOWLEDGE_BASE: "KB",
        EventKind.PROMPT: "Prompt",
        EventKind.MODEL: "Model",
        EventKind.JUDGE: "Judge",
        EventKind.OTHER: "",
    }
)
_KINDS_IN_A_SENTENCE: Mapping[EventKind, str] = MappingProxyType(
    {
        EventKind.KNOWLEDGE_BASE: "update of the knowledge base",
        EventKind.PROMPT: "change of the prompt",
        EventKind.MODEL: "change of the model",
        EventKind.JUDGE: "change of the judge",
        EventKind.OTHER: "event",
    }
)


def event_words(event: Event, zone: ZoneInfo) -> str:
    """Write an event for a sentence: "the update of the knowledge base of 14 October"."""
    return f"the {_KINDS_IN_A_SENTENCE[event.kind]} of {day_and_month(event.at, zone)}"


def days_and_months(moments: Sequence[datetime], zone: ZoneInfo) -> list[str]:
    """Write days as `day_and_month` does, with the times of those that fall on one day: "14 October, 09:30"."""
    days = [day_and_month(moment, zone) for moment in moments]
    return [
        f"{day}, {in_zone(moment, zone):%H:%M}" if days.count(day) > 1 else day
        for day, moment in zip(days, moments, strict=True)
    ]


def day_and_month(moment: datetime, zone: ZoneInfo) -> str:
    """Write a day without its year: "14 October"."""
    local = in_zone(moment, zone)
    return f"{local.day} {local:%B}"
