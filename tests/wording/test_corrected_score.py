"""What is said beside a corrected score: what it is about, and how far its labels can be trusted."""

import pytest

from faithview.domain.scoring import Interval
from faithview.stats.label_errors import LabelErrors
from faithview.wording.corrected_score import target_words, too_wide, trust_words

ANN, BOTH = frozenset({"ann"}), frozenset({"ann", "bob"})


@pytest.mark.parametrize(
    ("errors", "words"),
    [
        (LabelErrors(), ""),
        (
            LabelErrors(reviewers=ANN, single=79),
            "One reviewer labelled these claims, so each label counts as the truth.",
        ),
        (
            LabelErrors(reviewers=BOTH, single=79),
            "No claim has labels by several reviewers, so how often they differ is unknown and each label counts "
            "as the "
            "truth.",
        ),
        (
            LabelErrors(reviewers=BOTH, in_common=3, single=76),
            "Only 3 claims have labels by several reviewers, so how often they differ is unknown and each label counts "
            "as the truth.",
        ),
        (
            LabelErrors(reviewers=BOTH, in_common=20, differing=5, single=59, is_known=True),
            "Several reviewers labelled 20 claims and differ on 5. 59 claims have one label; the interval allows "
            "for mistakes there at the same rate.",
        ),
        (
            LabelErrors(reviewers=BOTH, in_common=20, single=1, is_known=True),
            "Several reviewers labelled 20 claims and agree on all. 1 claim has one label.",
        ),
        (LabelErrors(reviewers=BOTH, in_common=79, differing=5, is_known=True), ""),
    ],
)
def test_how_far_labels_can_be_trusted(errors: LabelErrors, words: str) -> None:
    assert trust_words(errors) == words


def test_what_the_score_is_about_is_said_where_people_took_claims_out() -> None:
    assert target_words(3, labels=79, apart=0.068) == (
        "Reviewers say that 3 of the 79 labelled claims are not claims. The claims were drawn one by one, so "
        "an answer counts by "
        "its share of real claims: the mean over answers can be up to 0.07 higher or lower."
    )
    assert target_words(0, labels=79, apart=0.0) == ""
    assert target_words(1, labels=2_000, apart=0.002) == ""


def test_where_more_labels_would_not_help_nobody_is_asked_for_them() -> None:
    interval = Interval(0.5, 0.9)
    few = too_wide(interval, labels=8, more=40, half_width=0.1, sampling_half_width=0.2)
    assert few.startswith("Too few labels")
    tied = too_wide(interval, labels=200, more=0, half_width=0.1, sampling_half_width=0.05)
    assert tied.startswith("Labels that are missing or differ leave the corrected score between 0.50 and 0.90.")
