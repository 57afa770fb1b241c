"""A judge's shares in words: never a whole where a label says otherwise, and no number that is known to +-0.4."""

from dataclasses import replace

import pytest

from faithview.domain.scoring import Interval
from faithview.stats.judge_quality import Basis
from faithview.stats.shares import Share
from faithview.wording import numbers as fmt
from faithview.wording.judge_rates import counts_behind, finding, rate_text

_SHARE = Share(value=0.85, interval=Interval(0.78, 0.9), labels=79, effective=60.0, hits=63)
_WIDE = Share(value=0.45, interval=Interval(0.2, 0.78), labels=20, effective=9.0, hits=16)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1.0, "1.00"),
        (1 - 1e-15, "1.00"),  # the sum of the weights of all labels, added up in another order
        (0.9971, ">0.99"),
        (0.99, "0.99"),
        (0.003, "<0.01"),
        (0.0, "0.00"),
        (-0.003, "0.00"),
        (None, "–"),
    ],
)
def test_a_share_is_never_whole_while_a_label_says_otherwise(value: float | None, shown: str) -> None:
    assert fmt.inner_share(value) == shown
    wide = Interval(0.0, 1.0)
    assert fmt.agreement(value, wide, 9) == (f"{shown} (n 9)" if value is None else f"{shown} (0.00–1.00, n 9)")


def test_a_rate_of_nearly_all_does_not_read_as_all() -> None:
    nearly = replace(_SHARE, value=0.9971, interval=Interval(0.95, 1.0), hits=97, labels=99)
    assert rate_text(nearly, half_width=0.1) == ">0.99 (0.95–1.00)"


def test_counts_are_told_apart_from_a_weighted_share() -> None:
    assert counts_behind(_SHARE, weighted_to=None) == "63 of 79 labelled"
    words = counts_behind(_SHARE, weighted_to="the whole run", more=2)
    assert words == "weighted to the whole run; in the labels themselves 63 of 79, 2 of them missed by the judge"


def test_a_wide_interval_is_no_figure() -> None:
    assert rate_text(_SHARE, half_width=0.1) == "0.85 (0.78–0.90)"
    assert rate_text(_WIDE, half_width=0.1) == "too few labels (0.20–0.78)"


def _finding(basis: Basis, *, is_weighted: bool = True, accuracy: Share = _SHARE, recall: Share = _WIDE) -> str:
    return finding("`lexical`", accuracy, recall, basis=basis, missed=6, is_weighted=is_weighted, half_width=0.1)


def test_the_finding_states_no_counts_beside_weighted_shares() -> None:
    assert _finding(Basis.SPOT_CHECK) == (
        "Reviewers agree with `lexical` on **85%** (78–90%) of the claims. Too few labels to say what share of the "
        "unsupported claims it finds: 20–78%."
    )
    assert _finding(Basis.SPOT_CHECK, is_weighted=False) == (
        "Reviewers agree with `lexical` on **85%** (78–90%) of the claims (63 of 79 labelled). Too few labels to say "
        "what share of the unsupported claims it finds: 20–78%; 16 of 20 labelled, 6 of them missed by the judge."
    )


def test_the_finding_says_what_labels_that_were_not_drawn_leave_open() -> None:
    assert _finding(Basis.FLAGGED) == (
        "Reviewers agree with `lexical` on 63 of 79 labelled claims. How many of the unsupported claims it "
        "finds is unknown: only flagged claims are labelled."
    )
    assert "not drawn at random" in _finding(Basis.CHOSEN)


def test_where_people_found_nothing_unsupported_the_finding_says_so() -> None:
    none = Share(value=None, interval=None, labels=0, effective=0.0)
    assert _finding(Basis.SPOT_CHECK, recall=none).endswith("so how many it finds is not known.")
