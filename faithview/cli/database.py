"""`faithview db` and `retention`: the store's schema, damage and backups; the permanent deletion of old runs."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.exit_codes import CHECK_FAILED
from faithview.cli.options import JsonOption, StoreOptions, YesOption, command
from faithview.domain.errors import InvalidInput
from faithview.domain.retention import Retention, parse_days
from faithview.formats.files.atomic_file import STANDARD_OUTPUT, destination_words
from faithview.services import schema
from faithview.services.retention import apply_retention, plan_retention
from faithview.wording import numbers as fmt
from faithview.wording.runs import deleted_words, spared_words

app = typer.Typer(help="Upgrade, check, back up and restore the store; delete what is older than a limit.")
_DAMAGED = "damaged: `faithview db restore FILE` restores a backup"


@command(app, "upgrade", "faithview db upgrade", "faithview db upgrade --db sqlite:///team.db")
def upgrade(place: StoreOptions, as_json: JsonOption = False) -> None:
    """Migrate the store to this FaithView's schema; an older store is backed up first."""
    state = schema.upgrade(place.settings())
    done = f"Migrated the store from schema {state.current} to {state.wanted}; a copy of the old store: {state.copy}."
    if state.is_current:
        done = f"The store is already at schema {state.wanted}."
    elif state.current is None:
        done = f"Created the store at schema {state.wanted}."
    output.show(state, done, as_json=as_json)


@command(app, "check", "faithview db check", "faithview db check --schema --quiet")
def check(
    place: StoreOptions,
    as_json: JsonOption = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing; only set the exit status.")] = False,
    schema_only: Annotated[
        bool, typer.Option("--schema", help="Check only the schema, which is quick and reads no row.")
    ] = False,
) -> None:
    """Print the store's schema and whether it is damaged; exit with 1 if it is, or if the schema is not current."""
    settings = place.settings()
    state, problems = (schema.check(settings), []) if schema_only else schema.check_whole(settings)
    if as_json:
        output.print_json({**asdict(state), "is_current": state.is_current, "problems": problems})
    elif not quiet:
        current = state.current or "none (an empty database)"
        output.print_lines([f"schema {current}, this FaithView's is {state.wanted}", *problems])
        if state.is_current and not schema_only:
            output.print_lines([_DAMAGED if problems else "no damage found"])
    if problems or not state.is_current:
        raise typer.Exit(CHECK_FAILED)


@command(app, "backup", "faithview db backup", "faithview db backup backup.db")
def backup(
    place: StoreOptions,
    destination: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="The file to write (default: next to the store); - is standard output."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Copy the store into a file while others use it; an existing backup is never replaced."""
    output.refuse_two_documents(destination, as_json=as_json)
    path = schema.backup(place.settings(), destination)
    back = "" if path == STANDARD_OUTPUT else f"; `faithview db restore {path}` restores it"
    output.show({"path": path}, f"Wrote the backup to {destination_words(path)}{back}.", as_json=as_json)


@command(app, "restore", "faithview db restore backup.db", "faithview db restore backup.db --db sqlite:///new.db")
def restore(
    place: StoreOptions,
    source: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `faithview db backup` wrote.")],
    as_json: JsonOption = False,
) -> None:
    """Replace the store with a backup; the old store is kept next to it."""
    settings = place.settings()
    aside = schema.restore(settings, source)
    is_current = schema.check(settings).is_current
    kept = f" The replaced store was kept: {aside}." if aside else ""
    document = {"source": source, "replaced": aside, "is_current": is_current}
    output.show(document, f"Restored the store from {source}.{kept}", as_json=as_json)
    if not is_current:
        output.say("Its schema is older; FaithView migrates it when it is next used.")


@command(app, "prune", "faithview db prune --keep 90d --dry-run", "faithview db prune --keep 90d --yes")
def prune(
    place: StoreOptions,
    keep: Annotated[
        str,
        typer.Option("--keep", metavar="TIME", help="Delete runs and logged texts older than this: 90d, 12h or 4w."),
    ],
    include_open: Annotated[
        bool, typer.Option("--include-open-spot-checks", help="Also delete runs with an open spot-check.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what would be deleted, and delete nothing.")
    ] = False,
    yes: YesOption = False,
    as_json: JsonOption = False,
) -> None:
    """Permanently delete runs and logged texts that are older than a limit."""
    rule = Retention(keep_days=parse_days(keep), force=include_open)
    if as_json and not (dry_run or yes):
        raise InvalidInput(
            "Add --dry-run to preview, or --yes to delete, with --json: it never asks. Nothing was changed."
        )
    with place.open() as store:
        plan = plan_retention(store, rule)
        if not dry_run and not plan.is_empty:
            output.confirm(f"Delete {deleted_words(len(plan.runs), plan.answers, plan.logged)} for good?", yes=yes)
        done = plan if dry_run else apply_retention(store, plan)
    for run in (*plan.spared, *plan.busy):
        output.say(f"note: {spared_words(run)}")
    rows = [[run.run_id, run.name, fmt.day(run.created_at), fmt.count(run.answers)] for run in done.runs]
    table = output.Table(f"Runs older than {keep}", ["id", "name", "stored", "answers "], rows)
    words = deleted_words(len(done.runs), done.answers, done.logged)
    output.show(
        {**asdict(done), "deleted": not dry_run},
        *([table] if dry_run and rows else []),
        f"{'Would delete' if dry_run else 'Deleted'} {words}.",
        as_json=as_json,
    )
