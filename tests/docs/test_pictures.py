"""The pictures of docs/intervals.md are as the simulation draws them, and the page has its numbers."""

import re

import pytest

from tests.docs.pages import DOCS
from tests.docs.pictures import EXAMPLE, IMAGES, SIZES, pictures, simulate

_PAGE = " ".join((DOCS / "intervals.md").read_text(encoding="utf-8").split())


@pytest.mark.parametrize(("name", "text"), list(pictures()), ids=[name for name, _ in pictures()])
def test_a_picture_is_as_it_is_drawn(name: str, text: str) -> None:
    drawn, kept = (re.sub(r"\d+\.\d+", _rounded, words) for words in (text, (IMAGES / name).read_text("utf-8")))
    assert drawn == kept
    assert f"](images/{name})" in _PAGE


def _rounded(number: re.Match[str]) -> str:
    return f"{float(number[0]):.0f}"


def test_the_worked_example_is_worked_out() -> None:
    judge, corrected = (f"{value * 100:.0f}" for value in (EXAMPLE.judge, EXAMPLE.corrected))
    assert f"{judge} − 8 = {corrected}%" in _PAGE
    widths = {labels: f"±{EXAMPLE.half_width(labels) * 100:.0f}" for labels in (50, 200)}
    assert f"{widths[50]} points with 50 labels, and about {widths[200]} with 200" in _PAGE


def test_the_interval_of_the_first_example_is_that_of_the_product() -> None:
    (run,) = {(one.low, one.high) for one in simulate(SIZES[0]) if f"{one.score:.2f}" == "0.92"}
    assert f"0.92 ({run[0]:.2f}–{run[1]:.2f}, n 25)" in _PAGE
