"""`faithview doctor`: the configuration, tests of the store and the judges, and advice if one fails."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.exit_codes import CHECK_FAILED
from faithview.cli.options import DbOption, JsonOption
from faithview.domain.diagnosis import DEFAULT_TIMEOUT_S
from faithview.settings import Settings
from faithview.wording import diagnosis as words


def doctor(
    judge: Annotated[
        list[str] | None,
        typer.Option("--judge", metavar="JUDGE", help="Ask only this judge, such as openai:MODEL; repeat for more."),
    ] = None,
    no_call: Annotated[bool, typer.Option("--no-call", help="Send nothing; only print the configuration.")] = False,
    timeout: Annotated[
        float, typer.Option("--timeout", min=1.0, max=3600.0, help="Seconds to wait for a reply.")
    ] = DEFAULT_TIMEOUT_S,
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Test the store and the judges that are set up; exit with 1 if one of them does not work.

    Each server with a key or an address is asked for its list of models and then sent one short question.
    """
    from faithview.services.diagnosis import diagnose

    found = diagnose(
        Settings.from_env(database_url=db),
        names=judge or (),
        calls=not no_call,
        timeout_s=timeout,
        announce=output.say,
    )
    if as_json:
        from faithview.services.diagnosis import diagnosis_document

        output.print_json(diagnosis_document(found))
    else:
        output.print_lines(words.diagnosis_lines(found, now=datetime.now(UTC)))
    if not found.works:
        raise typer.Exit(CHECK_FAILED)
