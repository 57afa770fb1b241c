"""The default pair of runs to compare: the last significant step of a series, or its newest runs."""

from dataclasses import dataclass

from faithview.domain.answer import View
from faithview.domain.errors import NotFound
from faithview.domain.run import Run
from faithview.services.comparison.baselines import find_pair, is_comparable
from faithview.services.container import Store
from faithview.services.level_changes import line_tests
from faithview.services.results import get_run
from faithview.services.trends import TrendQuery, load_trend


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultPair:
    """Two runs to compare; `is_step` says that the score changed significantly between them."""

    baseline: Run
    candidate: Run
    is_step: bool


def find_default_pair(store: Store, series: str | None) -> DefaultPair | None:
    """Return the runs around the last significant step of a series, or else its newest comparable runs.

    Steps are those of the main line, by the judge's verdicts: the pair does not change with labels. None if no two runs
    can be compared.
    """
    lines = load_trend(store, TrendQuery(series=series)).of_view(View.JUDGE)
    for tests in line_tests(store, lines[:1], with_drift=True):
        for step in reversed([step for step in tests.steps if step.is_real]):
            try:
                before, after = get_run(store, step.before.run_ids[-1]), get_run(store, step.after.run_ids[0])
            except NotFound:  # deleted meanwhile
                continue
            if is_comparable(store, after, before):
                return DefaultPair(baseline=before, candidate=after, is_step=True)
    newest = find_pair(store, series)
    return None if newest is None else DefaultPair(baseline=newest[0], candidate=newest[1], is_step=False)
