"""Slices of a run in words: what their answers have in common, their figures, and what would have been noticed."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from faithview.domain.answer import SliceDefinition, SliceKind
from faithview.domain.scoring import Interval
from faithview.wording import numbers as fmt

if TYPE_CHECKING:  # it needs numpy
    from faithview.stats.slices import Noticeable

NO_CORRECTED_SLICE = (
    "The corrected score is an estimate for a whole run, so a slice has none. These figures are reviewed: the "
    "reviewers' verdicts where there are any, else the judge's."
)

# What a reader takes in at a glance of a name that a file brought along.
_LONGEST_NAME = 60


FIGURES_HELP = (
    "The slice's mean against that of the run's other answers; in brackets the difference, its 95% interval, n (the "
    "slice's answers) and p. Interval and p allow for all slices that were tested (Westfall and Young 1993). n "
    "leaves out answers that are in a stronger slice."
)


def slice_words(definition: SliceDefinition) -> str:
    """Return in Markdown what the answers of a slice have in common: "*refund* in the question"."""
    return "".join(f"*{fmt.literal(text)}*" if is_name else text for text, is_name in _words(definition))


def plain_slice(definition: SliceDefinition) -> str:
    """Return the same as plain text: "“refund” in the question"."""
    return "".join(f"“{' '.join(text.split())}”" if is_name else text for text, is_name in _words(definition))


def slice_figures(mean: float, elsewhere: float, difference: float, between: Interval, n: int, p: float) -> str:
    """Write the figures of a slice: "0.61 against 0.93 elsewhere (−0.32, −0.41 to −0.22, n 38, p 0.002)"."""
    return (
        f"{fmt.share(mean)} against {fmt.share(elsewhere)} elsewhere "
        f"({fmt.signed_measure(difference, None)}, {fmt.signed_ends(between)}, n {fmt.count(n)}, {fmt.p_value(p)})"
    )


def nothing_found(answers: int, tested: int, noticeable: "Sequence[Noticeable]", *, name: Callable[[int], str]) -> str:
    """Return the sentences for a run without a low slice: what was looked at, and what would have been noticed.

    Args:
        answers: how many have a score.
        tested: how many slices were looked at.
        noticeable: see `stats.slices`.
        name: returns a number of questions with its noun.
    """
    text = searched_words(answers, tested, noticeable)
    if not tested or not noticeable:
        return text
    text += f" FaithView compared {fmt.plural(tested, 'slice')} of its {fmt.plural(answers, 'answer')}."
    return f"{text} {noticeable_words(noticeable, name=name)}"


def searched_words(answers: int, tested: int, noticeable: "Sequence[Noticeable]") -> str:
    """Return whether a run without a low slice was searched at all; the arguments are those of `nothing_found`.

    Where nothing could be searched, "nothing was found" would sound like a result.
    """
    if not answers:
        return "No answer has a score, so weak spots cannot be found."
    if not tested:
        return f"Too few answers to look for weak spots: {_have(answers, 'a score')}."
    if not noticeable:
        return f"All {fmt.plural(answers, 'scored answer')} have the same score."
    return "No slice of the run scores significantly lower than the rest."


def not_searched_words(columns: Sequence[str]) -> str:
    """Return as plain text which columns of the file were not looked at, and why; empty for none."""
    if not columns:
        return ""
    names = fmt.listed([f"“{_short(name)}”" for name in columns])
    return f"Not tested, because they already rate the answer: {names}."


def _have(answers: int, what: str) -> str:
    return f"{fmt.plural(answers, 'answer')} {fmt.verb(answers, 'has', 'have')} {what}"


def noticeable_words(noticeable: "Sequence[Noticeable]", *, name: Callable[[int], str]) -> str:
    """Return the sentence on how much lower a slice would have to score to be noticed; empty if none would be."""
    known = [(item.questions, item.difference) for item in noticeable if item.difference is not None]
    if not known:
        return "With so few answers, only a weak spot where every answer fails would be noticed."
    sizes = [f"a slice of {name(size)} that scores {fmt.fixed(difference, 2)} lower" for size, difference in known]
    return f"FaithView would notice these 80% of the time: {fmt.listed(sizes)}."


def _words(definition: SliceDefinition) -> Iterator[tuple[str, bool]]:
    """Yield pieces of text, each with whether it is a name that the data brought along."""
    pattern = _PATTERNS.get(definition.kind)
    if pattern is None:
        yield _band_words(definition), False
        return
    if definition.kind is SliceKind.COLUMN and definition.value is None:
        pattern = f"{{field}} {_band(definition)}"
    names = {"{value}": definition.value or "", "{field}": definition.field}
    for piece in re.split(r"(\{value\}|\{field\})", pattern):
        if piece in names:
            yield _short(names[piece]), True
        elif piece:
            yield piece, False


# By the kind of the slice, with the names that the data brought along in braces.
_PATTERNS = {
    SliceKind.SEGMENT: "Segment {value}",
    SliceKind.COLUMN: "{field} is {value}",
    SliceKind.RETRIEVED: "{value} was retrieved",
    SliceKind.METADATA: "A chunk with {field} {value} was retrieved",
    SliceKind.CITED: "A claim cites {value}",
    SliceKind.ASKS: "The question asks {value}",
    SliceKind.QUESTION: "{value} in the question",
    SliceKind.CLAIM: "{value} in a claim",
}


def _band_words(definition: SliceDefinition) -> str:
    if definition.kind is SliceKind.CITED_RANK:
        return f"A claim is based on a chunk at rank {_number(definition.low)} or later"
    before, noun = _BANDS[definition.kind]
    end = definition.low if definition.high is None else definition.high
    return f"{before} {_band(definition)} {noun if end == 1 or not noun else f'{noun}s'}".rstrip()


_BANDS = {
    SliceKind.CLAIM_COUNT: ("Answers with", "claim"),
    SliceKind.ANSWER_WORDS: ("Answers of", "word"),
    SliceKind.QUESTION_WORDS: ("Questions of", "word"),
    SliceKind.CHUNK_COUNT: ("Answers with", "chunk"),
    SliceKind.RETRIEVAL_SCORE: ("Best retrieval score of", ""),
}


def _band(definition: SliceDefinition) -> str:
    low, high = definition.low, definition.high
    if low is None:
        return f"at most {_number(high)}"
    if high is None:
        return f"at least {_number(low)}"
    return _number(low) if low == high else f"{_number(low)} to {_number(high)}"


def _number(value: float | None) -> str:
    assert value is not None  # noqa: S101 - a band has an end on each side that is asked for
    return fmt.fixed(value, 0) if value == int(value) else f"{value:.4g}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_NAME else f"{line[: _LONGEST_NAME - 1].rstrip()}…"
