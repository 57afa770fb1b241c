"""Users' files and the data sets that their rows are of.

Files are read as samples, checked before they are stored, and read on after a stop. Data sets are listed and compared
by version in `named`; in `contents` their rows are searched, tagged and held out.
"""

from typing import TYPE_CHECKING

from faithview.domain.columns import RESULT_FIELDS

if TYPE_CHECKING:
    from faithview.formats.dataset import (
        FIELDS,
        Detection,
        HeldFile,
        LabelledSample,
        Question,
        ReadReport,
        Row,
        RowProblem,
    )
    from faithview.formats.files.source import without_ending
    from faithview.formats.readers.by_name import SCHEMA as COLUMNS_BY_NAME
    from faithview.formats.rows.contexts import ONE_CHUNK
    from faithview.formats.rows.guess_columns import ColumnGuess
    from faithview.formats.rows.mapping import PER_ANSWER, PER_CHUNK, check_columns, mapped_fields, separator_name
    from faithview.formats.rows.mapping import Mapping as ColumnMapping
    from faithview.formats.rows.separators import OFFERED as OFFERED_SEPARATORS
    from faithview.formats.rows.separators import Separator, Separators
    from faithview.formats.rows.timestamps import DAY_FIRST, MONTH_FIRST, parse_timestamp
    from faithview.services.datasets.checking import FileCheck, check_file
    from faithview.services.datasets.command_line import command_for
    from faithview.services.datasets.files import Dataset, note_date_order, open_dataset, open_file, open_rows
    from faithview.services.datasets.origin import FileOrigin
    from faithview.services.datasets.survey import Survey

__all__ = [
    "COLUMNS_BY_NAME",
    "DAY_FIRST",
    "FIELDS",
    "MONTH_FIRST",
    "OFFERED_SEPARATORS",
    "ONE_CHUNK",
    "PER_ANSWER",
    "PER_CHUNK",
    "RESULT_FIELDS",
    "ColumnGuess",
    "ColumnMapping",
    "Dataset",
    "Detection",
    "FileCheck",
    "FileOrigin",
    "HeldFile",
    "LabelledSample",
    "Question",
    "ReadReport",
    "Row",
    "RowProblem",
    "Separator",
    "Separators",
    "Survey",
    "check_columns",
    "check_file",
    "command_for",
    "mapped_fields",
    "note_date_order",
    "open_dataset",
    "open_file",
    "open_rows",
    "parse_timestamp",
    "separator_name",
    "without_ending",
]

# Where each name is from, and its name there. What reads files is imported when it is first used: commands that list
# data sets read no file.
_LAZY = {
    "COLUMNS_BY_NAME": ("faithview.formats.readers.by_name", "SCHEMA"),
    "ColumnGuess": ("faithview.formats.rows.guess_columns", "ColumnGuess"),
    "ColumnMapping": ("faithview.formats.rows.mapping", "Mapping"),
    "DAY_FIRST": ("faithview.formats.rows.timestamps", "DAY_FIRST"),
    "Dataset": ("faithview.services.datasets.files", "Dataset"),
    "Detection": ("faithview.formats.dataset", "Detection"),
    "FIELDS": ("faithview.formats.dataset", "FIELDS"),
    "FileCheck": ("faithview.services.datasets.checking", "FileCheck"),
    "FileOrigin": ("faithview.services.datasets.origin", "FileOrigin"),
    "HeldFile": ("faithview.formats.dataset", "HeldFile"),
    "LabelledSample": ("faithview.formats.dataset", "LabelledSample"),
    "MONTH_FIRST": ("faithview.formats.rows.timestamps", "MONTH_FIRST"),
    "OFFERED_SEPARATORS": ("faithview.formats.rows.separators", "OFFERED"),
    "ONE_CHUNK": ("faithview.formats.rows.contexts", "ONE_CHUNK"),
    "Question": ("faithview.formats.dataset", "Question"),
    "PER_ANSWER": ("faithview.formats.rows.mapping", "PER_ANSWER"),
    "PER_CHUNK": ("faithview.formats.rows.mapping", "PER_CHUNK"),
    "separator_name": ("faithview.formats.rows.mapping", "separator_name"),
    "ReadReport": ("faithview.formats.dataset", "ReadReport"),
    "Row": ("faithview.formats.dataset", "Row"),
    "RowProblem": ("faithview.formats.dataset", "RowProblem"),
    "Separator": ("faithview.formats.rows.separators", "Separator"),
    "Separators": ("faithview.formats.rows.separators", "Separators"),
    "Survey": ("faithview.services.datasets.survey", "Survey"),
    "check_columns": ("faithview.formats.rows.mapping", "check_columns"),
    "check_file": ("faithview.services.datasets.checking", "check_file"),
    "command_for": ("faithview.services.datasets.command_line", "command_for"),
    "mapped_fields": ("faithview.formats.rows.mapping", "mapped_fields"),
    "note_date_order": ("faithview.services.datasets.files", "note_date_order"),
    "open_dataset": ("faithview.services.datasets.files", "open_dataset"),
    "open_file": ("faithview.services.datasets.files", "open_file"),
    "open_rows": ("faithview.services.datasets.files", "open_rows"),
    "parse_timestamp": ("faithview.formats.rows.timestamps", "parse_timestamp"),
    "without_ending": ("faithview.formats.files.source", "without_ending"),
}


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module, name_there = _LAZY[name]
    return getattr(import_module(module), name_there)
