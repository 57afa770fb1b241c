"""A judge's shares in words: never a whole where a label says otherwise, and no number that is known to +-0.4."""

from dataclasses import replace

import pytest

from faithview.domain.scoring import Interval
from faithview.stats.judge_quality import Basis
from faithview.stats.shares import Share
from faithview.wording.judge_rates import finding, rate_text, share_figure

_SHARE = Share(value=0.85, interval=Interval(0.78, 0.9), labels=79, effective=60.0, hits=63)
_WIDE = Share(value=0.45, interval=Interval(0.2, 0.78), labels=20, effective=9.0, hits=16)


@pytest.mark.parametrize(
    ("value", "hits", "shown"),
    [(1.0, 100, "1.00"), (0.9971, 99, ">0.99"), (0.99, 99, "0.99"), (0.003, 1, "<0.01"), (0.0, 0, "0.00")],
)
def test_a_share_is_never_whole_while_a_label_says_otherwise(value: float, hits: int, shown: str) -> None:
    assert share_figure(replace(_SHARE, value=value, hits=hits, labels=100)) == shown


def test_a_wide_interval_is_no_figure() -> None:
    assert rate_text(_SHARE, half_width=0.1) == "0.85 (0.78–0.90)"
    assert rate_text(_WIDE, half_width=0.1) == "too few labels (0.20–0.78)"


def _finding(basis: Basis, *, is_weighted: bool = True, accuracy: Share = _SHARE, recall: Share = _WIDE) -> str:
    return finding("`lexical`", accuracy, recall, basis=basis, missed=6, is_weighted=is_weighted, half_width=0.1)


def test_the_finding_tells_weighted_shares_and_counts_apart() -> None:
    assert _finding(Basis.SPOT_CHECK) == (
        "Reviewers agree with `lexical` on **85%** (78–90%) of the claims (weighted to all claims; 63 of 79 labelled). "
        "Too few labels to say what share of the unsupported claims it finds: 20–78%; weighted to all claims; "
        "16 of 20 labelled, 6 of them missed by the judge."
    )
    assert "weighted" not in _finding(Basis.SPOT_CHECK, is_weighted=False)


def test_the_finding_says_what_labels_that_were_not_drawn_leave_open() -> None:
    assert _finding(Basis.FLAGGED) == (
        "Reviewers agree with `lexical` on 63 of 79 labelled claims. How many of the unsupported claims it "
        "finds is unknown: only flagged claims are labelled."
    )
    assert "not drawn at random" in _finding(Basis.CHOSEN)


def test_where_people_found_nothing_unsupported_the_finding_says_so() -> None:
    none = Share(value=None, interval=None, labels=0, effective=0.0)
    assert _finding(Basis.SPOT_CHECK, recall=none).endswith("so how many it finds is not known.")
