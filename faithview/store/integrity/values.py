"""Values that are none of their columns' types, words or ranges, and bytes that are no text."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, Boolean, ColumnElement, Connection, Float, Integer, String, Table, func, or_, select

from faithview.domain.audit import Action
from faithview.domain.claim import ClaimType, HallucinationType, Importance, Severity, Verdict
from faithview.domain.label import LabelKind, LabelRole, VerdictSource
from faithview.domain.run import RunStatus
from faithview.domain.state import State
from faithview.store.dialect import UtcDateTime
from faithview.store.hash_columns import ContentHash
from faithview.store.integrity.tables import TABLES
from faithview.store.schema.audit import AuditEntryRow
from faithview.store.schema.review import ClaimReviewRow, LabelRow
from faithview.store.schema.runs import ClaimRow, ResultRow, RunRow

# The columns with one of a few words, and the words.
_WORDS: tuple[tuple[Any, type[StrEnum]], ...] = (
    (RunRow.status, RunStatus),
    (ResultRow.state, State),
    (ClaimRow.verdict, Verdict),
    (ClaimRow.claim_type, ClaimType),
    (ClaimRow.importance, Importance),
    (ClaimRow.hallucination_type, HallucinationType),
    (ClaimRow.severity, Severity),
    (LabelRow.kind, LabelKind),
    (LabelRow.verdict, Verdict),
    (LabelRow.role, LabelRole),
    (ClaimReviewRow.verdict, Verdict),
    (ClaimReviewRow.source, VerdictSource),
    (AuditEntryRow.action, Action),
)
_SHARES = (
    RunRow.threshold,
    ResultRow.faithfulness,
    ResultRow.faithfulness_weighted,
    ClaimRow.confidence,
    ClaimRow.support_score,
)


def value_problems(connection: Connection) -> Iterator[str]:
    """Yield columns with values of another type than theirs, which SQLite stores without a word."""
    if connection.dialect.name != "sqlite":
        return
    for table in TABLES:
        wrong = [f"sum({_is_wrong(column)})" for column in table.columns]
        query = f"SELECT {', '.join(wrong)} FROM {table.name}"  # noqa: S608 - names of our own tables and columns
        counts = connection.exec_driver_sql(query).one()
        for column, count in zip(table.columns, counts, strict=True):
            if count:
                yield f"{count} rows of {table.name} have no proper value in the column {column.name}."


def text_problems(connection: Connection) -> Iterator[str]:
    """Yield columns of texts with bytes that are not UTF-8, or with a NUL, which is never stored."""
    if connection.dialect.name != "sqlite":  # PostgreSQL refuses both
        return
    driver: Any = connection.connection.driver_connection
    driver.create_function("fv_is_text", 1, _is_text, deterministic=True)
    for table in TABLES:
        texts = [column.name for column in table.columns if isinstance(column.type, String | JSON | ContentHash)]
        if not texts:
            continue
        wrong = [f'total(typeof("{name}") = \'text\' AND NOT fv_is_text(CAST("{name}" AS BLOB)))' for name in texts]
        query = f"SELECT {', '.join(wrong)} FROM {table.name}"  # noqa: S608 - names of our own tables and columns
        counts = connection.exec_driver_sql(query).one()
        for name, count in zip(texts, counts, strict=True):
            if count:
                yield f"{int(count)} rows of {table.name} have bytes that are no text in the column {name}."


def word_problems(connection: Connection) -> Iterator[str]:
    """Yield columns with words that are none of theirs, and shares that are not between 0 and 1."""
    for column, words in _WORDS:
        yield from _count(connection, column, column.not_in([word.value for word in words]), "holds no known word")
    for column in _SHARES:
        yield from _count(connection, column, or_(column < 0, column > 1), "is not between 0 and 1")


def _is_wrong(column: Any) -> str:
    """Return the SQL condition that a value is none of the column's type. Names are those of our own tables."""
    name = f'"{column.name}"'
    match column.type:
        case Boolean():
            is_right = f"typeof({name}) = 'integer' AND {name} IN (0, 1)"
        case Integer():
            is_right = f"typeof({name}) = 'integer'"
        case Float():
            is_right = f"typeof({name}) IN ('real', 'integer') AND abs({name}) < 9e999"
        case JSON():
            is_right = f"typeof({name}) = 'text' AND json_valid({name})"
        case UtcDateTime():
            is_date = f"datetime({name}) IS NOT NULL AND {name} GLOB '????-??-?? ??:??:??*'"
            is_right = f"typeof({name}) = 'text' AND {is_date}"
        case ContentHash():
            is_right = f"(typeof({name}) = 'text' OR typeof({name}) = 'blob' AND length({name}) = 32)"
        case _:
            is_right = f"typeof({name}) = 'text'"
    is_right = f"coalesce({is_right}, 0)"
    return f"NOT ({name} IS NULL OR {is_right})" if column.nullable else f"NOT {is_right}"


def _is_text(value: bytes | None) -> bool:
    try:
        return value is None or "\0" not in value.decode()
    except UnicodeDecodeError:
        return False


def _count(connection: Connection, column: Any, condition: ColumnElement[bool], what: str) -> Iterator[str]:
    table: Table = column.table
    key = next(iter(table.primary_key))
    query = select(func.count(), func.min(key)).select_from(table).where(condition)
    count, first = connection.execute(query).one()
    if count:
        yield f"{count} rows of {table.name}: {column.key} {what}; the first is {first}."
