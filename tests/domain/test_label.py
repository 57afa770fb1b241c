"""Which labels count, and when one stays true elsewhere."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from faithview.domain.claim import ClaimRef, Verdict
from faithview.domain.label import (
    EffectiveVerdict,
    Label,
    LabelKind,
    LabelRole,
    VerdictSource,
    counts_in_check,
    effective_verdict,
    label_applies,
    newest_labels,
    second_thoughts,
    standing_labels,
)
from tests.factories import make_label

S, P, N, C = Verdict
AT = datetime(2026, 3, 1, tzinfo=UTC)


def _label(label_id: int, verdict: Verdict | None, by: str = "ann", *, given_on: ClaimRef | None = None) -> Label:
    return make_label(verdict, by=by, label_id=label_id, at=AT, given_on=given_on)


def test_the_order_in_which_labels_are_handed_over_does_not_matter() -> None:
    labels = [_label(1, S), _label(2, C), _label(3, C, "bob"), _label(4, S, "eve")]
    expected = EffectiveVerdict(verdict=C, source=VerdictSource.REVIEWERS, reviewers=3)
    assert effective_verdict(S, labels) == effective_verdict(S, labels[::-1]) == expected


def test_a_tie_is_a_disagreement_in_which_the_judge_s_verdict_stands() -> None:
    found = effective_verdict(N, [_label(1, S), _label(2, C, "bob")])
    assert (found.verdict, found.source, found.reviewers) == (N, VerdictSource.DISAGREEMENT, 2)


def test_a_person_who_also_adjudicates_has_a_voice_in_each_role() -> None:
    adjudicated = make_label(C, label_id=2, at=AT, role=LabelRole.ADJUDICATOR)
    found = effective_verdict(N, [_label(1, S), adjudicated])
    assert (found.verdict, found.source, found.reviewers) == (C, VerdictSource.ADJUDICATED, 1)
    assert len(standing_labels([_label(1, S), adjudicated])) == 2


def test_a_verdict_is_shared_only_if_every_label_was_given_elsewhere() -> None:
    elsewhere = ClaimRef(run_id="old", row=1, claim_number=1)
    assert effective_verdict(N, [_label(1, S, given_on=elsewhere)]).is_shared
    assert not effective_verdict(N, [_label(1, S, given_on=elsewhere), _label(2, S, "bob")]).is_shared


def _blind(label: Label) -> Label:
    return replace(label, is_blind=True)


def test_a_blind_label_counts_over_what_was_said_after_seeing_the_judge() -> None:
    blind, after = _blind(_label(1, S)), _label(2, C)
    for labels in ([blind, after], [after, blind], [blind, _label(2, N), replace(after, label_id=3)]):
        assert standing_labels(labels) == [blind]
        assert newest_labels(labels) == second_thoughts(labels)
        assert [label.verdict for label in second_thoughts(labels)] == [C]
        assert effective_verdict(N, labels).verdict is S
    assert second_thoughts([blind]) == []


def test_the_last_of_two_blind_labels_counts_and_a_retracted_one_does_not() -> None:
    first, second, after = _blind(_label(1, S)), _blind(_label(2, P)), _label(3, C)
    assert standing_labels([first, second, after]) == [second]
    undo = replace(_label(4, None), kind=LabelKind.RETRACTION, retracts=2)
    assert standing_labels([first, second, after, undo]) == [first]
    assert second_thoughts([first, second, after, replace(undo, retracts=3)]) == []


def test_an_adjudicator_s_last_word_counts_over_an_earlier_blind_one() -> None:
    settled = [replace(_blind(_label(1, S)), role=LabelRole.ADJUDICATOR)]
    settled.append(replace(_label(2, C), role=LabelRole.ADJUDICATOR))
    assert standing_labels(settled) == settled[1:]


@pytest.mark.parametrize(
    ("verdict", "cited", "old", "new", "holds"),
    [
        pytest.param(S, "a", "ab", "ac", True, id="cited chunk there"),
        pytest.param(S, "a", "ab", "bc", False, id="cited chunk gone"),
        pytest.param(P, "ab", "abc", "ab", True, id="uncited chunk gone"),
        pytest.param(C, "ab", "ab", "a", False, id="one of two cited gone"),
        pytest.param(C, "", "ab", "abc", True, id="nothing cited, all there"),
        pytest.param(C, "", "ab", "a", False, id="nothing cited, one gone"),
        pytest.param(N, "", "ab", "a", True, id="absence, less"),
        pytest.param(N, "a", "ab", "abc", False, id="absence, more"),
        pytest.param(N, "", "ab", "", True, id="absence, nothing left"),
        pytest.param(None, "a", "ab", "", True, id="not a claim rests on no chunk"),
    ],
)
def test_where_a_label_applies(verdict: Verdict | None, cited: str, old: str, new: str, holds: bool) -> None:
    assert label_applies(verdict, cited=set(cited), context=set(old), other_context=set(new)) is holds


@pytest.mark.parametrize(
    ("label", "counts"),
    [
        (make_label(S, spot_check_id=1), True),
        (make_label(S, spot_check_id=1, is_blind=True), True),
        (make_label(S, spot_check_id=2, is_blind=True), True),
        (make_label(S, spot_check_id=2), False),
        (make_label(S, is_blind=True), False),
    ],
)
def test_which_labels_count_in_a_blind_spot_check(label: Label, counts: bool) -> None:
    assert counts_in_check(label, spot_check_id=1, is_blind=True) is counts
    assert counts_in_check(label, spot_check_id=1, is_blind=False) is (label.spot_check_id is not None)
