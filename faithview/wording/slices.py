"""Slices of a run in words: what their answers have in common, their figures, and how many were looked at."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from faithview.domain.answer import SliceDefinition, SliceKind
from faithview.wording import numbers as fmt

if TYPE_CHECKING:  # it needs numpy
    from faithview.stats.slices import LowSlice

FIGURES_HELP = (
    "The mean of the slice against the mean of the run's other answers, by the judge; n counts the slice's answers. "
    "Intervals and p are adjusted for all slices that were tested."
)

# What a reader takes in at a glance of a name that a file brought along.
_LONGEST_NAME = 60


def slice_words(definition: SliceDefinition) -> str:
    """Return in Markdown what the answers of a slice have in common: "*refund* in the question"."""
    return "".join(f"*{fmt.literal(text)}*" if is_name else text for text, is_name in _words(definition))


def plain_slice(definition: SliceDefinition) -> str:
    """Return the same as plain text: "“refund” in the question"."""
    return "".join(f"“{text}”" if is_name else text for text, is_name in _words(definition))


def slice_figures(low: "LowSlice") -> str:
    """Write the figures of a slice: "0.61 against 0.93 elsewhere (−0.32, −0.41 to −0.22, n 38, p 0.002)"."""
    brackets = (
        fmt.signed_measure(low.difference, None),
        fmt.signed_ends(low.interval),
        f"n {fmt.count(low.answers)}",
        fmt.p_value(low.p_value),
    )
    return f"{fmt.share(low.mean)} against {fmt.share(low.elsewhere)} elsewhere ({', '.join(brackets)})"


def looked_at(answers: int, tested: int) -> str:
    """Return the sentence that comes with every finding, and with none: how many slices were looked at."""
    return f"FaithView compared {fmt.plural(tested, 'slice')} of {fmt.plural(answers, 'answer')}."


def nothing_found(answers: int, tested: int) -> str:
    """Return the sentences for a run without a low slice.

    Where nothing could be searched, "nothing was found" would sound like a result.
    """
    if not answers:
        return "No answer has a score, so weak spots cannot be found."
    if not tested:
        return f"No slice has enough answers to be tested: {fmt.plural(answers, 'answer')} with a score."
    return f"No slice of the run scores significantly lower than the rest. {looked_at(answers, tested)}"


def not_searched_words(columns: Sequence[str]) -> str:
    """Return as plain text which columns of the file were not looked at, and why; empty for none."""
    if not columns:
        return ""
    names = fmt.listed([f"“{_short(name)}”" for name in columns])
    return f"Not tested, because they already rate the answer: {names}."


def _words(definition: SliceDefinition) -> Iterator[tuple[str, bool]]:
    """Yield pieces of text, each with whether it is a name that the data brought along."""
    names = {"{value}": definition.value, "{field}": definition.field}
    for piece in re.split(r"(\{value\}|\{field\})", _PATTERNS[definition.kind]):
        if piece:
            yield (_short(names[piece]), True) if piece in names else (piece, False)


# By the kind of the slice, with the names that the data brought along in braces.
_PATTERNS = {
    SliceKind.SEGMENT: "Segment {value}",
    SliceKind.COLUMN: "{field} is {value}",
    SliceKind.RETRIEVED: "{value} was retrieved",
    SliceKind.METADATA: "A chunk with {field} {value} was retrieved",
    SliceKind.QUESTION: "{value} in the question",
}


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_NAME else f"{line[: _LONGEST_NAME - 1].rstrip()}…"
