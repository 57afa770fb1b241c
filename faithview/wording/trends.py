"""Points of a trend in words."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from zoneinfo import ZoneInfo

from faithview.domain.buckets import Step, in_zone
from faithview.domain.event import Event, EventKind
from faithview.domain.trend import TrendPoint
from faithview.wording import numbers as fmt


def point_score(point: TrendPoint, *, decimals: int = 2) -> str:
    """Write a point's mean with its interval and n: "0.87 (0.83–0.92, n 115)"."""
    return fmt.measure(point.mean, point.interval, point.judged, decimals=decimals)


def point_period(point: TrendPoint, step: Step, zone: ZoneInfo) -> str:
    """Write the period of a point: "19 Oct 2026", "week of 19 Oct 2026", "October 2026"."""
    local = in_zone(point.at, zone)
    if step is Step.MONTH:
        return f"{local:%B %Y}"
    return f"week of {fmt.day(local)}" if step is Step.WEEK else fmt.day(local)


KIND_NAMES: Mapping[EventKind, str] = MappingProxyType(
    {
        EventKind.KNOWLEDGE_BASE: "knowledge base",
        EventKind.PROMPT: "prompt",
        EventKind.MODEL: "model",
        EventKind.JUDGE: "judge",
        EventKind.OTHER: "something else",
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
