"""Values that differ from the chunk's in the same place: 48 hours for 24 hours."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from faithview.judges.lexical.comparing.comparison import (
    ALIGNED_ELSEWHERE,
    ALIGNED_FOR_AGREEMENT,
    ALIGNED_FOR_VALUE,
    FEWEST_ALIGNED_WORDS,
    MOST_VALUES,
    Aligned,
    Comparison,
    Conflict,
    ConflictKind,
    content_stems,
    share_found,
)
from faithview.judges.lexical.passages.equality import can_differ, is_same
from faithview.judges.lexical.passages.index import Context, Passage
from faithview.judges.lexical.passages.values import Kind, Value
from faithview.judges.text.lexicon import word_set
from faithview.judges.text.tokens import Token


class Surroundings:
    """The words of a text, prepared for finding those next to a value."""

    def __init__(self, tokens: Sequence[Token], text: str) -> None:
        words = sorted((token for token in tokens if token.word.is_content), key=_token_place)
        self.count = len(words)
        self.distinct = len({token.word.stem for token in words})
        self._text = text
        self._stems = [token.word.stem for token in words]
        self._starts = [token.start for token in words]
        self._ends = [token.end for token in words]

    def beside(self, value: Value, reach: int) -> frozenset[str]:
        """Return the stems of the nearest words with meaning, at most `reach` on each side."""
        return self.before(value, reach) | self.after(value, reach)

    def before(self, value: Value, reach: int) -> frozenset[str]:
        """Return those before the value."""
        before, _ = self._around(value)
        return frozenset(self._stems[max(0, before - reach) : before])

    def after(self, value: Value, reach: int) -> frozenset[str]:
        """Return those after the value."""
        _, after = self._around(value)
        return frozenset(self._stems[after : after + reach])

    def adjoining(self, value: Value) -> frozenset[tuple[int, str]]:
        """Return the words with meaning that only whitespace separates from the value, each with its side."""
        before, after = self._around(value)
        sides = set[tuple[int, str]]()
        if before and not self._text[self._ends[before - 1] : value.start].strip():
            sides.add((-1, self._stems[before - 1]))
        if after < len(self._stems) and not self._text[value.end : self._starts[after]].strip():
            sides.add((1, self._stems[after]))
        return frozenset(sides)

    def _around(self, value: Value) -> tuple[int, int]:
        return bisect_right(self._ends, value.start), bisect_left(self._starts, value.end)


def _token_place(token: Token) -> tuple[int, int]:
    return token.start, token.end


class Places:
    """The values of a claim and of a sentence: which ones they share, and which one replaces a value."""

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
        """Return whether the sentence says the claim's value of the same thing, judged by the words next to them."""
        partner = self._partners.get(value.start)
        if partner is not None:
            return self._swapped(value) is None
        if not self._repeats(value):
            return False
        near = max(self._nearness(value, other) for other in self._theirs if is_same(value, other))
        return all(near >= self._nearness(value, other) for other in self._rivals(value))

    def other_in_place(self, value: Value) -> Value | None:
        """Return the one value that could replace this value and that the claim does not say, or None.

        The words near the two must agree; for a plain number those directly next to it, as numbers count anything.
        """
        swapped = self._swapped(value)
        if swapped is not None:
            return swapped
        scored = [(self._count_shared_neighbours(value, other), other) for other in self._rivals(value)]
        if not scored:
            return None
        top = max(score for score, _ in scored)
        best = [other for score, other in scored if score == top]
        # In a sentence that says much more than the claim, one matching word next to the value proves little.
        fewest = min(_FEWEST_BESIDE, len(self._claim.beside(value, _reach(value))))
        if self._sentence.distinct > _MUCH_ELSE * self._claim.count and top < fewest:
            return None
        # Two values that fit equally well end a range, and either shows the difference. Bare numbers may not.
        return best[0] if top > 0 and (len(best) == 1 or value.kind is not Kind.NUMBER) else None

    def may_differ_in(self, value: Value, other: Value) -> bool:
        """Return whether the sentence's value matches no value of the claim, so it may replace this one."""
        return other in self._rivals(value)

    def differs_besides(self, value: Value) -> bool:
        """Return whether the sentence differs in another value, one that says what this value belongs to.

        For "9 euros" that is "plan 3": a value of another kind, or one next to the same word in both.
        """
        return any(self._differs_in(other, value) for other in self._mine)

    def differs_from(self, other: "Places", value: Value) -> bool:
        """Return the same, looking only at values that the other sentence has."""
        return any(other.says(mine) and self._differs_in(mine, value) for mine in self._mine)

    def _differs_in(self, mine: Value, value: Value) -> bool:
        if mine.start == value.start or self.says(mine):
            return False
        other = self.other_in_place(mine)
        return other is not None and (not can_differ(mine, value) or self._adjoins(mine, other))

    def _pair(self) -> dict[int, Value]:
        """Return the partner of each value that has one, by where the claim's value starts."""
        equal = [(value, other) for value in self._mine for other in self._theirs if is_same(value, other)]
        # Values with equal units first, then the nearest; the sort is stable, so ties keep the text's order.
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
        next to it, and the other one count the same: "7 doors and 9 rooms" has not "9 doors".
        """
        nearest = [
            other
            for other in self._theirs
            if other.start not in taken and can_differ(value, other) and not is_same(value, other)
        ]
        if not _is_bare(value, equal):
            return self._count_shared_neighbours(value, equal) == 0 and any(
                self._counts_the_same(value, other) for other in nearest
            )
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
        """Return how many words near the two are alike, and how many of those are directly next to them."""
        key = value.start, other.start
        if key not in self._near:
            adjoining = self._claim.adjoining(value) & self._sentence.adjoining(other)
            self._near[key] = self._count_shared_neighbours(value, other), len(adjoining)
        return self._near[key]

    def _count_shared_neighbours(self, value: Value, other: Value) -> int:
        reach = _reach(value)
        return len(self._claim.beside(value, reach) & self._sentence.beside(other, reach))

    def _alike_by_side(self, value: Value, other: Value) -> tuple[int, int]:
        """Return how many words on the same side are alike, within reach and directly next to the two."""
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
    """Return whether one of two equal values leaves its unit out, so it may count anything: "24", "24 hours"."""
    return value.kind is not other.kind and Kind.DATE not in (value.kind, other.kind)


def _reach(value: Value) -> int:
    return _RIGHT_BESIDE if value.kind is Kind.NUMBER and not _is_year(value) else _BESIDE


def _is_year(value: Value) -> bool:
    return value.kind is Kind.NUMBER and 1000 <= value.number <= 2100 and value.end - value.start == _DIGITS_OF_A_YEAR


_DIGITS_OF_A_YEAR = 4

_TO = re.compile(r"\s?(?:[-–—]|to|through|until)\s?\Z")
_LONGEST_TO = 9
_LONGEST_LIMIT = 7

# In a passage this many times as long as the claim, at least this many words next to the values must agree.
_MUCH_ELSE = 2.0
_FEWEST_BESIDE = 2

# How many content words on each side of a value identify its subject.
_BESIDE = 3
_RIGHT_BESIDE = 1


def find_value_conflict(
    answer: str, comparison: Comparison, context: Context, passages: Sequence[Aligned]
) -> Conflict | None:
    """Return the conflict for the first value of the claim that differs in an aligned passage, or None."""
    if not 0 < len(comparison.values) <= MOST_VALUES:
        return None
    return _ValueCheck(answer, comparison, context, passages).find()


class _Clause(NamedTuple):
    tokens: Sequence[Token]
    values: Sequence[Value]

    @property
    def stems(self) -> frozenset[str]:
        return frozenset(token.word.stem for token in self.tokens)


class _ValueCheck:
    """The values of one claim compared with the passages of its context."""

    def __init__(self, answer: str, comparison: Comparison, context: Context, passages: Sequence[Aligned]) -> None:
        self._comparison, self._context, self._passages = comparison, context, passages
        self._spared = [(v.start, v.end) for v in comparison.values]
        self._answer = answer
        self._claim = Surroundings(comparison.tokens, answer)
        self._places: dict[Passage, Places] = {}

    def find(self) -> Conflict | None:
        shares = [self._share(aligned.stems) for aligned in self._passages]
        whose = [value for value in self._comparison.values if says_whose(value, self._comparison)]
        for value in self._comparison.values:
            if value.kind is Kind.ORDINAL and value.start == self._comparison.start:
                continue  # "Second, ..." counts the answer's own points
            if value in whose:
                continue  # "12-year-olds" says of whom, not what
            conflict = self._conflict_of(value, whose, shares) or self._conflict_with_asked(value)
            if conflict is not None:
                return conflict
        return None

    def _conflict_with_asked(self, value: Value) -> Conflict | None:
        """Return the conflict of an answer that is one measure: "6 years", asked for a warranty of two years.

        One passage must have another such measure right before a word of the question, and all else that is asked for;
        none may have this one. Asked how long spare parts are sold, a warranty of two years says nothing.
        """
        if self._words_beside(value) or not self._is_one_measure(value):
            return None
        asked = {token.word.stem for token in self._context.question_words if token.word.is_content}
        asked -= _ASKING
        found: list[tuple[Passage, Value]] = []
        for passage in self._context.passages:
            for other in self._context.values_of(passage):
                if not can_differ(value, other):
                    continue
                if is_same(value, other):
                    return None
                if asked <= content_stems(passage) and self._stands_before(asked, other, passage):
                    found.append((passage, other))
        return self._conflict(value, *found[0]) if len(found) == 1 else None

    def _words_beside(self, value: Value) -> list[Token]:
        """Return the claim's words outside a value."""
        return [token for token in self._comparison.tokens if not value.start <= token.start < value.end]

    def _is_one_measure(self, value: Value) -> bool:
        return value.kind is Kind.QUANTITY and len(self._comparison.values) == 1

    def _stands_before(self, things: set[str], other: Value, passage: Passage) -> bool:
        """Return whether a passage has one of these words right after a value."""
        sentence = Surroundings(passage.tokens, self._context.texts[passage.chunk])
        return any(side > 0 and stem in things for side, stem in sentence.adjoining(other))

    def _conflict_of(
        self, value: Value, whose: Sequence[Value], shares: Sequence[tuple[float, int]]
    ) -> Conflict | None:
        for aligned, (share, count) in zip(self._passages, shares, strict=True):
            passage = aligned.passage
            there = self._context.values_of(passage)
            if not all(any(is_same(one, other) for other in there) for one in whose):
                continue  # it is about other people: eight-year-olds
            if share >= ALIGNED_FOR_AGREEMENT and any(is_same(value, other) for other in there):
                if _is_table(passage, there):
                    break
                places = self._places_in(passage)
                if places.says(value):
                    conflict = self._clause_conflict(value, passage) or self._sentence_conflict(value)
                    if conflict is None and places.differs_besides(value):
                        continue  # it is about another plan
                    return conflict
            if share < ALIGNED_FOR_VALUE or not count or _is_table(passage, there):
                continue
            other = self._places_in(passage).other_in_place(value)
            if other is not None and self._is_against(value, other, passage, count):
                return self._conflict(value, passage, other)
        return None

    def _is_against(self, value: Value, other: Value, passage: Passage, count: int) -> bool:
        """Return whether another value in the claim's place contradicts it; `count` other words are the same."""
        if count < FEWEST_ALIGNED_WORDS and not self._is_measure_of(value, other, passage):
            return False
        if is_within_range(value, other, self._context.values_of(passage), self._context.texts[passage.chunk]):
            return False
        return not self._is_said_elsewhere(value, passage)

    def _clause_conflict(self, value: Value, passage: Passage) -> Conflict | None:
        """Return a clause that fits the claim but has another value, if the claim's value is in one that does not fit.

        "Basic costs 5 and Pro costs 10" contradicts "Basic costs 10", though both numbers are there.
        """
        there = self._context.values_of(passage)
        if sum(can_differ(value, other) for other in there) < 2:
            return None
        text = self._context.texts[passage.chunk]
        clauses = [
            _Clause([t for t in passage.tokens if start <= t.start and t.end <= end], inside)
            for start, end in _clauses(passage.tokens, passage.start, passage.end, text)
            if (inside := _between(there, start, end))
        ]
        other = self._of_fitting_clause(value, passage, clauses) or self._of_parted_values(value, passage, clauses)
        return None if other is None else self._conflict(value, passage, other)

    def _of_fitting_clause(self, value: Value, passage: Passage, clauses: Sequence[_Clause]) -> Value | None:
        """Return the value of the clause with nearly all of the claim; the clause with the claim's must have less."""
        fits: list[tuple[float, int, Value, _Clause]] = []
        for clause in clauses:
            inside = [other for other in clause.values if can_differ(value, other)]
            share, count = self._share(clause.stems)
            # "In 2019," says nothing by itself; "and invoices are due after 8 days" does.
            speaks = count > 0 or sum(token.word.is_content for token in clause.tokens) >= FEWEST_ALIGNED_WORDS
            if len(inside) == 1 and speaks:
                fits.append((share, count, inside[0], clause))
        same = [(share, clause) for share, _, other, clause in fits if is_same(value, other)]
        if not same:
            return None
        share, count, best, fitting = max(fits, key=lambda fit: (fit[0], -fit[2].start))
        if count < FEWEST_ALIGNED_WORDS or share < _ALIGNED_FOR_CLAUSE:
            return None
        if share - max(share_of_same for share_of_same, _ in same) < _FITS_BETTER:
            return None
        values, text = self._comparison.values, self._context.texts[passage.chunk]
        here = Places(self._claim, values, Surroundings(fitting.tokens, text), fitting.values)
        if not here.may_differ_in(value, best):
            return None
        # A clause that has all of the claim's values says the same in fewer words.
        has_all = any(
            all(map(Places(self._claim, values, Surroundings(clause.tokens, text), clause.values).says, values))
            for _, clause in same
        )
        return None if len(values) > 1 and has_all else best

    def _of_parted_values(self, value: Value, passage: Passage, clauses: Sequence[_Clause]) -> Value | None:
        """Return the value that replaces this one in a clause with the claim's other values, or None.

        "Zone 1 costs 2 and zone 2 costs 3" contradicts "zone 1 costs 3": both are said, but not of each other.
        """
        mine = self._clause_of(value)
        if len(mine.values) < 2:
            return None
        claim = Surroundings(mine.tokens, self._answer)
        text = self._context.texts[passage.chunk]
        places = [Places(claim, mine.values, Surroundings(c.tokens, text), c.values) for c in clauses]
        same = [one for one in places if one.says(value)]
        for clause, one in zip(clauses, places, strict=True):
            share, count = share_found(mine.tokens, clause.stems, self._spared)
            if not same or one.says(value) or share < _ALIGNED_FOR_CLAUSE or count < FEWEST_ALIGNED_WORDS:
                continue
            other = one.other_in_place(value)
            if other is not None and all(two.differs_from(one, value) for two in same):
                return other
        return None

    def _clause_of(self, value: Value) -> _Clause:
        """Return the clause of the claim that has the value."""
        tokens, values = self._comparison.tokens, self._comparison.values
        for start, end in _clauses(tokens, self._comparison.start, self._comparison.end, self._answer):
            if start <= value.start < end:
                return _Clause([t for t in tokens if start <= t.start and t.end <= end], _between(values, start, end))
        return _Clause(tokens, values)

    def _sentence_conflict(self, value: Value) -> Conflict | None:
        """Return a passage with all of the claim except the value, if those with the value have clearly less."""
        best: tuple[float, Passage, Value] | None = None
        for aligned in self._passages:
            share, count = self._share(aligned.stems)
            there = self._context.values_of(aligned.passage)
            if share < _ALIGNED_FOR_CLAUSE or count <= FEWEST_ALIGNED_WORDS or any(is_same(value, v) for v in there):
                continue
            if _is_table(aligned.passage, there):
                continue
            other = self._places_in(aligned.passage).other_in_place(value)
            if other is not None and (best is None or share > best[0]):
                best = (share, aligned.passage, other)
        if best is None:
            return None
        share, passage, other = best
        for candidate in self._context.passages:
            if any(is_same(value, v) for v in self._context.values_of(candidate)):
                same, _ = self._share(content_stems(candidate))
                if share - same < _SENTENCE_FITS_BETTER:
                    return None
        return self._conflict(value, passage, other)

    def _is_measure_of(self, value: Value, other: Value, passage: Passage) -> bool:
        """Return whether a claim says one measure of one thing, and the passage has another right before that thing.

        "The warranty is 6 years" has one word to compare, which is enough beside "a 2-year warranty". "6 years after
        the warranty" does not measure it.
        """
        beside = self._words_beside(value)
        things = {token.word.stem for token in beside if token.word.is_content}
        if len(things) != 1 or not self._is_one_measure(value):
            return False
        if any(not token.word.is_content and token.word.lower not in _LINKING for token in beside):
            return False
        return self._stands_before(things, other, passage)

    def _is_said_elsewhere(self, value: Value, passage: Passage) -> bool:
        """Return whether some passage has the value and is about the same: chunks may differ among themselves.

        It is not about the same if it differs in another value of the claim, which this passage says, or if it is this
        passage with another word in one place: "Premium costs 9" and "Basic costs 5".
        """
        here = self._places_in(passage)
        for candidate in self._context.passages:
            there = self._context.values_of(candidate)
            if not any(is_same(value, other) for other in there):
                continue
            if self._share(content_stems(candidate))[0] < ALIGNED_ELSEWHERE:
                continue
            if _is_table(candidate, there):
                return True
            places = self._places_in(candidate)
            if not places.says(value) or places.differs_from(here, value):
                continue
            if not self._is_of_another(candidate, passage):
                return True
        return False

    def _is_of_another(self, candidate: Passage, passage: Passage) -> bool:
        """Return whether two passages differ in one word besides values, and the claim has this passage's word."""
        theirs, ours = _content(candidate), _content(passage)
        if len(theirs) != len(ours):
            return False
        differing = [(one, other) for one, other in zip(theirs, ours, strict=True) if one != other]
        claimed = _content(self._comparison)
        return len(differing) == 1 and differing[0][0] not in claimed and differing[0][1] in claimed

    def _share(self, stems: frozenset[str]) -> tuple[float, int]:
        return share_found(self._comparison.tokens, stems, self._spared)

    def _places_in(self, passage: Passage) -> Places:
        if passage not in self._places:
            sentence = Surroundings(passage.tokens, self._context.texts[passage.chunk])
            there = self._context.values_of(passage)
            self._places[passage] = Places(self._claim, self._comparison.values, sentence, there)
        return self._places[passage]

    @staticmethod
    def _conflict(value: Value, passage: Passage, other: Value) -> Conflict:
        return Conflict(
            kind=ConflictKind.VALUE,
            passage=passage,
            claim_span=(value.start, value.end),
            passage_span=(other.start, other.end),
        )


def _is_table(passage: Passage, there: Sequence[Value]) -> bool:
    """Return whether a passage is a row of a table, a field of one of several things or a list of numbers.

    The words next to a value mean too little there.
    """
    field = passage.field
    return len(there) > _MOST_IN_A_SENTENCE or (field is not None and field.group >= 0 and field.subject is not None)


_MOST_IN_A_SENTENCE = 48

# Stems with which a question asks for a measure, and the words that link a thing to its measure.
_ASKING = word_set("long last valid")
_LINKING = word_set("the a an this that its it there of with is are was were has have")

# How much better a clause must fit than the one that has the claim's value, as a share of the claim's words.
_FITS_BETTER = 0.15
_SENTENCE_FITS_BETTER = 0.1
_CLAUSE_MARKS = word_set("and but while whereas versus or")


_ALIGNED_FOR_CLAUSE = 0.9


def _clauses(tokens: Sequence[Token], start: int, end: int, text: str) -> list[tuple[int, int]]:
    starts = [start]
    for token, following in pairwise(tokens):
        if following.word.lower in _CLAUSE_MARKS or any(mark in text[token.end : following.start] for mark in ",;•"):
            starts.append(token.end)
    return list(pairwise([*starts, end]))


def _content(words: Passage | Comparison) -> list[str]:
    return [token.word.stem for token in words.tokens if token.word.is_content]


def _between(values: Sequence[Value], start: int, end: int) -> list[Value]:
    # A sign may follow the last word: "28%".
    return [value for value in values if start <= value.start < end]


def says_whose(value: Value, comparison: Comparison) -> bool:
    """Return whether a value identifies whom the claim is about: "12-year-olds"."""
    following = next((t for t in comparison.tokens if t.start >= value.end), None)
    return following is not None and following.word.lower in ("old", "olds") and following.start - value.end == 1
