"""A line of a trend as a process: its control limits and where its level changed, worked out once and kept."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial

from faithview.domain.trend import TrendLine
from faithview.services.container import Services
from faithview.stats.process import ChangePoint, ControlLimits, TooFewRuns, change_points, control_limits


@dataclass(frozen=True, slots=True, kw_only=True)
class LineProcess:
    """Control limits, one a point, and changes of level of one line; either is a sentence where points are too few."""

    limits: ControlLimits | TooFewRuns
    changes: tuple[ChangePoint, ...] | TooFewRuns
    moments: tuple[datetime, ...]

    @property
    def changed_at(self) -> list[datetime]:
        """The times of the points at which the level changed."""
        return [] if isinstance(self.changes, TooFewRuns) else [self.moments[change.at] for change in self.changes]

    @property
    def outside(self) -> list[datetime]:
        """The times of the points beyond their control limits."""
        return [] if isinstance(self.limits, TooFewRuns) else [self.moments[at] for at in self.limits.outside]


def describe_line(services: Services, line: TrendLine) -> LineProcess:
    """Return the control limits and the changes of level of a line.

    Points of equal weight in a question would be ideal; n counts judged answers, of which a question mostly has one.
    """
    means = tuple(point.mean for point in line.points)
    sizes = tuple(max(1, point.judged) for point in line.points)
    found = services.cache.get(
        "control limits and changes of level",
        (line.fingerprint, line.group, line.view),
        (means, sizes),
        partial(_work_out, means, sizes),
    )
    return LineProcess(limits=found[0], changes=found[1], moments=tuple(point.at for point in line.points))


def _work_out(
    means: tuple[float, ...], sizes: tuple[int, ...]
) -> tuple[ControlLimits | TooFewRuns, tuple[ChangePoint, ...] | TooFewRuns]:
    return control_limits(means, sizes), change_points(means, sizes)
