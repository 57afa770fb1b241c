"""The low slices of a run, computed once for each state of the run.

Candidate slices are all properties that answers can have in common, chosen without looking at a score. A property must
not follow from the verdicts, or it would be a finding in itself. "Some claim cites this document" is allowed, because
unsupported claims cite less; "no claim cites anything" is not. A column with a label or another tool's score of the
answer is not a property either, because it repeats the finding. Such a column is recognised by its name, or by its name
and its values if the name is ambiguous.

"""

import math
import re
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from faithview.domain.answer import SliceDefinition, SliceKind, View
from faithview.domain.knowledge import document_name
from faithview.domain.result import State
from faithview.domain.run import Run
from faithview.domain.scoring import Interval
from faithview.formats.reading.score_columns import is_answer_key, is_tool_score
from faithview.judges.text.tokens import split_at_words, word_of
from faithview.services.container import Store
from faithview.services.results import get_run, get_summary
from faithview.stats.slices import LowSlice, Noticeable, SliceSearch, fewest_questions, find_low_slices
from faithview.store import revisions
from faithview.store import slices as stored_slices
from faithview.store.slices import AnswerFact, ChunkFact, CitationFact, ClaimFact

# Quarters, halves, and the highest tenth.
_QUANTILES = (0.0, 0.25, 0.5, 0.75, 0.9)
_LAST = len(_QUANTILES)
_BANDS = ((0, 1), (0, 2), (1, 3), (2, _LAST), (3, _LAST), (4, _LAST))


def number_bands(
    kind: SliceKind, values: Mapping[int, float], *, field: str = ""
) -> Iterator[tuple[SliceDefinition, Sequence[int]]]:
    """Yield bands of a number with their answers.

    Args:
        kind: the kind of number.
        values: the numbers by answer; answers without one are left out.
        field: the column's name, if the number comes from a column.
    """
    if not values:
        return
    answers = np.fromiter(values, dtype=np.int64, count=len(values))
    numbers = np.fromiter(values.values(), dtype=np.float64, count=len(values))
    # A band includes its lower edge, so equal numbers are never separated.
    edges = [float(np.quantile(numbers, q, method="higher")) for q in _QUANTILES] + [np.inf]
    for first, last in _BANDS:
        inside = (numbers >= edges[first]) & (numbers < edges[last])
        if inside.any() and not inside.all():
            yield (
                SliceDefinition(
                    kind=kind,
                    field=field,
                    low=None if inside[numbers.argmin()] else float(numbers[inside].min()),
                    high=None if inside[numbers.argmax()] else float(numbers[inside].max()),
                ),
                answers[inside].tolist(),
            )


# English; a question with another beginning is in none of these slices.
_ASKS = re.compile(
    r"\b(?P<extent>how (?:many|much|long|often|far|old|soon|fast|big|large|high))\b"
    r"|(?:^|[.?!:,;]\s+|\band\s+)(?P<first>how|what|which|who|whose|where|when|why"
    r"|can|could|may|do|does|did|is|are|was|were|will|would|should|has|have)\b",
    re.IGNORECASE,
)
_SAME = {"could": "can", "may": "can", "did": "do", "does": "do", "is": "is", "are": "is", "was": "is", "were": "is"}
# What may separate the two words of a term.
_JOINS = frozenset((" ", "-"))

_Codes = NDArray[np.int64]


class Terms:
    """The answers that contain a term. A term is a content word, or two in a row, regardless of endings.

    Words are stored as numbers, so the terms of all texts are counted at once.
    """

    def __init__(self) -> None:
        self._words = _Numbers()
        # For each word of the texts, in order: its number, whether it may form a term with the next word, its answer.
        self._numbers, self._is_joined, self._answers = array("i"), array("b"), array("q")

    def add(self, answer: int, texts: Iterable[str]) -> None:
        """Add the texts of an answer; answers must be added in order."""
        before = len(self._numbers)
        for text in texts:
            pieces = split_at_words(text)
            self._numbers.extend(map(self._words.__getitem__, pieces[1::2]))
            self._is_joined.extend(map(_JOINS.__contains__, pieces[2:-1:2]))
            if len(pieces) > 1:
                self._is_joined.append(False)  # the last word of a text does not form a term with the next text
        self._answers.extend(repeat(answer, len(self._numbers) - before))

    def frequent(self, *, fewest: int, limit: int) -> Iterator[tuple[str, Sequence[int]]]:
        """Yield the terms of at least `fewest` answers in their usual spelling, with these answers, commonest first."""
        found = self._find()
        if not len(found.answers):
            return
        is_first = np.append(True, found.stems[1:] != found.stems[:-1])
        is_new_answer = is_first | np.append(True, found.answers[1:] != found.answers[:-1])
        starts = np.flatnonzero(is_first)
        ends = np.append(starts[1:], len(is_first))
        answers = np.add.reduceat(is_new_answer, starts, dtype=np.int64)
        often = [
            (-int(answers[at]), _term(found.stems[starts[at]], found.all_stems), slice(starts[at], ends[at]))
            for at in np.flatnonzero(answers >= fewest)
        ]
        for _, _, part in sorted(often, key=lambda term: term[:2])[:limit]:
            forms, uses = np.unique(found.forms[part], return_counts=True)
            written = [_term(form, found.all_forms) for form in forms]
            yield min(zip(-uses, written, strict=True))[1], np.unique(found.answers[part]).tolist()

    def _find(self) -> "_Found":
        """Return every term of every text, sorted by its stems and by the answer."""
        stem_names, form_names = _Numbers(), _Numbers()
        words = [word_of(raw) for raw in self._words]
        numbers = np.array(self._numbers, dtype=np.int64)
        stems = np.array([stem_names[word.stem] for word in words], dtype=np.int64)[numbers]
        forms = np.array([form_names[word.lower] for word in words], dtype=np.int64)[numbers]
        is_content = np.array([word.is_content for word in words], dtype=bool)[numbers]
        one = np.flatnonzero(is_content)
        two = np.flatnonzero(is_content[:-1] & is_content[1:] & np.array(self._is_joined[:-1], dtype=bool))
        terms, written = (
            np.concatenate([names.codes(values[one]), names.codes(values[two], values[two + 1])])
            for names, values in ((stem_names, stems), (form_names, forms))
        )
        order = np.argsort(terms, kind="stable")  # the answers of a term keep their order
        answers = np.array(self._answers, dtype=np.int64)[np.concatenate([one, two])]
        return _Found(terms[order], written[order], answers[order], list(stem_names), list(form_names))


class _Numbers(dict[str, int]):
    """Numbers names consecutively, at their first use.

    A term of one or two names also has a number, its code.
    """

    def __missing__(self, name: str) -> int:
        number = self[name] = len(self)
        return number

    def codes(self, first: _Codes, second: _Codes | int = -1) -> _Codes:
        """Return the codes of terms; `second` is -1 for single words. All names must have been numbered."""
        return first * (len(self) + 1) + second + 1


class _Found(NamedTuple):
    """Occurrences of terms: the code of their stems, the code of their spelling, and the answer."""

    stems: _Codes
    forms: _Codes
    answers: _Codes
    all_stems: list[str]
    all_forms: list[str]


def _term(code: int, names: Sequence[str]) -> str:
    first, second = divmod(int(code), len(names) + 1)
    return f"{names[first]} {names[second - 1]}" if second else names[first]


def asks(question: str) -> set[str]:
    """Return the kinds of a question: "how many", "when", "can" for yes or no, and so on; it may have several."""
    return {
        _SAME.get(word, word)
        for match in _ASKS.finditer(question.strip())
        if (word := " ".join((match["extent"] or match["first"]).lower().split()))
    }


def count_words(text: str) -> int:
    """Return how many words a text has."""
    return len(split_at_words(text)) // 2


_MOST_TERMS = 600  # of questions, and as many of claims
_MOST_VALUES = 200  # of one column, or of one field of the chunks' metadata
_MOST_DOCUMENTS = 400
_FEW_NUMBERS = 10  # a column with more distinct numbers is cut into bands
_MOST_SHARE = 0.75  # a larger slice is not an exception
_LONGEST_VALUE = 120
_RANKS = (2, 3, 4, 5)

_Slice = tuple[SliceDefinition, Sequence[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Properties:
    """Slices as rows of a sparse matrix (slices x answers), in the order of `definitions`.

    `same` has, by slice, other definitions of exactly the same answers, which have no separate row. `left_out` names
    the columns that were not searched because they rate the answer.
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
    """Return the slices of these answers that are neither too small nor nearly everything.

    Args:
        answers: the judged answers.
        chunks: the chunks that they retrieved; rows of other answers are ignored, here and below.
        claims: their claims.
        citations: which chunks the claims cite.
    """
    number = {answer.sample_id: at for at, answer in enumerate(answers)}
    fewest = fewest_questions(len({answer.cluster for answer in answers}))
    by_answers: dict[tuple[int, ...], list[SliceDefinition]] = defaultdict(list)
    columns = _by_column(answers)
    answer_keys = [name for name, values in columns.items() if _says_how_good(name, values)]
    searched = {name: values for name, values in columns.items() if name not in answer_keys}
    facts = (_by_answer(number, chunks), _by_answer(number, claims), _by_answer(number, citations))
    for definition, inside in _all_facts(answers, searched, *facts, fewest):
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


def _all_facts(
    answers: Sequence[AnswerFact],
    columns: Mapping[str, Mapping[int, Any]],
    chunks: Mapping[int, Sequence[ChunkFact]],
    claims: Mapping[int, Sequence[ClaimFact]],
    citations: Mapping[int, Sequence[CitationFact]],
    fewest: int,
) -> Iterator[_Slice]:
    yield from _value_slices(SliceKind.SEGMENT, "", {at: [a.segment] for at, a in enumerate(answers) if a.segment})
    yield from _columns(columns)
    yield from _documents(chunks, citations)
    yield from _metadata_slices(chunks)
    yield from _value_slices(
        SliceKind.ASKS, "", {at: sorted(asks(a.question)) for at, a in enumerate(answers) if a.question}
    )
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
            yield from _value_slices(SliceKind.COLUMN, name, {at: [_written(value)] for at, value in values.items()})


def _by_column(answers: Sequence[AnswerFact]) -> dict[str, dict[int, Any]]:
    """Return the values of each extra column of the file, by answer."""
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
    yield from _value_slices(SliceKind.RETRIEVED, "", retrieved, limit=_MOST_DOCUMENTS)
    yield from _value_slices(SliceKind.CITED, "", cited, limit=_MOST_DOCUMENTS)


def _metadata_slices(chunks: Mapping[int, Sequence[ChunkFact]]) -> Iterator[_Slice]:
    fields: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for at, own in chunks.items():
        for chunk in own:
            document = document_name(chunk.meta)
            for name, value in chunk.meta.items():
                if isinstance(value, str | int | float) and value != "" and value != document:
                    fields[name][at].add(_written(value))
    for name, values in fields.items():
        yield from _value_slices(SliceKind.METADATA, name, {at: sorted(own) for at, own in values.items()})


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


def _value_slices(
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


def _by_answer(number: Mapping[int, int], facts: Iterable[Any]) -> dict[int, list[Any]]:
    """Group facts by their answer."""
    by_answer: dict[int, list[Any]] = defaultdict(list)
    for fact in facts:
        at = number.get(fact.sample_id)
        if at is not None:
            by_answer[at].append(fact)
    return by_answer


def _matrix(rows: Sequence[Sequence[int]], answers: int) -> Any:
    from scipy.sparse import csr_array  # imported here so that the command line starts quickly

    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    columns = np.concatenate([np.asarray(row, dtype=np.int64) for row in rows]) if rows else np.empty(0, np.int64)
    return csr_array((np.ones(len(columns), dtype=bool), columns, starts), shape=(len(rows), answers))


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceRows:
    """A slice with its answers, as rows of the run from 1, and their mean score."""

    definition: SliceDefinition
    positions: tuple[int, ...]
    mean: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSlice:
    """A slice with significantly lower scores; the figures are those of `stats.slices.LowSlice`.

    `positions` are the rows that count, from 1. `overlaps` are earlier slices that contain some of its answers, which
    do not count again here. `same` are other descriptions of exactly the same answers, and `parts` are other low slices
    that are (nearly) within it.
    """

    definition: SliceDefinition
    positions: tuple[int, ...]
    questions: int
    mean: float
    elsewhere: float
    elsewhere_answers: int
    difference: float
    interval: Interval
    p_value: float
    overlaps: tuple[SliceDefinition, ...]
    same: tuple[SliceDefinition, ...]
    parts: tuple[SliceRows, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSlices:
    """The low slices of a run under a view.

    `answers` have a score and `left_out` count those without one, by state. `tested` counts the tested slices, of at
    least `fewest` questions each. `noticeable` says how low a slice would have been detected among the answers outside
    the found slices; it is empty if all of them score the same, or are too few. `not_searched` names columns of the
    file with labels or scores of the answers, and are not used for slices.
    """

    run: Run
    view: View
    answers: int
    questions: int
    left_out: dict[str, int]
    tested: int
    fewest: int
    slices: tuple[FoundSlice, ...]
    noticeable: tuple[Noticeable, ...]
    not_searched: tuple[str, ...] = ()


def find_slices(store: Store, reference: str, *, view: View = View.JUDGE) -> RunSlices:
    """Return the slices of a run that score significantly lower than the rest, the most certain first.

    The corrected score is an estimate for a whole run; that view uses the reviewers' verdicts here.

    Args:
        store: the store.
        reference: the run's id or unique name.
        view: whose verdicts count.

    Raises:
        NotFound: there is no such run.
    """
    run = get_run(store, reference)
    view = View.REVIEWED if view is View.CORRECTED else view
    state = revisions.list_revisions(store.db, [run.run_id]).get(run.run_id)
    found = store.cache.get("slices", (run.run_id, view), state, partial(_compute_slices, store, run, view))
    return replace(found, run=run)


def open_slice(store: Store, reference: str, slice_id: str, *, view: View = View.JUDGE) -> SliceRows | None:
    """Return the answers of a slice: those that count if it was found, otherwise all that match its description.

    Args:
        store: the store.
        reference: the run's id or unique name.
        slice_id: the slice, as `SliceDefinition.slice_id` has it.
        view: whose verdicts count.

    Returns:
        The slice, or None.

    Raises:
        NotFound: there is no such run.
    """
    found = find_slices(store, reference, view=view)
    for low in found.slices:
        rows = SliceRows(definition=low.definition, positions=low.positions, mean=low.mean)
        for other in (rows, *(replace(rows, definition=same) for same in low.same), *low.parts):
            if other.definition.slice_id == slice_id:
                return other
    return _Answers(store, found.run, found.view).look_up(slice_id)


class _Answers:
    """The judged answers of a run, and their slices."""

    def __init__(self, store: Store, run: Run, view: View) -> None:
        db = store.db
        self.answers = stored_slices.list_answers(db, run.run_id, view=view)
        self.properties = list_properties(
            self.answers,
            stored_slices.list_chunks(db, run.run_id),
            stored_slices.list_claims(db, run.run_id),
            stored_slices.list_citations(db, run.run_id),
        )

    def search(self) -> SliceSearch:
        clusters = {name: at for at, name in enumerate(dict.fromkeys(answer.cluster for answer in self.answers))}
        return find_low_slices(
            np.array([answer.faithfulness for answer in self.answers], dtype=np.float64),
            np.array([answer.claims for answer in self.answers], dtype=np.int64),
            np.array([clusters[answer.cluster] for answer in self.answers], dtype=np.int64),
            self.properties.members,
            naturalness=naturalness(self.properties),
        )

    def found(self, low: LowSlice) -> FoundSlice:
        definitions = self.properties.definitions
        return FoundSlice(
            definition=definitions[low.number],
            positions=self._positions(low.rows),
            questions=low.questions,
            mean=low.mean,
            elsewhere=low.elsewhere,
            elsewhere_answers=low.elsewhere_answers,
            difference=low.difference,
            interval=low.interval,
            p_value=low.p_value,
            overlaps=tuple(definitions[number] for number in low.overlaps),
            same=self.properties.same.get(low.number, ()),
            parts=tuple(self._whole(number, definitions[number]) for number in low.parts),
        )

    def look_up(self, slice_id: str) -> SliceRows | None:
        for number, definition in enumerate(self.properties.definitions):
            for one in (definition, *self.properties.same.get(number, ())):
                if one.slice_id == slice_id:
                    return self._whole(number, one)
        return None

    def _whole(self, number: int, definition: SliceDefinition) -> SliceRows:
        rows = self.properties.members[[number]].indices
        mean = math.fsum(self.answers[at].faithfulness for at in rows) / len(rows)
        return SliceRows(definition=definition, positions=self._positions(rows), mean=mean)

    def _positions(self, rows: NDArray[np.int64]) -> tuple[int, ...]:
        return tuple(sorted(self.answers[int(at)].position for at in rows))


def _compute_slices(store: Store, run: Run, view: View) -> RunSlices:
    answers = _Answers(store, run, view)
    search = answers.search()
    states = get_summary(store, run.run_id, view=view).states
    return RunSlices(
        run=run,
        view=view,
        answers=search.answers,
        questions=search.questions,
        left_out={state: count for state, count in states.items() if count and state != State.JUDGED},
        tested=search.tested,
        fewest=search.fewest,
        slices=tuple(answers.found(low) for low in search.slices),
        noticeable=search.noticeable,
        not_searched=answers.properties.left_out,
    )
