"""Names stay names in Markdown, and numbers read the same everywhere."""

import math
import re
from pathlib import Path

import pytest

from faithview.domain.scoring import Interval
from faithview.wording import numbers as fmt
from tests.dashboard import ROOT


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("a_b*c", r"a\_b\*c"),
        ("$x$ :red[z]", r"\$x\$ \:red\[z\]"),
        ("one\n\n# two", r"one \# two"),
        ("http://a.b", "http\u2060\\:\\/\\/a\\.b"),
        ("HTTPS://a.b", "HTTP\u2060S\\:\\/\\/a\\.b"),
        ("www.a.b", "www\u2060\\.a\\.b"),
        ("me@a.b", "me\u2060\\@a\\.b"),
    ],
    ids=["marks", "streamlit", "lines", "http", "https", "www", "mail"],
)
def test_a_name_is_neither_markup_nor_link(name: str, written: str) -> None:
    assert fmt.literal(name) == written


def test_a_share_that_is_not_all_or_nothing_never_rounds_to_it() -> None:
    assert [fmt.percent(v) for v in (0, 0.004, 0.5, 0.996, 1, None)] == ["0%", "0.4%", "50%", "99.6%", "100%", "–"]
    assert [fmt.percent(v) for v in (0.0004, 0.0005, 0.9994, 0.9996)] == ["< 0.1%", "0.1%", "99.9%", "> 99.9%"]


def test_a_number_that_rounds_to_zero_has_no_sign() -> None:
    assert [fmt.fixed(v, 2) for v in (-0.001, -0.005, 0.001)] == ["0.00", "-0.01", "0.00"]
    assert fmt.ends(Interval(low=-0.001, high=0.2)) == "0.00 to 0.20"


def test_a_change_has_a_sign_unless_it_rounds_to_nothing() -> None:
    assert [fmt.change(0.5, v) for v in (0.58, 0.42, 0.5001, 0.4999, None)] == ["+0.08", "−0.08", "0.00", "0.00", None]


@pytest.mark.parametrize(("seconds", "said"), [(-1, "0 s"), (59.4, "59 s"), (200, "3 min 20 s"), (7500, "2 h 5 min")])
def test_a_duration_names_its_two_largest_units(seconds: float, said: str) -> None:
    assert fmt.duration(seconds) == said


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "p –"), (0.00001, "p < 0.0001"), (0.0002, "p 0.0002"), (0.0123, "p 0.012"), (0.5, "p 0.50"), (1, "p 1.00")],
)
def test_p_values_have_the_decimals_that_matter(value: float | None, text: str) -> None:
    assert fmt.p_value(value) == text


def test_differences_have_a_sign_unless_they_round_to_nothing() -> None:
    assert [fmt.signed(v) for v in (-0.07, 0.0749, -0.001, 0.001)] == ["−0.07", "+0.07", "0.00", "0.00"]
    assert fmt.signed(-0.0012, decimals=3) == "−0.001"


def test_an_interval_below_zero_is_written_with_to() -> None:
    assert fmt.ends(Interval(low=0.7, high=0.78)) == "0.70–0.78"
    assert fmt.ends(Interval(low=-0.1, high=0.2)) == "−0.10 to 0.20"
    assert fmt.signed_measure(0.05, Interval(low=-0.02, high=0.12)) == "+0.05 (−0.02 to +0.12)"


def test_names_are_listed_as_in_a_sentence() -> None:
    assert [fmt.listed(names) for names in (["A"], ["A", "B"], ["A", "B", "C"])] == ["A", "A and B", "A, B and C"]


@pytest.mark.parametrize(
    ("value", "decimals", "written"),
    [
        (0.625, 2, "0.63"),
        (0.375, 2, "0.38"),
        (0.125, 2, "0.13"),
        (-0.625, 2, "-0.63"),
        (0.5, 0, "1"),
        (2.5, 0, "3"),
        # No half: the float nearest to 1.005 is a little below it.
        (1.005, 2, "1.00"),
        (0.0, 2, "0.00"),
        (1234.5, 0, "1,235"),
        (1e300, 1, f"{1e300:,.1f}"),
        (math.inf, 2, "inf"),
    ],
)
def test_an_exact_half_is_rounded_as_a_browser_rounds_it(value: float, decimals: int, written: str) -> None:
    assert fmt.fixed(value, decimals) == written


def test_all_words_round_an_exact_half_the_same_way() -> None:
    between = Interval(low=0.125, high=0.625)
    assert fmt.measure(0.625, between, 8) == "0.63 (0.13–0.63, n 8)"
    assert fmt.signed_measure(-0.125, Interval(low=-0.375, high=0.125)) == "−0.13 (−0.38 to +0.13)"
    assert (fmt.percent(0.125), fmt.percent(0.625), fmt.plus_minus(0.125)) == ("13%", "63%", "±0.13")


@pytest.mark.parametrize("package", ["ui", "wording", "cli", "services"])
def test_numbers_that_people_read_are_rounded_in_one_place(package: str) -> None:
    own_rounding = re.compile(r":[^\s{}'\"]*\.\d+[f%]\}")
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in (ROOT / "faithview" / package).rglob("*.py")
        if path != Path(fmt.__file__)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if own_rounding.search(line)
    ]
    assert not found, f"Call faithview.wording.numbers.fixed instead: {', '.join(found)}"


@pytest.mark.parametrize(
    ("name", "span"),
    [
        ("kb-054-1", "`kb-054-1`"),
        ("a_b*c*[d](e) $x$ :red[f]", "`a_b*c*[d](e) $x$ :red[f]`"),
        ("a`b", "``a`b``"),
        ("`a``b", "``` `a``b ```"),
        ("two\nlines", "`two lines`"),
        ("", ""),
    ],
)
def test_an_id_in_a_code_span_has_no_backslash_and_cannot_leave_it(name: str, span: str) -> None:
    assert fmt.code(name) == span


@pytest.mark.parametrize(
    ("before", "after", "difference", "decimals"),
    [
        (0.94, 0.87, -0.07, 2),
        (1.0, 0.996, -0.004, 3),  # "from 1.00 to 1.00" would say that nothing changed
        (0.9949, 0.9898, -0.0051, 3),  # "from 0.99 to 0.99"
        (0.9, 0.9, None, 2),
        (0.5, 0.5 - 1e-9, None, 6),
    ],
)
def test_a_change_is_written_with_the_decimals_that_tell_it(
    before: float, after: float, difference: float | None, decimals: int
) -> None:
    assert fmt.decimals_to_tell(before, after, difference) == decimals
