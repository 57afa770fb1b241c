"""No number is infinite, so none equals every other."""

from math import isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithview import Verdict, check
from faithview.judges.lexical.passages.equality import is_same
from faithview.judges.lexical.passages.values import find_values

ONES, TWOS = "1" * 309, "2" * 309


@pytest.mark.parametrize(
    ("claimed", "said"),
    [
        (f"{ONES} metres", "5 metres"),
        ("5 metres", f"{ONES} metres"),
        (f"{ONES} metres", f"{TWOS} metres"),
        ("9" * 306 + " km", "5 metres"),  # finite in digits, but not in metres
        (f"{ONES}%", "5%"),
        ("1" * 450 + " trillion metres", "1" * 400 + " trillion metres"),
    ],
)
def test_a_number_beyond_a_float_contradicts_another_number(claimed: str, said: str) -> None:
    result = check(answer=f"The tower is {claimed} tall.", context=[f"The tower is {said} tall."], judge="lexical")
    assert [claim.verdict for claim in result.claims] == [Verdict.CONTRADICTED]


def test_a_number_beyond_a_float_is_the_same_as_itself() -> None:
    result = check(
        answer=f"The tower is {ONES} metres tall.", context=[f"The tower is {ONES} metres tall."], judge="lexical"
    )
    assert [claim.verdict for claim in result.claims] == [Verdict.SUPPORTED]


_DIGITS = st.integers(1, 12_000).flatmap(lambda n: st.sampled_from([d * n for d in "0159"]))
_UNITS = st.sampled_from(["", " km", " centuries", " trillion centuries", "%", " 1/2 km", ".5 dozen", " °C"])


@given(digits=_DIGITS, unit=_UNITS, words=st.integers(0, 60))
def test_values_are_finite_and_equal_to_themselves(digits: str, unit: str, words: int) -> None:
    text = f"They counted {digits}{unit} and a billion{' billion' * words} more."
    values = find_values(text)
    assert values
    for value in values:
        assert isfinite(value.number)
        assert is_same(value, value)


@given(one=st.integers(1, 10**320), other=st.integers(1, 10**320))
def test_larger_numbers_stay_larger(one: int, other: int) -> None:
    smaller, larger = sorted((one, other))
    [low], [high] = find_values(f"it has {smaller} metres"), find_values(f"it has {larger} metres")
    assert low.number <= high.number
