"""The index finds what comparing every pair finds."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithview.judges.lexical.passages import equality
from faithview.judges.lexical.passages.equality import ValueIndex, is_same
from faithview.judges.lexical.passages.values import Value, find_values

_NUMBERS = st.one_of(
    st.integers(0, 30),
    st.integers(1900, 2030),
    st.floats(0.1, 5000, allow_nan=False).map(lambda x: round(x, 2)),
    st.sampled_from(["two dozen", "half a", "1/2", "3 1/2", "1 million", "third", "a couple of", "12,000", "9" * 320]),
)
_UNITS = (
    "",
    " km",
    " miles",
    " m",
    "%",
    " hours",
    " minutes",
    " days",
    " dollars",
    " euros",
    " °C",
    " °F",
    " degrees",
    "th",
)
_WAYS = ("{}", "about {}", "over {}", "under {}", "$ {}", "by {}", "nearly {}")
_DATES = ("May 3rd 2021", "2021-05-03", "in May", "5 pm", "17:00", "Monday", "March 2020", "noon", "3/5/2021")
_PHRASES = st.one_of(
    st.builds(
        lambda way, number, unit: way.format(number) + unit, st.sampled_from(_WAYS), _NUMBERS, st.sampled_from(_UNITS)
    ),
    st.sampled_from(_DATES),
)


@settings(max_examples=4 * settings().max_examples)
@given(st.lists(_PHRASES, max_size=12), st.lists(_PHRASES, min_size=1, max_size=12))
def test_the_index_finds_what_comparing_every_pair_finds(mine: list[str], theirs: list[str]) -> None:
    values = find_values("It took " + ", it had ".join(mine) + " in all.")
    others = find_values("They said " + ", they had ".join(theirs) + " there.")
    index = ValueIndex(others)
    for value in values:
        assert index.units_of_same(value) == {other.unit for other in others if is_same(value, other)}


def test_a_text_of_equal_values_is_not_compared_pair_by_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0

    def counted(one: Value, other: Value) -> bool:
        nonlocal compared
        compared += 1
        return is_same(one, other)

    monkeypatch.setattr(equality, "is_same", counted)
    equal = find_values("10% " * 4000)
    different = find_values(" ".join(f"{number} metres" for number in range(4000)))
    index = ValueIndex([*equal, *different])
    for value in (*equal, *different):
        assert index.units_of_same(value) == {value.unit}
    assert compared < 4 * (len(different) + 1)
