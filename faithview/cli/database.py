"""`faithview db`: the store's schema."""

from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.options import DbOption, JsonOption
from faithview.services import schema
from faithview.settings import Settings

app = typer.Typer(help="The store's schema.", no_args_is_help=True, rich_markup_mode=None)
_NOT_CURRENT = 1


@app.command("upgrade")
def upgrade(db: DbOption = None) -> None:
    """Bring the store to this FaithView's schema; an older store is copied aside first."""
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
) -> None:
    """Say which schema the store has; exit with 1 if it is not this FaithView's."""
    state = schema.check(Settings.from_env(database_url=db))
    if as_json:
        output.print_json({"found": state.current, "wanted": state.wanted, "is_current": state.is_current})
    elif not quiet:
        current = state.current or "none (an empty database)"
        output.print_lines([f"schema {current}, this FaithView's is {state.wanted}"])
    if not state.is_current:
        raise typer.Exit(_NOT_CURRENT)
