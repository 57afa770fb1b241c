"""`faithview projects`: which projects the secrets file describes."""

from typing import TYPE_CHECKING

import typer

from faithview.cli import output
from faithview.cli.options import JsonOption
from faithview.domain.project import Projects
from faithview.wording import numbers as fmt

if TYPE_CHECKING:
    from faithview.services.diagnosis.projects import ProjectState


_FAILED = 1


def list_projects(as_json: JsonOption = False) -> None:
    """List the projects that the secrets file describes; exit with 1 if the store of one cannot be used.

    Addresses of people and passwords are not printed.
    """
    from faithview.services.diagnosis.projects import list_states, projects_document
    from faithview.services.projects.named import described_projects

    projects = described_projects() or Projects(described=())
    states = list_states(projects)
    if as_json:
        output.print_json(projects_document(projects, states))
    elif states:
        rows = [
            [state.project.name, state.project.title, state.database, _runs(state), _people(state)] for state in states
        ]
        output.print_table("Projects", ["project", "title", "database", "runs ", "listed"], rows)
        output.print_lines([f"{state.project.name}: {state.error}" for state in states if state.error])
    else:
        output.say("The secrets file describes no projects, so that there is one store.")
    if any(state.error for state in states):
        raise typer.Exit(_FAILED)


def _runs(state: "ProjectState") -> str:
    if not state.is_begun:
        return "none yet"
    return "–" if state.runs is None else fmt.count(state.runs)


def _people(state: "ProjectState") -> str:
    from faithview.services.diagnosis.projects import role_counts

    listed = [fmt.plural(number, role) for role, number in role_counts(state.project).items() if number]
    if state.project.members.is_open:
        listed.append("everyone who logs in")
    return ", ".join(listed) or "nobody"
