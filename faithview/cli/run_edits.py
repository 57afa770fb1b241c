"""`faithview rename`, `note`, `archive` and `restore`: what people change about a stored run."""

from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.options import DbOption, open_services
from faithview.cli.runs import RunArgument
from faithview.wording import numbers as fmt


def rename(
    run: RunArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its new name, which no other run may have.")],
    db: DbOption = None,
) -> None:
    """Rename a run."""
    from faithview.services.results import run_edits

    with open_services(db) as services:
        renamed = run_edits.rename_run(services, run, name)
    output.say(f"Run {renamed.run_id} is named {renamed.name!r}.")


def note(
    run: RunArgument,
    text: Annotated[str, typer.Argument(metavar="TEXT", help='The note, in place of the last one; "" removes it.')],
    db: DbOption = None,
) -> None:
    """Note a text on a run; the dashboard shows it with the run."""
    from faithview.services.results import run_edits

    with open_services(db) as services:
        noted = run_edits.note_on_run(services, run, text)
    what = "has the note" if noted.note else "has no note"
    output.say(f"Run {noted.run_id} ({noted.name!r}) {what}{f': {noted.note}' if noted.note else '.'}")


def archive(run: RunArgument, db: DbOption = None) -> None:
    """Take a run and its repeats out of every list, trend and default; `restore` brings them back."""
    from faithview.services.results import run_edits

    with open_services(db) as services:
        archived = run_edits.archive_run(services, run)
    repeats = f" with {fmt.plural(len(archived.repeats), 'repeat')}" if archived.repeats else ""
    output.say(f"Archived run {archived.run_id} ({archived.name!r}){repeats}; `faithview runs --archived` lists it.")


def restore(run: RunArgument, db: DbOption = None) -> None:
    """Bring an archived run and its repeats back."""
    from faithview.services.results import run_edits

    with open_services(db) as services:
        restored = run_edits.restore_run(services, run)
    output.say(f"Run {restored.run_id} ({restored.name!r}) is listed again.")
