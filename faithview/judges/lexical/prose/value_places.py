"""Which value of a sentence stands in the place of which value of a claim.

A text may hold one number for different things: "Plan 3 costs 9 euros" against "Plan 3 costs 3 euros". So a value of a
claim has one value of the sentence for its own, the equal one with most of the same words beside it, and excuses no
other.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise

from faithview.judges.lexical.values.equality import can_differ, is_same
from faithview.judges.lexical.values.model import Kind, Value
from faithview.judges.text.tokens import Token


class Surroundings:
    """The words of a text, ready to be asked for those beside a value."""

    def __init__(self, tokens: Sequence[Token], text: str) -> None:
        words = sorted((token for token in tokens if token.word.is_content), key=_place)
        self.count = len(words)
        self.distinct = len({token.word.stem for token in words})
        self._text = text
        self._stems = [token.word.stem for token in words]
        self._starts = [token.start for token in words]
        self._ends = [token.end for token in words]

    def beside(self, value: Value, reach: int) -> frozenset[str]:
        """Return the stems of the nearest words with meaning, so many on each side at most."""
        return self.before(value, reach) | self.after(value, reach)

    def before(self, value: Value, reach: int) -> frozenset[str]:
        """Return those of them that stand before the value."""
        before, _ = self._around(value)
        return frozenset(self._stems[max(0, before - reach) : before])

    def after(self, value: Value, reach: int) -> frozenset[str]:
        """Return those of them that stand after the value."""
        _, after = self._around(value)
        return frozenset(self._stems[after : after + reach])

    def adjoining(self, value: Value) -> frozenset[tuple[int, str]]:
        """Return the words with meaning that nothing but white space parts from the value, each with its side."""
        before, after = self._around(value)
        sides = set[tuple[int, str]]()
        if before and not self._text[self._ends[before - 1] : value.start].strip():
            sides.add((-1, self._stems[before - 1]))
        if after < len(self._stems) and not self._text[value.end : self._starts[after]].strip():
            sides.add((1, self._stems[after]))
        return frozenset(sides)

    def _around(self, value: Value) -> tuple[int, int]:
        return bisect_right(self._ends, value.start), bisect_left(self._starts, value.end)


def _place(token: Token) -> tuple[int, int]:
    return token.start, token.end


class Places:
    """The values of a claim beside those of a sentence: which it says too, and what stands in a value's place."""

    def __init__(
        self, claim: Surroundings, mine: Sequence[Value], sentence: Surroundings, theirs: Sequence[Value]
    ) -> None:
        self._claim, self._mine = claim, mine
        self._sentence, self._theirs = sentence, theirs
        self._near: dict[tuple[int, int], tuple[int, int]] = {}
        self._rivals_of: dict[int, list[Value]] = {}
        self._partners = self._pair()
        self._taken = {other.start for other in self._partners.values()}

    def says(self, value: Value) -> bool:
        """Return whether the sentence says the claim's value of the same thing, as the words beside them tell."""
        partner = self._partners.get(value.start)
        if partner is not None:
            return self._swapped(value) is None
        if not self._repeats(value):
            return False
        near = max(self._nearness(value, other) for other in self._theirs if is_same(value, other))
        return all(near >= self._nearness(value, other) for other in self._rivals(value))

    def other_in_place(self, value: Value) -> Value | None:
        """Return the one value that could stand in this value's place and that the claim does not say, or None.

        The words beside the two must agree; those of a plain number right beside it, because numbers count anything.
        """
        swapped = self._swapped(value)
        if swapped is not None:
            return swapped
        scored = [(self._alike(value, other), other) for other in self._rivals(value)]
        if not scored:
            return None
        top = max(score for score, _ in scored)
        best = [other for score, other in scored if score == top]
        # In a sentence that says much else, one word beside the value may belong to anything.
        fewest = min(_FEWEST_BESIDE, len(self._claim.beside(value, _reach(value))))
        if self._sentence.distinct > _MUCH_ELSE * self._claim.count and top < fewest:
            return None
        # Two that fit equally well are two ends of a range; either shows the difference, unless numbers count anything.
        return best[0] if top > 0 and (len(best) == 1 or value.kind is not Kind.NUMBER) else None

    def may_differ_in(self, value: Value, other: Value) -> bool:
        """Return whether the sentence's value belongs to no value of the claim, so that it may be another than this."""
        return other in self._rivals(value)

    def differs_besides(self, value: Value) -> bool:
        """Return whether the sentence has something else in the place of another value, which tells what this is of.

        That is "plan 3" of "9 euros": a value of another kind, or one that the same word names in both.
        """
        return any(self._differs_in(other, value) for other in self._mine)

    def differs_from(self, other: "Places", value: Value) -> bool:
        """Return the same of the values that the other sentence says."""
        return any(other.says(mine) and self._differs_in(mine, value) for mine in self._mine)

    def _differs_in(self, mine: Value, value: Value) -> bool:
        if mine.start == value.start or self.says(mine):
            return False
        other = self.other_in_place(mine)
        return other is not None and (not can_differ(mine, value) or self._adjoins(mine, other))

    def _pair(self) -> dict[int, Value]:
        """Return the partner of each value that has one, by where the claim's value starts."""
        equal = [(value, other) for value in self._mine for other in self._theirs if is_same(value, other)]
        # Those that are equal with their units first, and of these the nearest; sorting keeps the texts' order.
        equal.sort(key=lambda pair: (not _is_bare(*pair), self._nearness(*pair)), reverse=True)
        partners: dict[int, Value] = {}
        taken = set[int]()
        for value, other in equal:
            if value.start in partners or other.start in taken:
                continue
            if self._has_nearer(value, other, taken):
                continue
            partners[value.start] = other
            taken.add(other.start)
        return partners

    def _has_nearer(self, value: Value, equal: Value, taken: set[int]) -> bool:
        """Return whether another value of the same unit is placed better than the equal one.

        Where only the number is equal, it is that of "plan 9" in "plan 9 costs 3 euros" and not of "costs 9 euros" if
        more words on the same sides of the other are alike. A value that is equal in all must have none of its words
        beside it, and the other one count the same: "7 doors and 9 rooms" has not "9 doors".
        """
        nearest = [
            other
            for other in self._theirs
            if other.start not in taken and can_differ(value, other) and not is_same(value, other)
        ]
        if not _is_bare(value, equal):
            return self._alike(value, equal) == 0 and any(self._counts_the_same(value, other) for other in nearest)
        least = self._alike_by_side(value, equal)
        return any(self._alike_by_side(value, other) > least for other in nearest)

    def _repeats(self, value: Value) -> bool:
        """Return whether the claim has the value twice, and this one's partner is the other's."""
        return any(
            mine.start in self._partners
            and mine.kind is value.kind
            and is_same(value, mine)
            and is_same(value, self._partners[mine.start])
            for mine in self._mine
        )

    def _rivals(self, value: Value) -> list[Value]:
        """Return the values of the sentence that differ from this one and belong to no value of the claim."""
        if value.start not in self._rivals_of:
            self._rivals_of[value.start] = [
                other
                for other in self._theirs
                if other.start not in self._taken
                and can_differ(value, other)
                and not is_same(value, other)
                and not self._is_nearer_another(value, other)
            ]
        return self._rivals_of[value.start]

    def _is_nearer_another(self, value: Value, other: Value) -> bool:
        """Return whether the sentence's value is another one of the claim's, said twice."""
        return any(
            mine.kind is other.kind
            and is_same(mine, other)
            and self._nearness(mine, other) >= self._nearness(value, other)
            for mine in self._mine
        )

    def _swapped(self, value: Value) -> Value | None:
        """Return the value that changed places with this one: "5 seats and 30 projects" against "30 seats and 5"."""
        partner = self._partners.get(value.start)
        if partner is None or len(self._partners) < 2 or self._adjoins(value, partner):
            return None
        for mine in self._mine:
            other = self._partners.get(mine.start)
            if other is None or mine.start == value.start or not can_differ(value, other) or is_same(value, other):
                continue
            if self._adjoins(value, other) and self._adjoins(mine, partner) and not self._adjoins(mine, other):
                return other
        return None

    def _adjoins(self, value: Value, other: Value) -> bool:
        return not self._claim.adjoining(value).isdisjoint(self._sentence.adjoining(other))

    def _counts_the_same(self, value: Value, other: Value) -> bool:
        alike = self._claim.adjoining(value) & self._sentence.adjoining(other)
        return any(side > 0 for side, _ in alike)

    def _nearness(self, value: Value, other: Value) -> tuple[int, int]:
        """Return how many words are alike beside the two, and of those how many right beside them."""
        key = value.start, other.start
        if key not in self._near:
            adjoining = self._claim.adjoining(value) & self._sentence.adjoining(other)
            self._near[key] = self._alike(value, other), len(adjoining)
        return self._near[key]

    def _alike(self, value: Value, other: Value) -> int:
        reach = _reach(value)
        return len(self._claim.beside(value, reach) & self._sentence.beside(other, reach))

    def _alike_by_side(self, value: Value, other: Value) -> tuple[int, int]:
        """Return how many words on the same side are alike, within reach and right beside the two."""
        return self._on_same_side(value, other, _reach(value)), self._on_same_side(value, other, _RIGHT_BESIDE)

    def _on_same_side(self, value: Value, other: Value, reach: int) -> int:
        before = self._claim.before(value, reach) & self._sentence.before(other, reach)
        return len(before) + len(self._claim.after(value, reach) & self._sentence.after(other, reach))


def is_within_range(value: Value, other: Value, there: Sequence[Value], text: str) -> bool:
    """Return whether the other value is one end of a range that has this one in it: "50 to 70 minutes" has an hour."""
    for low, high in pairwise(there):
        if other not in (low, high) or high.start - low.end > _LONGEST_TO or low.kind is not high.kind:
            continue
        if value.unit == low.unit == high.unit and _TO.match(text[low.end : high.start]):
            return _order(low) <= _order(value) <= _order(high)
    return other.kind in (Kind.TIME, Kind.DATE) and _is_past(value, other, text)


def _order(value: Value) -> float:
    """Return what tells whether a value comes before another one of its kind; of dates that is the month."""
    return value.date[1] if value.kind is Kind.DATE else value.number


def _is_past(value: Value, other: Value, text: str) -> bool:
    """Return whether a time of day is in what an open range has: "after 8 pm" has 10 pm."""
    before = text[max(0, other.start - _LONGEST_LIMIT) : other.start].lower()
    if before.endswith(("after ", "from ")):
        return _since_zero(value) >= _since_zero(other)
    return before.endswith(("before ", "until ")) and _since_zero(value) <= _since_zero(other)


def _since_zero(value: Value) -> float:
    """Return what tells which of two times or dates is the earlier one."""
    year, month, day = value.date
    return year * 372 + month * 31 + day if value.kind is Kind.DATE else value.number


def _is_bare(value: Value, other: Value) -> bool:
    """Return whether one of two equal values leaves its unit out, so that it may count anything: "24", "24 hours"."""
    return value.kind is not other.kind and Kind.DATE not in (value.kind, other.kind)


def _reach(value: Value) -> int:
    return _RIGHT_BESIDE if value.kind is Kind.NUMBER and not _is_year(value) else _BESIDE


def _is_year(value: Value) -> bool:
    return value.kind is Kind.NUMBER and 1000 <= value.number <= 2100 and value.end - value.start == _DIGITS_OF_A_YEAR


_DIGITS_OF_A_YEAR = 4

_TO = re.compile(r"\s?(?:[-–—]|to|through|until)\s?\Z")
_LONGEST_TO = 9
_LONGEST_LIMIT = 7

# A passage with so many times the claim's words says much else; then so many words beside the two values must agree.
_MUCH_ELSE = 2.0
_FEWEST_BESIDE = 2

# How many words with meaning on each side of a value tell what it is the value of.
_BESIDE = 3
_RIGHT_BESIDE = 1
