"""`faithview series`: the runs that are looked at together."""

from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.options import DbOption, JsonOption, open_services
from faithview.wording import numbers as fmt

app = typer.Typer(
    help="Series: runs over one data set, which are looked at together.", no_args_is_help=True, rich_markup_mode=None
)


@app.command("list")
def list_series(db: DbOption = None, as_json: JsonOption = False) -> None:
    """List the series, that with the newest answers first."""
    from faithview.services.results import series

    with open_services(db) as services:
        listed = series.list_series(services)
    if as_json:
        from faithview.documents.monitoring import SeriesDocument

        output.print_json(SeriesDocument.of(series=listed))
        return
    rows = [[s.name, str(s.runs), fmt.day(s.newest_at)] for s in listed]
    output.print_table("Series", ["series", "runs ", "newest answers"], rows)


@app.command("move")
def move(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run's id or its unique name.")],
    name: Annotated[str, typer.Argument(metavar="SERIES", help="The series to put it in; a new one begins with it.")],
    db: DbOption = None,
) -> None:
    """Put a run into another series, with the runs that repeat it."""
    from faithview.services.results import series

    with open_services(db) as services:
        moved = series.move_run(services, run, name)
    output.say(f"Run {moved.run_id} ({moved.name!r}) is in the series {moved.series!r}.")


@app.command("rename")
def rename(
    old: Annotated[str, typer.Argument(metavar="SERIES", help="The series' name.")],
    new: Annotated[
        str, typer.Argument(metavar="NAME", help="Its new name; that of another series puts all its runs there.")
    ],
    db: DbOption = None,
) -> None:
    """Rename a series, or put all its runs into another one."""
    from faithview.services.results import series

    with open_services(db) as services:
        moved = series.rename_series(services, old, new)
        name = series.clean_series_name(new)
    output.say(f"{fmt.plural(moved, 'run')} of {old!r} {fmt.verb(moved, 'is', 'are')} in the series {name!r}.")
