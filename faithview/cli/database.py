"""`faithview db`: the store as a whole: its schema, whether it is damaged, its backups."""

from pathlib import Path
from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.options import DbOption, JsonOption
from faithview.services.destination import destination_words, is_standard_output
from faithview.settings import Settings

app = typer.Typer(
    help="The store: its schema, whether it is damaged, its backups.", no_args_is_help=True, rich_markup_mode=None
)
_NOT_CURRENT = 1
_DAMAGED = "damaged: `faithview db restore FILE` puts a backup in its place"


@app.command("upgrade")
def upgrade(db: DbOption = None) -> None:
    """Bring the store to this FaithView's schema; an older store is copied aside first."""
    from faithview.services import schema

    state = schema.upgrade(Settings.from_env(database_url=db))
    if state.is_current:
        output.say(f"The store is at schema {state.wanted} already.")
    elif state.current is None:
        output.say(f"Made the store at schema {state.wanted}.")
    else:
        output.say(f"Migrated the store from schema {state.current} to {state.wanted}; its copy: {state.copy}.")


@app.command("check")
def check(
    db: DbOption = None,
    as_json: JsonOption = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Only the exit status.")] = False,
    schema_only: Annotated[bool, typer.Option("--schema", help="Only the schema: quick, and reads no row.")] = False,
) -> None:
    """Say which schema the store has and whether it is damaged; exit with 1 if it has another schema, or is."""
    from faithview.services import schema

    settings = Settings.from_env(database_url=db)
    state, problems = (schema.check(settings), []) if schema_only else schema.check_whole(settings)
    if as_json:
        from faithview.documents.diagnosis import StoreSchemaDocument

        output.print_json(StoreSchemaDocument.of(state, problems=problems))
    elif not quiet:
        current = state.current or "none (an empty database)"
        output.print_lines([f"schema {current}, this FaithView's is {state.wanted}", *problems])
        if state.is_current and not schema_only:
            output.print_lines([_DAMAGED if problems else "no damage found: every row was read, every text hashed"])
    if problems or not state.is_current:
        raise typer.Exit(_NOT_CURRENT)


@app.command("backup")
def backup(
    destination: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="The file to write (default: beside the store); - is standard output."),
    ] = None,
    db: DbOption = None,
) -> None:
    """Copy the store into a file, while others read and write it; an existing backup is never replaced."""
    from faithview.services import schema

    path = schema.backup(Settings.from_env(database_url=db), destination)
    back = "" if is_standard_output(path) else f"; `faithview db restore {path}` puts it back"
    output.say(f"Wrote the backup to {destination_words(path)}{back}.")


@app.command("restore")
def restore(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `faithview db backup` wrote.")],
    db: DbOption = None,
) -> None:
    """Put a backup in the place of the store, which is kept beside it."""
    from faithview.services import schema

    settings = Settings.from_env(database_url=db)
    aside = schema.restore(settings, source)
    output.say(f"Restored the store from {source}." + (f" What it replaces: {aside}." if aside else ""))
    if not schema.check(settings).is_current:
        output.say("Its schema is older; it is migrated when it is next used.")
