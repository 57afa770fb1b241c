"""What a format's module says when it is shown a table."""

from collections.abc import Sequence
from dataclasses import dataclass

from faithview.formats.aliases import find_columns, find_numbered_contexts, fold_name
from faithview.formats.mapping import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """A format that the table may be in.

    `schema` names it for programs, `title` for people. `confidence` in [0, 1] ranks guesses. `why` is one sentence.
    """

    schema: str
    title: str
    confidence: float
    why: str
    mapping: Mapping
    warnings: tuple[str, ...] = ()


def by_folded_name(columns: Sequence[str]) -> dict[str, str]:
    """Return the columns by their folded names, of two with the same one the first."""
    named: dict[str, str] = {}
    for column in columns:
        named.setdefault(fold_name(column), column)
    return named


def map_by_alias(columns: Sequence[str], *, without: frozenset[str] = frozenset()) -> Mapping:
    """Return the mapping that the columns' names alone suggest; each column is used once.

    Args:
        columns: the table's columns.
        without: columns that must not be taken for anything.
    """
    free = [column for column in columns if column not in without]

    def first(field: str) -> str | None:
        found = find_columns(field, free)  # type: ignore[arg-type]
        return found[0] if found else None

    one = find_columns("contexts", free)
    several = find_numbered_contexts(free)
    # "context" beside "context_2" is the first of them: a repeated header name is numbered from 2.
    if (
        several
        and one
        and len(one) == 1
        and fold_name(one[0]).rstrip("s") in ("context", "chunk", "passage", "document")
    ):
        contexts = (one[0], *several) if not several[0].endswith("1") else several
    else:
        contexts = one[:1] or several
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
