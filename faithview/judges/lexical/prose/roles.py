"""Who did what to whom: names that changed places around the same verb ("A bought B", "B bought A")."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from faithview.judges.lexical.comparison.name import Name
from faithview.judges.text.lexicon import NEGATIONS, word_set
from faithview.judges.text.tokens import Token

# What goes both ways, or names no role at all.
MUTUAL = word_set("marri meet merg partner join compet talk speak agre divorc date team pair play vs and with")

# With more words between two names they are hardly subject and object of one verb.
_LONGEST_GAP = 6
_PASSIVE_BE = word_set("is are was were be been being got")


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap:
    """Where the claim and the passage say it, from the first name to the second."""

    claim_span: tuple[int, int]
    passage_span: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Link:
    verb: str
    is_passive: bool


def find_swap(
    claim_text: str, tokens: Sequence[Token], names: Sequence[Name], passage_text: str, passage_tokens: Sequence[Token]
) -> Swap | None:
    """Return two names that stand around the same verb in opposite roles in the claim and in the passage."""
    for first, second in itertools.pairwise(names):
        link = _link(claim_text, tokens, first.end, second.start)
        if link is None or set(first.stems) & set(second.stems):
            continue
        here = _find(first, passage_tokens)
        there = _find(second, passage_tokens)
        if here is None or there is None:
            continue
        is_reversed = there[0] < here[0]
        low, high = (there, here) if is_reversed else (here, there)
        other = _link(passage_text, passage_tokens, low[1], high[0])
        if other is None or other.verb != link.verb:
            continue
        if is_reversed != (other.is_passive != link.is_passive):
            return Swap(claim_span=(first.start, second.end), passage_span=(low[0], high[1]))
    return None


def _link(text: str, tokens: Sequence[Token], start: int, end: int) -> _Link | None:
    between = [t for t in tokens if start <= t.start and t.end <= end]
    if not between or len(between) > _LONGEST_GAP or any(mark in text[start:end] for mark in ",;:.()"):
        return None
    verbs = [t.word.stem for t in between if t.word.is_content and not t.word.is_capitalised]
    lowers = [t.word.lower for t in between]
    if len(verbs) != 1 or verbs[0] in MUTUAL or any(lower in NEGATIONS or lower in ("and", "with") for lower in lowers):
        return None
    return _Link(verb=verbs[0], is_passive="by" in lowers and any(lower in _PASSIVE_BE for lower in lowers))


def _find(name: Name, tokens: Sequence[Token]) -> tuple[int, int] | None:
    """Return where the name's words stand together, once only, in the passage."""
    wanted = name.stems
    places = [
        (tokens[at].start, tokens[at + len(wanted) - 1].end)
        for at in range(len(tokens) - len(wanted) + 1)
        if all(tokens[at + k].word.stem == stem for k, stem in enumerate(wanted))
    ]
    return places[0] if len(places) == 1 else None
