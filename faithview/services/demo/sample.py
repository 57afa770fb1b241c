"""The whole sample: its runs, what reviewers found in them, the same answers under a second judge, and a benchmark."""

from collections.abc import Callable

from faithview.domain.run import DEFAULT_JUDGE, JudgeSpec, Run
from faithview.services.bundled_files import sample_folder
from faithview.services.container import Services
from faithview.services.datasets import open_dataset
from faithview.services.demo.sample_reviews import load_sample_reviews
from faithview.services.demo.sample_runs import SERIES, judge_week, load_sample_runs, read_manifest, sample_week_names
from faithview.services.judge_quality.benchmark import bench, store_benchmark
from faithview.services.results.runs import list_runs
from faithview.services.results.series import list_series

SECOND_JUDGE = "lexical"
_WEEK_OF_SECOND_JUDGE = "2026-w43"
_NOTE = ", rules alone"
_SECOND_RUN = f"{_WEEK_OF_SECOND_JUDGE}{_NOTE}"


def load_sample(services: Services, *, on_step: Callable[[str], object] = lambda _: None) -> int:
    """Load the sample into a store without runs; return how many runs it made, 0 where there were some.

    Args:
        services: the services.
        on_step: called with a short sentence after each step.
    """
    runs: dict[str, Run] = {}

    def judged(run: Run) -> None:
        runs[run.name.removeprefix(f"{SERIES} ")] = run
        on_step(f"Judged {run.name}.")

    count = load_sample_runs(services, on_run=judged)
    if not count:
        return 0
    second = JudgeSpec(name=SECOND_JUDGE)
    # Before the reviews: a run takes over what people said of its claims in earlier ones, disagreements included.
    judge_week(services, _WEEK_OF_SECOND_JUDGE, judge=second, note=_NOTE, on_run=judged)
    load_sample_reviews(services, runs)
    on_step("Labelled three spot-checks as two reviewers would.")
    for judge in (JudgeSpec(name=DEFAULT_JUDGE), second):
        _bench(services, judge)
        on_step(f"Measured the judge {judge.name} on labelled answers.")
    return len(runs)


def sample_weeks(services: Services) -> dict[str, Run]:
    """Return the sample's runs by the name of their week ("2026-w43").

    Empty unless the store holds the whole sample and no other series.
    """
    if [series.name for series in list_series(services)] != [SERIES]:
        return {}
    runs = {run.name.removeprefix(f"{SERIES} "): run for run in list_runs(services, series=SERIES)}
    return runs if {*sample_week_names(), _SECOND_RUN} <= set(runs) else {}


def _bench(services: Services, judge: JudgeSpec) -> None:
    name = read_manifest()["bench"]
    rows, _ = open_dataset(sample_folder() / name).read_labelled()
    store_benchmark(services, judge, bench(rows, file=name, judge=judge))
