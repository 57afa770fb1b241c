"""A line of a trend as a process: its control limits and its level changes, cached."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial

from faithview.domain.trend import TrendLine
from faithview.services.container import Services
from faithview.stats.conventions import ALPHA
from faithview.stats.process import ChangePoint, ControlLimits, TooFewRuns, change_points, control_limits


@dataclass(frozen=True, slots=True, kw_only=True)
class LineProcess:
    """Control limits, one per point, and level changes of one line; either is a sentence where points are too few."""

    limits: ControlLimits | TooFewRuns
    changes: tuple[ChangePoint, ...] | TooFewRuns
    moments: tuple[datetime, ...]

    @property
    def changed_at(self) -> list[datetime]:
        """The times of the points at which the level changed."""
        return [] if isinstance(self.changes, TooFewRuns) else [self.moments[change.at] for change in self.changes]

    @property
    def open_fall(self) -> ChangePoint | None:
        """The newest change of level if it is a fall; None where it is a rise, or there is none."""
        if isinstance(self.changes, TooFewRuns) or not self.changes:
            return None
        newest = self.changes[-1]
        return newest if newest.after < newest.before else None

    @property
    def outside(self) -> list[datetime]:
        """The times of the points beyond their control limits."""
        return [] if isinstance(self.limits, TooFewRuns) else [self.moments[at] for at in self.limits.outside]


def describe_line(services: Services, line: TrendLine) -> LineProcess:
    """Return the control limits and the level changes of a line.

    A point's size is its number of judged answers, since most questions have one answer.
    """
    means = tuple(point.mean for point in line.points)
    sizes = tuple(max(1, point.judged) for point in line.points)
    return services.cache.get(
        "control limits and changes of level",
        (line.fingerprint, line.group, line.view),
        (means, sizes, tuple(point.at for point in line.points)),
        partial(_describe, line, means, sizes),
    )


def _describe(line: TrendLine, means: tuple[float, ...], sizes: tuple[int, ...]) -> LineProcess:
    return LineProcess(
        limits=control_limits(means, sizes),
        # The other half of the level is for the steps, which are tested on the same line (`trend_steps.line_tests`).
        changes=change_points(means, sizes, level=ALPHA / 2),
        moments=tuple(point.at for point in line.points),
    )
