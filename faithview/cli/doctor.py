"""`faithview doctor`: the configuration, tests of stores and judges, and advice if one fails."""

import os
from datetime import UTC, datetime
from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.exit_codes import CHECK_FAILED
from faithview.cli.options import DbOption, JsonOption
from faithview.domain.diagnosis import DEFAULT_TIMEOUT_S, Asking, Diagnosis
from faithview.settings import DATABASE_VARIABLE, Settings
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

    Without --db and --project, the stores of all projects in the secrets file are tested too. Each server
    with a key or an address is asked for its list of models and then sent one short question.
    """
    from faithview.services.diagnosis import diagnose
    from faithview.services.projects import described_projects

    is_named = db is not None or DATABASE_VARIABLE in os.environ
    found = diagnose(
        Settings.from_env(database_url=db),
        projects=None if is_named else described_projects(),
        names=judge or (),
        calls=not no_call,
        timeout_s=timeout,
        announce=_say,
    )
    if as_json:
        from faithview.services.diagnosis import diagnosis_document

        output.print_json(diagnosis_document(found))
    else:
        _print(found)
    if not found.works:
        raise typer.Exit(CHECK_FAILED)


def _say(asking: Asking) -> None:
    output.say(words.asking_words(asking))


def _print(found: Diagnosis) -> None:
    embedded, missing = found.embedded, found.local_missing
    for name, store in (
        ("store", found.store),
        *((f"project {name}", store) for name, store in found.projects.items()),
    ):
        _print_part(
            name,
            words.FAILS if store.error else words.WORKS,
            [store.url, *words.store_lines(store, now=datetime.now(UTC))],
        )
    _print_part("embedded", words.FAILS if embedded.error else words.WORKS, words.tested_lines(embedded))
    _print_part("local", words.NOT_SET_UP if missing else words.INSTALLED, [words.local_words(missing)])
    for check in found.judges:
        _print_part(check.name, words.judge_state(check), words.judge_lines(check))
    output.print_lines([words.summary_words(found)])


def _print_part(name: str, state: str, lines: list[str]) -> None:
    output.print_lines([f"{name}: {state}", *(f"  {line}" for line in lines)])
