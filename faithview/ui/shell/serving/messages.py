"""What the dashboard says on the terminal: where it is, and what goes on when it stops."""

import sys

from faithview import logs
from faithview.domain.errors import FaithViewError
from faithview.services.results.runs import get_run
from faithview.ui.shell.serving.opened_store import served_projects, services_of, settings_of
from faithview.wording.terminal_text import printable


def say(text: str) -> None:
    """Write a line on standard error."""
    sys.stderr.write((logs.said(text) if logs.writes_json() else printable(text)) + "\n")
    sys.stderr.flush()


def say_what_goes_on() -> None:
    """Name the runs that are judged in processes of their own, which do not end with the dashboard."""
    from faithview.ui.shell.app import workers_over  # here, because `app` needs this package

    for project in served_projects():
        option = "" if project is None else f" --project {project.name}"
        for run_id in workers_over(settings_of(project)).run_ids():
            try:
                name = get_run(services_of(project), run_id).name
            except FaithViewError:  # the store is away
                name = run_id
            say(
                f"The run {name!r} is judged on in the background: `faithview show {run_id}{option}` says how far it "
                "is, and the dashboard shows it when it is started again."
            )
