"""Which parts of an answer go with claims that are not supported, so that what stays still reads as it should.

The smallest part goes that is clean and has unsupported claims only: a clause, a sentence, a list item or a row, then a
heading or a lead-in whose content is all gone. A part with a supported claim stays.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from faithview.judges.lexical.splitting.talk import CITATION_ALONE, says_something
from faithview.judges.text.lexicon import FUNCTION_WORDS, word_set
from faithview.judges.text.tokens import tokenize
from faithview.services.guard.correction.announcements import mark_announcements, mark_items, mark_tables
from faithview.services.guard.correction.clauses import cut_clauses
from faithview.services.guard.correction.edits import Edit
from faithview.services.guard.correction.layout import read_layout
from faithview.services.guard.correction.parts import Part, Place, Sentence, Why, imbalance, overlaps, part_of, removed


@dataclass(slots=True)
class Removal:
    """The edits that remove what is unsupported, and the claims that could not be removed."""

    edits: list[Edit] = field(default_factory=list)
    stuck: set[int] = field(default_factory=set)
    # Numbers that a line states of a list that is now shorter.
    miscounted: list[str] = field(default_factory=list)


def remove(answer: str, faults: Sequence[Place], kept: Sequence[Place]) -> Removal:
    """Return how to take the faults out of the answer, without touching a place that is kept.

    Args:
        answer: the answer.
        faults: the places of claims that must go.
        kept: the places of claims that stay: of their words at most the case of the first letter changes.
    """
    removal = Removal()
    parts = [part_of(block, faults, kept) for block in read_layout(answer)]
    for part in parts:
        _mark_sentences(answer, part, removal)
    mark_items(parts)
    mark_tables(parts)
    removal.miscounted = mark_announcements(answer, parts)
    left = [place for part in parts for s in part.sentences if not s.is_gone for place in s.faults]
    removal.stuck = {place.number for place in left if not _is_cut(place, removal.edits)}
    removal.edits += _edits(answer, parts)
    return removal


def _is_cut(place: Place, edits: Sequence[Edit]) -> bool:
    return any(place.number in edit.claim_numbers and overlaps(place, edit.start, edit.end) for edit in edits)


def _mark_sentences(answer: str, part: Part, removal: Removal) -> None:
    sentences = part.sentences
    for number, sentence in enumerate(sentences):
        if not sentence.faults or sentence.is_gone:
            continue
        if sentence.kept:
            removal.edits += cut_clauses(answer, sentence)
            continue
        sentence.is_gone = True
        for beside in _belonging_to(answer, sentences, number):
            beside.is_gone, beside.why = True, Why.BELONGS
    rest = [s for s in sentences if not s.is_gone]
    if len(rest) == len(sentences):
        return
    says_nothing = not part.has_kept and not any(says_something(answer[s.start : s.end]) for s in rest)
    if says_nothing or not _is_balanced(answer, part):  # "**A. B.**" cannot lose one of the two
        if part.has_kept:
            part.stay()
        else:
            part.go(Why.BELONGS)


def _belonging_to(answer: str, sentences: Sequence[Sentence], number: int) -> Iterator[Sentence]:
    """Yield the claimless sentences that mean nothing without that one: the reply before it, the citations after it."""
    before = sentences[number - 1] if number else None
    if before is not None and not before.faults and not before.kept and _is_short_reply(answer, before):
        yield before
    for after in sentences[number + 1 :]:
        if after.faults or after.kept or not CITATION_ALONE.match(answer[after.start : after.end]):
            return
        yield after


def _is_short_reply(answer: str, sentence: Sentence) -> bool:
    """Return whether a sentence only says yes or no to what follows: "Yes, you can."."""
    tokens = tokenize(answer, sentence.start, sentence.end)
    return len(tokens) <= _LONGEST_REPLY and all(t.word.lower in _REPLY_WORDS for t in tokens)


_LONGEST_REPLY = 6
_REPLY_WORDS = FUNCTION_WORDS | word_set("yes no not correct right sure certainly absolutely")


def _is_balanced(answer: str, part: Part) -> bool:
    """Return whether what stays of a block opens and closes as many brackets and marks as it should."""
    whole = answer[part.block.start : part.block.end]
    rest = "".join(answer[s.start : s.end] for s in part.sentences if not s.is_gone)
    return imbalance(rest) == imbalance(whole) or not imbalance(rest)


def _edits(answer: str, parts: Sequence[Part]) -> list[Edit]:
    edits: list[Edit] = []
    number = 0
    while number < len(parts):
        if not parts[number].is_gone:
            edits += _sentence_edits(answer, parts[number])
            number += 1
            continue
        last = number
        while last + 1 < len(parts) and parts[last + 1].is_gone:
            last += 1
        edits += _block_edits(answer, parts, number, last)
        number = last + 1
    return edits


def _block_edits(answer: str, parts: Sequence[Part], first: int, last: int) -> list[Edit]:
    """Remove whole blocks with the white space on one side; the wider gap stays between what is left."""
    start, end = parts[first].block.start, parts[last].block.end
    before = parts[first - 1].block.end if first else 0
    after = parts[last + 1].block.start if last + 1 < len(parts) else len(answer)
    if not first:
        start, end = 0, after if last + 1 < len(parts) else len(answer)
    elif last + 1 == len(parts):
        start = before
    elif answer.count("\n", before, start) > answer.count("\n", end, after):
        end = after
    else:
        start = before
    return [_run(start, end, [s for part in parts[first : last + 1] for s in part.sentences])]


def _sentence_edits(answer: str, part: Part) -> list[Edit]:
    sentences = part.sentences
    edits: list[Edit] = []
    number = 0
    while number < len(sentences):
        if not sentences[number].is_gone:
            number += 1
            continue
        last = number
        while last + 1 < len(sentences) and sentences[last + 1].is_gone:
            last += 1
        run = sentences[number : last + 1]
        if last + 1 < len(sentences):
            edits.append(_run(run[0].start, sentences[last + 1].start, run))
        else:
            edits.append(_run(sentences[number - 1].end, run[-1].end, run))
        number = last + 1
    return edits


def _run(start: int, end: int, sentences: Sequence[Sentence]) -> Edit:
    numbers = sorted({place.number for sentence in sentences for place in sentence.faults})
    why = next((s.why for s in sentences if s.why is not Why.FAULT and not numbers), Why.FAULT)
    return removed(start, end, tuple(numbers), why)
