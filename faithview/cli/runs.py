"""`faithview runs`, `show` and `delete`: what is in the store."""

from typing import TYPE_CHECKING, Annotated

import typer

from faithview.cli import output
from faithview.cli.options import DbOption, JsonOption, open_services
from faithview.domain.run import RunSummary
from faithview.services.judge_catalogue import caution_about
from faithview.wording import numbers as fmt
from faithview.wording.judge_errors import with_source
from faithview.wording.result_text import run_lines
from faithview.wording.run_contents import contents_words
from faithview.wording.troubles import failed_words, gap_words, noise_words, repaired_words, weak_words

if TYPE_CHECKING:
    from faithview.services.comparison.judge_noise import JudgeNoise
    from faithview.services.results.troubles import RunTroubles

RunArgument = Annotated[str, typer.Argument(metavar="RUN", help="A run's id or its unique name.")]


SeriesOption = Annotated[str | None, typer.Option("--series", metavar="NAME", help="Only the runs of this series.")]


# More than so many different errors tell nothing more.
_SHOWN_ERRORS = 8


def list_runs(
    series: SeriesOption = None,
    archived: Annotated[bool, typer.Option("--archived", help="List only archived runs.")] = False,
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the runs, newest first."""
    from faithview.services.results.runs import list_summaries

    with open_services(db) as services:
        summaries = list_summaries(services, series=series, archived=archived)
        if as_json:
            from faithview.documents.runs import RunFigures, RunsDocument
            from faithview.services.results.troubles import list_troubles

            runs = [RunFigures.of(s, troubles=list_troubles(services, s.run.run_id)) for s in summaries]
            output.print_json(RunsDocument(runs=runs))
            return
    rows = [
        [
            s.run.run_id,
            s.run.name,
            s.run.series,
            fmt.STATUS_WORDS[s.run.status],
            s.run.judge.name,
            fmt.day(s.run.as_of),
            str(s.rows),
            fmt.percent(s.coverage),
            fmt.score(s.score),
        ]
        for s in summaries
    ]
    output.print_table(
        "Archived runs" if archived else "Runs",
        ["id", "name", "series", "status", "judge", "as of", "rows ", "coverage ", "faithfulness"],
        rows,
    )


def show(run: RunArgument, db: DbOption = None, as_json: JsonOption = False) -> None:
    """Show the figures of a run."""
    from faithview.services.comparison.judge_noise import repeat_noise  # it needs numpy, which `runs` does not
    from faithview.services.results.runs import get_summary
    from faithview.services.results.troubles import list_troubles

    with open_services(db) as services:
        summary = get_summary(services, run)
        troubles = list_troubles(services, summary.run.run_id)
        noise = repeat_noise(services, summary.run)
    if as_json:
        from faithview.documents.runs import RunDocument

        output.print_json(RunDocument.of(summary, troubles=troubles))
    else:
        print_run(summary, troubles)
        if noise is not None:
            output.print_lines([f"  noise         {noise_line(noise)}"])


def delete(
    run: RunArgument,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Delete without asking.")] = False,
    db: DbOption = None,
) -> None:
    """Delete a run with its answers, claims and labels."""
    from faithview.services.results.run_edits import get_contents
    from faithview.services.results.runs import delete_run, get_run

    with open_services(db) as services:
        stored = get_run(services, run)
        if not yes:
            lost = contents_words(get_contents(services, stored.run_id))
            question = f"Delete run {stored.run_id} ({stored.name!r}) with {lost}? `faithview archive` would keep it."
            typer.confirm(question, abort=True, err=True)
        delete_run(services, stored.run_id)
    output.say(f"Deleted run {stored.run_id} ({stored.name!r}).")


def print_run(summary: RunSummary, troubles: "RunTroubles") -> None:
    """Print the figures of a run, and what went wrong in it."""
    caution = with_source(caution_about(summary.run.judge)) if summary.score.judged else ""
    output.print_lines([*run_lines(summary, caution), *_trouble_lines(summary, troubles)])
    if summary.segments:
        rows = [[s.segment, fmt.count(s.rows), fmt.score(s.score)] for s in summary.segments]
        output.print_table("", ["segment", "answers ", "faithfulness"], rows)


def noise_line(noise: "JudgeNoise") -> str:
    """Return what judging the same answers again changed."""
    return f"{noise_words(noise.repeats, noise.answers, noise.claims_flipped, noise.answers_moved, noise.half_width)}."


def error_lines(troubles: "RunTroubles") -> list[str]:
    """Return the most frequent errors, one a line, each with how many answers have it."""
    shown = [f"{fmt.count(trouble.answers):>6}  {trouble.text}" for trouble in troubles.errors[:_SHOWN_ERRORS]]
    rest = len(troubles.errors) - len(shown)
    return [*shown, f"        and {fmt.plural(rest, 'other error')}"] if rest else shown


def _trouble_lines(summary: RunSummary, troubles: "RunTroubles") -> list[str]:
    lines = []
    if troubles.repaired:
        repairs = [(repair.text, repair.answers) for repair in troubles.repairs]
        lines.append(f"  repaired      {repaired_words(troubles.repaired, repairs)}")
    lines += [f"  missing       {gap_words(gap.text, gap.answers)}" for gap in troubles.gaps[:_SHOWN_ERRORS]]
    lines += [f"  unchecked     {weak_words(weak.weakness, weak.claims, weak.answers)}" for weak in troubles.weak]
    if troubles.errors:
        lines.append(f"  errors        {failed_words(troubles.failed, summary.rows, len(troubles.errors))}:")
        lines += error_lines(troubles)
    return lines
