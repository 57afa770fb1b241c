"""Finds the columns with another tool's faithfulness scores by name; several lead to a question."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Mapping as MappingABC
from dataclasses import dataclass, field, replace

from faithview.formats.files.aliases import fold_name
from faithview.formats.files.tables import RawRow
from faithview.formats.reading.reader import Judged, Question, Row
from faithview.formats.reading.values import (
    BAD,
    GOOD,
    as_metric,
    as_score,
    error_in,
    is_yes_or_no,
    read_claims,
    text_of,
    written_number,
)
from faithview.formats.rows.cells import BadCell, column_of, is_missing, parsed, value_at
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.formats.rows.mapping import score_range

_END = (
    r"(_score|_value|_rating|_label|_v\d+_score|_metric)?(_[\[(]?g_?eval[\])]?)?"
    r"(_?(in_)?[\[(]?(%|pct|percent|percentage|prozent)[\])]?)?"
)
_IN_PERCENT = re.compile(r"%|(^|_)(pct|percent|percentage|prozent)$")
_FAITHFUL = re.compile(rf"(.*_)?(faithful(ness)?|grounded(ness)?|attribution|factual_consistency){_END}")
_SOUNDS_FAITHFUL = re.compile(r"faithful|grounded|attribut|factual_consist|supported_by")
# "not_faithful", "ungrounded", "factual_inconsistency", "groundedness_errors": more of it is worse.
_NEGATED = re.compile(
    r"(^|_)(not|non|no|lack_of)_((fully|entirely|completely)_)?(faithful|grounded|support|attribut|factual|consisten)"
    r"|un(faithful|grounded|support|attribut|factual)|inconsisten|nonfactual"
    r"|(faithful|grounded|attribution|consistency)[a-z]*_(error|violation|issue|failure)"
)
_UNFAITHFUL = re.compile(rf"(.*_)?(un(faithful|grounded)(ness)?|factual_inconsistency){_END}")
_WITHOUT_HALLUCINATION = re.compile(r"(^|_)(not?|non|without)_hallucinat|hallucinat[a-z]*_free")
_HALLUCINATED = re.compile(rf"(.*_)?(hallucinat(ion|ions|ed|es)){_END}")
# Tools' other scores: "answer_relevancy", "Context Relevance", "score_response_relevance".
_METRIC = re.compile(
    r"(.*_)?((answer|response|context|contextual|context_entity)_(relevan(ce|cy)|precision|recall|correctness|similarity"
    r"|utili[sz]ation|completeness|conciseness)|semantic_similarity|noise_sensitivity"
    rf"|factual_(accuracy|correctness)){_END}"
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
)
_OF_FAITHFULNESS = re.compile(r"hallucinat|faithful|grounded")


def map_scores(
    columns: Sequence[str], head: Sequence[RawRow], mapping: ColumnMapping
) -> tuple[ColumnMapping, tuple[Question, ...]]:
    """Return the mapping with the column of the score, if only one is possible; otherwise a question."""
    used = {column_of(name, columns) for name in mapping.columns}
    free = [c for c in (*columns, *_names_inside(columns, head)) if c not in used and _holds_scores(c, head)]
    named = [column for column in free if _FAITHFUL.fullmatch(fold_name(_own_name(column)))]
    faithful = tuple(column for column in named if not is_more_worse(column))
    others = (*(column for column in named if column not in faithful), *(c for c in free if _is_named_worse(c)))
    hallucinated = tuple(dict.fromkeys(others))
    if len(faithful) == 1:
        return _with_scale(replace(mapping, score=faithful[0]), head), ()
    if faithful:
        listed = " and ".join(map(repr, faithful))
        return mapping, (Question(field="score", candidates=faithful, why=f"{listed} could each be faithfulness."),)
    if len(hallucinated) == 1 and is_more_worse(hallucinated[0]) and _says_yes_or_no(hallucinated[0], head):
        return replace(mapping, hallucination=hallucinated[0]), ()
    return mapping, _ask_direction(hallucinated)


def _names_inside(columns: Sequence[str], head: Sequence[RawRow]) -> tuple[str, ...]:
    """Return the paths of values in the columns' objects that are named after faithfulness or hallucinations."""
    found: dict[str, None] = {}
    for column in columns:
        for row in head:
            value = parsed(row.values.get(column))
            names = [str(key) for key in value] if isinstance(value, MappingABC) else []
            found.update((f"{column}.{name}", None) for name in names if is_about_faithfulness(name))
    return tuple(name for name in found if name not in columns)


def _own_name(path: str) -> str:
    """Return the last part of a path, which decides about the name."""
    return path.rpartition(".")[2]


def _says_yes_or_no(column: str, head: Sequence[RawRow]) -> bool:
    """Return whether all cells are flags or yes or no; their direction follows from the column's name."""
    cells = [cell for row in head if not is_missing(cell := value_at(row.values, column))]
    return bool(cells) and all(map(is_yes_or_no, cells))


def _with_scale(mapping: ColumnMapping, head: Sequence[RawRow]) -> ColumnMapping:
    """Return the mapping with the scale of a score that is in percent according to its name and its values."""
    column = mapping.score or ""
    is_percent = _IN_PERCENT.search(fold_name(column)) and any(map(_is_off_scale, _numbers(column, head)))
    return replace(mapping, score_range="0-100") if is_percent else mapping


def _numbers(column: str, head: Sequence[RawRow]) -> list[float]:
    return [number for row in head if (number := written_number(value_at(row.values, column))) is not None]


def pick_score(
    names: Sequence[str], mapping: ColumnMapping, *, tool: str
) -> tuple[ColumnMapping, tuple[Question, ...]]:
    """Return the mapping with the faithfulness score, among the columns of a tool's named scores.

    A similar name ("Groundedness with reasons") is used only if there is no exact one. Otherwise the question which one
    it is; if no name is similar, all of them are candidates.
    """
    upright = [name for name in names if not is_more_worse(name)]
    faithful = [name for name in upright if _FAITHFUL.fullmatch(fold_name(name))]
    faithful = faithful or [name for name in upright if _SOUNDS_FAITHFUL.search(fold_name(name))]
    if len(faithful) == 1:
        return replace(mapping, score=faithful[0]), ()
    if faithful:
        listed = " and ".join(map(repr, faithful))
        return mapping, (
            Question(field="score", candidates=tuple(faithful), why=f"{listed} could each be faithfulness."),
        )
    hallucinated = [name for name in names if "hallucinat" in fold_name(name) or is_more_worse(name)]
    if hallucinated or not names:
        return mapping, _ask_direction(hallucinated)
    why = f"None of {tool}'s scores is named after faithfulness."
    return mapping, (Question(field="score", candidates=tuple(names), why=why),)


def is_about_faithfulness(name: str) -> bool:
    """Return whether a score has a name that tools use for faithfulness or for hallucinations."""
    folded = fold_name(name)
    patterns = (_FAITHFUL.fullmatch, _HALLUCINATED.fullmatch, _SOUNDS_FAITHFUL.search, _NEGATED.search)
    return any(is_like(folded) for is_like in patterns)


def is_tool_score(name: str, values: Iterable[object]) -> bool:
    """Return whether a column holds scores of an evaluation tool, by its name and its values; words are not scores."""
    folded = fold_name(name)
    if not (_METRIC.fullmatch(folded) or is_about_faithfulness(name)):
        return False
    return all(is_missing(value) or as_metric(value, high=100) is not None for value in values)


def is_answer_key(name: str) -> bool:
    """Return whether a column's name says that it rates an answer: a label, a verdict, a score or marks.

    Any values count: a label is a number, a flag or a word.
    """
    folded = fold_name(name)
    return bool(_OF_ANSWER.fullmatch(folded) or _OF_FAITHFULNESS.search(folded))


def is_more_worse(name: str) -> bool:
    """Return whether a higher score is worse according to its name: of hallucinations, or of unfaithfulness."""
    folded = fold_name(name)
    if "hallucinat" in folded:
        return _WITHOUT_HALLUCINATION.search(folded) is None
    return _NEGATED.search(folded) is not None


def ask_scale(mapping: ColumnMapping, head: Sequence[RawRow]) -> tuple[Question, ...]:
    """Return the question which scale the mapped scores have, if one of the first rows is above 1.

    Only the extreme values of a scale identify it, and a 1 is the best on one and the worst on another.
    """
    column = mapping.score or mapping.hallucination
    if column is None or mapping.score_range is not None:
        return ()
    numbers = _numbers(column, head)
    most = max(filter(_is_off_scale, numbers), default=None)
    if most is None and any(numbers) and _IN_PERCENT.search(fold_name(column)):
        why = f"{column!r} is named as a percentage but holds nothing above {max(numbers):g}."
        return (Question(field="score_range", candidates=("0-100", "0-1"), why=why),)
    return () if most is None else (_scale_question(most, f"{column!r} holds {most:g}"),)


@dataclass(slots=True, kw_only=True)
class ScoreCheck:
    """Compares all scores of a file with the assumptions made from its first rows.

    The assumptions are the scale from 0 to 1, and, for a column of hallucinations whose words say what was found, that
    it has only words. A later score that contradicts them casts doubt on the earlier ones: a 1 is the best on one scale
    and the worst on another.

    Attributes:
        mapping: the mapping, with the column of the score.
        goes_by_words: whether the direction was assumed because of words.
    """

    mapping: ColumnMapping
    goes_by_words: bool = False
    _most: tuple[float, str] | None = field(default=None, init=False)
    _number: tuple[float, str] | None = field(default=None, init=False)

    def see(self, row: Row) -> None:
        """Check the score of a row."""
        number = written_number(row.at(self.mapping.score or self.mapping.hallucination))
        if number is None:
            return
        if self.mapping.score_range is None and _is_off_scale(number) and (not self._most or number > self._most[0]):
            self._most = (number, row.sample.key)
        if self.goes_by_words and self._number is None:
            self._number = (number, row.sample.key)

    def questions(self) -> tuple[Question, ...]:
        """Return the questions that the checked rows raise; each question names its row."""
        found: list[Question] = []
        column = self.mapping.score or self.mapping.hallucination
        if self._most is not None:
            most, key = self._most
            found.append(_scale_question(most, f"{column!r} holds {most:g} in row {key!r}"))
        if self._number is not None:
            number, key = self._number
            why = (
                f"The words in {column!r} say what was found, but row {key!r} holds {number:g}, and a higher number "
                "can be worse or better."
            )
            found.append(Question(field="map", candidates=(f"hallucination={column}", f"score={column}"), why=why))
        return tuple(found)


def _is_off_scale(number: float) -> bool:
    return number > _MOST_OF_A_SHARE and math.isfinite(number)


def _scale_question(most: float, what: str) -> Question:
    fitting = [scale for scale in _SCALES if score_range(scale)[1] >= most]
    why = (
        f"{what}, so its scale is not 0 to 1, unless such values are mistakes. "
        "Write the scale from its worst score to its best."
    )
    return Question(field="score_range", candidates=(*fitting, "0-1"), why=why)


_SCALES = ("1-5", "0-5", "1-10", "0-10", "0-100")
# Sums of shares may be slightly above 1.
_MOST_OF_A_SHARE = 1.000001


def _is_named_worse(column: str) -> bool:
    folded = fold_name(column)
    return bool(_HALLUCINATED.fullmatch(folded) or _UNFAITHFUL.fullmatch(folded))


def _ask_direction(hallucinated: Sequence[str]) -> tuple[Question, ...]:
    if not hallucinated:
        return ()
    candidates = tuple(f"{field}={column}" for column in hallucinated for field in ("hallucination", "score"))
    why = f"{' and '.join(map(repr, hallucinated))} can be a score whose higher values are worse, or better."
    return (Question(field="map", candidates=candidates, why=why),)


def _holds_scores(column: str, head: Sequence[RawRow]) -> bool:
    known = 0
    for row in head:
        value = value_at(row.values, column)
        if is_missing(value):
            continue
        try:
            known += as_score(value, high=100) is not None
        except BadCell:
            return False
    return known > 0


def by_columns(row: Row) -> Judged:
    """Return the result in the columns that the mapping names; raises BadCell for an invalid score."""
    mapping = row.mapping
    low, high = score_range(mapping.score_range)
    claims, notes = read_claims(row.at(mapping.claims), answer=row.sample.answer) if mapping.claims else ((), ())
    error = error_in(row.at(mapping.error)) if mapping.error else ""
    judge = text_of(row.at(mapping.judge)) if mapping.judge else ""
    score = as_score(row.at(mapping.score), low=low, high=high) if mapping.score else None
    if score is None and mapping.hallucination:
        score = score_of_hallucination(row.at(mapping.hallucination), low=low, high=high)
    if score is None and notes and not error:
        return Judged(error=notes[0], judge=judge)
    return Judged(score=score, claims=claims, error=error or None, judge=judge, notes=notes)


def score_of_hallucination(value: object, *, low: float = 0.0, high: float = 1.0) -> float | None:
    """Return the faithfulness in [0, 1] for a score in which more is worse; raises BadCell for an invalid one."""
    worse = as_score(_flipped(value), low=low, high=high)
    return None if worse is None else 1 - worse


# In a column of hallucinations a word names the finding, regardless of the direction of the numbers.
_FOUND: Mapping[str, bool] = {
    **dict.fromkeys(GOOD, False),
    **dict.fromkeys(BAD, True),
    **dict.fromkeys(("not_hallucinated", "no_hallucination", "no_hallucinations", "non_hallucinated"), False),
    "hallucinations": True,
}


def tells_what_was_found(value: object) -> bool:
    """Return whether a value is a word that says by itself whether there is a hallucination, unlike yes and 1."""
    return isinstance(value, str) and fold_name(value) in _FOUND


def _flipped(value: object) -> object:
    return _FOUND[fold_name(value)] if isinstance(value, str) and fold_name(value) in _FOUND else value
