"""Whether a store is whole: its file, its schema, its values, what refers to what, and the hashes of its texts.

Nothing is changed. A problem is a sentence that names the table, how many rows it is about, and the first few of them.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from itertools import groupby
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    ColumnElement,
    Connection,
    Float,
    Integer,
    Select,
    Table,
    func,
    inspect,
    or_,
    select,
)
from sqlalchemy.exc import DBAPIError

from faithview.domain import content_hashes
from faithview.domain.audit import Action
from faithview.domain.claim import ClaimType, HallucinationType, Importance, Severity, Verdict
from faithview.domain.label import LabelKind, LabelRole, VerdictSource
from faithview.domain.run import RunStatus
from faithview.domain.state import State
from faithview.store.append_only import AUDIT_TRIGGERS
from faithview.store.dialect import UtcDateTime
from faithview.store.schema.audit import AuditEntryRow
from faithview.store.schema.comparison import KnowledgeBaseRow
from faithview.store.schema.datasets import NamedDatasetRow
from faithview.store.schema.inbox import InboxClaimRow
from faithview.store.schema.live import LoggedAnswerRow
from faithview.store.schema.review import ClaimReviewRow, LabelRow
from faithview.store.schema.runs import (
    Base,
    ChunkRow,
    CitationRow,
    ClaimRow,
    EvidenceRow,
    ResultRow,
    RunRow,
    SampleChunkRow,
    SampleRow,
)

# Mentioned so that their tables are among those of `Base`.
_SCHEMAS = (KnowledgeBaseRow, LoggedAnswerRow, NamedDatasetRow)
_NAMED_ROWS = 3
_ROWS_AT_A_TIME = 2_000
# SQLite stops after so many problems of its own: one is enough to need a backup.
_MOST_OF_SQLITE = 20
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
# Runs whose texts were deleted: their claims are in no index, and have no hashes of texts.
_EMPTIED = select(RunRow.id).where(RunRow.texts_deleted_at.is_not(None))
_CLAIMS_WITH_TEXTS = select(ClaimRow.id, ClaimRow.text, ClaimRow.claim_hash).where(ClaimRow.run_id.not_in(_EMPTIED))
_SHARES = (
    RunRow.threshold,
    ResultRow.faithfulness,
    ResultRow.faithfulness_weighted,
    ClaimRow.confidence,
    ClaimRow.support_score,
)
# What no model describes, and what it is for: the virtual table of words, and triggers.
_UNDESCRIBED = {
    **dict.fromkeys(
        ("claim_words", "claim_words_added", "claim_words_removed"), "a part of the inbox's index of words"
    ),
    **dict.fromkeys(AUDIT_TRIGGERS, "which keeps the audit log as it is"),
}


def find_damage(connection: Connection) -> list[str]:
    """Return what can make the store unreadable: everything but texts that are not those of their hashes."""
    return _find(connection, thorough=False)


def find_problems(connection: Connection) -> list[str]:
    """Return all problems of a store that has the schema of this FaithView; each text is read and hashed."""
    return _find(connection, thorough=True)


def _find(connection: Connection, *, thorough: bool) -> list[str]:
    problems = list(_file_problems(connection, thorough=thorough))
    missing = list(_schema_problems(connection))
    if missing:  # what is missing would be found again in every query
        return problems + missing
    for check in (_value_problems, _word_problems, _reference_problems):
        problems += _checked(connection, check)
    # A text that is damaged in its file, or no text at all, cannot be hashed, and is among the problems already.
    if thorough and not problems:
        problems += _checked(connection, _hash_problems)
    return problems


def _checked(connection: Connection, check: Callable[[Connection], Iterator[str]]) -> list[str]:
    try:
        return list(check(connection))
    except DBAPIError as error:
        return [f"A part of the store cannot be read: {str(error.orig).splitlines()[0]}."]


def _file_problems(connection: Connection, *, thorough: bool) -> Iterator[str]:
    if connection.dialect.name != "sqlite":
        return
    check = "integrity_check" if thorough else "quick_check"
    for row in connection.exec_driver_sql(f"PRAGMA {check}({_MOST_OF_SQLITE})"):
        if row[0] != "ok":
            yield f"The file is damaged: {' '.join(str(row[0]).split())}."
    orphans: defaultdict[str, int] = defaultdict(int)
    for row in connection.exec_driver_sql("PRAGMA foreign_key_check"):
        orphans[f"{row[0]} refer to a {row[2]} that is not there"] += 1
    for words, count in orphans.items():
        yield f"{count} rows of {words}."


def _schema_problems(connection: Connection) -> Iterator[str]:
    inspector = inspect(connection)
    there = set(inspector.get_table_names())
    for table in Base.metadata.sorted_tables:
        if table.name not in there:
            yield f"The table {table.name} is missing."
            continue
        columns = {column["name"] for column in inspector.get_columns(table.name)}
        indexes = {index["name"] for index in inspector.get_indexes(table.name)}
        for column in table.columns:
            if column.name not in columns:
                yield f"The column {table.name}.{column.name} is missing."
        for index in table.indexes:
            rule = index._ddl_if  # SQLAlchemy has no public way to ask
            if (rule is None or rule.dialect == connection.dialect.name) and index.name not in indexes:
                yield f"The index {index.name} is missing."
    if connection.dialect.name == "sqlite":
        names = {row[0] for row in connection.exec_driver_sql("SELECT name FROM sqlite_master")}
        for name, purpose in _UNDESCRIBED.items():
            if name not in names:
                yield f"{name}, {purpose}, is missing."


def _value_problems(connection: Connection) -> Iterator[str]:
    """Yield columns with values of another type than theirs, which SQLite stores without a word."""
    if connection.dialect.name != "sqlite":
        return
    for table in Base.metadata.sorted_tables:
        wrong = [f"sum({_is_wrong(column)})" for column in table.columns]
        query = f"SELECT {', '.join(wrong)} FROM {table.name}"  # noqa: S608 - names of our own tables and columns
        counts = connection.exec_driver_sql(query).one()
        for column, count in zip(table.columns, counts, strict=True):
            if count:
                yield f"{count} rows of {table.name} have no proper value in the column {column.name}."


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
        case _:
            is_right = f"typeof({name}) = 'text'"
    is_right = f"coalesce({is_right}, 0)"
    return f"NOT ({name} IS NULL OR {is_right})" if column.nullable else f"NOT {is_right}"


def _word_problems(connection: Connection) -> Iterator[str]:
    for column, words in _WORDS:
        yield from _count(connection, column, column.not_in([word.value for word in words]), "holds no known word")
    for column in _SHARES:
        yield from _count(connection, column, or_(column < 0, column > 1), "is not between 0 and 1")


def _count(connection: Connection, column: Any, condition: ColumnElement[bool], what: str) -> Iterator[str]:
    table: Table = column.class_.__table__
    key = next(iter(table.primary_key))
    query = select(func.count(), func.min(key)).select_from(table).where(condition)
    count, first = connection.execute(query).one()
    if count:
        yield f"{count} rows of {table.name}: {column.key} {what}; the first is {first}."


def _reference_problems(connection: Connection) -> Iterator[str]:
    """Yield what is lost, doubled or orphaned, where no foreign key says so."""
    counted = select(SampleRow.run_id, func.count().label("rows")).group_by(SampleRow.run_id).subquery()
    claimed = select(ClaimRow.sample_id, func.count().label("claims")).group_by(ClaimRow.sample_id).subquery()
    cited = select(SampleChunkRow.sample_id, func.count().label("chunks")).group_by(SampleChunkRow.sample_id).subquery()
    queries: dict[str, Select[Any]] = {
        "runs have another number of answers than they were stored with": select(RunRow.id)
        .join(counted, counted.c.run_id == RunRow.id, isouter=True)
        .where(func.coalesce(counted.c.rows, 0) != RunRow.rows),
        "answers have no result": select(SampleRow.id)
        .join(ResultRow, ResultRow.sample_id == SampleRow.id, isouter=True)
        .where(ResultRow.sample_id.is_(None)),
        "results are not of the run or the row of their answer": select(ResultRow.sample_id)
        .join(SampleRow, SampleRow.id == ResultRow.sample_id)
        .where(or_(SampleRow.run_id != ResultRow.run_id, SampleRow.position != ResultRow.position)),
        "results have another number of claims than they count": select(ResultRow.sample_id)
        .join(claimed, claimed.c.sample_id == ResultRow.sample_id, isouter=True)
        .where(func.coalesce(claimed.c.claims, 0) != ResultRow.claims),
        "claims are not of the run of their answer": select(ClaimRow.id)
        .join(SampleRow, SampleRow.id == ClaimRow.sample_id)
        .where(SampleRow.run_id != ClaimRow.run_id),
        "claims are not in the inbox": select(ClaimRow.id)
        .join(InboxClaimRow, InboxClaimRow.claim_id == ClaimRow.id, isouter=True)
        .where(InboxClaimRow.claim_id.is_(None), ClaimRow.run_id.not_in(_EMPTIED)),
        **{
            f"{name} name a chunk that their answer does not have": select(row.claim_id)
            .join(ClaimRow, ClaimRow.id == row.claim_id)
            .join(cited, cited.c.sample_id == ClaimRow.sample_id, isouter=True)
            .where(or_(row.chunk_position < 0, row.chunk_position >= func.coalesce(cited.c.chunks, 0)))
            for name, row in (("citations", CitationRow), ("quotations", EvidenceRow))
        },
    }
    for words, query in queries.items():
        found = connection.execute(query.limit(_ROWS_AT_A_TIME)).scalars().all()
        if found:
            yield f"{_several(len(found))} {words}: {_named(found)}."


def _hash_problems(connection: Connection) -> Iterator[str]:
    """Yield the tables whose texts are not those that their hashes were made of."""
    yield from _changed(
        "chunk",
        (
            row.id
            for row in _stream(connection, select(ChunkRow.id, ChunkRow.text, ChunkRow.text_hash, ChunkRow.chunk_hash))
            if (content_hashes.text_hash(row.text), content_hashes.chunk_hash(row.text))
            != (row.text_hash, row.chunk_hash)
        ),
    )
    yield from _changed(
        "claim",
        (
            row.id
            for row in _stream(connection, _CLAIMS_WITH_TEXTS)
            if content_hashes.claim_hash(row.text) != row.claim_hash
        ),
    )
    yield from _changed("sample", _changed_samples(connection))


def _changed_samples(connection: Connection) -> Iterator[int]:
    query = (
        select(
            SampleRow.id, SampleRow.question, SampleRow.answer, SampleRow.content_hash, ChunkRow.text_hash.label("part")
        )
        .join(SampleChunkRow, SampleChunkRow.sample_id == SampleRow.id, isouter=True)
        .join(ChunkRow, ChunkRow.id == SampleChunkRow.chunk_id, isouter=True)
        .where(SampleRow.content_hash.is_not(None))
        .order_by(SampleRow.id, SampleChunkRow.position)
    )
    for sample_id, grouped in groupby(_stream(connection, query), key=lambda row: row.id):
        rows = list(grouped)
        parts = [row.part for row in rows if row.part is not None]
        first = rows[0]
        hashed = content_hashes.content_hash_of(question=first.question, answer=first.answer, text_hashes=parts)
        if hashed != first.content_hash:
            yield sample_id


def _stream(connection: Connection, query: Select[*tuple[Any, ...]]) -> Iterator[Any]:
    return iter(connection.execution_options(yield_per=_ROWS_AT_A_TIME).execute(query))


def _changed(table: str, ids: Iterable[int]) -> Iterator[str]:
    try:
        found = list(ids)
    except DBAPIError as error:
        yield f"A text of {table} cannot be read: {str(error.orig).splitlines()[0]}."
        return
    if found:
        yield f"{_several(len(found))} rows of {table} have another text than their hash was made of: {_named(found)}."


def _several(count: int) -> str:
    return f"At least {count}" if count == _ROWS_AT_A_TIME else str(count)


def _named(ids: Iterable[Any]) -> str:
    named = [str(one) for one in ids]
    more = len(named) - _NAMED_ROWS
    return ", ".join(named[:_NAMED_ROWS]) + (f" and {more} more" if more > 0 else "")
