"""Check the integrity of a store: its file, schema, values, references and texts.

Nothing is changed. A problem is a sentence that names the table, the number of rows, and the first few of them.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import partial
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
    String,
    Table,
    and_,
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
from faithview.domain.scoring import State
from faithview.store.dialect import ContentHash, UtcDateTime
from faithview.store.schema.audit import AuditEntryRow
from faithview.store.schema.comparison import KnowledgeBaseRow
from faithview.store.schema.inbox import InboxClaimRow, InboxNameRow
from faithview.store.schema.live import LoggedAnswerRow
from faithview.store.schema.review import ClaimReviewRow, LabelRow
from faithview.store.schema.runs import (
    ChunkRow,
    CitationRow,
    ClaimRow,
    ClaimTextRow,
    EvidenceRow,
    ResultRow,
    RunRow,
    SampleChunkRow,
    SampleRow,
)
from faithview.store.schema.typed_tables import Base

# Listed so that the tables of their modules are registered in `Base`.
_SCHEMAS = (AuditEntryRow, InboxClaimRow, KnowledgeBaseRow, LabelRow, LoggedAnswerRow)
TABLES = Base.metadata.sorted_tables
ROWS_AT_A_TIME = 2_000
_NAMED_ROWS = 3


def several(count: int) -> str:
    """Return a count in words; queries return at most `ROWS_AT_A_TIME` rows."""
    return f"At least {count}" if count == ROWS_AT_A_TIME else str(count)


def named(ids: Iterable[Any]) -> str:
    """Return the first few ids, and how many more there are."""
    shown = [str(one) for one in ids]
    more = len(shown) - _NAMED_ROWS
    return ", ".join(shown[:_NAMED_ROWS]) + (f" and {more} more" if more > 0 else "")


# SQLite stops after this many problems of its own; one is enough to need a backup.
_MOST_OF_SQLITE = 20
# Objects that the models do not describe, and their purpose: the virtual table of words, and triggers.
_UNDESCRIBED = dict.fromkeys(
    ("claim_words", "claim_words_added", "claim_words_removed"), "a part of the inbox's index of words"
)


def file_problems(connection: Connection, *, thorough: bool) -> Iterator[str]:
    """Yield SQLite's own findings in its file; with `thorough` also differences between tables and indexes."""
    if connection.dialect.name != "sqlite":
        return
    check = "integrity_check" if thorough else "quick_check"
    for row in connection.exec_driver_sql(f"PRAGMA {check}({_MOST_OF_SQLITE})"):
        if row[0] != "ok":
            yield f"The file is damaged: {' '.join(str(row[0]).split())}."
    orphans: defaultdict[str, int] = defaultdict(int)
    for row in connection.exec_driver_sql("PRAGMA foreign_key_check"):
        orphans[f"{row[0]} refer to a {row[2]} that does not exist"] += 1
    for words, count in orphans.items():
        yield f"{count} rows of {words}."


def schema_problems(connection: Connection) -> Iterator[str]:
    """Yield tables, columns, indexes and triggers that are missing."""
    inspector = inspect(connection)
    there = set(inspector.get_table_names())
    for table in TABLES:
        if table.name not in there:
            yield f"The table {table.name} is missing."
            continue
        columns = {column["name"] for column in inspector.get_columns(table.name)}
        indexes = {index["name"] for index in inspector.get_indexes(table.name)}
        for column in table.columns:
            if column.name not in columns:
                yield f"The column {table.name}.{column.name} is missing."
        for index in table.indexes:
            rule = index._ddl_if  # SQLAlchemy does not have a public attribute for it
            if (rule is None or rule.dialect == connection.dialect.name) and index.name not in indexes:
                yield f"The index {index.name} is missing."
    if connection.dialect.name == "sqlite":
        names = {row[0] for row in connection.exec_driver_sql("SELECT name FROM sqlite_master")}
        for name, purpose in _UNDESCRIBED.items():
            if name not in names:
                yield f"{name}, {purpose}, is missing."


# The columns with fixed words, and the words.
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
    """Yield columns with values of the wrong type, which SQLite stores without an error."""
    if connection.dialect.name != "sqlite":
        return
    for table in TABLES:
        wrong = [f"sum({_is_wrong(column)})" for column in table.columns]
        query = f"SELECT {', '.join(wrong)} FROM {table.name}"  # noqa: S608 - names of our own tables and columns
        counts = connection.exec_driver_sql(query).one()
        for column, count in zip(table.columns, counts, strict=True):
            if count:
                yield f"{count} rows of {table.name} have an invalid value in the column {column.name}."


def text_problems(connection: Connection) -> Iterator[str]:
    """Yield text columns with bytes that are not UTF-8, or with a NUL, which FaithView never stores."""
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
                yield f"{int(count)} rows of {table.name} have bytes that are not text in the column {name}."


def word_problems(connection: Connection) -> Iterator[str]:
    """Yield columns with unknown words, and shares that are not between 0 and 1."""
    for column, words in _WORDS:
        yield from _count_rows(connection, column, column.not_in([word.value for word in words]), "is not a known word")
    for column in _SHARES:
        yield from _count_rows(connection, column, or_(column < 0, column > 1), "is not between 0 and 1")


def _is_wrong(column: Any) -> str:
    """Return the SQL condition that a value does not have the column's type. Names are those of our own tables."""
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


def _count_rows(connection: Connection, column: Any, condition: ColumnElement[bool], what: str) -> Iterator[str]:
    table: Table = column.table
    key = next(iter(table.primary_key))
    query = select(func.count(), func.min(key)).select_from(table).where(condition)
    count, first = connection.execute(query).one()
    if count:
        yield f"{count} rows of {table.name}: {column.key} {what}; the first is {first}."


_NAMED = (InboxClaimRow.segment_id, InboxClaimRow.document_id)


def reference_problems(connection: Connection) -> Iterator[str]:
    """Yield lost, duplicate and orphaned rows that foreign keys do not cover."""
    counted = select(SampleRow.run_id, func.count().label("rows")).group_by(SampleRow.run_id).subquery()
    claimed = select(ClaimRow.sample_id, func.count().label("claims")).group_by(ClaimRow.sample_id).subquery()
    cited = select(SampleChunkRow.sample_id, func.count().label("chunks")).group_by(SampleChunkRow.sample_id).subquery()
    queries: dict[str, Select[Any]] = {
        "runs have more or fewer answers than were stored": select(RunRow.id)
        .join(counted, counted.c.run_id == RunRow.id, isouter=True)
        .where(func.coalesce(counted.c.rows, 0) != RunRow.rows),
        "answers have no result": select(SampleRow.id)
        .join(ResultRow, ResultRow.sample_id == SampleRow.id, isouter=True)
        .where(ResultRow.sample_id.is_(None)),
        "results belong to another run or row than their answer": select(ResultRow.sample_id)
        .join(SampleRow, SampleRow.id == ResultRow.sample_id)
        .where(or_(SampleRow.run_id != ResultRow.run_id, SampleRow.position != ResultRow.position)),
        "results have more or fewer claims than they count": select(ResultRow.sample_id)
        .join(claimed, claimed.c.sample_id == ResultRow.sample_id, isouter=True)
        .where(func.coalesce(claimed.c.claims, 0) != ResultRow.claims),
        "claims belong to another run than their answer": select(ClaimRow.id)
        .join(SampleRow, SampleRow.id == ClaimRow.sample_id)
        .where(SampleRow.run_id != ClaimRow.run_id),
        "claims are not in the inbox": select(ClaimRow.id)
        .join(InboxClaimRow, InboxClaimRow.claim_id == ClaimRow.id, isouter=True)
        .where(InboxClaimRow.claim_id.is_(None)),
        "claims have no text": select(ClaimRow.id)
        .join(ClaimTextRow, ClaimTextRow.id == ClaimRow.text_id, isouter=True)
        .where(ClaimTextRow.id.is_(None)),
        "claims have a different text in the inbox": select(ClaimRow.id)
        .join(InboxClaimRow, InboxClaimRow.claim_id == ClaimRow.id)
        .where(InboxClaimRow.text_id != ClaimRow.text_id),
        "claims in the inbox have a segment or document without a name": select(InboxClaimRow.claim_id).where(
            or_(
                *(column.is_not(None) & column.not_in(select(InboxNameRow.id)) for column in _NAMED),
            )
        ),
        **{
            f"{name} name a chunk that their answer does not have": select(row.claim_id)
            .join(ClaimRow, ClaimRow.id == row.claim_id)
            .join(cited, cited.c.sample_id == ClaimRow.sample_id, isouter=True)
            .where(or_(row.chunk_position < 0, row.chunk_position >= func.coalesce(cited.c.chunks, 0)))
            for name, row in (("citations", CitationRow), ("quotations", EvidenceRow))
        },
    }
    for words, query in queries.items():
        found = connection.execute(query.limit(ROWS_AT_A_TIME)).scalars().all()
        if found:
            yield f"{several(len(found))} {words}: {named(found)}."


_OWN_TEXTS = select(ClaimRow.id, ClaimRow.text, ClaimTextRow.claim_hash).join(
    ClaimTextRow, ClaimTextRow.id == ClaimRow.text_id
)
_SHARED_TEXTS = select(ClaimTextRow.id, ClaimTextRow.text, ClaimTextRow.claim_hash)


def hash_problems(connection: Connection) -> Iterator[str]:
    """Yield the tables whose texts do not match their hashes."""
    yield from _changed(
        "chunk",
        (
            row.id
            for row in _stream(connection, select(ChunkRow.id, ChunkRow.text, ChunkRow.text_hash, ChunkRow.chunk_hash))
            if (content_hashes.text_hash(row.text), content_hashes.chunk_hash(row.text))
            != (row.text_hash, row.chunk_hash)
        ),
    )
    for table, query in (("claim_text", _SHARED_TEXTS), ("claim", _OWN_TEXTS.where(ClaimRow.text.is_not(None)))):
        rows = _stream(connection, query)
        yield from _changed(table, (row.id for row in rows if content_hashes.claim_hash(row.text) != row.claim_hash))
    yield from _changed("sample", _changed_samples(connection))


def quotation_problems(connection: Connection) -> Iterator[str]:
    """Yield quotes that are missing from their chunk."""
    query = (
        select(EvidenceRow.claim_id, EvidenceRow.quote, EvidenceRow.start, EvidenceRow.end, ChunkRow.text)
        .join(ClaimRow, ClaimRow.id == EvidenceRow.claim_id)
        .join(
            SampleChunkRow,
            and_(SampleChunkRow.sample_id == ClaimRow.sample_id, SampleChunkRow.position == EvidenceRow.chunk_position),
        )
        .join(ChunkRow, ChunkRow.id == SampleChunkRow.chunk_id)
        .where(EvidenceRow.start.is_not(None))
    )
    found = [row.claim_id for row in _stream(connection, query) if not _stands_there(row)]
    if found:
        yield f"{len(found)} quotes are missing from their chunk, of claims {named(found)}."


def _stands_there(row: Any) -> bool:
    words = row.text[row.start : row.end]
    # A quote without its own text equals the chunk's text at its span.
    return bool(words == row.quote if row.quote else len(words) == row.end - row.start)


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
    return iter(connection.execution_options(yield_per=ROWS_AT_A_TIME).execute(query))


def _changed(table: str, ids: Iterable[int]) -> Iterator[str]:
    try:
        found = list(ids)
    except DBAPIError as error:
        yield f"A text of {table} cannot be read: {str(error.orig).splitlines()[0]}."
        return
    if found:
        yield f"{several(len(found))} rows of {table} have a text that does not match its hash: {named(found)}."


def find_damage(connection: Connection) -> list[str]:
    """Return the problems that can make the store unreadable: all except texts that do not match their hashes."""
    return _problems_of(connection, thorough=False)


def find_problems(connection: Connection) -> list[str]:
    """Return all problems of a store that has the schema of this FaithView; each text is read and hashed."""
    return _problems_of(connection, thorough=True)


def _problems_of(connection: Connection, *, thorough: bool) -> list[str]:
    problems = _checked(connection, partial(file_problems, thorough=thorough))
    missing = _checked(connection, schema_problems)
    if missing:  # every query would find missing parts again
        return problems + missing
    for check in (value_problems, word_problems, reference_problems):
        problems += _checked(connection, check)
    if thorough:
        problems += _checked(connection, text_problems)
    # A value that is damaged or not a text cannot be hashed, and is already among the problems.
    if thorough and not problems:
        for check in (hash_problems, quotation_problems):
            problems += _checked(connection, check)
    return problems


def _checked(connection: Connection, check: Callable[[Connection], Iterator[str]]) -> list[str]:
    try:
        return list(check(connection))
    except DBAPIError as error:
        return [f"A part of the store cannot be read: {str(error.orig).splitlines()[0]}."]
    except MemoryError:  # an overwritten length can claim a value of gigabytes
        return ["A part of the store cannot be read: a value claims to be larger than the memory."]
