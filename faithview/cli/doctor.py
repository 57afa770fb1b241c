"""`faithview doctor`: the configuration, tests of the store and the judges, and advice if one fails."""

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.exit_codes import CHECK_FAILED
from faithview.cli.options import JsonOption, StoreOptions, command
from faithview.domain.diagnosis import DEFAULT_TIMEOUT_S
from faithview.services.diagnosis import diagnose
from faithview.wording import diagnosis as words

app = typer.Typer()


@command(
    app, "doctor", "faithview doctor", "faithview doctor --no-call", "faithview doctor --judge openai:gpt-4.1-mini"
)
def doctor(
    place: StoreOptions,
    judge: Annotated[
        list[str] | None,
        typer.Option("--judge", metavar="JUDGE", help="Ask only this judge, such as openai:MODEL; repeat for more."),
    ] = None,
    no_call: Annotated[bool, typer.Option("--no-call", help="Send nothing; only print the configuration.")] = False,
    timeout: Annotated[
        float, typer.Option("--timeout", min=1.0, max=3600.0, help="Seconds to wait for a reply.")
    ] = DEFAULT_TIMEOUT_S,
    as_json: JsonOption = False,
) -> None:
    """Test the store and the judges that are set up; exit with 1 if one of them does not work.

    Each server with a key or an address is asked for its list of models and then sent one short question.
    """
    found = diagnose(
        place.settings(),
        names=judge or (),
        calls=not no_call,
        timeout_s=timeout,
        announce=output.say,
    )
    lines = words.diagnosis_lines(found, now=datetime.now(UTC))
    document = {"works": found.works, **asdict(found), "text": lines}
    output.show(document, lines, as_json=as_json)
    if not found.works:
        raise typer.Exit(CHECK_FAILED)
