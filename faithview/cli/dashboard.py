"""`faithview demo` and `faithview ui`: the dashboard."""

import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.options import StoreOptions, command
from faithview.domain.errors import InvalidInput
from faithview.domain.project import Project
from faithview.hosts import bind
from faithview.services import audit
from faithview.services.container import build
from faithview.services.projects import get_project, read_dashboard_secrets, read_projects
from faithview.settings import (
    DATABASE_VARIABLE,
    PROJECT_VARIABLE,
    SECRETS_VARIABLE,
    Settings,
    absolute_url,
    data_folder,
    file_url,
    read_variable,
)

PortOption = Annotated[int, typer.Option("--port", min=1, max=65535, help="The port to listen on.")]
NoBrowserOption = Annotated[bool, typer.Option("--no-browser", help="Do not open a browser.")]
SecretsOption = Annotated[
    str | None,
    typer.Option(
        "--secrets",
        metavar="FILE",
        help="The file with keys and the log-in settings (default: FAITHVIEW_SECRETS, or ~/.streamlit/secrets.toml).",
    ),
]
_THIS_MACHINE = "127.0.0.1"


app = typer.Typer()


@command(app, "demo", "faithview demo", "faithview demo --port 8600 --no-browser")
def demo(
    place: StoreOptions,
    port: PortOption = 8501,
    no_browser: NoBrowserOption = False,
    secrets: SecretsOption = None,
) -> None:
    """Load the bundled sample (runs, reviews, a second judge) and open the dashboard.

    Without --db or FAITHVIEW_DB the sample gets its own store, so it never mixes with your runs.
    """
    from faithview.services.demo import load_sample  # here, because `faithview ui` needs no judge

    chosen = _chosen_project(place, secrets)
    bind(_THIS_MACHINE, port, server="dashboard").close()  # before the sample is judged, which takes a minute
    own = read_variable(DATABASE_VARIABLE) or file_url(data_folder() / "demo.db") if place.db is None else place.db
    settings = Settings.from_env(database_url=own if chosen is None else chosen.database_url)
    with build(settings, who=audit.command_line_user) as store:
        count = load_sample(store, on_step=output.say)
    if not count:
        output.say("The store already has runs, so the sample was not judged again.")
    _open_dashboard(settings, ["--port", str(port)], no_browser=no_browser, secrets=secrets, project=chosen)


@command(app, "ui", "faithview ui", "faithview ui --host 0.0.0.0 --port 8080 --no-browser")
def ui(
    place: StoreOptions,
    port: PortOption = 8501,
    host: Annotated[
        str,
        typer.Option(
            "--host",
            metavar="ADDR",
            help="The address to listen on; if other machines can reach it, set FAITHVIEW_ALLOWED_HOSTS.",
        ),
    ] = _THIS_MACHINE,
    base_path: Annotated[
        str,
        typer.Option(
            "--base-path", metavar="PATH", help="The path prefix of all pages behind a proxy, such as /faithview."
        ),
    ] = "",
    no_browser: NoBrowserOption = False,
    secrets: SecretsOption = None,
) -> None:
    """Open the dashboard."""
    chosen = _chosen_project(place, secrets)
    settings = Settings.from_env(database_url=place.db if chosen is None else chosen.database_url)
    build(settings).close()  # report an unusable store here and not in the browser
    address = ["--port", str(port), f"--host={host}", f"--base-path={base_path}"]
    _open_dashboard(settings, address, no_browser=no_browser, secrets=secrets, project=chosen)


def _chosen_project(place: StoreOptions, secrets: str | None) -> Project | None:
    """Return the project to serve: the option's, else the environment's, which --db overrides; None for no project.

    Raises InvalidInput if the dashboard may not start.
    """
    name = place.project
    projects = read_projects(read_dashboard_secrets(secrets))
    if name is None and place.db is None:
        name = read_variable(PROJECT_VARIABLE)
    if name is not None and place.db is not None:
        raise InvalidInput("A project has its own store: give either --project or --db.")
    if name is not None:
        return get_project(name, secrets)
    if projects:
        raise InvalidInput(
            "The secrets file describes projects. Name the one to open with --project, or another secrets file with "
            "--secrets."
        )
    return None


def _open_dashboard(
    settings: Settings, address: Sequence[str], *, no_browser: bool, secrets: str | None, project: Project | None
) -> None:
    command = [sys.executable, "-P", "-m", "faithview.ui.serving.dashboard_server", *address]
    if not no_browser:
        command.append("--open-browser")
    environment = {**os.environ, DATABASE_VARIABLE: absolute_url(settings.database_url)}
    environment.pop(PROJECT_VARIABLE, None)
    if project is not None:
        environment[PROJECT_VARIABLE] = project.name
    if secrets is not None:
        environment[SECRETS_VARIABLE] = secrets
    if os.name == "posix":
        # Replace this process: one process to stop, and its exit status is ours.
        os.execve(sys.executable, command, environment)  # noqa: S606 - our own interpreter
    sys.exit(subprocess.run(command, env=environment, check=False).returncode)  # noqa: S603 - our own interpreter
