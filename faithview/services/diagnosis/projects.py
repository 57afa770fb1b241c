"""What stands in each project's store, for whoever runs the command line; nothing is created or migrated."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from faithview.documents.diagnosis import ProjectFigures, ProjectsDocument
from faithview.domain.errors import StoreError
from faithview.domain.project import Project, Projects, Role
from faithview.services import schema
from faithview.services.container import build
from faithview.services.results.runs import count_runs
from faithview.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectState:
    """A project, the place of its store without a password, and its runs.

    Attributes:
        runs: how many runs it has, the archived ones too; None where that cannot be said.
        error: why the store cannot be used, as a sentence; None if it can, or if it is not begun yet.
        is_begun: whether there is a store yet.
    """

    project: Project
    place: str
    runs: int | None = None
    error: str | None = None
    is_begun: bool = True

    @property
    def database(self) -> str:
        """The kind of the store: "SQLite" or "PostgreSQL"."""
        return "SQLite" if self.place.startswith("sqlite") else "PostgreSQL"


def list_states(projects: Projects) -> list[ProjectState]:
    """Return the state of each project, in the order of the description."""
    return [_state(project) for project in projects.described]


def projects_document(projects: Projects, states: Sequence[ProjectState]) -> ProjectsDocument:
    """Return the document of `faithview projects --json`; it has numbers of people, not their addresses."""
    return ProjectsDocument(
        projects=[ProjectFigures.of(state, roles=role_counts(state.project)) for state in states],
        admins=len(projects.admins),
    )


def role_counts(project: Project) -> Mapping[str, int]:
    """Return how many addresses a project lists for each role."""
    members = project.members
    return {
        Role.ADMIN.value: len(members.admins),
        Role.REVIEWER.value: len(members.reviewers),
        Role.VIEWER.value: len(members.viewers),
    }


def _state(project: Project) -> ProjectState:
    settings = Settings(database_url=project.database_url)
    place = schema.shown_url(settings)
    try:
        state = schema.check(settings)
        if state.current is None:
            return ProjectState(project=project, place=place, runs=0, is_begun=False)
        if not state.is_current:
            reason = f"It has schema {state.current}, this FaithView's is {state.wanted}: run `faithview db upgrade`."
            return ProjectState(project=project, place=place, error=reason)
        with build(settings) as services:
            return ProjectState(project=project, place=place, runs=count_runs(services, archived=None))
    except StoreError as error:
        return ProjectState(project=project, place=place, error=str(error))
