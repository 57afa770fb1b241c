"""`faithview run`: the runs in the store."""

from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.options import JsonOption, RunArgument, StoreOptions, YesOption, command
from faithview.documents.runs import RunDocument, RunFigures, RunsDocument
from faithview.domain.run import RunSummary
from faithview.services.comparison.judge_noise import JudgeNoise, repeat_noise
from faithview.services.judge_catalogue import caution_about
from faithview.services.results import (
    RunTroubles,
    delete_run,
    get_contents,
    get_run,
    get_summary,
    list_summaries,
    list_troubles,
    rename_run,
)
from faithview.wording import numbers as fmt
from faithview.wording.findings import (
    failed_words,
    gap_words,
    noise_words,
    repaired_words,
    run_lines,
    weak_words,
    with_source,
)
from faithview.wording.runs import contents_words

app = typer.Typer(help="List, show, rename and delete runs.")

# The most different errors that are shown.
_SHOWN_ERRORS = 8


@command(
    app, "list", "faithview run list", "faithview run list --series support --json", "faithview run list --archived"
)
def list_runs(
    place: StoreOptions,
    series: Annotated[
        str | None, typer.Option("--series", metavar="NAME", help="List only the runs of this series.")
    ] = None,
    archived: Annotated[bool, typer.Option("--archived", help="List only archived runs.")] = False,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, help="List at most N runs, newest first.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the runs, newest first."""
    with place.open() as store:
        summaries = list_summaries(store, series=series, archived=archived)[:limit]
        figures = [RunFigures.of(s, troubles=list_troubles(store, s.run.run_id)) for s in summaries if as_json]
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
    columns = ["id", "name", "series", "status", "judge", "as of", "rows ", "coverage ", "faithfulness"]
    table = output.Table("Archived runs" if archived else "Runs", columns, rows)
    output.show(RunsDocument(runs=figures), table, as_json=as_json)


@command(app, "show", "faithview run show monday", "faithview run show monday --json")
def show(run: RunArgument, place: StoreOptions, as_json: JsonOption = False) -> None:
    """Show the figures of a run."""
    with place.open() as store:
        summary = get_summary(store, run)
        troubles = list_troubles(store, summary.run.run_id)
        noise = repeat_noise(store, summary.run)
    print_run(summary, troubles, as_json=as_json)
    if noise is not None and not as_json:
        output.print_lines([f"  noise         {noise_line(noise)}"])


def print_run(summary: RunSummary, troubles: RunTroubles, *, as_json: bool) -> None:
    """Print the figures of a run, and what went wrong in it."""
    caution = with_source(caution_about(summary.run.judge)) if summary.score.judged else ""
    rows = [[s.segment, fmt.count(s.rows), fmt.score(s.score)] for s in summary.segments]
    output.show(
        RunDocument.of(summary, troubles=troubles),
        [*run_lines(summary, caution), *_trouble_lines(summary, troubles)],
        *([output.Table("", ["segment", "answers ", "faithfulness"], rows)] if rows else []),
        as_json=as_json,
    )


def noise_line(noise: JudgeNoise) -> str:
    """Return what judging the same answers again changed."""
    return f"{noise_words(noise.repeats, noise.answers, noise.claims_flipped, noise.answers_moved, noise.half_width)}."


def error_lines(troubles: RunTroubles) -> list[str]:
    """Return the most frequent errors, one per line, each with how many answers have it."""
    shown = [f"{fmt.count(trouble.answers):>6}  {trouble.text}" for trouble in troubles.errors[:_SHOWN_ERRORS]]
    rest = len(troubles.errors) - len(shown)
    return [*shown, f"        and {fmt.plural(rest, 'other error')}"] if rest else shown


def _trouble_lines(summary: RunSummary, troubles: RunTroubles) -> list[str]:
    lines = []
    if troubles.repaired:
        repairs = [(repair.text, repair.answers) for repair in troubles.repairs]
        lines.append(f"  repaired      {repaired_words(troubles.repaired, repairs)}")
    lines += [f"  missing       {gap_words(gap.text, gap.answers)}" for gap in troubles.gaps[:_SHOWN_ERRORS]]
    lines += [f"  unchecked     {weak_words(weakness, *counts)}" for weakness, counts in troubles.weak.items()]
    if troubles.errors:
        lines.append(f"  errors        {failed_words(troubles.failed, summary.rows, len(troubles.errors))}:")
        lines += error_lines(troubles)
    return lines


@command(app, "rename", "faithview run rename monday baseline", "faithview run rename 01JD3 'Before the update'")
def rename(
    run: RunArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new name, which no other run may have.")],
    place: StoreOptions,
    as_json: JsonOption = False,
) -> None:
    """Rename a run."""
    with place.open() as store:
        renamed = get_summary(store, rename_run(store, run, name).run_id)
        document = RunDocument.of(renamed, troubles=list_troubles(store, renamed.run.run_id))
    output.show(document, f"Run {renamed.run.run_id} is named {renamed.run.name!r}.", as_json=as_json)


@command(app, "delete", "faithview run delete monday", "faithview run delete monday --yes")
def delete(run: RunArgument, place: StoreOptions, yes: YesOption = False, as_json: JsonOption = False) -> None:
    """Delete a run with its answers, claims and labels."""
    with place.open() as store:
        stored = get_run(store, run)
        lost = contents_words(get_contents(store, stored.run_id))
        question = f"Delete run {stored.run_id} ({stored.name!r}) with {lost}?"
        output.confirm(question, yes=yes, as_json=as_json)
        delete_run(store, stored.run_id)
    output.show(stored, f"Deleted run {stored.run_id} ({stored.name!r}).", as_json=as_json)
