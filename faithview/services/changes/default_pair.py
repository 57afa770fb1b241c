"""The two runs of a series that Compare shows where nobody names any."""

from dataclasses import dataclass

from faithview.domain.errors import NotFound
from faithview.domain.run import Run
from faithview.domain.views import View
from faithview.services.changes.step_tests import StepTests
from faithview.services.comparison.baselines import find_pair, is_comparable
from faithview.services.container import Services
from faithview.services.results.runs import get_run
from faithview.services.trends.by_run import TrendQuery, load_trend
from faithview.stats.trend_steps import line_tests


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultPair:
    """Two runs to compare; `is_step` says that the score moved by more than chance from the one to the other."""

    baseline: Run
    candidate: Run
    is_step: bool


def find_default_pair(services: Services, series: str | None) -> DefaultPair | None:
    """Return the runs around the last step of a series that is significant, else its newest comparable runs.

    Steps are those of the main line, by the judge's verdicts (`stats/trend_steps.py`): the pair stays the
    same when people label. None where no two runs have a comparison.
    """
    step = _last_step(services, series)
    if step is not None:
        return step
    newest = find_pair(services, series)
    return None if newest is None else DefaultPair(baseline=newest[0], candidate=newest[1], is_step=False)


def _last_step(services: Services, series: str | None) -> DefaultPair | None:
    # Here, so that checking a run without rules does not load the statistics.

    lines = load_trend(services, TrendQuery(series=series), views=(View.JUDGE,)).of_view(View.JUDGE)
    if not lines:
        return None
    (tests,) = line_tests(lines[:1], StepTests(services, lines[:1]), with_drift=True)
    for step in reversed(tests.steps):
        if not step.is_real:
            continue
        try:
            before, after = get_run(services, step.before.run_ids[-1]), get_run(services, step.after.run_ids[0])
        except NotFound:  # deleted meanwhile
            continue
        if is_comparable(services, after, before):
            return DefaultPair(baseline=before, candidate=after, is_step=True)
    return None
