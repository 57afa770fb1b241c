"""The command that reads a file as somebody has chosen to read it on a page."""

import shlex
from dataclasses import replace

from faithview.domain.columns import FIELDS, RESULT_FIELDS
from faithview.formats.rows.mapping import DATE_FORMAT, DATE_ORDER, IGNORED, SEPARATOR, SETTINGS, separator_name
from faithview.services.datasets.files import Dataset

# The order and the form of dates have an option of their own.
_SETTINGS = (IGNORED, *(name for name in SETTINGS if name not in (DATE_ORDER, DATE_FORMAT)))


def command_for(dataset: Dataset, *, for_results: bool, database: str | None, project: str | None = None) -> str:
    """Return the command that judges a file, or takes its results over, with what was chosen about its columns.

    Args:
        dataset: the file under the chosen mapping.
        for_results: whether another tool's results are taken over.
        database: the URL of the store; None for the one that the command uses by itself.
        project: the project whose store it is, instead.
    """
    words = ["faithview", "import" if for_results else "evaluate", dataset.table.name]
    if dataset.chosen_format is not None:
        words += ["--format", dataset.chosen_format]
    # What the command guesses by itself needs no option.
    fresh = replace(dataset, mapping=dataset.detection.mapping, answered=frozenset(), guesses=None)
    detected = fresh.as_guessed().mapping
    for name in (*FIELDS, *(RESULT_FIELDS if for_results else ()), *_SETTINGS):
        chosen = getattr(dataset.mapping, name)
        if chosen != getattr(detected, name):
            value = ",".join(chosen) if isinstance(chosen, tuple) else chosen or ""
            words += ["--map", f"{name}={separator_name(value) if name == SEPARATOR else value}"]
    order = dataset.mapping.date_format or dataset.mapping.date_order
    if order:
        words += ["--date-format", order]
    if project is not None:
        words += ["--project", project]
    elif database is not None:
        words += ["--db", database]
    return shlex.join(words)
