"""The mapping that the columns' names alone suggest."""

from collections.abc import Sequence

from faithview.formats.files.aliases import find_columns, find_numbered_contexts, fold_name
from faithview.formats.rows.mapping import Mapping

# Names for a single chunk: beside numbered columns such a column is not the whole list.
_SINGULAR = (
    "context", "chunk", "passage", "document", "kontext", "textstelle", "abschnitt", "dokument", "contexte", "extrait",
    "contexto", "fragmento", "pasaje", "documento",
)  # fmt: skip


def by_folded_name(columns: Sequence[str]) -> dict[str, str]:
    """Return the columns by folded name; if two have the same one, the first wins."""
    named: dict[str, str] = {}
    for column in columns:
        named.setdefault(fold_name(column), column)
    return named


def map_by_alias(columns: Sequence[str], *, without: frozenset[str] = frozenset()) -> Mapping:
    """Return the mapping that the columns' names alone suggest; each column is used once.

    Args:
        columns: the table's columns.
        without: columns to leave unmapped.
    """
    free = [column for column in columns if column not in without]

    def first(field: str) -> str | None:
        matches = find_columns(field, free)  # type: ignore[arg-type]  # a name out of FIELDS
        return matches[0] if matches else None

    listed = find_columns("contexts", free)
    numbered = find_numbered_contexts(free)
    if numbered and (not listed or fold_name(listed[0]) in _SINGULAR):
        contexts = numbered
        # Repeated header names are numbered from 2: "context", "context_2".
        if listed and fold_name(numbered[0]) == f"{fold_name(listed[0])}_2":
            contexts = (listed[0], *numbered)
    else:
        contexts = listed[:1]
    return Mapping(
        question=first("question"),
        answer=first("answer"),
        contexts=contexts,
        context_ids=first("context_ids"),
        key=first("key"),
        segment=first("segment"),
        reference=first("reference"),
        timestamp=first("timestamp"),
    )
