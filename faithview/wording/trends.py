"""Points of a trend in words."""

from zoneinfo import ZoneInfo

from faithview.domain.buckets import Step, in_zone
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
