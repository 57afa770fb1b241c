"""The data behind faithfulness over time, as the trends page and the overview draw it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from faithview.domain.buckets import Step, get_zone
from faithview.domain.event import Event
from faithview.domain.trend import Grouping, Trend, TrendLine, TrendPoint
from faithview.domain.views import View
from faithview.services.changes.level_changes import TrendFinding, summarise_trend
from faithview.services.container import Services
from faithview.services.review.checks.label_balance import are_balanced
from faithview.services.trends.by_run import TrendQuery, load_trend
from faithview.services.trends.control_chart import LineProcess, describe_line
from faithview.services.trends.events import list_events
from faithview.ui.shell import app, series


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendChoices:
    """What a person chose to see: a point for each run or period, the panels' groups, the time zone and the view."""

    step: Step
    grouping: Grouping = Grouping.SEGMENT
    zone_name: str
    view: View

    @property
    def zone(self) -> ZoneInfo:
        """The time zone in which days begin and times are shown."""
        return get_zone(self.zone_name)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendData:
    """Lines, events and findings. `events` are those between the first and the last point of `whole`.

    `view` is the view of the finding and the main line: the chosen one, or the judge's. `process` is None where there
    is no main line.
    """

    whole: Trend
    grouped: Trend
    events: Sequence[Event]
    all_events: Sequence[Event]
    finding: TrendFinding
    process: LineProcess | None
    view: View

    @property
    def main(self) -> TrendLine | None:
        """The main line; None where there is nothing to draw."""
        return self.finding.line

    def newest(self, view: View) -> TrendPoint | None:
        """Return the newest point of a view's lines; a run without labels has the judge's score in the reviewed one."""
        shown = [line.points[-1] for line in self.whole.of_view(view)]
        newest = max(shown, key=lambda point: point.at, default=None)
        judged = self.newest(View.JUDGE) if view is View.REVIEWED else None
        return judged if judged is not None and (newest is None or newest.at < judged.at) else newest

    def lines(self) -> list[TrendLine]:
        """Return the lines of the large chart, the main one first."""
        shown = self.whole.of_view(self.view)
        return [*shown, *(line for view in View if view is not self.view for line in self.whole.of_view(view))]


def load_trend_data(chosen: TrendChoices) -> TrendData:
    """Load what the choices ask for, of the series in view. The finding is the judge's where the view has gaps."""
    services = app.services()
    in_view = series.in_view()
    query = TrendQuery(step=chosen.step, zone=chosen.zone_name, series=in_view)
    whole = load_trend(services, query)
    view = _view_of_finding(services, whole, chosen.view)
    # A segment has no corrected estimate, so its panel shows people's verdicts.
    panel_view = View.REVIEWED if view is View.CORRECTED and chosen.grouping is Grouping.SEGMENT else view
    by_segment = load_trend(services, replace(query, grouping=Grouping.SEGMENT), views=(panel_view,))
    grouped = by_segment
    if chosen.grouping is not Grouping.SEGMENT:
        grouped = load_trend(services, replace(query, grouping=chosen.grouping), views=(panel_view,))
    events = list_events(services, series=in_view)
    finding = summarise_trend(services, whole, by_segment, events, view=view)
    return TrendData(
        whole=whole,
        grouped=grouped,
        events=_between_points(events, whole),
        all_events=events,
        finding=finding,
        process=describe_line(services, finding.line) if finding.line else None,
        view=view,
    )


def _view_of_finding(services: Services, whole: Trend, chosen: View) -> View:
    """Return the chosen view if its line can carry the finding, else the judge's.

    Corrected scores rest on a few answers each, and a reviewed line with gaps says nothing of the runs in them. Where
    the runs are not labelled alike, labels alone make steps in it.
    """
    judged, own = whole.of_view(View.JUDGE), whole.of_view(chosen)
    if chosen is View.CORRECTED or not own or not judged:
        return View.JUDGE
    is_whole = own[0].fingerprint == judged[0].fingerprint and len(own[0].points) == len(judged[0].points)
    if not is_whole or chosen is View.JUDGE:
        return View.JUDGE
    run_ids = dict.fromkeys(run_id for point in own[0].points for run_id in point.run_ids)
    return chosen if are_balanced(services, list(run_ids)) else View.JUDGE


def _between_points(events: Sequence[Event], trend: Trend) -> list[Event]:
    """Return the events between the first and the last point: no score can show a later one yet."""
    points = [point for line in trend.lines for point in line.points]
    if not points:
        return []
    first, last = min(p.at for p in points), max(p.end or p.at for p in points)
    return [event for event in events if first <= event.at <= last]
