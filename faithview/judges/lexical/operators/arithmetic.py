"""Small sums over one or two numbers: what a claim works out from a sentence, right or wrong."""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from faithview.judges.lexical.passages.equality import can_differ, is_same
from faithview.judges.lexical.passages.values import Bound, Kind, Value
from faithview.judges.text.lexicon import word_set
from faithview.judges.text.tokens import Token
from faithview.judges.text.units import SMALL_NUMBERS

# With more numbers in a sentence, nearly any number is the sum of two of them.
_MOST_VALUES = 8

# Writers round the results of calculations.
_ROUNDED = 0.02

# How many of the shorter period the longer one has: a monthly price times twelve is the yearly price.
_PERIODS = {
    ("day", "week"): 7,
    ("week", "month"): 4,
    ("week", "year"): 52,
    ("month", "year"): 12,
    ("quarter", "year"): 4,
    ("hour", "day"): 24,
}
_PERIOD_OF = {
    word: period
    for period, words in {
        "hour": "hour hourly",
        "day": "day daily",
        "week": "week weekly",
        "month": "month monthly",
        "quarter": "quarter quarterly",
        "year": "year yearly annual annually",
    }.items()
    for word in words.split()
}

PERIODS = frozenset(_PERIOD_OF)

_RATIOS = {
    **dict.fromkeys(("double", "doubled", "doubles", "doubling", "twice", "twofold"), 2.0),
    **dict.fromkeys(("triple", "tripled", "triples", "trebled", "threefold", "thrice"), 3.0),
    **dict.fromkeys(("quadruple", "quadrupled", "fourfold"), 4.0),
    **dict.fromkeys(("half", "halved", "halves", "halving"), 0.5),
}
_TOTALS = word_set("total totals totalling totaling altogether combined together sum")
_COMPARED = word_set(
    """more less fewer longer shorter faster quicker slower cheaper dearer higher lower older younger taller heavier
    lighter larger smaller bigger wider deeper earlier later further sooner difference apart"""
)
_REACH = 3
_BOTH = 2

_FIRST_YEAR, _LAST_YEAR = 1000, 2100


class Miscalculated(NamedTuple):
    """A wrong result in a claim `[start, end)`, and the number that the sentence's numbers give."""

    start: int
    end: int
    expected: float
    value: Value


def is_worked_out(
    value: Value, claim_values: Sequence[Value], claim: Sequence[Token], there: Sequence[Value], words: Sequence[Token]
) -> bool:
    """Return whether the value is a sum, a difference, a multiple, a share or a ratio of one or two values there.

    Args:
        value: a value of the claim.
        claim_values: all of its values.
        claim: the claim's words.
        there: the values of the neighbouring sentences.
        words: the words of these sentences.
    """
    if value.number == _BOTH and value.kind is Kind.NUMBER and any(t.word.lower == "both" for t in words):
        return True
    if any(t.word.lower == "other" for t in claim) and any(o.number == value.number + 1 for o in there):
        return True  # "the other three" of four
    if value.unit == "duration" and (_is_between(value.number, there) or _is_between(_duration(claim_values), there)):
        return True
    if any(other.bound and not value.bound and _keeps(value, other) for other in there):
        return True  # a rule applies within its limit: "under 12" to a nine-year-old
    labels = {b.start for a, b in pairwise(words) if a.word.is_content and b.start - a.end == 1}
    numbers = [other for other in there if _counts(other) and (other.unit or other.start not in labels)]
    if not _counts(value) or not 0 < len(numbers) <= _MOST_VALUES:
        return False
    return any(_is_near(value.number, result) for result in _outcomes(value, numbers, claim, words))


_MINUTE, _YEAR = 60.0, 31557600.0


def _duration(values: Sequence[Value]) -> float:
    """Return how long it is in all: "an hour and 45 minutes"."""
    return sum(value.number for value in values if value.unit == "duration")


def _keeps(value: Value, limit: Value) -> bool:
    if value.kind is not limit.kind and limit.unit:
        return False
    number = value.number if value.unit == limit.unit else value.number / value.written
    return number <= limit.number if limit.bound is Bound.AT_MOST else number >= limit.number


def _is_between(number: float, there: Sequence[Value]) -> bool:
    """Return whether a duration is the time between two times of day, two years or two months of a year."""
    for a, b in combinations(there, 2):
        if a.kind is b.kind is Kind.TIME and _is_near(number, abs(a.number - b.number) * _MINUTE):
            return True
        years = [_year_of(one) for one in (a, b)]
        if all(years) and _is_near(number, abs(years[0] - years[1]) * _YEAR):
            return True
    return False


def _year_of(value: Value) -> float:
    if value.kind is Kind.DATE:
        return float(value.date[0])
    return value.number if value.kind is Kind.NUMBER and _FIRST_YEAR <= value.number <= _LAST_YEAR else 0.0


def find_miscalculation(
    claim: Sequence[Token], values: Sequence[Value], there: Sequence[Value]
) -> Miscalculated | None:
    """Return the first sum, difference or ratio in a claim that no two numbers of the sentences give, or None."""
    numbers = [other for other in there if _counts(other)]
    pairs = [(a, b) for a, b in combinations(numbers, 2) if can_differ(a, b) and a.number and b.number]
    for at, token in enumerate(claim):
        if len(pairs) == 1 and not _is_of_value(token, values) and (wrong := _wrong_ratio(token, *pairs[0])):
            return wrong
        for value in values:
            if not _counts(value) or not _is_beside(value, claim, at):
                continue
            expected = _expected_total(value, claim[at:], numbers)
            if expected is not None and not _is_near(value.number, expected) and not _is_share(value):
                return Miscalculated(value.start, value.end, expected / (value.written or 1), value)
    return None


def _wrong_ratio(token: Token, a: Value, b: Value) -> Miscalculated | None:
    """Return the word, "twice" say, if it names a ratio that two numbers do not have."""
    ratio = _RATIOS.get(token.word.lower)
    if ratio is None:
        return None
    if any(_is_near(ratio, r) or _is_near(1 / ratio, r) for r in (a.number / b.number, b.number / a.number)):
        return None
    return Miscalculated(token.start, token.end, b.number / a.number, b)


def _expected_total(value: Value, claim: Sequence[Token], numbers: Sequence[Value]) -> float | None:
    """Return the required value next to the claim's first word, if that word makes it a sum or a difference.

    None where it does not, where the numbers that it is made of are not clear, or where it is their product.
    """
    same = [other for other in numbers if can_differ(value, other)]
    if len(same) != 2 or len(numbers) > 3:
        return None
    first, second = same
    if _is_near(value.number, first.number * second.number):
        return None
    word = claim[0].word.lower
    if word in _TOTALS:
        return first.number + second.number
    if word not in _COMPARED or not any(t.word.lower == "than" for t in claim):
        return None
    if any(is_same(value, other) for other in same) and claim[1].word.lower == "than":
        following = [t for t in claim[1:4] if t.start >= value.start]
        if following and following[0].word.is_number:
            return None  # "more than 30"
    return abs(first.number - second.number)


def _outcomes(
    value: Value, numbers: Sequence[Value], claim: Sequence[Token], words: Sequence[Token]
) -> Iterator[float]:
    factor = _factor(words, claim)
    same = [other for other in numbers if can_differ(value, other)]
    if factor is not None:
        yield from (other.number * factor for other in same)
        yield from (other.number / factor for other in same)
    if len(same) > 1:
        yield sum(other.number for other in same)
    for a, b in combinations(numbers, 2):
        if can_differ(a, b) and can_differ(value, a):
            yield a.number + b.number
            yield abs(a.number - b.number)
        if a.unit == b.unit and a.number and b.number:
            yield from _ratios(a.number, b.number, unit=value.unit)
        yield from _shares(a, b, unit=value.unit)
        yield from _shares(b, a, unit=value.unit)
    for many in _many(claim, words):
        yield from (other.number * many for other in same)


def _ratios(a: float, b: float, *, unit: str) -> Iterator[float]:
    """Yield the ratio of the two, and in percent one's share of the other and their difference."""
    if not unit:
        yield max(a / b, b / a)
    elif unit == "percent":
        yield 100 * a / b
        yield 100 * b / a
        yield 100 * abs(a - b) / a
        yield 100 * abs(a - b) / b


def _shares(one: Value, other: Value, *, unit: str) -> Iterator[float]:
    """Yield the results of applying a percentage or a plain number to another value of that unit."""
    if other.unit != unit:
        return
    if one.unit == "percent":
        share = one.number / 100
        yield from (other.number * by for by in (share, 1 - share, 1 + share))
    elif not one.unit:
        yield other.number * one.number
        if one.number:
            yield other.number / one.number


def _many(claim: Sequence[Token], words: Sequence[Token]) -> Iterator[float]:
    """Yield how many units of a rate in the sentence the claim has: "five days" at "20 cents a day"."""
    rated = {b.word.stem for a, b in pairwise(words) if a.word.lower in _RATES}
    if any(token.word.lower in ("each", "apiece") for token in words):
        rated |= {token.word.stem for token in words if token.word.is_content}
    for number, noun in pairwise(claim):
        if noun.word.stem in rated:
            if number.word.is_number and number.word.lower.isdigit():
                yield float(number.word.lower)
            elif number.word.lower in SMALL_NUMBERS:
                yield SMALL_NUMBERS[number.word.lower]


_RATES = word_set("a an per each every")


def _factor(words: Sequence[Token], claim: Sequence[Token]) -> int | None:
    there = {_PERIOD_OF[t.word.lower] for t in words if t.word.lower in _PERIOD_OF}
    here = {_PERIOD_OF[t.word.lower] for t in claim if t.word.lower in _PERIOD_OF}
    for (short, long), factor in _PERIODS.items():
        if (short in there and long in here) or (long in there and short in here):
            return factor
    return None


def _counts(value: Value) -> bool:
    is_year = value.kind is Kind.NUMBER and _FIRST_YEAR <= value.number <= _LAST_YEAR
    return value.kind in (Kind.NUMBER, Kind.QUANTITY) and not is_year


def _is_share(value: Value) -> bool:
    return value.unit == "percent"


def _is_near(one: float, other: float) -> bool:
    return abs(one - other) <= _ROUNDED * max(abs(one), abs(other))


def _is_of_value(token: Token, values: Sequence[Value]) -> bool:
    return any(value.start <= token.start < value.end for value in values)


def _is_beside(value: Value, claim: Sequence[Token], at: int) -> bool:
    """Return whether a value is at most a few words away from a word of the claim."""
    places = [n for n, token in enumerate(claim) if value.start <= token.start < value.end]
    return any(abs(n - at) <= _REACH for n in places)
