"""Whether the newest runs rank the same however the score is defined."""

from faithview.domain.run import Run
from faithview.services.results.runs import get_run
from faithview.ui.parts import sensitivity
from faithview.ui.parts.trend.trend_data import TrendData
from faithview.ui.shell import app

_RANKED_RUNS = 8  # more cannot be ranked at a glance


def same_conclusion(loaded: TrendData) -> None:
    """Draw the ranking of the newest runs of the main line under all definitions of the score."""
    sensitivity.same_conclusion(_newest_runs(loaded), view=loaded.view, key="trends")


def _newest_runs(loaded: TrendData) -> list[Run]:
    """Return the newest runs of the main line, oldest first."""
    points = loaded.main.points if loaded.main is not None else ()
    ids = dict.fromkeys(run_id for point in points for run_id in point.run_ids)
    return [get_run(app.services(), run_id) for run_id in list(ids)[-_RANKED_RUNS:]]
