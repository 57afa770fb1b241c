"""Lists of answers and claims: filtered, sorted, counted and paged in SQL; and what is wrong with each answer."""

from collections.abc import Mapping, Sequence
from typing import Any, assert_never

from sqlalchemy import ColumnElement, Connection, FromClause, Row, Select, case, exists, func, or_, select

from faithview.domain.answer import AnswerFilter, AnswerPage, AnswerRow, FaultyClaim, LabelState, Order, View
from faithview.domain.certainty import CALIBRATED, SURELY_SUPPORTED, SURELY_UNSUPPORTED
from faithview.domain.claim import Mismatch, Severity, Verdict
from faithview.domain.label import VerdictSource
from faithview.domain.result import State
from faithview.domain.scoring import SETTLED_CONFIDENCE, expected_harm
from faithview.store import dialect
from faithview.store.claims import (
    SETTLED,
    effective_verdict,
    is_to_check,
    judge_of_claim,
    results_under,
    settled_verdict,
)
from faithview.store.database import Database
from faithview.store.schema.review import ClaimReviewRow
from faithview.store.schema.runs import (
    ChunkRow,
    CitationRow,
    ClaimRow,
    ResultRow,
    SampleChunkRow,
    SampleRow,
)
from faithview.store.search import contains

# How much of a text a list shows; the rest stays in the database.
_SHOWN_CHARACTERS = 240


def list_answers(
    db: Database,
    run_id: str,
    filters: AnswerFilter,
    *,
    view: View = View.JUDGE,
    order: Order = Order.WORST,
    offset: int = 0,
    limit: int = 50,
    around: str | None = None,
) -> AnswerPage:
    """Return one page of a run's answers; an offset beyond the last answer gives an empty page.

    With `around`, return the page with that answer instead of the page at `offset`, if the list has the answer.
    """
    scores = results_under(view)
    listed = select(scores.c.sample_id).where(
        *answer_conditions(scores, run_id, filters, view, dialect_name=db.dialect_name)
    )
    with db.read() as connection:
        ordered = listed.order_by(*_order_by(scores, order))
        if around is None and not filters.search:
            total = connection.execute(select(func.count()).select_from(listed.subquery())).scalar_one()
            ids = connection.execute(ordered.offset(offset).limit(limit)).scalars().all()
        else:  # one query, because a search through the texts is slow
            every = connection.execute(ordered).scalars().all()
            if around is not None:
                named = select(SampleRow.id).where(SampleRow.run_id == run_id, dialect.equals(SampleRow.key, around))
                found = connection.execute(named).scalar()
                offset = every.index(found) // limit * limit if found in every else offset
            total, ids = len(every), every[offset : offset + limit]
        # The texts are then read for these rows only.
        rows = {row.sample_id: row for row in connection.execute(_list_columns(scores, ids))}
        faulty, labelled = find_faulty_claims(connection, ids, view), count_labelled(connection, ids)
        to_check = _count_to_check(connection, ClaimRow.sample_id.in_(ids))
    shown = tuple(
        _to_row(rows[id], worst=faulty.get(id), labelled=labelled.get(id, 0), to_check=to_check.get(id, 0))
        for id in ids
    )
    return AnswerPage(rows=shown, total=total, offset=offset)


def list_matching_claims(
    db: Database, run_id: str, position: int, filters: AnswerFilter, *, view: View = View.JUDGE
) -> list[int]:
    """Return the numbers of the judge's claims of one answer that match the filters on claims, in order."""
    query = (
        select(ClaimRow.number)
        .join(SampleRow, SampleRow.id == ClaimRow.sample_id)
        .outerjoin(ClaimReviewRow, ClaimReviewRow.claim_id == ClaimRow.id)
        .where(SampleRow.run_id == run_id, SampleRow.position == position, *claim_conditions(filters, view))
        .order_by(ClaimRow.number)
    )
    with db.read() as connection:
        return list(connection.execute(query).scalars())


def count_to_check(db: Database, run_id: str) -> int:
    """Return how many claims of a run are to be checked (`LabelState.TO_CHECK`)."""
    unsure = select(ResultRow.sample_id).where(
        ResultRow.run_id == run_id, ResultRow.least_confidence <= SURELY_SUPPORTED
    )
    with db.read() as connection:
        return sum(_count_to_check(connection, ClaimRow.sample_id.in_(unsure)).values())


def count_uncertain(db: Database, run_id: str) -> int:
    """Return how many claims of a run a cascade would send to a model (`certainty.is_uncertain`)."""
    query = (
        select(func.count())
        .select_from(ClaimRow)
        .join(ResultRow, ResultRow.sample_id == ClaimRow.sample_id)
        .where(
            ResultRow.run_id == run_id,
            ClaimRow.support_score.between(SURELY_UNSUPPORTED, SURELY_SUPPORTED),
            judge_of_claim().in_(CALIBRATED),
        )
    )
    with db.read() as connection:
        number: int = connection.execute(query).scalar_one()
    return number


def _count_to_check(connection: Connection, where: ColumnElement[bool]) -> Mapping[int, int]:
    """Return by answer how many of the claims that meet a condition are to be checked; answers without are left out."""
    query = (
        select(ClaimRow.sample_id, func.count().label("claims"))
        .outerjoin(ClaimReviewRow, ClaimReviewRow.claim_id == ClaimRow.id)
        .where(where, is_to_check())
        .group_by(ClaimRow.sample_id)
    )
    return dict(connection.execute(query).all())


def list_segments(db: Database, run_id: str) -> list[str]:
    """Return the names of a run's segments, sorted."""
    query = select(ResultRow.segment).where(ResultRow.run_id == run_id, ResultRow.segment.is_not(None)).distinct()
    with db.read() as connection:
        return sorted(name for name in connection.execute(query).scalars() if name is not None)


def _list_columns(scores: FromClause, ids: Sequence[int]) -> Select[Any]:
    return (
        select(
            scores,
            SampleRow.key,
            func.substr(SampleRow.question, 1, _SHOWN_CHARACTERS).label("question"),
            func.substr(SampleRow.answer, 1, _SHOWN_CHARACTERS).label("answer"),
        )
        .join(SampleRow, SampleRow.id == scores.c.sample_id)
        .where(scores.c.sample_id.in_(ids))
    )


def answer_conditions(
    scores: FromClause, run_id: str, filters: AnswerFilter, view: View, *, dialect_name: str
) -> list[ColumnElement[bool]]:
    """Return the conditions of the filters on answers."""
    where: list[ColumnElement[bool]] = [scores.c.run_id == run_id]
    if filters.states:
        where.append(scores.c.state.in_(filters.states))
    if filters.segments:
        named = [
            dialect.equals(scores.c.segment, name) if name else scores.c.segment.is_(None) for name in filters.segments
        ]
        where.append(or_(*named))
    if filters.verdicts:
        where.append(or_(*(scores.c[verdict.value] > 0 for verdict in filters.verdicts)))
    if filters.is_about_more_than_verdicts:
        where.append(
            exists()
            .where(ClaimRow.sample_id == scores.c.sample_id, *claim_conditions(filters, view))
            .select_from(ClaimRow.__table__.outerjoin(ClaimReviewRow, ClaimReviewRow.claim_id == ClaimRow.id))
            .correlate(scores)
        )
    if filters.positions is not None:
        where.append(dialect.among(scores.c.position, filters.positions))
    if filters.search:
        columns = (SampleRow.question, SampleRow.answer, SampleRow.key)
        holds = or_(*(contains(column, filters.search, dialect=dialect_name) for column in columns))
        # The texts are read in their own order, not in the order of the list.
        where.append(scores.c.sample_id.in_(select(SampleRow.id).where(SampleRow.run_id == run_id, holds)))
    return where


def claim_conditions(filters: AnswerFilter, view: View) -> list[ColumnElement[bool]]:
    """Return the conditions of the filters on claims, for queries that outer join `claim_review` to `claim`."""
    where: list[ColumnElement[bool]] = []
    if filters.verdicts:
        where.append(effective_verdict(view).in_(filters.verdicts))
    if filters.hallucination_types:
        where.append(ClaimRow.hallucination_type.in_(filters.hallucination_types))
    if filters.label_states:
        where.append(or_(*(_is_in_label_state(state) for state in filters.label_states)))
    if filters.least_confidence is not None:
        where.append(ClaimRow.confidence >= filters.least_confidence)
    if filters.most_confidence is not None:
        where.append(ClaimRow.confidence <= filters.most_confidence)
    if filters.chunk is not None:
        where.append(_rests_on(filters.chunk))
    return where


def _is_in_label_state(state: LabelState) -> ColumnElement[bool]:
    match state:
        case LabelState.LABELLED:
            return ClaimReviewRow.source != VerdictSource.JUDGE
        case LabelState.UNLABELLED:
            return or_(ClaimReviewRow.claim_id.is_(None), ClaimReviewRow.source == VerdictSource.JUDGE)
        case LabelState.DIFFERS:
            return settled_verdict() != ClaimRow.verdict
        case LabelState.TO_CHECK:
            return is_to_check()
    assert_never(state)


def _rests_on(chunk_id: str) -> ColumnElement[bool]:
    return (
        select(CitationRow.claim_id)
        .join(SampleChunkRow, SampleChunkRow.position == CitationRow.chunk_position)
        .where(
            CitationRow.claim_id == ClaimRow.id,
            SampleChunkRow.sample_id == ClaimRow.sample_id,
            dialect.equals(SampleChunkRow.external_id, chunk_id),
        )
        .correlate(ClaimRow)
        .exists()
    )


def _order_by(scores: FromClause, order: Order) -> list[ColumnElement[Any]]:
    columns = scores.c
    match order:
        case Order.FILE:
            return [columns.position]
        case Order.HARM:
            return [columns.worst_harm.desc().nulls_last(), columns.faithfulness.asc().nulls_last(), columns.position]
        case Order.UNSURE:
            return [columns.least_confidence.asc().nulls_last(), columns.position]
        case Order.WRONG:
            # An answer without claims has no wrong claims; it follows those whose claims are all supported.
            wrong = case((columns.claims > 0, columns.claims - columns.supported), else_=-1)
            return [wrong.desc(), columns.contradicted.desc(), columns.position]
        case Order.WORST:
            # Among equally faithful answers, more contradictions are worse.
            return [columns.faithfulness.asc().nulls_last(), columns.contradicted.desc(), columns.position]
        case Order.BEST:
            return [columns.faithfulness.desc().nulls_last(), columns.contradicted.asc(), columns.position]
    assert_never(order)


def _to_row(row: Row[Any], *, worst: FaultyClaim | None, labelled: int, to_check: int) -> AnswerRow:
    return AnswerRow(
        key=row.key,
        position=row.position,
        question=row.question,
        answer=row.answer,
        segment=row.segment,
        state=State(row.state),
        faithfulness=row.faithfulness,
        is_faithful=row.is_faithful,
        claims={verdict: getattr(row, verdict.value) for verdict in Verdict},
        timestamp=row.timestamp,
        error=row.error,
        worst=worst,
        labelled=labelled,
        to_check=to_check,
    )


# Words further on in a text are not looked up: a list of fifty long texts would take too long to read.
_READ_CHARACTERS = 20_000
_MOST_WORDS = 2


def find_faulty_claims(connection: Connection, sample_ids: Sequence[int], view: View) -> Mapping[int, FaultyClaim]:
    """Return by answer the claim with the most expected harm, the first of equals; answers without one are left out."""
    verdict = effective_verdict(view)
    columns = (ClaimRow.sample_id, ClaimRow.number, ClaimRow.text, ClaimRow.severity, ClaimRow.confidence)
    query = (
        select(*columns, ClaimRow.mismatches, verdict.label("standing"), ClaimReviewRow.source)
        .outerjoin(ClaimReviewRow, ClaimReviewRow.claim_id == ClaimRow.id)
        .where(ClaimRow.sample_id.in_(sample_ids), verdict != Verdict.SUPPORTED)
        .order_by(ClaimRow.sample_id, ClaimRow.number)
    )
    worst: dict[int, tuple[float, Row[Any]]] = {}
    for row in connection.execute(query):
        harm = _harm(row, view)
        if row.sample_id not in worst or harm > worst[row.sample_id][0]:
            worst[row.sample_id] = (harm, row)
    rows = [row for _, row in worst.values()]
    words = _find_words(connection, rows)
    return {
        row.sample_id: FaultyClaim(
            number=row.number,
            verdict=Verdict(row.standing),
            text=row.text,
            words=words.get(row.sample_id, ()),
            is_labelled=row.source is not None and row.source != VerdictSource.JUDGE,
        )
        for row in rows
    }


def count_labelled(connection: Connection, sample_ids: Sequence[int]) -> Mapping[int, int]:
    """Return by answer how many of the judge's claims have a person's label; answers without one are left out."""
    query = (
        select(ClaimReviewRow.sample_id, func.count().label("claims"))
        .where(ClaimReviewRow.sample_id.in_(sample_ids), ClaimReviewRow.source != VerdictSource.JUDGE)
        .group_by(ClaimReviewRow.sample_id)
    )
    return dict(connection.execute(query).all())


def _harm(row: Row[Any], view: View) -> float:
    is_settled = view is not View.JUDGE and row.source in SETTLED
    severity = None if row.severity is None else Severity(row.severity)
    return expected_harm(Verdict(row.standing), severity, SETTLED_CONFIDENCE if is_settled else row.confidence)


def _find_words(connection: Connection, rows: Sequence[Row[Any]]) -> dict[int, tuple[tuple[str, str], ...]]:
    """Return by answer the first words of its claim that differ from a chunk, each with the chunk's words."""
    found = {
        row.sample_id: [Mismatch(*item) for item in row.mismatches[:_MOST_WORDS]] for row in rows if row.mismatches
    }
    answers = select(SampleRow.id, func.substr(SampleRow.answer, 1, _READ_CHARACTERS))
    chunks = select(
        SampleChunkRow.sample_id, SampleChunkRow.external_id, func.substr(ChunkRow.text, 1, _READ_CHARACTERS)
    ).join(ChunkRow, ChunkRow.id == SampleChunkRow.chunk_id)
    texts = {
        (sample_id, chunk_id): text
        for sample_id, chunk_id, text in connection.execute(chunks.where(SampleChunkRow.sample_id.in_(found)))
    }
    return {
        sample_id: tuple(
            (
                with_unit(answer, item.start, item.end),
                with_unit(texts.get((sample_id, item.chunk_id or ""), ""), item.chunk_start, item.chunk_end),
            )
            for item in found[sample_id]
            if item.end <= len(answer)
        )
        for sample_id, answer in connection.execute(answers.where(SampleRow.id.in_(found)))
    }


def with_unit(text: str, start: int, end: int) -> str:
    """Return the words `[start, end)`; a bare number with the word after it: "15 minutes"."""
    words = text[start:end]
    if not words or any(letter.isalpha() for letter in words) or not words[-1].isdigit():
        return words
    after = text[end : end + _LONGEST_UNIT + 1].split()
    is_next = after and text[end : end + 1] == " " and after[0].strip(_AROUND_WORDS).isalpha()
    return f"{words} {after[0].strip(_AROUND_WORDS)}" if is_next else words


_LONGEST_UNIT = 24
_AROUND_WORDS = ".,;:!?()"
