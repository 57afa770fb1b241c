"""Any table with known column names; has results if a column is named after faithfulness."""

from collections.abc import Mapping
from dataclasses import replace

from faithview.domain.mapping import Field
from faithview.formats.files.aliases import find_columns
from faithview.formats.files.tables import Table
from faithview.formats.reading.objects import map_inside
from faithview.formats.reading.reader import Match, Reader
from faithview.formats.reading.score_columns import map_scores
from faithview.formats.reading.values import as_list
from faithview.formats.rows.mapping import map_by_alias

SCHEMA = "canonical"


def recognise(table: Table) -> Match:
    """Return the match that the column names suggest; for a table, unlike other formats, there is always one."""
    named = map_by_alias(table.columns)
    contexts = tuple(column for column in named.contexts if not _has_messages(column, table))
    mapping, asked = map_inside(table.head, replace(named, contexts=contexts))
    mapping, questions = map_scores(table.columns, table.head, mapping)
    taken: dict[Field, str | None] = {"answer": mapping.answer, "contexts": next(iter(mapping.contexts), None)}
    warnings = []
    for field, column in taken.items():
        others = [repr(other) for other in find_columns(field, table.columns) if other not in mapping.columns]
        if column is not None and others:
            could_be = f"By its name it could also be {', '.join(others)}; if so, map that column."
            warnings.append(f"Read as the {field}: {column!r}. {could_be}")
    return Match(mapping=mapping, questions=(*asked, *questions), warnings=tuple(warnings))


def _has_messages(column: str, table: Table) -> bool:
    """Return whether a column has conversations, in which the answer is a message, too."""
    messages = (item for row in table.head for item in as_list(row.values.get(column)))
    return any(isinstance(item, Mapping) and "role" in item for item in messages)


READER = Reader(name=SCHEMA, title="Columns by name", recognise=recognise)
