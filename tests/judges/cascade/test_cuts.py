"""Which claims are sent: those between two cuts, which a share of the claims chooses."""

import json
from itertools import pairwise

import pytest

from faithview.domain.errors import JudgeUnavailable
from faithview.judges.cascade.cuts import USUAL, Cuts, cuts_for, read_cuts
from tests.performance.cascade_curve import SHARE_FILE


def test_a_claim_at_a_cut_is_sent_and_one_beyond_is_not() -> None:
    cuts = Cuts(0.2, 0.8)
    assert [cuts.is_between(support) for support in (0.1999, 0.2, 0.5, 0.8, 0.8001)] == [False, True, True, True, False]


def test_a_claim_without_a_probability_is_sent() -> None:
    assert Cuts(0.4, 0.6).is_between(None)


def test_without_a_share_the_usual_cuts_are_used() -> None:
    assert read_cuts(None) == USUAL == Cuts(0.2, 0.8)


@pytest.mark.parametrize(("share", "sent"), [("0", False), ("1", True), ("1.0", True)])
def test_nothing_and_everything_are_exact(share: str, sent: bool) -> None:
    assert {read_cuts(share).is_between(support) for support in (0.0, 0.002, 0.5, 0.998, 1.0)} == {sent}


def test_a_larger_share_sends_all_that_a_smaller_one_does() -> None:
    found = [cuts_for(per_mille / 1000) for per_mille in range(1, 1000)]
    assert all(wider.low <= cuts.low <= cuts.high <= wider.high for cuts, wider in pairwise(found))
    assert len({cuts.low for cuts in found}) > 100


@pytest.mark.parametrize("share", ["x", "", "-0.1", "1.01", "nan", "inf", "30%"])
def test_a_share_that_is_none_is_refused_with_its_value(share: str) -> None:
    with pytest.raises(
        JudgeUnavailable, match=r"The cascade share is '.*'; it must be a number from 0 .* such as 0\.3"
    ):
        read_cuts(share)


def test_shares_have_the_cuts_that_were_measured() -> None:
    measured = json.loads(SHARE_FILE.read_text(encoding="utf-8"))
    chances = measured["chances"]
    assert (measured["answers"], measured["claims"], len(chances)) == (338, 1177, 101)
    assert all(0.5 >= larger >= smaller > 0 for larger, smaller in pairwise(chances))
    assert cuts_for(0.3) == Cuts(chances[30], round(1 - chances[30], 4))
