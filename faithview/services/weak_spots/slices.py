"""The low slices of a run, computed once for each state of the run.

Slices are all segments, column values, retrieved documents, metadata values and words of the question that answers can
have in common, chosen without looking at a score. A column with a label or another tool's score of the answer is left
out, because it repeats the finding. It is recognised by its name, or by its name and its values if the name is
ambiguous.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from faithview.domain.answer import SliceDefinition, SliceKind, View
from faithview.domain.knowledge import document_name
from faithview.domain.result import State
from faithview.domain.run import Run
from faithview.formats.files.aliases import fold_name
from faithview.formats.reading.score_columns import END_OF_SCORE, is_about_faithfulness
from faithview.formats.reading.values import as_metric
from faithview.formats.rows.cells import is_missing
from faithview.judges.text.tokens import tokenize
from faithview.services.container import Store
from faithview.services.results import get_run, get_summary
from faithview.stats.slices import IntArray, LowSlice, find_low_slices
from faithview.store import revisions
from faithview.store import slices as stored_slices
from faithview.store.slices import AnswerFact
from faithview.store.sources import Retrieved, list_retrieved

_MOST_SHARE = 0.75  # a larger slice is not an exception
_MOST_VALUES = 200  # of one column, of one field of the metadata, and so on
_LONGEST_VALUE = 120
# Tools' other scores: "answer_relevancy", "Context Relevance", "score_response_relevance".
_METRIC = re.compile(
    r"(.*_)?((answer|response|context|contextual|context_entity)_(relevan(ce|cy)|precision|recall|correctness|similarity"
    r"|utili[sz]ation|completeness|conciseness)|semantic_similarity|noise_sensitivity"
    rf"|factual_(accuracy|correctness)){END_OF_SCORE}"
)
# Names of an answer's labels and scores, with possible qualifiers: "gold_label", "is_correct",
# "judge_score", "overall rating". "ticket_label", "lead_score" or "retrieval_score" mean something else.
_WHOSE = (
    r"(is|has|gold|ground_truth|true|human|manual|expert|given|annotated|annotator|reviewer|answer|response|output|claim|overall"
    r"|total|final|mean|average|eval|evaluation|evaluator|judge|llm|model|ragas|trulens|deepeval|phoenix|langsmith"
    r"|mlflow|promptfoo|openai|azure)_"
)
_OF_ANSWER = re.compile(
    rf"({_WHOSE})*(label|annotation|verdict|judge?ment|rating|grade|score|span|gold|correct|incorrect|correctness"
    r"|supported|unsupported|factual|factuality|consistent|consistency|passed|quality)s?(_\d+)?"
    r"|.*(hallucinat|faithful|grounded).*"
)

# Slices with the places of their answers, in order.
Members: TypeAlias = dict[SliceDefinition, IntArray]


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceRows:
    """A slice with its answers, as rows of the run from 1, and their mean score."""

    definition: SliceDefinition
    positions: tuple[int, ...]
    mean: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSlice(SliceRows):
    """A slice with significantly lower scores, with its figures."""

    figures: LowSlice


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSlices:
    """The low slices of a run under a view.

    `answers` have a score and `left_out` count those without one, by state. `tested` counts the tested slices, of at
    least `fewest` questions each. `slices` are the low ones, the most certain first; one that is not low without the
    answers of those before it is left out. `low_segments` are all significantly low segments. `not_searched` names
    columns of the file with labels or scores of the answers, which are not used for slices.
    """

    run: Run
    view: View
    answers: int
    questions: int
    left_out: dict[str, int]
    tested: int
    fewest: int
    slices: tuple[FoundSlice, ...]
    low_segments: frozenset[str]
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
    """Return the answers of a slice, found low or not; None if the run has no such slice.

    Args:
        store: the store.
        reference: the run's id or unique name.
        slice_id: the slice, as `SliceDefinition.slice_id` has it.
        view: whose verdicts count.

    Raises:
        NotFound: there is no such run.
    """
    found = find_slices(store, reference, view=view)
    for low in found.slices:
        if low.definition.slice_id == slice_id:
            return low
    answers = stored_slices.list_answers(store.db, found.run.run_id, view=found.view)
    slices = group_answers(answers, list_retrieved(store.db, found.run.run_id))
    for definition, places in slices.items():
        if definition.slice_id == slice_id:
            inside = [answers[at] for at in places]
            mean = math.fsum(answer.faithfulness for answer in inside) / len(inside)
            return SliceRows(definition=definition, positions=tuple(a.position for a in inside), mean=mean)
    return None


def _compute_slices(store: Store, run: Run, view: View) -> RunSlices:
    answers = stored_slices.list_answers(store.db, run.run_id, view=view)
    slices = group_answers(answers, list_retrieved(store.db, run.run_id))
    definitions = list(slices)
    search = find_low_slices(
        np.array([answer.faithfulness for answer in answers], dtype=np.float64),
        np.unique([answer.cluster for answer in answers], return_inverse=True)[1],
        list(slices.values()),
    )
    states = get_summary(store, run.run_id, view=view).states
    return RunSlices(
        run=run,
        view=view,
        answers=len(answers),
        questions=search.questions,
        left_out={state: count for state, count in states.items() if count and state != State.JUDGED},
        tested=search.tested,
        fewest=search.fewest,
        slices=tuple(
            FoundSlice(
                definition=definitions[low.number],
                positions=tuple(answers[at].position for at in slices[definitions[low.number]]),
                mean=low.mean,
                figures=low,
            )
            for low in search.slices
        ),
        low_segments=frozenset(
            definitions[number].value for number in search.low if definitions[number].kind is SliceKind.SEGMENT
        ),
        not_searched=rating_columns(answers),
    )


def rating_columns(answers: Sequence[AnswerFact]) -> tuple[str, ...]:
    """Return the names of the columns that rate the answers, sorted."""
    columns: dict[str, list[Any]] = defaultdict(list)
    for answer in answers:
        for name, value in answer.extra.items():
            if _is_value(value):
                columns[name].append(value)
    return tuple(sorted(n for n, values in columns.items() if _is_answer_key(n) or is_tool_score(n, values)))


def is_tool_score(name: str, values: Iterable[object]) -> bool:
    """Return whether a column holds scores of an evaluation tool, by its name and its values; words are not scores."""
    if not (_METRIC.fullmatch(fold_name(name)) or is_about_faithfulness(name)):
        return False
    return all(is_missing(value) or as_metric(value, high=100) is not None for value in values)


def _is_answer_key(name: str) -> bool:
    """Return whether a column's name says that it rates an answer: a label, a verdict, a score or marks.

    Any values count: a label is a number, a flag or a word.
    """
    return _OF_ANSWER.fullmatch(fold_name(name)) is not None


def group_answers(answers: Sequence[AnswerFact], chunks: Sequence[Retrieved]) -> Members:
    """Return the slices of these answers, except those that are nearly everything.

    Args:
        answers: the judged answers.
        chunks: the chunks that they retrieved; those of other answers are ignored.
    """
    inside: dict[tuple[SliceKind, str, str], set[int]] = defaultdict(set)
    spellings: dict[str, Counter[str]] = defaultdict(Counter)
    for at, answer in enumerate(answers):
        for token in tokenize(answer.question or ""):
            if token.word.is_content:
                inside[SliceKind.QUESTION, "", token.word.stem].add(at)
                spellings[token.word.stem][token.word.lower] += 1
    for kind, name, value, at in _features(answers, chunks):
        inside[kind, name, value[:_LONGEST_VALUE]].add(at)
    order, slices, counts = list(SliceKind), Members(), Counter[tuple[SliceKind, str]]()
    for kind, name, value in sorted(inside, key=lambda key: (order.index(key[0]), -len(inside[key]), key)):
        places = inside[kind, name, value]
        counts[kind, name] += 1
        if len(places) <= _MOST_SHARE * len(answers) and counts[kind, name] <= _MOST_VALUES:
            shown = spellings[value].most_common(1)[0][0] if kind is SliceKind.QUESTION else value
            definition = SliceDefinition(kind=kind, field=name, value=shown)
            slices[definition] = np.array(sorted(places), dtype=np.int64)
    return slices


def _features(answers: Sequence[AnswerFact], chunks: Sequence[Retrieved]) -> Iterator[tuple[SliceKind, str, str, int]]:
    """Yield what each answer has, except words: kind, field, value and the answer's place."""
    ratings = rating_columns(answers)
    for at, answer in enumerate(answers):
        if answer.segment:
            yield SliceKind.SEGMENT, "", answer.segment, at
        for name, value in answer.extra.items():
            if _is_value(value) and name not in ratings:
                yield SliceKind.COLUMN, name, str(value), at
    places = {answer.position: at for at, answer in enumerate(answers)}
    for chunk in chunks:
        if chunk.row in places:
            at, document = places[chunk.row], document_name(chunk.meta) or chunk.chunk_id
            yield SliceKind.RETRIEVED, "", document, at
            for name, value in chunk.meta.items():
                if _is_value(value) and value != document:
                    yield SliceKind.METADATA, name, str(value), at


def _is_value(value: object) -> bool:
    return isinstance(value, str | int | float) and value != ""
