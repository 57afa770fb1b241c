"""How often a label could be wrong, on claims small enough to count by hand."""

import pytest

from faithview.stats.label_errors import LEAST_IN_COMMON, LabelErrors, ReviewedClaim, measure_errors, pool_errors


def _claims(number: int, ann: bool | None, bob: bool | None, *, settled: bool | None) -> list[ReviewedClaim]:
    return [ReviewedClaim(said={"ann": ann, "bob": bob}, settled=settled)] * number


BOTH = frozenset({"ann", "bob"})
ALONE = [ReviewedClaim(said={"ann": True}, settled=True)] * 30


def test_what_others_say_of_the_same_claims_is_how_often_a_label_could_be_wrong() -> None:
    found = measure_errors([*_claims(30, True, True, settled=True), *_claims(10, True, False, settled=None), *ALONE])
    assert (found.reviewers, found.in_common, found.differing, found.single) == (BOTH, 40, 10, 30)
    # Ann: 10 of 40, and one more label that is like all 70 of which 10 could be wrong.
    rate = (10 + 10 / 70) / 41
    assert found.chance("ann", supported=True) == pytest.approx(rate + (rate * (1 - rate) / 41) ** 0.5)
    assert found.chance("bob", supported=False) == 1.0  # Ann contradicts each
    assert found.chance("ann", supported=False) == 1.0  # she has none in common, so it is that of all
    assert found.chance("bob", supported=True) < found.chance("ann", supported=True)


def test_what_was_settled_is_known() -> None:
    settled = measure_errors([*_claims(30, True, True, settled=True), *_claims(10, True, False, settled=True)])
    assert settled.chance("ann", supported=True) == 0.0
    assert settled.chance("bob", supported=False) == 1.0


def test_with_few_claims_in_common_nothing_is_known() -> None:
    few = measure_errors([*_claims(LEAST_IN_COMMON - 1, True, False, settled=None), *ALONE])
    assert (few.is_known, few.chance("ann", supported=True)) == (False, 0.0)
    assert measure_errors([]) == LabelErrors()


def test_not_a_claim_against_a_verdict_is_a_disagreement_but_no_verdict_of_its_own() -> None:
    found = measure_errors([*_claims(20, True, True, settled=True), *_claims(5, True, None, settled=None)])
    assert found.differing == 5
    assert found.chance("ann", supported=True) > found.chance("bob", supported=True)


def test_pooled_errors_are_known_where_they_are_of_each() -> None:
    known, unknown = measure_errors(_claims(20, True, True, settled=True)), measure_errors(ALONE)
    both = pool_errors([known, unknown])
    assert (both.in_common, both.single, both.reviewers, both.is_known) == (20, 30, BOTH, False)
    assert pool_errors([known, known]).is_known
