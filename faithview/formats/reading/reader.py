"""The reader of one format: recognises its files, opens their rows, and finds a tool's results in a row."""

from collections.abc import Callable
from collections.abc import Mapping as MappingABC
from dataclasses import dataclass
from typing import TypeAlias

from faithview.domain.sample import Sample
from faithview.formats.files.tables import Table
from faithview.formats.reading.given_labels import GivenLabel
from faithview.formats.reading.judged import Judged
from faithview.formats.reading.match import Match
from faithview.formats.rows.mapping import Mapping
from faithview.formats.rows.paths import value_at


@dataclass(frozen=True, slots=True)
class Row:
    """A row that was read: its cells as they are in the file, the sample made of them, and which column is what."""

    cells: MappingABC[str, object]
    sample: Sample
    mapping: Mapping

    def at(self, path: str | None) -> object:
        """Return the cell of a column or at a path (`outputs.0.text`); None where there is none."""
        return None if path is None else value_at(self.cells, path)


# Look at a file without reading it: `columns`, `head`, `whole` (of a JSON object), `database.tables`, `archive.names`.
Recognise: TypeAlias = Callable[[Table], Match | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """One format.

    Attributes:
        name: for `--format` and programs, in lower case.
        title: for people.
        recognise: returns what the reader makes of a file, None if it is not its format. It sees every file, so it must
            be cheap and take values of any type.
        open: returns the file with the format's own rows (`Table.with_rows`) where they are not those of the file:
            deeper in a JSON object, in a database, or several rows to an answer. None keeps the rows as they are.
        judged: returns the tool's result on a row, None if the row has none. `BadCell` refuses the row's result with a
            reason. None takes the columns of results that the mapping names.
        label: for a labelled data set, returns the label that it gives a row, by which judges are measured; None if the
            row has none. `BadCell` refuses the row with a reason. None for formats without such labels.
    """

    name: str
    title: str
    recognise: Recognise
    open: Callable[[Table], Table] | None = None
    judged: Callable[[Row], Judged | None] | None = None
    label: Callable[[Row], GivenLabel | None] | None = None

    @property
    def tool(self) -> str:
        """The tool's name: the title without what it says in brackets of the kind of file."""
        return self.title.partition(" (")[0]
