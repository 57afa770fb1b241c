"""Slices in words."""

from faithview.domain.scoring import Interval
from faithview.stats.slices import Noticeable
from faithview.wording import numbers as fmt
from faithview.wording.slices import nothing_found, slice_figures


def _name(size: int) -> str:
    return fmt.plural(size, "answer")


def test_figures_have_n_difference_interval_and_p() -> None:
    text = slice_figures(0.61, 0.93, -0.32, Interval(-0.41, -0.22), 38, 0.002)
    assert text == "0.61 against 0.93 elsewhere (−0.32, −0.41 to −0.22, n 38, p 0.002)"


def test_nothing_found_says_what_would_have_been_noticed() -> None:
    sizes = (Noticeable(questions=8, difference=None), Noticeable(questions=12, difference=0.32))
    assert nothing_found(116, 111, sizes, name=_name) == (
        "No slice of the run scores significantly lower than the rest. "
        "FaithView compared 111 slices of its 116 answers. "
        "FaithView would notice these 80% of the time: a slice of 12 answers that scores 0.32 lower."
    )
    assert "only a weak spot where every answer fails" in nothing_found(20, 3, sizes[:1], name=_name)
    assert nothing_found(5, 0, (), name=_name) == "Too few answers to look for weak spots: 5 answers have a score."
    assert nothing_found(0, 0, (), name=_name).startswith("No answer has a score")
    assert nothing_found(50, 9, (), name=_name) == "All 50 scored answers have the same score."
