"""A claim and a sentence laid side by side: the runs of words that are alike, and the edits between them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import Match, SequenceMatcher
from itertools import pairwise

from faithview.judges.text.lexicon import word_set
from faithview.judges.text.tokens import Token
from faithview.judges.text.units import SMALL_NUMBERS, TENS

_NUMBERS = {word: f"{number:.0f}" for word, number in (SMALL_NUMBERS | TENS).items()}

# One of these alone between two edits is no place where claim and sentence meet.
_LINKS = word_set(
    "a an the of to in on at by for with and or is are be was were has have had it you your we our this that"
)

# Laying one word a thousand times beside itself takes a minute; two long sentences of prose have 500 equal pairs.
_MOST_PAIRS = 20_000

# Words that begin another clause, and marks that end one: what is exchanged at the end of a claim goes no further.
_TURNS = word_set("and or but while whereas")
_CLAUSE_MARKS = frozenset(",;:.()!?–—\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """What the claim has (`mine`) where the sentence has something else (`theirs`); either may be empty, not both.

    `before` and `after` are how many words in a row claim and sentence have alike on each side, 0 at the claim's ends.
    `at` is the number of the claim's word where the edit begins, `there` that of the sentence's.
    """

    mine: Sequence[Token]
    theirs: Sequence[Token]
    before: int
    after: int
    at: int
    there: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """The edits that make the claim of a sentence, in their order, and how many of its words are alike (`matched`)."""

    matched: int
    edits: tuple[Edit, ...]


def align(tokens: Sequence[Token], sentence: Sequence[Token], text: str) -> Alignment:
    """Lay a claim beside a sentence.

    What the sentence says before and after that part of it which the claim repeats is no edit. Where the claim itself
    begins or ends in words of its own, what could stand in their place ends at the next mark of punctuation.

    Args:
        tokens: the claim's words.
        sentence: the sentence's words.
        text: what the sentence's words point into.
    """
    mine, theirs = [_key(token) for token in tokens], [_key(token) for token in sentence]
    if len(mine) > 1 and mine == theirs:
        return Alignment(matched=len(mine), edits=())
    if _pairs(mine, theirs) > _MOST_PAIRS:
        return Alignment(matched=0, edits=())
    blocks = _joined(SequenceMatcher(None, mine, theirs, autojunk=False).get_matching_blocks(), tokens)
    if not blocks:
        return Alignment(matched=0, edits=())
    edits = []
    first, last = blocks[0], blocks[-1]
    if first.a > 0:
        start = _clause_start(sentence, first.b, text)
        edits.append(_edit(tokens[: first.a], sentence[start : first.b], (0, first.size), (0, start)))
    for one, other in pairwise(blocks):
        at, there = one.a + one.size, one.b + one.size
        edits.append(_edit(tokens[at : other.a], sentence[there : other.b], (one.size, other.size), (at, there)))
    at, there = last.a + last.size, last.b + last.size
    if at < len(tokens):
        end = _clause_end(sentence, there, text)
        edits.append(_edit(tokens[at:], sentence[there:end], (last.size, 0), (at, there)))
    return Alignment(matched=sum(block.size for block in blocks), edits=tuple(edits))


def _pairs(mine: Sequence[str], theirs: Sequence[str]) -> int:
    """Return how many pairs of a word here and a word there are alike."""
    there = Counter(theirs)
    return sum(count * there[word] for word, count in Counter(mine).items())


def _edit(mine: Sequence[Token], theirs: Sequence[Token], alike: tuple[int, int], at: tuple[int, int]) -> Edit:
    return Edit(mine=mine, theirs=theirs, before=alike[0], after=alike[1], at=at[0], there=at[1])


def is_count(token: Token) -> bool:
    """Return whether a word is a whole number, in digits or written out: "three"."""
    return token.word.is_number or token.word.lower in _NUMBERS


def _key(token: Token) -> str:
    return _NUMBERS.get(token.word.lower, token.word.stem)


def _joined(blocks: Sequence[Match], tokens: Sequence[Token]) -> list[Match]:
    """Leave out links that stand alone between words that differ: "of" in two other phrases."""
    return [block for block in blocks if block.size > 1 or (block.size and tokens[block.a].word.lower not in _LINKS)]


def _clause_start(sentence: Sequence[Token], end: int, text: str) -> int:
    start = end
    while start > 0 and not _is_marked(text, sentence[start - 1], sentence[min(start, len(sentence) - 1)]):
        start -= 1
    return start


def _clause_end(sentence: Sequence[Token], start: int, text: str) -> int:
    end = start
    while end < len(sentence):
        if end > 0 and _is_marked(text, sentence[end - 1], sentence[end]):
            break
        if end > start and sentence[end].word.lower in _TURNS:
            break
        end += 1
    return end


def _is_marked(text: str, before: Token, after: Token) -> bool:
    return not _CLAUSE_MARKS.isdisjoint(text[before.end : after.start])
