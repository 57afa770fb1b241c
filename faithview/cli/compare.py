"""`faithview compare`: two runs, on the answers that both have."""

from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.exit_codes import CHECK_FAILED
from faithview.cli.options import JsonOption, StoreOptions, command
from faithview.services.comparison.compare import compare_runs
from faithview.services.comparison.compared_runs import Comparison
from faithview.services.comparison.comparison_document import changed_claim_words, compare_document, list_broken
from faithview.services.container import Store
from faithview.wording import numbers as fmt
from faithview.wording.causes import CAUSE_WORDS
from faithview.wording.comparison import compared_words, left_out_words, no_fall_words, places_of
from faithview.wording.corrected_score import corrected_line

_SHOWN_CHANGES = 10


app = typer.Typer()


@command(
    app,
    "compare",
    "faithview compare monday tuesday",
    "faithview compare monday tuesday --fail-on-regression",
)
def compare(
    baseline: Annotated[str, typer.Argument(metavar="BASELINE", help="The earlier run: its id or unique name.")],
    candidate: Annotated[str, typer.Argument(metavar="CANDIDATE", help="The later run: its id or unique name.")],
    place: StoreOptions,
    fail_on_regression: Annotated[
        bool, typer.Option("--fail-on-regression", help="Exit with 1 if the candidate is significantly worse.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Compare two runs by the judge's verdicts: is the difference real, where is it, and which claims caused it."""
    with place.open() as store:
        comparison = compare_runs(store, baseline, candidate)
        for caution in comparison.cautions:
            output.say(f"warning: {caution.text}")
        output.show(compare_document(store, comparison), *comparison_parts(store, comparison), as_json=as_json)
    if fail_on_regression:
        _check(comparison)


def _check(comparison: Comparison) -> None:
    """Exit with 1 if the candidate is significantly worse; otherwise say what the gate could have noticed."""
    difference = comparison.difference
    if difference.mean is None:
        output.say("faithview: it is not known whether faithfulness fell: no pair of answers has a score in both runs.")
        raise typer.Exit(CHECK_FAILED)
    if comparison.is_regression:
        fall = fmt.fixed(-difference.mean, 4)
        output.say(
            f"faithview: faithfulness fell by {fall} ({fmt.p_value(difference.p_value)}, "
            f"n {fmt.plural(difference.pairs, 'pair')})."
        )
        raise typer.Exit(CHECK_FAILED)
    words = no_fall_words(difference, comparison.baseline.name)
    apart = _moved_apart(comparison)
    output.say(f"note: {words}" + (f" But segments moved: {'; '.join(apart)}." if apart else ""))


def comparison_parts(store: Store, comparison: Comparison) -> list[list[str] | output.Table]:
    """Return the difference, the segments, the causes and the worst answers, as `output.show` prints them."""
    difference = comparison.difference
    lines = [compared_words(difference, comparison.baseline.name, comparison.candidate.name)]
    if comparison.is_significant and len(comparison.segments) > 1:
        lines += [
            f"  where         {fmt.percent(min(1.0, place.share_of_change))} of it in {place.segment or '(none)'}, "
            f"{fmt.percent(place.share_of_answers)} of the answers"
            for place in places_of(comparison.segments)
        ]
    lines += [f"  but           {words}" for words in _moved_apart(comparison)]
    if difference.detectable is not None:
        least = fmt.fixed(difference.detectable, 3)
        lines.append(f"  detectable    {least} would be noticed 80% of the time with these pairs")
    lines.append(
        f"  faithful      {fmt.count(comparison.no_longer_faithful)} answers no longer, "
        f"{fmt.count(comparison.newly_faithful)} newly "
        f"({fmt.thresholds(comparison.baseline.threshold, comparison.candidate.threshold)})"
    )
    if comparison.corrected is not None:
        lines.append(f"  corrected     {corrected_line(comparison.corrected)}, whole runs")
    lines.append(f"  left out      {left_out_words(comparison.pairing)}")
    worst = comparison.worse[:_SHOWN_CHANGES]
    broken = list_broken(store, comparison, worst)
    worst_lines = []
    for change in worst:
        scores = f"{fmt.share(change.baseline)} -> {fmt.share(change.candidate)}"
        worst_lines += ["", f"{scores}  {change.key}  {change.question or ''}"]
        for claim in broken[change.baseline_row, change.candidate_row]:
            worst_lines.append(f"  {'-' if claim.delta < 0 else '+'} {changed_claim_words(claim)}")
    return [lines, _segments(comparison), _causes(comparison), worst_lines]


def _moved_apart(comparison: Comparison) -> list[str]:
    """Return the segments that moved although the whole did not."""
    return [
        f"{moved.segment or '(none)'} {fmt.signed(moved.difference)}, adjusted {fmt.p_value(moved.p_value_adjusted)}"
        for moved in comparison.moved_apart
    ]


def _segments(comparison: Comparison) -> output.Table:
    return output.Table(
        "Segments",
        ["segment", "n ", "baseline ", "candidate ", "difference ", "points ", "adjusted p "],
        [
            [
                segment.segment or "(none)",
                fmt.count(segment.rows),
                fmt.share(segment.baseline),
                fmt.share(segment.candidate),
                fmt.signed(segment.difference, decimals=3),
                fmt.signed(segment.contribution, decimals=3),
                fmt.p_number(segment.p_value_adjusted),
            ]
            for segment in sorted(comparison.segments, key=lambda segment: segment.contribution)
        ],
    )


def _causes(comparison: Comparison) -> output.Table:
    return output.Table(
        "Causes (they add up to the difference)",
        ["cause", "points lost ", "points gained ", "total ", "claims broken ", "claims fixed "],
        [
            [
                CAUSE_WORDS[share.cause].topic,
                fmt.signed(share.lost, decimals=3),
                fmt.signed(share.won, decimals=3),
                fmt.signed(share.total, decimals=3),
                fmt.count(share.broken),
                fmt.count(share.fixed),
            ]
            for share in comparison.causes
        ],
    )
