"""`faithview runs`, `show` and `delete`: what is in the store."""

from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.options import DbOption, JsonOption, open_services
from faithview.domain.run import RunSummary
from faithview.services.exports.run_document import run_document
from faithview.services.results.runs import delete_run, get_run, get_summary, list_summaries

RunArgument = Annotated[str, typer.Argument(metavar="RUN", help="A run's id or its unique name.")]


def list_runs(db: DbOption = None, as_json: JsonOption = False) -> None:
    """List the runs, newest first."""
    with open_services(db) as services:
        summaries = list_summaries(services)
    if as_json:
        output.print_json({"runs": [run_document(summary) for summary in summaries]})
        return
    rows = [
        [s.run.run_id, s.run.name, s.run.status, s.run.judge.name, f"{s.run.as_of:%Y-%m-%d}", str(s.rows), _score(s)]
        for s in summaries
    ]
    output.print_table("Runs", ["id", "name", "status", "judge", "as of", "rows ", "faithfulness"], rows)


def show(run: RunArgument, db: DbOption = None, as_json: JsonOption = False) -> None:
    """Show one run's figures."""
    with open_services(db) as services:
        summary = get_summary(services, run)
    if as_json:
        output.print_json(run_document(summary))
    else:
        print_run(summary)


def delete(
    run: RunArgument,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    db: DbOption = None,
) -> None:
    """Delete a run with its answers and claims."""
    with open_services(db) as services:
        found = get_run(services, run)
        if not yes:
            typer.confirm(f"Delete run {found.run_id} ({found.name!r}) with all its answers?", abort=True, err=True)
        delete_run(services, found.run_id)
    output.say(f"Deleted run {found.run_id} ({found.name!r}).")


def print_run(summary: RunSummary) -> None:
    """Print a run's figures in words."""
    run = summary.run
    states = ", ".join(f"{count} {state}" for state, count in summary.states.items() if count)
    claims = ", ".join(f"{count} {verdict}" for verdict, count in summary.claims.items())
    bounds = summary.score.bounds
    lines = [
        f"{run.name} ({run.run_id}), {run.status}, judge {run.judge.name}",
        f"  faithfulness  {_score(summary)}, weighted {output.share(summary.weighted)}",
        f"  answers       {summary.rows}: {states}",
        f"  claims        {sum(summary.claims.values())}: {claims}",
    ]
    if bounds is not None and summary.score.unscored:
        lines.append(f"  bounds        {bounds.low:.2f} to {bounds.high:.2f} with the unscored answers at 0 and at 1")
    output.print_lines(lines)
    if summary.segments:
        rows = [[s.segment, str(s.rows), output.share(s.score.mean)] for s in summary.segments]
        output.print_table("", ["segment", "rows ", "faithfulness "], rows)


def _score(summary: RunSummary) -> str:
    score = summary.score
    if score.mean is None:
        return "– (n 0)"
    if score.interval is None:
        return f"{score.mean:.2f} (n {score.judged})"
    return f"{score.mean:.2f} ({score.interval.low:.2f}-{score.interval.high:.2f}, n {score.judged})"
