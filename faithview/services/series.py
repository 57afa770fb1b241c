"""The series of runs (see `domain/series.py`): list and edit them."""

from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.run import Run
from faithview.domain.series import CHECKED_ANSWERS
from faithview.services.container import Store
from faithview.services.results import clean_name, get_run
from faithview.store import series as stored_series


def newest_series(store: Store) -> str | None:
    """Return the name of the series with the newest answers, the default on pages; None without a run.

    The series of checked answers is returned only if it is the only one.
    """
    listed = stored_series.list_series(store.db)
    return listed[0].name if listed else None


def move_run(store: Store, reference: str, series: str) -> Run:
    """Move a run, by its id or unique name, to a series, which is created if missing.

    Its repeats move with it; moving a repeat also moves the original run.

    Returns:
        The run in its new series.

    Raises:
        NotFound: there is no such run.
        InvalidInput: the name is not valid.
    """
    name = clean_name(series, whose="series")
    run = get_run(store, reference)
    stored_series.move_run(store.db, run.repeat_of or run.run_id, name)
    return get_run(store, run.run_id)


def rename_series(store: Store, old: str, new: str) -> int:
    """Rename a series, or merge it into the series of that name; return how many runs were moved.

    Raises:
        NotFound: there is no such series.
        InvalidInput: the new name is not valid, or it is the series of checked answers, which later answers join.
    """
    name = clean_name(new, whose="series")
    if old == CHECKED_ANSWERS:
        raise InvalidInput(
            f"{CHECKED_ANSWERS!r} cannot be renamed, because answers that are checked later are added to it. Move "
            "single runs to another series instead."
        )
    moved = stored_series.rename_series(store.db, old, name)
    if not moved:
        raise NotFound(f"There is no series {old!r}.")
    return moved
