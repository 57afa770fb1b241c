"""`faithview demo` and `faithview ui`: the dashboard."""

import os
import subprocess
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from faithview.cli import output
from faithview.cli.late_commands import ProjectOption
from faithview.cli.options import DbOption, LogFormatOption, LogLevelOption
from faithview.domain.errors import InvalidInput, StoreError
from faithview.hosts import bind
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

if TYPE_CHECKING:
    from faithview.domain.project import Projects

PortOption = Annotated[int, typer.Option("--port", min=1, max=65535, help="The port to listen on.")]
NoBrowserOption = Annotated[bool, typer.Option("--no-browser", help="Do not open a browser.")]
SecretsOption = Annotated[
    str | None,
    typer.Option(
        "--secrets",
        metavar="FILE",
        help="The file with keys and the log-in settings (default: FAITHVIEW_SECRETS, else ~/.streamlit/secrets.toml).",
    ),
]


HostOption = Annotated[
    str,
    typer.Option(
        "--host",
        metavar="ADDR",
        help="The address to listen on; if other machines can reach it, set FAITHVIEW_ALLOWED_HOSTS.",
    ),
]
BasePathOption = Annotated[
    str,
    typer.Option(
        "--base-path", metavar="PATH", help="The path prefix of all pages behind a proxy, such as /faithview."
    ),
]
_THIS_MACHINE = "127.0.0.1"


def demo(
    port: PortOption = 8501,
    no_browser: NoBrowserOption = False,
    secrets: SecretsOption = None,
    db: DbOption = None,
    project: ProjectOption = None,
) -> None:
    """Load the bundled sample (runs, reviews, a second judge) and open the dashboard.

    Without --db or FAITHVIEW_DB the sample gets its own store, so it never mixes with your runs.
    """
    # Here, because `faithview ui` needs no judge, and the help no store.
    from faithview.services import audit
    from faithview.services.container import build
    from faithview.services.demo import load_sample

    projects = _described_projects(secrets)
    project = _named(project, db)
    if project is None and projects is not None:
        raise InvalidInput(
            "The secrets file describes projects. Name the project to load the sample into with --project, or "
            "another secrets file with --secrets."
        )
    if project is not None:
        db = _store_of(project, db, secrets)
    bind(_THIS_MACHINE, port, server="dashboard").close()  # before the sample is judged, which takes a minute
    if db is None:
        db = read_variable(DATABASE_VARIABLE) or file_url(data_folder() / "demo.db")
    settings = Settings.from_env(database_url=db)
    with build(settings, who=audit.command_line_user) as store:
        count = load_sample(store, on_step=output.say)
    if not count:
        output.say("The store already has runs, so the sample was not judged again.")
    _open_dashboard(settings, ["--port", str(port)], no_browser=no_browser, secrets=secrets, project=project)


def ui(
    port: PortOption = 8501,
    host: HostOption = _THIS_MACHINE,
    base_path: BasePathOption = "",
    no_browser: NoBrowserOption = False,
    metrics: Annotated[
        bool,
        typer.Option(
            "--metrics", help="Serve Prometheus metrics at /metrics to every client that reaches the dashboard."
        ),
    ] = False,
    secrets: SecretsOption = None,
    log_level: LogLevelOption = None,
    log_format: LogFormatOption = None,
    db: DbOption = None,
    project: ProjectOption = None,
) -> None:
    """Open the dashboard."""
    from faithview.services.container import build

    projects = _described_projects(secrets)
    project = _named(project, db)
    if project is not None:
        db = _store_of(project, db, secrets)
    elif projects is not None and db is not None:
        raise InvalidInput(
            "The secrets file describes projects, so the dashboard shows those and cannot open a store with --db. "
            "Describe this store as a project, or name another secrets file with --secrets."
        )
    settings = Settings.from_env(database_url=db)
    if projects is None or project is not None:
        build(settings).close()  # report an unusable store here and not in the browser
    else:
        _open_all(projects)
    place = ["--port", str(port), f"--host={host}", f"--base-path={base_path}", *(["--metrics"] if metrics else [])]
    _open_dashboard(settings, place, no_browser=no_browser, secrets=secrets, project=project)


def _described_projects(secrets: str | None) -> "Projects | None":
    """Return the projects that the secrets describe; raise InvalidInput if the dashboard may not start."""
    from faithview.services.projects import read_dashboard_secrets, read_projects

    return read_projects(read_dashboard_secrets(secrets))


def _named(project: str | None, db: str | None) -> str | None:
    """Return the chosen project: the option's, else the environment's, which --db overrides."""
    return project if project is not None or db is not None else read_variable(PROJECT_VARIABLE)


def _store_of(project: str, db: str | None, secrets: str | None) -> str:
    """Return the URL of a project's store; the project overrides FAITHVIEW_DB, as --db does."""
    if db is not None:
        raise InvalidInput("A project has its own store: give either --project or --db.")
    from faithview.services.projects import get_project

    return get_project(project, secrets).database_url


def _open_all(projects: "Projects") -> None:
    """Migrate every project's store, and name those that cannot be used; if none can, the dashboard does not start."""
    from faithview.services.container import build

    errors = []
    for project in projects.described:
        try:
            build(Settings(database_url=project.database_url)).close()
        except StoreError as error:
            errors.append(error)
            output.say(f"The project {project.name!r} cannot be opened: {error}")
    if len(errors) == len(projects.described):
        raise errors[-1]


def _open_dashboard(
    settings: Settings, place: Sequence[str], *, no_browser: bool, secrets: str | None, project: str | None
) -> None:
    command = [sys.executable, "-P", "-m", "faithview.ui.serving.dashboard_server", *place]
    if not no_browser:
        command.append("--open-browser")
    environment = {**os.environ, DATABASE_VARIABLE: absolute_url(settings.database_url)}
    environment.pop(PROJECT_VARIABLE, None)
    if project is not None:
        environment[PROJECT_VARIABLE] = project
    if secrets is not None:
        environment[SECRETS_VARIABLE] = secrets
    if os.name == "posix":
        # Replace this process: one process to stop, and its exit status is ours.
        os.execve(sys.executable, command, environment)  # noqa: S606 - our own interpreter
    sys.exit(subprocess.run(command, env=environment, check=False).returncode)  # noqa: S603 - our own interpreter
