"""Any table with known column names; has results if a column is named after faithfulness."""

from collections.abc import Sequence
from dataclasses import replace

from faithview.formats.files.aliases import find_columns
from faithview.formats.files.tables import Table
from faithview.formats.reading.objects import map_inside
from faithview.formats.reading.reader import Match, Reader
from faithview.formats.reading.score_columns import map_scores
from faithview.formats.rows.chunk_rows import without_answers
from faithview.formats.rows.mapping import Mapping, map_by_alias

SCHEMA = "canonical"


def recognise(table: Table) -> Match | None:
    """Return the match that the column names suggest; for a table, unlike other formats, there is always one."""
    columns = table.columns
    if table.archive is not None or table.database is not None:
        return None
    named = map_by_alias(columns)
    mapping, asked = map_inside(table.head, replace(named, contexts=without_answers(named, table.head)))
    mapping, questions = map_scores(columns, table.head, mapping)
    score = 0.1
    score += 0.35 if named.answer else 0.0
    score += 0.3 if mapping.contexts else 0.0
    score += 0.1 if named.question else 0.0
    return Match(
        score=round(score, 2),
        reasons=(_explain(mapping),),
        mapping=mapping,
        questions=(*asked, *questions),
        warnings=(*_rivals("answer", columns, mapping), *_rivals("contexts", columns, mapping)),
        has_results=mapping.score is not None or bool(questions),
    )


def _explain(mapping: Mapping) -> str:
    parts = [
        f"{field} from {', '.join(repr(column) for column in used)}"
        for field, used in (
            ("the question", (mapping.question,) if mapping.question else ()),
            ("the answer", (mapping.answer,) if mapping.answer else ()),
            ("the contexts", mapping.contexts),
        )
        if used
    ]
    return f"By the columns' names: {'; '.join(parts)}." if parts else "No column has a known name."


def _rivals(field: str, columns: Sequence[str], mapping: Mapping) -> tuple[str, ...]:
    """Return a warning that names other columns that could be meant."""
    used = mapping.columns
    candidates = find_columns("answer", columns) if field == "answer" else find_columns("contexts", columns)
    others = [column for column in candidates if column not in used]
    taken = mapping.answer if field == "answer" else next(iter(mapping.contexts), None)
    if not others or taken is None:
        return ()
    listed = ", ".join(repr(column) for column in others)
    return (f"Read as the {field}: {taken!r}. By its name it could also be {listed}; if so, map that column.",)


READER = Reader(name=SCHEMA, title="Columns by name", recognise=recognise)
