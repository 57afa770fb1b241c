"""What people change about a stored run: its name, its note, and whether it is listed (`store/runs/archive.py`)."""

from datetime import UTC, datetime

from faithview.domain.errors import InvalidInput
from faithview.domain.run import Run, RunContents
from faithview.domain.sample import find_unstorable
from faithview.services.container import Services
from faithview.services.results.runs import get_run
from faithview.store.retention import deleted_runs
from faithview.store.runs import archive, runs

MAX_NAME = 200
MAX_NOTE = 2000


def clean_run_name(name: str) -> str:
    """Return a run's name on one line.

    Raises:
        InvalidInput: it is empty or too long, or contains a character that cannot be stored.
    """
    line = " ".join(name.split())
    if not line or len(line) > MAX_NAME:
        raise InvalidInput(f"A run's name needs 1 to {MAX_NAME} characters, not {len(line)}.")
    if find_unstorable(line) is not None:
        raise InvalidInput(f"The name {line!r} contains a character that cannot be stored; remove it.")
    return line


def rename_run(services: Services, reference: str, name: str) -> Run:
    """Rename a run, given by its id or unique name, and return it.

    Raises:
        NotFound: there is no such run.
        InvalidInput: the name cannot be used.
        RunConflict: another run has that name.
    """
    wanted = clean_run_name(name)
    run = get_run(services, reference)
    runs.rename_run(services.db, run.run_id, wanted)
    return get_run(services, run.run_id)


def note_on_run(services: Services, reference: str, note: str) -> Run:
    """Note a text on a run in place of the last one, and return the run; an empty text removes the note.

    Raises:
        NotFound: there is no such run.
        InvalidInput: the note is too long or contains a character that cannot be stored.
    """
    text = note.strip()
    if len(text) > MAX_NOTE:
        raise InvalidInput(f"A note has at most {MAX_NOTE:,} characters, not {len(text):,}.")
    if find_unstorable(text) is not None:
        raise InvalidInput("The note contains a character that cannot be stored; remove it.")
    run = get_run(services, reference)
    runs.set_note(services.db, run.run_id, text or None)
    return get_run(services, run.run_id)


def archive_run(services: Services, reference: str) -> Run:
    """Archive a run with its repeats, and return it; an archived one stays as it is. Raises NotFound."""
    run = get_run(services, reference)
    if run.archived_at is None:
        archive.set_archived(services.db, run.run_id, datetime.now(UTC))
    return get_run(services, run.run_id)


def restore_run(services: Services, reference: str) -> Run:
    """Bring an archived run back with its repeats, and return it; a run in use stays as it is. Raises NotFound."""
    run = get_run(services, reference)
    archive.set_archived(services.db, run.run_id, None)
    return get_run(services, run.run_id)


def get_contents(services: Services, reference: str) -> RunContents:
    """Return what would be deleted with a run; raises NotFound."""
    return deleted_runs.load_contents(services.db, get_run(services, reference).run_id)
