"""What is wrong with the answers of a list: the claim of each that can do most harm, and the words at fault."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, func, select

from faithview.domain.answer import FaultyClaim, View
from faithview.domain.claim import Mismatch, Severity, Verdict
from faithview.domain.label import VerdictSource
from faithview.domain.scoring import SETTLED_CONFIDENCE, expected_harm
from faithview.store.claims import CLAIM_TEXT, SETTLED, effective_verdict
from faithview.store.schema.review import ClaimReviewRow
from faithview.store.schema.runs import ChunkRow, ClaimRow, SampleChunkRow, SampleRow

# Words further on in a text are not looked up: a list of fifty long texts would take too long to read.
_READ_CHARACTERS = 20_000
_MOST_WORDS = 2


def find_faulty_claims(connection: Connection, sample_ids: Sequence[int], view: View) -> Mapping[int, FaultyClaim]:
    """Return by answer the claim with the most expected harm, the first of equals; answers without one are left out."""
    verdict = effective_verdict(view)
    columns = (ClaimRow.sample_id, ClaimRow.number, CLAIM_TEXT, ClaimRow.severity, ClaimRow.confidence)
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
    texts = _Texts(connection, rows)
    return {
        row.sample_id: FaultyClaim(
            number=row.number, verdict=Verdict(row.standing), text=row.text, words=tuple(texts.words_of(row))
        )
        for row in rows
    }


def find_labelled(connection: Connection, sample_ids: Sequence[int]) -> frozenset[int]:
    """Return the answers that have a claim with a person's label."""
    query = select(ClaimReviewRow.sample_id).where(
        ClaimReviewRow.sample_id.in_(sample_ids), ClaimReviewRow.source != VerdictSource.JUDGE
    )
    return frozenset(connection.execute(query.distinct()).scalars())


def _harm(row: Row[Any], view: View) -> float:
    is_settled = view is not View.JUDGE and row.source in SETTLED
    severity = None if row.severity is None else Severity(row.severity)
    return expected_harm(Verdict(row.standing), severity, SETTLED_CONFIDENCE if is_settled else row.confidence)


class _Texts:
    """The beginnings of the texts that claims' mismatches point into."""

    def __init__(self, connection: Connection, rows: Iterable[Row[Any]]) -> None:
        self._answers: dict[int, str] = {}
        self._chunks: dict[tuple[int, str], str] = {}
        found = {row.sample_id: [Mismatch(*item) for item in row.mismatches] for row in rows if row.mismatches}
        if not found:
            return
        answer = func.substr(SampleRow.answer, 1, _READ_CHARACTERS).label("answer")
        for row in connection.execute(select(SampleRow.id, answer).where(SampleRow.id.in_(found))):
            self._answers[row.id] = row.answer or ""
        named = {item.chunk_id for items in found.values() for item in items if item.chunk_id is not None}
        text = func.substr(ChunkRow.text, 1, _READ_CHARACTERS).label("text")
        chunks = (
            select(SampleChunkRow.sample_id, SampleChunkRow.external_id, text)
            .join(ChunkRow, ChunkRow.id == SampleChunkRow.chunk_id)
            .where(SampleChunkRow.sample_id.in_(found), SampleChunkRow.external_id.in_(named))
        )
        for row in connection.execute(chunks) if named else ():
            self._chunks[row.sample_id, row.external_id] = row.text

    def words_of(self, row: Row[Any]) -> list[tuple[str, str]]:
        answer = self._answers.get(row.sample_id, "")
        words = []
        for start, end, chunk_id, chunk_start, chunk_end in (row.mismatches or ())[:_MOST_WORDS]:
            against = self._chunks.get((row.sample_id, chunk_id), "")
            if end <= len(answer):
                words.append((with_unit(answer, start, end), with_unit(against, chunk_start, chunk_end)))
        return words


def with_unit(text: str, start: int, end: int) -> str:
    """Return the words `[start, end)`; a bare number with the word after it: "15 minutes"."""
    words = text[start:end]
    if not words or any(letter.isalpha() for letter in words):
        return words
    after = text[end : end + _LONGEST_UNIT + 1].split()
    is_next = after and text[end : end + 1] == " " and after[0].strip(_AROUND_WORDS).isalpha()
    return f"{words} {after[0].strip(_AROUND_WORDS)}" if is_next else words


_LONGEST_UNIT = 24
_AROUND_WORDS = ".,;:!?()"
