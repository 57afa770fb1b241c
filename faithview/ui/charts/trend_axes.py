"""What the charts of a trend show, and the axes that they share."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from faithview.domain.buckets import Step, in_zone
from faithview.domain.event import Event
from faithview.domain.trend import TrendLine
from faithview.domain.views import View
from faithview.stats.process import ControlLimits

# Left and right margins of the line and of the bars beneath it, in pixels: their points stand above each other.
LEFT_MARGIN, RIGHT_MARGIN = 48, 12
_AIR, _LEAST_SPAN = 0.02, 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendChart:
    """The content of the trend's line and of the bars beneath it.

    `lines` starts with the main line; the others are drawn thinner and without a band. `limits` has one interval for
    each point of the main line, and `level_changes` the moments at which its level changes. `selected_range` is shaded.
    `is_small` draws the line for a place beside other things.
    """

    lines: Sequence[TrendLine]
    events: Sequence[Event] = ()
    limits: ControlLimits | None = None
    level_changes: Sequence[datetime] = ()
    selected_range: tuple[datetime, datetime] | None = None
    step: Step = Step.RUN
    is_small: bool = False


def local_time(moment: datetime, zone: ZoneInfo) -> str:
    """Return a moment in the zone's local time; Plotly knows no time zones and draws it unchanged."""
    return in_zone(moment, zone).replace(tzinfo=None).isoformat(timespec="seconds")


def day_shape(moments: Sequence[datetime], zone: ZoneInfo) -> str:
    """Return how ticks write days, for Plotly: with the time above where all fall on one day."""
    days = {in_zone(moment, zone).date() for moment in moments}
    return "%H:%M\n%-d %b" if len(set(moments)) > 1 and len(days) == 1 else "%-d %b"


def x_range(chart: TrendChart, zone: ZoneInfo) -> list[str]:
    """Return the ends of the time axis in local time; line and bars use the same."""
    moments = [p.at for line in chart.lines for p in line.points] + [event.at for event in chart.events]
    width = timedelta(milliseconds=bar_width(chart))
    pad = max(width * 0.7, (max(moments) - min(moments)) * 0.02)
    return [local_time(min(moments) - pad, zone), local_time(max(moments) + pad, zone)]


def y_range(lines: Sequence[TrendLine]) -> list[float]:
    """Return the ends of the score axis: close around the data, but at least 0.2 apart, or a small step looks large."""
    # The main line has a band and estimates have bars; of the others the points must be on the axis.
    wide = [line for number, line in enumerate(lines) if number == 0 or line.view is View.CORRECTED]
    lows = [p.interval.low for line in wide for p in line.points if p.interval]
    lows += [p.mean for line in lines for p in line.points]
    highs = [p.interval.high for line in wide for p in line.points if p.interval]
    highs += [p.mean for line in lines for p in line.points]
    low, high = min(lows, default=0.0) - _AIR, max(highs, default=1.0) + _AIR
    more = max(0.0, _LEAST_SPAN - (high - low)) / 2
    high = min(1 + _AIR, high + more)
    low = max(0.0, min(low - more, high - _LEAST_SPAN))
    return [low, max(high, low + _LEAST_SPAN)]


def bar_width(chart: TrendChart) -> float:
    """Return the bars' width in milliseconds: a third of the smallest gap, at most the time a bar stands for."""
    day = 86_400_000.0
    most = {Step.RUN: 3 * day, Step.DAY: 0.7 * day, Step.WEEK: 3 * day, Step.MONTH: 12 * day}[chart.step]
    moments = sorted({p.at for line in chart.lines for p in line.points})
    gaps = [1000 * (b - a).total_seconds() for a, b in pairwise(moments)]
    # Points close together keep a visible bar: bars overlap rather than vanish.
    return min(most, max(min(gaps, default=day) / 3, (sum(gaps) or day) / 150))
