"""`faithview demo` and `faithview ui`: the dashboard."""

import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.options import DbOption, LogFormatOption, LogLevelOption
from faithview.settings import DATABASE_VARIABLE, SECRETS_VARIABLE, Settings, absolute_url, data_folder, file_url

PortOption = Annotated[int, typer.Option("--port", min=1, max=65535, help="The port to listen on.")]
NoBrowserOption = Annotated[bool, typer.Option("--no-browser", help="Do not open a browser.")]
SecretsOption = Annotated[
    str | None,
    typer.Option(
        "--secrets",
        metavar="FILE",
        help="The file with keys and the description of the log-in; else FAITHVIEW_SECRETS, else "
        "~/.streamlit/secrets.toml.",
    ),
]


HostOption = Annotated[
    str,
    typer.Option(
        "--host",
        metavar="ADDR",
        help="The address to listen on; one that other machines reach needs FAITHVIEW_ALLOWED_HOSTS.",
    ),
]
BasePathOption = Annotated[
    str,
    typer.Option("--base-path", metavar="PATH", help="The path in front of all pages, behind a proxy: /faithview."),
]
_THIS_MACHINE = "127.0.0.1"


def demo(
    port: PortOption = 8501, no_browser: NoBrowserOption = False, secrets: SecretsOption = None, db: DbOption = None
) -> None:
    """Load the bundled sample (runs, reviews, a second judge) and open the dashboard.

    Without --db or FAITHVIEW_DB the sample gets its own store, so that it never mixes with your runs.
    """
    # Here, because `faithview ui` needs no judge, and the help no store.
    from faithview.services.audit import people
    from faithview.services.container import build
    from faithview.services.demo.sample import load_sample

    own = os.environ.get(DATABASE_VARIABLE) or file_url(data_folder() / "demo.db")
    settings = Settings.from_env(database_url=db or own)
    with build(settings, who=people.command_line) as services:
        count = load_sample(services, on_step=output.say)
    if not count:
        output.say("The store already has runs, so the sample was not judged again.")
    _open_dashboard(settings, ["--port", str(port)], no_browser=no_browser, secrets=secrets)


def ui(
    port: PortOption = 8501,
    host: HostOption = _THIS_MACHINE,
    base_path: BasePathOption = "",
    no_browser: NoBrowserOption = False,
    metrics: Annotated[
        bool,
        typer.Option("--metrics", help="Serve figures for Prometheus at /metrics, to whoever reaches the dashboard."),
    ] = False,
    secrets: SecretsOption = None,
    log_level: LogLevelOption = None,
    log_format: LogFormatOption = None,
    db: DbOption = None,
) -> None:
    """Open the dashboard."""
    from faithview.services.container import build

    settings = Settings.from_env(database_url=db)
    build(settings).close()  # report an unusable store here and not in the browser
    place = ["--port", str(port), f"--host={host}", f"--base-path={base_path}", *(["--metrics"] if metrics else [])]
    _open_dashboard(settings, place, no_browser=no_browser, secrets=secrets)


def _open_dashboard(settings: Settings, place: Sequence[str], *, no_browser: bool, secrets: str | None) -> None:
    command = [sys.executable, "-P", "-m", "faithview.ui.shell.serving.server", *place]
    if not no_browser:
        command.append("--open-browser")
    environment = {**os.environ, DATABASE_VARIABLE: absolute_url(settings.database_url)}
    if secrets is not None:
        environment[SECRETS_VARIABLE] = secrets
    if os.name == "posix":
        # Replace this process: one process to stop, and its exit status is ours.
        os.execve(sys.executable, command, environment)  # noqa: S606 - our own interpreter
    sys.exit(subprocess.run(command, env=environment, check=False).returncode)  # noqa: S603 - our own interpreter
