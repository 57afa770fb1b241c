"""FaithView's own columns, under any of their known names."""

from collections.abc import Sequence

from faithview.formats.files.aliases import find_columns
from faithview.formats.files.tables import RawRow
from faithview.formats.rows.guess import Guess, map_by_alias
from faithview.formats.rows.mapping import Mapping

SCHEMA = "canonical"


def recognise(columns: Sequence[str], head: Sequence[RawRow]) -> Guess:
    """Return the guess that the column names suggest; unlike other formats, this one always makes a guess."""
    mapping = map_by_alias(columns)
    confidence = 0.1
    confidence += 0.35 if mapping.answer else 0.0
    confidence += 0.3 if mapping.contexts else 0.0
    confidence += 0.1 if mapping.question else 0.0
    return Guess(
        schema=SCHEMA,
        title="Columns by name",
        confidence=round(confidence, 2),
        why=_explain(mapping),
        mapping=mapping,
        warnings=(*_rivals("answer", columns, mapping), *_rivals("contexts", columns, mapping)),
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
    """Return a warning for other columns that could be meant, so that no choice is silent."""
    used = mapping.columns
    candidates = find_columns("answer", columns) if field == "answer" else find_columns("contexts", columns)
    others = [column for column in candidates if column not in used]
    taken = mapping.answer if field == "answer" else next(iter(mapping.contexts), None)
    if not others or taken is None:
        return ()
    listed = ", ".join(repr(column) for column in others)
    return (f"Read as the {field}: {taken!r}. By its name it could also be {listed}; if so, map that column.",)
