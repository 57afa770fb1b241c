"""Users' files and the data sets that their rows are of.

Files are read as samples, checked before they are stored, and read on after a stop. Data sets are listed and compared
by version in `named`; in `contents` their rows are searched, tagged and held out.
"""

from faithview.domain.columns import RESULT_FIELDS
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
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.formats.rows.mapping import check_columns, mapped_fields
from faithview.formats.rows.separators import OFFERED as OFFERED_SEPARATORS
from faithview.formats.rows.separators import Separator, Separators
from faithview.formats.rows.timestamps import DAY_FIRST, MONTH_FIRST, parse_timestamp
from faithview.services.datasets.checking import FileCheck, check_file
from faithview.services.datasets.command_line import command_for
from faithview.services.datasets.files import Dataset, Survey, note_date_order, open_dataset, open_file, open_rows
from faithview.services.datasets.origin import FileOrigin

__all__ = [
    "COLUMNS_BY_NAME",
    "DAY_FIRST",
    "FIELDS",
    "MONTH_FIRST",
    "OFFERED_SEPARATORS",
    "ONE_CHUNK",
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
    "without_ending",
]
