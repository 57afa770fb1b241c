"""What the product says of its own judges' mistakes is what was measured, and is said only of what was measured."""

from dataclasses import replace

import pytest

from faithview.domain.claim import Claim, Verdict
from faithview.domain.result import Result, State
from faithview.domain.run import IMPORTED, JudgeSpec
from faithview.domain.sample import Sample
from faithview.judges.judge_limits import measured_errors
from faithview.judges.lexical.scoring.model import weakest_claims
from faithview.services.judge_catalogue import caution_about, find_offer
from faithview.wording.findings import often_wrong
from tests.performance.embedded_quality import Found, Labelled


def test_the_sentence_has_both_shares_with_their_numbers() -> None:
    errors = replace(measured_errors()["embedded"], errors_caught=91, right_claims=969, false_alarms=223)
    assert often_wrong(errors, is_default=True) == (
        "The default judge is often wrong: on documentation it catches 48% of the errors (n 190) and flags 23% of the "
        "supported claims (n 969)."
    )


@pytest.mark.parametrize(
    "spec",
    [
        JudgeSpec(name="openai:some-model"),
        JudgeSpec(name="nli"),
        JudgeSpec(name="ragas", method=IMPORTED),
        JudgeSpec(name="embedded", method=IMPORTED),
        JudgeSpec(name="embedded", options={"strictness": "strict"}),
        JudgeSpec(name="a judge of somebody's own"),
    ],
    ids=["a model", "entailment", "imported", "imported by its name", "strict", "unknown"],
)
def test_nothing_is_said_of_what_was_not_measured(spec: JudgeSpec) -> None:
    assert caution_about(spec) == ""


def test_each_judge_has_its_own_figures_and_lists_them_among_its_limits() -> None:
    default, rules = (caution_about(JudgeSpec(name=name)) for name in ("embedded", "lexical"))
    assert default.startswith("The default judge is often wrong")
    assert rules.startswith("The rules alone are often wrong")
    balanced = JudgeSpec(name="embedded", options={"strictness": "balanced"})
    assert caution_about(balanced) == default
    for name, caution in (("embedded", default), ("lexical", rules)):
        offer = find_offer(name)
        assert offer is not None
        assert offer.limits[0] == caution


def test_an_answer_counts_as_flagged_by_the_rule_of_the_product() -> None:
    verdicts = [*[Verdict.SUPPORTED] * 4, Verdict.NOT_MENTIONED]
    claims = tuple(Claim(text="c", verdict=verdict, support_score=0.5) for verdict in verdicts)
    found = Found()
    row = Labelled(sample=Sample(answer="So."), is_faithful=False, errors=None)
    found.add(row, Result(state=State.JUDGED, judge="j", claims=claims))
    assert [is_flagged for *_, is_flagged in found.answers] == [True]


@pytest.mark.parametrize(("claims", "weak"), [(1, 1), (4, 1), (5, 2), (10, 3), (250, 51)])
def test_a_doubtful_answer_has_as_many_weak_claims_as_make_it_unfaithful(claims: int, weak: int) -> None:
    assert weakest_claims([number / claims for number in range(claims)]) == set(range(weak))
