"""What the guard page says about an outcome."""

import pytest

from faithview.domain.claim import Verdict
from faithview.domain.result import Result, State
from faithview.wording.guard import (
    claims_words,
    generation_finding,
    score_note,
    sent_finding,
)
from tests.factories import make_result

_S, _N, _C = Verdict.SUPPORTED, Verdict.NOT_MENTIONED, Verdict.CONTRADICTED


def _words(finding: str) -> str:
    """Return a finding without its icon."""
    return finding.partition(" ")[2]


_ICONS = {
    "Passes as it is:": ":green[:material/check_circle:]",
    "Passes once corrected:": ":blue[:material/edit:]",
    "Blocked:": ":orange[:material/block:]",
}
_ABSTAINED = make_result(state=State.ABSTAINED)
_FAILED = make_result(state=State.FAILED, error="no reply")


@pytest.mark.parametrize(
    ("before", "after", "passed", "changed", "finding"),
    [
        (make_result(_S, _S), make_result(_S, _S), True, False, "**Passes as it is:** both claims are supported."),
        (
            make_result(_S, _C, _N),
            make_result(_S),
            True,
            True,
            "**Passes once corrected:** 2 of 3 claims are not fully supported, and the chunks contradict 1 of them; "
            "of what is left, the one claim is supported.",
        ),
        (make_result(_C), make_result(_C), False, False, "**Blocked:** the chunks contradict its only claim."),
        (
            make_result(_N, _N, _S),
            make_result(_N, _S),
            False,
            True,
            "**Blocked:** 2 of 3 claims are not fully supported. The corrected answer is better but does not pass: 1 "
            "of 2 claims is not fully supported.",
        ),
        (_FAILED, _FAILED, False, False, "**Blocked:** the answer could not be judged (no reply)."),
        (
            _ABSTAINED,
            _ABSTAINED,
            True,
            False,
            "**Passes as it is:** the answer only says that the chunks do not answer the question: nothing to check.",
        ),
    ],
)
def test_the_finding_says_what_would_be_sent_and_why(
    before: Result, after: Result, passed: bool, changed: bool, finding: str
) -> None:
    icon, _, text = sent_finding(before, after, passed=passed, changed=changed).partition(" ")
    assert text == finding
    assert icon == _ICONS[finding.split("**")[1]]


def test_a_generation_names_the_attempt_that_counts() -> None:
    assert _words(generation_finding(1, best=1, result=make_result(_S), validated=True)) == (
        "**Passes at the first attempt:** the one claim is supported."
    )
    assert _words(generation_finding(3, best=2, result=make_result(_S, _N), validated=False)) == (
        "**Blocked:** none of 3 attempts passes. In the best, attempt 2, 1 of 2 claims is not fully supported."
    )
    assert _words(generation_finding(1, best=1, result=make_result(_N), validated=False)) == (
        "**Blocked:** the only attempt does not pass: its only claim is not fully supported."
    )
    assert "the chunks do not answer the question" in generation_finding(2, best=2, result=_ABSTAINED, validated=True)


def test_a_score_comes_with_its_n() -> None:
    assert score_note(make_result(_S, _S, _N)) == "2 of 3 claims supported, faithfulness 0.67"
    assert score_note(None) == ""
    assert score_note(_FAILED) == "This answer could not be judged and has no score."


def test_claims_are_named_by_number() -> None:
    assert claims_words([2]) == "claim 2"
    assert claims_words([2, 5, 7]) == "claims 2, 5 and 7"
