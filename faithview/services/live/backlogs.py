"""What waits to be judged, and what a watch has decided on, by application."""

from faithview.domain.live.logged_answer import Backlog
from faithview.services.container import Services
from faithview.store.live import logged_answers


def list_backlogs(services: Services, *, application: str | None = None) -> list[Backlog]:
    """Return what waits and what was decided on, for each application or for one."""
    return logged_answers.list_backlogs(services.db, application=application)
