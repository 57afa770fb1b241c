"""`faithview compare`: two runs on the answers that both have."""

from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.options import DbOption, JsonOption, open_services
from faithview.domain.views import View
from faithview.services.comparison.compare import Comparison, compare_runs
from faithview.services.container import Services
from faithview.services.exports.comparison_document import BrokenClaim, compare_document, list_broken
from faithview.stats.corrected_difference import NoCorrectedDifference
from faithview.wording.causes import CAUSE_WORDS

_GATE_FAILED = 1
_SHOWN_CHANGES = 10


def compare(
    baseline: Annotated[str, typer.Argument(metavar="BASELINE", help="The earlier run: its id or unique name.")],
    candidate: Annotated[str, typer.Argument(metavar="CANDIDATE", help="The later run: its id or unique name.")],
    fail_on_regression: Annotated[
        bool, typer.Option("--fail-on-regression", help="Exit with 1 if the candidate is worse, by more than chance.")
    ] = False,
    view: Annotated[View, typer.Option("--view", help="Whose verdicts count.")] = View.JUDGE,
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare two runs: is the difference real, where is it, which claims made it, and why."""
    with open_services(db) as services:
        found = compare_runs(services, baseline, candidate, view=view)
        for caution in found.cautions:
            output.say(f"warning: {caution.text}")
        if as_json:
            output.print_json(compare_document(services, found))
        else:
            _print(services, found)
    if fail_on_regression and found.is_regression:
        difference = found.difference
        output.say(
            f"faithview: faithfulness fell by {-(difference.mean or 0.0):.4f} on {difference.pairs} paired answers "
            f"(p = {difference.p_value:.4f})."
        )
        raise typer.Exit(_GATE_FAILED)


def _print(services: Services, found: Comparison) -> None:
    difference, pairing = found.difference, found.pairing
    lines = [f"{found.baseline.name} -> {found.candidate.name}, verdicts: {found.view}"]
    if difference.mean is None:
        lines.append("  No pair of answers has a score on both sides.")
    else:
        interval = difference.interval
        spread = f" (95 % {interval.low:+.3f} to {interval.high:+.3f})" if interval else ""
        p_value = "" if difference.p_value is None else f", p = {difference.p_value:.4f}"
        lines.append(
            f"  faithfulness  {output.share(difference.baseline)} -> {output.share(difference.candidate)}, "
            f"{difference.mean:+.3f}{spread}{p_value}"
        )
        if difference.detectable is not None:
            lines.append(f"  smallest difference that these pairs would show: {difference.detectable:.3f}")
        lines.append(
            f"  pairs         {difference.pairs}: {difference.regressed} regressed, {difference.improved} improved, "
            f"{difference.unchanged} unchanged"
        )
    lines.append(
        f"  left out      {len(pairing.only_in_baseline)} only in the baseline, {len(pairing.only_in_candidate)} only "
        f"in the candidate, {sum(pairing.unscored.values())} without a score on both sides"
    )
    if isinstance(found.corrected, NoCorrectedDifference):
        lines.append(f"  corrected     {found.corrected.message}")
    elif found.corrected is not None:
        low, high = found.corrected.interval.low, found.corrected.interval.high
        lines.append(f"  corrected     {found.corrected.difference:+.3f} (95 % {low:+.3f} to {high:+.3f})")
    if found.noise is not None:
        lines.append(f"  judge noise   +-{found.noise.half_width:.3f} from {found.noise.repeats} judgings")
    output.print_lines(lines)
    output.print_table(
        "Segments",
        ["segment", "n ", "baseline ", "candidate ", "difference ", "points ", "adjusted p "],
        [
            [
                segment.segment or "(none)",
                str(segment.rows),
                output.share(segment.baseline),
                output.share(segment.candidate),
                f"{segment.difference:+.3f}",
                f"{segment.contribution:+.3f}",
                "–" if segment.p_value_adjusted is None else f"{segment.p_value_adjusted:.3f}",
            ]
            for segment in sorted(found.segments, key=lambda segment: segment.contribution)
        ],
    )
    output.print_table(
        "Causes; they add up to the difference",
        ["cause", "lost ", "won ", "total ", "claims broken ", "mended "],
        [
            [
                CAUSE_WORDS[share.cause].name(is_won=share.total > 0),
                f"{share.lost:+.3f}",
                f"{share.won:+.3f}",
                f"{share.total:+.3f}",
                str(share.broken),
                str(share.mended),
            ]
            for share in found.causes
        ],
    )
    worst = [change for change in found.changes if (change.difference or 0) < 0][:_SHOWN_CHANGES]
    broken = list_broken(services, found, worst)
    for change in worst:
        score = f"{output.share(change.baseline)} -> {output.share(change.candidate)}"
        output.print_lines(["", f"{score}  {change.key}  {change.question or ''}"])
        output.print_lines([_line(claim) for claim in broken[change.baseline_row, change.candidate_row]])


def _line(claim: BrokenClaim) -> str:
    words = claim.after or claim.before
    sign = "-" if claim.value < 0 else "+"
    verdict = words.verdict if words and words.verdict else "not a claim"
    return (
        f"  {sign} {CAUSE_WORDS[claim.cause].name(is_won=claim.value > 0)}: {words.text if words else ''} [{verdict}]"
    )
