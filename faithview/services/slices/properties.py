"""Everything that answers can have in common: the slices to look at, chosen without looking at a score.

A property must not follow from the verdicts, or it would be a finding in itself. "Some claim cites this document" says
nothing bad of an answer, for claims without support cite less; "no claim cites anything" would, and is no property.
Nor is a column with a label or with another tool's score of the answer: it says what the finding would say. Such a
column is known by its name, or by its name and its values where the name may mean something else.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from faithview.domain.knowledge_base import document_name
from faithview.domain.views import SliceDefinition, SliceKind
from faithview.formats.reading.score_columns import is_answer_key, is_tool_score
from faithview.services.slices.bands import number_bands
from faithview.services.slices.words import Terms, asks, count_words
from faithview.stats.slices.search import fewest_questions
from faithview.store.slices.answer_facts import AnswerFact, ChunkFact, CitationFact, ClaimFact

_MOST_TERMS = 600  # of questions, and as many of claims
_MOST_VALUES = 200  # of one column, or of one field of the chunks' metadata
_MOST_DOCUMENTS = 400
_FEW_NUMBERS = 10  # a column with more different numbers is cut into bands
_MOST_SHARE = 0.75  # a larger slice is rather the rule than the exception
_LONGEST_VALUE = 120
_RANKS = (2, 3, 4, 5)

_Slice = tuple[SliceDefinition, Sequence[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Properties:
    """Slices as rows of a sparse matrix (slices x answers), in the order of `definitions`.

    `same` has, by slice, other definitions of exactly the same answers, which have no row of their own. `left_out`
    names the columns that were not looked at because they say how good an answer is.
    """

    definitions: tuple[SliceDefinition, ...]
    members: Any
    same: Mapping[int, tuple[SliceDefinition, ...]] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()


def list_properties(
    answers: Sequence[AnswerFact],
    chunks: Sequence[ChunkFact],
    claims: Sequence[ClaimFact],
    citations: Sequence[CitationFact],
) -> Properties:
    """Return the slices of these answers that are neither too small to look at nor nearly everything.

    Args:
        answers: the judged answers.
        chunks: what they retrieved; rows of other answers are ignored, here and below.
        claims: their claims.
        citations: which chunks the claims cite.
    """
    number = {answer.sample_id: at for at, answer in enumerate(answers)}
    fewest = fewest_questions(len({answer.cluster for answer in answers}))
    by_answers: dict[tuple[int, ...], list[SliceDefinition]] = defaultdict(list)
    columns = _by_column(answers)
    answer_keys = [name for name, values in columns.items() if _says_how_good(name, values)]
    searched = {name: values for name, values in columns.items() if name not in answer_keys}
    facts = (_of(number, chunks), _of(number, claims), _of(number, citations))
    for definition, inside in _all(answers, searched, *facts, fewest):
        if fewest <= len(inside) <= _MOST_SHARE * len(answers):
            by_answers[tuple(inside)].append(definition)
    order = list(SliceKind)
    rows = list(by_answers)
    for definitions in by_answers.values():
        definitions.sort(key=lambda definition: order.index(definition.kind))
    return Properties(
        definitions=tuple(by_answers[row][0] for row in rows),
        members=_matrix(rows, len(answers)),
        same={at: tuple(by_answers[row][1:]) for at, row in enumerate(rows) if len(by_answers[row]) > 1},
        left_out=tuple(sorted(answer_keys)),
    )


def naturalness(properties: Properties) -> list[int]:
    """Return for each slice how natural its description is, the most natural lowest: the order of `SliceKind`."""
    order = {kind: at for at, kind in enumerate(SliceKind)}
    return [order[definition.kind] for definition in properties.definitions]


def _all(
    answers: Sequence[AnswerFact],
    columns: Mapping[str, Mapping[int, Any]],
    chunks: Mapping[int, Sequence[ChunkFact]],
    claims: Mapping[int, Sequence[ClaimFact]],
    citations: Mapping[int, Sequence[CitationFact]],
    fewest: int,
) -> Iterator[_Slice]:
    yield from _values(SliceKind.SEGMENT, "", {at: [a.segment] for at, a in enumerate(answers) if a.segment})
    yield from _columns(columns)
    yield from _documents(chunks, citations)
    yield from _metadata(chunks)
    yield from _values(SliceKind.ASKS, "", {at: sorted(asks(a.question)) for at, a in enumerate(answers) if a.question})
    yield from _terms(
        SliceKind.QUESTION, {at: [a.question] for at, a in enumerate(answers) if a.question}, fewest=fewest
    )
    yield from _terms(SliceKind.CLAIM, {at: [c.text for c in own] for at, own in claims.items()}, fewest=fewest)
    yield from _numbers(answers, chunks)
    yield from _cited_ranks(chunks, citations)


def _columns(columns: Mapping[str, Mapping[int, Any]]) -> Iterator[_Slice]:
    for name, values in columns.items():
        numbers = {at: float(v) for at, v in values.items() if not isinstance(v, str | bool)}
        if len(numbers) == len(values) and len(set(numbers.values())) > _FEW_NUMBERS:
            yield from number_bands(SliceKind.COLUMN, numbers, field=name)
        else:
            yield from _values(SliceKind.COLUMN, name, {at: [_written(value)] for at, value in values.items()})


def _by_column(answers: Sequence[AnswerFact]) -> dict[str, dict[int, Any]]:
    """Return the values of each column that the file brought along, by answer."""
    columns: dict[str, dict[int, Any]] = defaultdict(dict)
    for at, answer in enumerate(answers):
        for name, value in answer.extra.items():
            if isinstance(value, str | int | float) and value != "":
                columns[name][at] = value
    return columns


def _says_how_good(name: str, values: Mapping[int, Any]) -> bool:
    return is_answer_key(name) or is_tool_score(name, values.values())


def _documents(
    chunks: Mapping[int, Sequence[ChunkFact]], citations: Mapping[int, Sequence[CitationFact]]
) -> Iterator[_Slice]:
    retrieved: dict[int, list[str]] = {}
    cited: dict[int, list[str]] = {}
    for at, own in chunks.items():
        names = {chunk.position: document_name(chunk.meta) or chunk.chunk_id for chunk in own}
        retrieved[at] = sorted(set(names.values()))
        cited[at] = sorted({names[c.chunk_position] for c in citations.get(at, ()) if c.chunk_position in names})
    yield from _values(SliceKind.RETRIEVED, "", retrieved, limit=_MOST_DOCUMENTS)
    yield from _values(SliceKind.CITED, "", cited, limit=_MOST_DOCUMENTS)


def _metadata(chunks: Mapping[int, Sequence[ChunkFact]]) -> Iterator[_Slice]:
    fields: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for at, own in chunks.items():
        for chunk in own:
            document = document_name(chunk.meta)
            for name, value in chunk.meta.items():
                if isinstance(value, str | int | float) and value != "" and value != document:
                    fields[name][at].add(_written(value))
    for name, values in fields.items():
        yield from _values(SliceKind.METADATA, name, {at: sorted(own) for at, own in values.items()})


def _terms(kind: SliceKind, texts: Mapping[int, Sequence[str]], *, fewest: int) -> Iterator[_Slice]:
    terms = Terms()
    for at in sorted(texts):
        terms.add(at, texts[at])
    for term, inside in terms.frequent(fewest=fewest, limit=_MOST_TERMS):
        yield SliceDefinition(kind=kind, value=term), inside


def _numbers(answers: Sequence[AnswerFact], chunks: Mapping[int, Sequence[ChunkFact]]) -> Iterator[_Slice]:
    numbers: dict[SliceKind, dict[int, float]] = {
        SliceKind.CLAIM_COUNT: {at: a.claims for at, a in enumerate(answers)},
        SliceKind.ANSWER_WORDS: {at: count_words(a.answer) for at, a in enumerate(answers)},
        SliceKind.QUESTION_WORDS: {at: count_words(a.question) for at, a in enumerate(answers) if a.question},
        SliceKind.CHUNK_COUNT: {at: len(own) for at, own in chunks.items()},
        SliceKind.RETRIEVAL_SCORE: {
            at: max(scores)
            for at, own in chunks.items()
            if (scores := [chunk.score for chunk in own if chunk.score is not None])
        },
    }
    for kind, values in numbers.items():
        yield from number_bands(kind, values)


def _cited_ranks(
    chunks: Mapping[int, Sequence[ChunkFact]], citations: Mapping[int, Sequence[CitationFact]]
) -> Iterator[_Slice]:
    deepest: dict[int, int] = {}
    for at, own in citations.items():
        ranks = {chunk.position: chunk.rank for chunk in chunks.get(at, ())}
        first = [ranks[c.chunk_position] for c in own if c.ordinal == 0 and c.chunk_position in ranks]
        if first:
            deepest[at] = max(first)
    for rank in _RANKS:
        inside = [at for at in sorted(deepest) if deepest[at] >= rank]
        yield SliceDefinition(kind=SliceKind.CITED_RANK, low=float(rank)), inside


def _values(
    kind: SliceKind, name: str, values: Mapping[int, Iterable[str]], *, limit: int = _MOST_VALUES
) -> Iterator[_Slice]:
    """Yield a slice for each value, those of the most answers if there are too many."""
    inside: dict[str, list[int]] = defaultdict(list)
    for at in sorted(values):
        for value in values[at]:
            inside[value].append(at)
    for value in sorted(inside, key=lambda value: (-len(inside[value]), value))[:limit]:
        yield SliceDefinition(kind=kind, field=name, value=value), inside[value]


def _written(value: Any) -> str:
    return str(value)[:_LONGEST_VALUE]


def _of(number: Mapping[int, int], facts: Iterable[Any]) -> dict[int, list[Any]]:
    """Return facts by the answer that they are about."""
    by_answer: dict[int, list[Any]] = defaultdict(list)
    for fact in facts:
        at = number.get(fact.sample_id)
        if at is not None:
            by_answer[at].append(fact)
    return by_answer


def _matrix(rows: Sequence[Sequence[int]], answers: int) -> Any:
    from scipy.sparse import csr_array  # here, so that the command line starts quickly

    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    columns = np.concatenate([np.asarray(row, dtype=np.int64) for row in rows]) if rows else np.empty(0, np.int64)
    return csr_array((np.ones(len(columns), dtype=bool), columns, starts), shape=(len(rows), answers))
