"""`faithview retention`: delete for good what is older than texts are kept."""

from typing import TYPE_CHECKING, Annotated

import typer

from faithview.cli import output
from faithview.cli.options import DbOption, JsonOption, open_services
from faithview.domain.errors import InvalidInput
from faithview.domain.retention import Retention, parse_days
from faithview.wording import numbers as fmt
from faithview.wording.retention import deleted_words, spared_words

if TYPE_CHECKING:
    from faithview.services.retention.apply import RetentionPlan


def retention(
    keep: Annotated[str, typer.Option("--keep", metavar="TIME", help="How long texts are kept: 90d, 12h or 4w.")],
    keep_scores: Annotated[
        bool,
        typer.Option("--keep-scores", help="Delete the texts of runs only: scores, verdicts, labels and trends stay."),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Do not spare runs with an open spot-check.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be deleted, and delete nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Delete without asking.")] = False,
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Delete runs and logged texts that are older than they are kept, for good."""
    from faithview.services.retention.apply import apply_retention, plan_retention

    rule = Retention(keep_days=parse_days(keep), keep_scores=keep_scores, force=force)
    if as_json and not (dry_run or yes):
        raise InvalidInput("With --json nothing is asked; add --dry-run to look, or --yes to delete.")
    with open_services(db) as services:
        plan = plan_retention(services, rule)
        words = _words(plan)
        if not dry_run and not yes and not plan.is_empty:
            typer.confirm(f"Delete {words} for good?", abort=True, err=True)
        done = plan if dry_run else apply_retention(services, plan)
    for run in (*plan.spared, *plan.busy):
        output.say(f"note: {spared_words(run)}")
    if as_json:
        from faithview.documents.live import RetentionDocument

        output.print_json(RetentionDocument.of(done, deleted=not dry_run))
        return
    if dry_run and done.runs:
        rows = [[run.run_id, run.name, fmt.day(run.created_at), fmt.count(run.answers)] for run in done.runs]
        output.print_table("Older than texts are kept", ["id", "name", "stored", "answers "], rows)
    output.say(f"{'Would delete' if dry_run else 'Deleted'} {_words(done)}.")


def _words(plan: "RetentionPlan") -> str:
    return deleted_words(len(plan.runs), plan.answers, plan.logged, keep_scores=plan.rule.keep_scores)
