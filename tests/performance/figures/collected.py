"""The figures of the two labelled runs, from all places, and worked out apart."""

from collections.abc import Mapping, Sequence

from tests.performance.figures import places, recomputed
from tests.performance.figures.answers import RUN_A, RUN_B
from tests.performance.figures.commands import Commands
from tests.performance.figures.pages import Pages
from tests.performance.figures.places import Shown

_RUNS = (RUN_A, RUN_B)


def collect_answers(commands: Commands, pages: Pages, *, formats: Mapping[str, Sequence[str]]) -> list[Shown]:
    """Return every figure of the runs and of their difference; `formats` are those to export in, by view."""
    shown: list[Shown] = []
    for check, run in enumerate(_RUNS, start=1):
        shown += places.run_figures(commands, pages, run, formats=formats)
        shown += places.corrected_figures(commands, pages, run, check, is_newest=run == RUN_B)
    shown += places.headline_figures(pages, RUN_B)
    shown += places.pair_figures(commands, pages, *_RUNS)
    shown += places.corrected_pair_figures(commands, pages, *_RUNS)
    shown += places.slice_figures(commands, pages, RUN_B)
    for view in places.VIEWS:
        rows = {run: places.exported_rows(commands, run, view) for run in _RUNS}
        for run in _RUNS:
            shown += recomputed.of_run(run, rows[run], view)
        compared = commands.json("compare", *_RUNS, "--view", view)
        is_tested = compared["p_value"] is not None
        shown += recomputed.of_pair(*_RUNS, (rows[RUN_A], rows[RUN_B]), view, is_tested=is_tested)
        shown += recomputed.adjusted_p(f"{RUN_A} to {RUN_B}, {view}", compared["segments"])
        if view == "judge":
            shown += recomputed.of_labels(RUN_A, rows[RUN_A])
            shown += recomputed.of_correction(RUN_A, rows[RUN_A])
    return shown


def collect_judges(commands: Commands, pages: Pages) -> list[Shown]:
    """Return how good the judge of the series `nac` is, whose spot-check is its only source of labels."""
    figures = ("labelled claims", "agreement", "kappa", "recall", "specificity")
    shown = list(places.judge_figures(commands, pages, "nac0", "nac", only=figures))
    shown += places.raw_figures(commands, pages, "nac0")
    return shown + list(recomputed.of_labels("nac0", places.exported_rows(commands, "nac0", "judge")))


def collect_carried(commands: Commands, pages: Pages) -> list[Shown]:
    """Return the same of labels that five later runs have taken over."""
    return list(places.judge_figures(commands, pages, "car0", "car", only=("agreement", "kappa")))
