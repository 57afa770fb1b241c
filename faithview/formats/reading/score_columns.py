"""Finds the columns with another tool's faithfulness scores by name; several lead to a question."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from faithview.formats.files.aliases import fold_name
from faithview.formats.files.tables import RawRow
from faithview.formats.reading.reader import Judged, Question, Row
from faithview.formats.reading.values import (
    BAD,
    GOOD,
    as_object,
    as_score,
    error_in,
    is_yes_or_no,
    read_claims,
    text_of,
    written_number,
)
from faithview.formats.rows.cells import BadCell, column_of, is_missing, value_at
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.formats.rows.mapping import score_range

_PERCENT = r"(%|pct|percent|percentage|prozent)"
# What may follow the name of a score: "faithfulness_score", "Groundedness [GEval]", "faithfulness (%)".
END_OF_SCORE = (
    rf"(_score|_value|_rating|_label|_v\d+_score|_metric)?(_[\[(]?g_?eval[\])]?)?(_?(in_)?[\[(]?{_PERCENT}[\])]?)?"
)
_IN_PERCENT = re.compile(rf"%|(^|_){_PERCENT}$")
_FAITHFUL = r"faithful(ness)?|grounded(ness)?|attribution|factual_consistency"
_WORSE = r"un(faithful|grounded)(ness)?|factual_inconsistency|hallucinat(ion|ions|ed|es)"
_NAMED = re.compile(rf"(.*_)?({_FAITHFUL}|{_WORSE}){END_OF_SCORE}")
_SOUNDS_FAITHFUL = re.compile(r"faithful|grounded|attribut|factual_consist|supported_by")
# "not_faithful", "ungrounded", "factual_inconsistency", "groundedness_errors": more of it is worse.
_NEGATED = re.compile(
    r"(^|_)(not|non|no|lack_of)_((fully|entirely|completely)_)?(faithful|grounded|support|attribut|factual|consisten)"
    r"|un(faithful|grounded|support|attribut|factual)|inconsisten|nonfactual"
    r"|(faithful|grounded|attribution|consistency)[a-z]*_(error|violation|issue|failure)"
)
_WITHOUT_HALLUCINATION = re.compile(r"(^|_)(not?|non|without)_hallucinat|hallucinat[a-z]*_free")
_SCALES = ("1-5", "0-5", "1-10", "0-10", "0-100")
# Sums of shares may be slightly above 1.
_MOST_OF_A_SHARE = 1.000001
# In a column of hallucinations a word names the finding, regardless of the direction of the numbers.
_FOUND: Mapping[str, bool] = {
    **dict.fromkeys(GOOD, False),
    **dict.fromkeys(BAD, True),
    **dict.fromkeys(("not_hallucinated", "no_hallucination", "no_hallucinations", "non_hallucinated"), False),
    "hallucinations": True,
}


def map_scores(
    columns: Sequence[str], head: Sequence[RawRow], mapping: ColumnMapping, *, hallucination: str = ""
) -> tuple[ColumnMapping, tuple[Question, ...]]:
    """Return the mapping with the column of the score, or the key in one, if only one is possible; else a question.

    `hallucination` as for `pick_score`.
    """
    used = {column_of(name, columns) for name in mapping.columns}
    inside = [f"{column}.{key}" for column in columns for row in head for key in as_object(row.values.get(column))]
    places = dict.fromkeys([*columns, *inside])
    named = [place for place in places if place not in used and _NAMED.fullmatch(fold_name(place.rpartition(".")[2]))]
    scores = [place for place in named if _holds_scores(place, head)]
    mapping, questions = pick_score(scores, head, mapping, hallucination=hallucination)
    numbers = _numbers(mapping.score, head)
    if mapping.score is not None and _IN_PERCENT.search(fold_name(mapping.score)) and any(map(_is_off_scale, numbers)):
        mapping = replace(mapping, score_range="0-100")
    return mapping, questions


def pick_score(
    names: Sequence[str], head: Sequence[RawRow], mapping: ColumnMapping, *, tool: str = "", hallucination: str = ""
) -> tuple[ColumnMapping, tuple[Question, ...]]:
    """Return the mapping with the faithfulness score, among columns of scores, or the question which one it is.

    A similar name ("Groundedness with reasons") is used only if there is no exact one. The only score of which more is
    worse is used if its words say so, or if it is the tool's own.

    Args:
        names: the columns of scores.
        head: the first rows.
        mapping: the mapping without the score.
        tool: the tool's name, if all its scores are candidates where no name is similar.
        hallucination: the column of the tool's own score of which more is worse; "" if it has none.
    """
    upright = [name for name in names if "hallucinat" not in fold_name(name) and not is_more_worse(name)]
    exact = [name for name in upright if _NAMED.fullmatch(fold_name(name))]
    faithful = exact or [name for name in upright if _SOUNDS_FAITHFUL.search(fold_name(name))]
    others = [name for name in names if name not in upright]
    if len(faithful) == 1:
        return replace(mapping, score=faithful[0]), ()
    listed = " and ".join(map(repr, faithful or others))
    if faithful:
        why = f"{listed} could each be faithfulness."
        return mapping, (Question(field="score", candidates=tuple(faithful), why=why),)
    worse = [name for name in others if is_more_worse(name)]
    if hallucination in worse or (len(worse) == 1 and _are_words([value_at(row.values, worse[0]) for row in head])):
        return replace(mapping, hallucination=hallucination if hallucination in worse else worse[0]), ()
    if others:
        candidates = tuple(f"{field}={column}" for column in others for field in ("hallucination", "score"))
        why = f"{listed} can be a score whose higher values are worse, or better."
        return mapping, (Question(field="map", candidates=candidates, why=why),)
    if names and tool:
        why = f"None of {tool}'s scores is named after faithfulness."
        return mapping, (Question(field="score", candidates=tuple(names), why=why),)
    return mapping, ()


def _are_words(cells: Sequence[object]) -> bool:
    """Return whether the values say what was found, whichever direction numbers have."""
    given = [cell for cell in cells if not is_missing(cell)]
    return any(map(tells_what_was_found, given)) or (bool(given) and all(map(is_yes_or_no, given)))


def _holds_scores(column: str, head: Sequence[RawRow]) -> bool:
    try:
        return any(as_score(value_at(row.values, column), high=100) is not None for row in head)
    except BadCell:
        return False


def _numbers(column: str | None, head: Sequence[RawRow]) -> list[float]:
    cells = [value_at(row.values, column) for row in head] if column is not None else []
    return [number for cell in cells if (number := written_number(cell)) is not None]


def is_about_faithfulness(name: str) -> bool:
    """Return whether a score has a name that tools use for faithfulness or for hallucinations."""
    folded = fold_name(name)
    return any(is_like(folded) for is_like in (_NAMED.fullmatch, _SOUNDS_FAITHFUL.search, _NEGATED.search))


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
    numbers = _numbers(column, head)
    if column is None or mapping.score_range is not None or not any(numbers):
        return ()
    most = max(filter(_is_off_scale, numbers), default=None)
    if most is not None:
        return (_scale_question(most, f"{column!r} holds {most:g}"),)
    if not _IN_PERCENT.search(fold_name(column)):
        return ()
    why = f"{column!r} is named as a percentage but holds nothing above {max(numbers):g}."
    return (Question(field="score_range", candidates=("0-100", "0-1"), why=why),)


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
    _most: float = field(default=_MOST_OF_A_SHARE, init=False)
    _found: dict[str, Question] = field(default_factory=dict, init=False)

    def see(self, row: Row) -> None:
        """Check the score of a row."""
        column = self.mapping.score or self.mapping.hallucination
        number = written_number(row.at(column))
        if number is None:
            return
        if self.mapping.score_range is None and _is_off_scale(number) and number > self._most:
            self._most = number
            what = f"{column!r} holds {number:g} in row {row.sample.key!r}"
            self._found["score_range"] = _scale_question(number, what)
        if self.goes_by_words and "map" not in self._found:
            why = (
                f"The words in {column!r} say what was found, but row {row.sample.key!r} holds {number:g}, and a "
                "higher number can be worse or better."
            )
            candidates = (f"hallucination={column}", f"score={column}")
            self._found["map"] = Question(field="map", candidates=candidates, why=why)

    def questions(self) -> tuple[Question, ...]:
        """Return the questions that the checked rows raise; each question names its row."""
        return tuple(self._found.values())


def _is_off_scale(number: float) -> bool:
    return number > _MOST_OF_A_SHARE and math.isfinite(number)


def _scale_question(most: float, what: str) -> Question:
    fitting = [scale for scale in _SCALES if score_range(scale)[1] >= most]
    why = (
        f"{what}, so its scale is not 0 to 1, unless such values are mistakes. "
        "Write the scale from its worst score to its best."
    )
    return Question(field="score_range", candidates=(*fitting, "0-1"), why=why)


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
    if tells_what_was_found(value):
        value = _FOUND[fold_name(str(value))]
    worse = as_score(value, low=low, high=high)
    return None if worse is None else 1 - worse


def tells_what_was_found(value: object) -> bool:
    """Return whether a value is a word that says by itself whether there is a hallucination, unlike yes and 1."""
    return isinstance(value, str) and fold_name(value) in _FOUND
