"""Values that differ from the chunk's in the same place: "within 48 hours" where it says "within 24 hours"."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from faithview.judges.lexical.comparison.alignment import (
    ALIGNED_ELSEWHERE,
    ALIGNED_FOR_AGREEMENT,
    ALIGNED_FOR_VALUE,
    FEWEST_ALIGNED_WORDS,
    MOST_VALUES,
    Aligned,
    content_stems,
    share_found,
)
from faithview.judges.lexical.comparison.comparison import Comparison, Conflict, ConflictKind
from faithview.judges.lexical.prose.value_places import Places, Surroundings, is_within_range
from faithview.judges.lexical.retrieval.index import Context
from faithview.judges.lexical.retrieval.passage import Passage
from faithview.judges.lexical.values.equality import can_differ, is_same
from faithview.judges.lexical.values.model import Kind, Value
from faithview.judges.text.lexicon import word_set
from faithview.judges.text.tokens import Token


def find_value_conflict(
    answer: str, comparison: Comparison, context: Context, passages: Sequence[Aligned]
) -> Conflict | None:
    """Return the first value of the claim that an aligned passage has otherwise, or None."""
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
    """The values of one claim beside the passages of its context."""

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
            conflict = self._conflict_of(value, whose, shares)
            if conflict is not None:
                return conflict
        return None

    def _conflict_of(
        self, value: Value, whose: Sequence[Value], shares: Sequence[tuple[float, int]]
    ) -> Conflict | None:
        for aligned, (share, count) in zip(self._passages, shares, strict=True):
            passage = aligned.passage
            there = self._context.values_of(passage)
            if not all(any(is_same(one, other) for other in there) for one in whose):
                continue  # it speaks of others: of eight-year-olds
            if share >= ALIGNED_FOR_AGREEMENT and any(is_same(value, other) for other in there):
                if _is_table(passage, there):
                    break
                places = self._places_in(passage)
                if places.says(value):
                    conflict = self._clause_conflict(value, passage) or self._sentence_conflict(value)
                    if conflict is None and places.differs_besides(value):
                        continue  # it speaks of another plan
                    return conflict
            if share < ALIGNED_FOR_VALUE or count < FEWEST_ALIGNED_WORDS or _is_table(passage, there):
                continue
            other = self._places_in(passage).other_in_place(value)
            if other is not None and is_within_range(value, other, there, self._context.texts[passage.chunk]):
                continue
            if other is not None and not self._is_said_elsewhere(value, passage):
                return self._conflict(value, passage, other)
        return None

    def _clause_conflict(self, value: Value, passage: Passage) -> Conflict | None:
        """Return a clause that fits the claim and has another value, where the claim's stands in one that does not.

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
        """Return the value of the clause that says nearly all of the claim, if the one with the claim's says less."""
        fits: list[tuple[float, int, Value, _Clause]] = []
        for clause in clauses:
            inside = [other for other in clause.values if can_differ(value, other)]
            share, count = self._share(clause.stems)
            # "In 2019," speaks of nothing by itself; "and invoices are due after 8 days" does.
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
        # A clause with several values of the claim speaks of the same, in fewer words.
        has_all = any(
            all(map(Places(self._claim, values, Surroundings(clause.tokens, text), clause.values).says, values))
            for _, clause in same
        )
        return None if len(values) > 1 and has_all else best

    def _of_parted_values(self, value: Value, passage: Passage, clauses: Sequence[_Clause]) -> Value | None:
        """Return what is in the place of a value whose clause has another one in the place of a second value.

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
        """Return a passage that says all of the claim but the value, where those with it say clearly less of it."""
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

    def _is_said_elsewhere(self, value: Value, passage: Passage) -> bool:
        """Return whether some passage has the value and is about the same: chunks may differ among themselves.

        It is not about the same if it differs in another value of the claim, which this passage says, or if it is this
        passage with another word in one place: "Premium costs 9" beside "Basic costs 5".
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
        """Return whether two passages differ in one word besides values, of which the claim has this passage's."""
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

    The words beside a value tell too little there.
    """
    field = passage.field
    return len(there) > _MOST_IN_A_SENTENCE or (field is not None and field.group >= 0 and field.subject is not None)


_MOST_IN_A_SENTENCE = 48


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
    """Return whether a value says of whom the claim speaks, and not what: "12-year-olds"."""
    following = next((t for t in comparison.tokens if t.start >= value.end), None)
    return following is not None and following.word.lower in ("old", "olds") and following.start - value.end == 1
