"""What each family of figures is worth to the embedded judge, and the two checks of records, by fits without them.

See README.md. The families are those that `faithview bench FILE --ablate` leaves out on one file.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from unittest import mock

from faithview.judges.lexical import analysis
from faithview.judges.lexical.records.yes_no import NOTHING_SAID
from faithview.services.dataset_files import open_dataset
from faithview.services.judge_quality.ablation import ABLATED_FIGURES, DRAWS, Ablation, ablate_answers
from faithview.services.judge_quality.fit import SETTINGS, cross_validated, figures_out_of_fold, read_answers
from faithview.stats import judge_quality
from tests.dashboard import ROOT
from tests.performance import tables
from tests.performance.judge_quality import FITTED, held_out, read_rows

_FOLDER = ROOT.parent / "shared" / "bench"
_NAMES = {"claim_auroc": "claim AUROC", "auroc": "answer AUROC", "balanced_accuracy": "balanced accuracy"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the tables, and return 0; 2 where the labelled files are not there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=_FOLDER, help="where the labelled files are")
    parser.add_argument("--files", nargs="*", default=FITTED, help="which of them to take")
    parser.add_argument("--helpdesk", type=Path, default=None, help="what `python -m tests.helpdesk` wrote")
    parser.add_argument("--checks-only", action="store_true", help="only switch off the checks of records")
    parser.add_argument("--draws", type=int, default=DRAWS, help="how many times each fit is repeated")
    options = parser.parse_args(arguments)
    if not options.folder.exists():
        sys.stderr.write(f"No labelled files in {options.folder}; name their folder with --folder.\n")
        return 2
    sys.stdout.write(f"{tables.machine()}\n")
    _show_checks(options.folder, options.draws)
    if not options.checks_only:
        rows = {name: read_rows(name, options.folder) for name in options.files}
        if options.helpdesk is not None:
            rows["helpdesk"] = open_dataset(options.helpdesk).read_labelled()[0]
        show_families({name: ablate_answers(read_answers(rows[name]), draws=options.draws) for name in rows})
    return 0


def show_families(measured: Mapping[str, Ablation]) -> None:
    """Print one table a figure: its value with all families, and the change without each, for every file."""
    for figure, heading in _NAMES.items():
        given = {name: of for name, of in measured.items() if of.all_families[figure] is not None}
        lines: list[list[object]] = [
            ["answers", "", *(f"{of.answers:,}" for of in given.values())],
            ["claims with a known label", "", *(f"{of.labelled_claims:,}" for of in given.values())],
            ["all families", "", *(_plain(of.all_families[figure]) for of in given.values())],
        ]
        worth = [{left_out.family: left_out for left_out in of.families} for of in given.values()]
        lines += [
            [f"without {name}", left_out.features, *(_signed(of[name].differences[figure]) for of in worth)]
            for name, left_out in worth[0].items()
        ]
        lines.append(["by chance, up to", "", *(_plain(of.chance[figure]) for of in given.values())])
        tables.show(f"Change of the {heading} without each family", ["", "figures", *given], lines)


def _show_checks(folder: Path, draws: int) -> None:
    fitted, aside = read_rows("records", folder), read_rows("records_kept_aside", folder)
    lines: list[list[object]] = []
    for check, switched_off in _checks().items():
        with switched_off:
            answers, others = read_answers(fitted), read_answers(aside)
        out_of_fold, kept_aside = [], []
        for draw in range(draws):
            settings = replace(SETTINGS, seed=SETTINGS.seed + draw)
            out_of_fold.append(figures_out_of_fold({"records": answers}, settings)["records"])
            kept_aside.append(held_out(others, cross_validated({"records": answers}, settings)[0]))
        lines.append([f"records, {check}", len(fitted), *_means(out_of_fold)])
        lines.append([f"records kept aside, {check}", len(aside), *_means(kept_aside)])
    tables.show(
        "The checks of records switched off; kept aside are judged by a fit to the others",
        ["file", "rows", *_NAMES.values()],
        sorted(lines, key=lambda line: str(line[0]).startswith("records,"), reverse=True),
    )


def _checks() -> dict[str, AbstractContextManager[object]]:
    return {
        "all checks": nullcontext(),
        "without opening hours": mock.patch.object(analysis, "check_hours", return_value=None),
        "without yes-or-no fields": mock.patch.object(analysis, "check_flags", return_value=NOTHING_SAID),
        "without both": _without_both(),
    }


@contextmanager
def _without_both() -> Iterator[None]:
    with (
        mock.patch.object(analysis, "check_hours", return_value=None),
        mock.patch.object(analysis, "check_flags", return_value=NOTHING_SAID),
    ):
        yield


def _means(fits: Sequence[Mapping[str, float | None]]) -> list[str]:
    return [_plain(judge_quality.mean([fit[figure] for fit in fits])) for figure in ABLATED_FIGURES]


def _plain(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _signed(value: float | None) -> str:
    return "–" if value is None else f"{value:+.3f}"


if __name__ == "__main__":
    sys.exit(main())
