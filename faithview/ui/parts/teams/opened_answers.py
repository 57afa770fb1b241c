"""Who has opened which answer with the judge's verdicts in sight: kept once for each answer, reviewer and session."""

from faithview.services.review import reveals
from faithview.ui.shell import app, identity, session


def note_opened(*answers: tuple[str, int]) -> None:
    """Note that this session shows the judge's verdicts on answers, each given as run and row.

    It is stored under the reviewer's name. Without one it waits in the session until a name is given, for the same eyes
    have seen it then.
    """
    session.OPENED_ANSWERS.set(session.OPENED_ANSWERS.get() | set(answers))
    store_opened()


def store_opened() -> None:
    """Store what the session has shown and not stored yet, if it has a reviewer by now."""
    name = identity.current_reviewer()
    if name is None or not identity.can_label(name):
        return
    stored = session.STORED_ANSWERS.get()
    new = [place for place in session.OPENED_ANSWERS.get() if (name, *place) not in stored]
    if new:
        reveals.note_opened(app.services(), new, reviewer=name)
        session.STORED_ANSWERS.set(stored | {(name, *place) for place in new})
    session.OPENED_ANSWERS.clear()
