"""The columns of a table that hold another tool's faithfulness scores, found by name; several are asked about."""

import re
from collections.abc import Sequence
from dataclasses import replace

from faithview.formats.files.aliases import fold_name
from faithview.formats.files.tables import RawRow
from faithview.formats.reading.match import Question
from faithview.formats.reading.values import as_score
from faithview.formats.rows.cells import BadCell, is_missing
from faithview.formats.rows.mapping import Mapping

_END = r"(_score|_value|_rating|_label|_v\d+_score|_metric)?(_[\[(]?g_?eval[\])]?)?"
_FAITHFUL = re.compile(rf"(.*_)?(faithful(ness)?|grounded(ness)?|attribution|factual_consistency){_END}")
_SOUNDS_FAITHFUL = re.compile(r"faithful|grounded|attribut|factual_consist|supported_by")
_HALLUCINATED = re.compile(rf"(.*_)?(hallucinat(ion|ions|ed|es)){_END}")


def map_scores(
    columns: Sequence[str], head: Sequence[RawRow], mapping: Mapping
) -> tuple[Mapping, tuple[Question, ...]]:
    """Return the mapping with the column of the score, if only one can be it; else the question which one is."""
    free = [c for c in columns if c not in mapping.columns and _holds_scores(c, head)]
    faithful = tuple(column for column in free if _FAITHFUL.fullmatch(fold_name(column)))
    hallucinated = tuple(column for column in free if _HALLUCINATED.fullmatch(fold_name(column)))
    if len(faithful) == 1:
        return replace(mapping, score=faithful[0]), ()
    if faithful:
        listed = " and ".join(map(repr, faithful))
        return mapping, (Question(field="score", candidates=faithful, why=f"{listed} could each be faithfulness."),)
    return mapping, _ask_direction(hallucinated)


def pick_score(names: Sequence[str], mapping: Mapping, *, tool: str) -> tuple[Mapping, tuple[Question, ...]]:
    """Return the mapping with the score that is faithfulness, of the columns in which a tool keeps its named scores.

    A name that only sounds like it ("Groundedness with reasons") is taken where no other does. Otherwise the question
    which one it is; where none sounds like it, any of them may be meant.
    """
    faithful = [name for name in names if _FAITHFUL.fullmatch(fold_name(name))]
    faithful = faithful or [name for name in names if _SOUNDS_FAITHFUL.search(fold_name(name))]
    if len(faithful) == 1:
        return replace(mapping, score=faithful[0]), ()
    if faithful:
        listed = " and ".join(map(repr, faithful))
        return mapping, (
            Question(field="score", candidates=tuple(faithful), why=f"{listed} could each be faithfulness."),
        )
    hallucinated = [name for name in names if "hallucinat" in fold_name(name)]
    if hallucinated or not names:
        return mapping, _ask_direction(hallucinated)
    why = f"None of {tool}'s scores is named after faithfulness."
    return mapping, (Question(field="score", candidates=tuple(names), why=why),)


def is_about_faithfulness(name: str) -> bool:
    """Return whether a score has a name that tools use for faithfulness or for hallucinations."""
    folded = fold_name(name)
    return bool(_FAITHFUL.fullmatch(folded) or _HALLUCINATED.fullmatch(folded) or _SOUNDS_FAITHFUL.search(folded))


def _ask_direction(hallucinated: Sequence[str]) -> tuple[Question, ...]:
    if not hallucinated:
        return ()
    candidates = tuple(f"{field}={column}" for column in hallucinated for field in ("hallucination", "score"))
    why = f"{' and '.join(map(repr, hallucinated))} can be a score in which more is worse, or in which more is better."
    return (Question(field="map", candidates=candidates, why=why),)


def _holds_scores(column: str, head: Sequence[RawRow]) -> bool:
    known = 0
    for row in head:
        value = row.values.get(column)
        if is_missing(value):
            continue
        try:
            known += as_score(value, high=100) is not None
        except BadCell:
            return False
    return known > 0
