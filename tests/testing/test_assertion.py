"""`assert_faithful`: what passes, what fails, and how a failure reads."""

import pytest

from faithview import State, Verdict
from faithview.domain.errors import InvalidInput, InvalidSample, JudgeUnavailable
from faithview.testing import AnswerNotFaithful, assert_faithful
from tests.judges.llm.server import Status
from tests.vendor import running

pytestmark = pytest.mark.process  # takes long

CHUNK = "Shared inboxes hold up to 20 members. Owners can add members."


def test_it_says_why_and_shows_the_claims() -> None:
    with pytest.raises(AnswerNotFaithful) as failed:
        assert_faithful(
            "Owners can add members. Shared inboxes hold up to 50 members. Refunds take 14 days.",
            "Shared inboxes hold up to 20 members. Owners can add members.",
            "How many members fit?",
            judge="lexical",
        )
    assert str(failed.value) == (
        "1 of 3 claims is supported (0.33), below the threshold of 0.80. The chunks do not mention 1 claim and "
        f"contradict 1 claim.\n{failed.value.result}"
    )
    assert failed.value.result.verdicts.count(Verdict.CONTRADICTED) == 1


def test_what_could_not_be_judged_fails_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AnswerNotFaithful, match="No chunk with text was retrieved") as empty:
        assert_faithful("It opens at 9.", [], judge="lexical")
    assert empty.value.result.state is State.EMPTY_CONTEXT
    with running(lambda request: Status(code=404, message="no such model")) as vendor:
        for name, value in vendor.environment.items():
            monkeypatch.setenv(name, value)
        with pytest.raises(AnswerNotFaithful, match=r"It could not be judged: .*no such model"):
            assert_faithful("It opens at 9.", ["It opens at 9."], judge="openai:m")


def test_what_passes_is_what_a_guard_lets_pass() -> None:
    chunks = ["Parking is free for guests. The office opens at 9 am."]
    assert_faithful("Parking is free for guests.", chunks, judge="lexical", min_score=1)
    assert_faithful("I do not know.", chunks, judge="lexical", min_score=1)
    half = "Parking is free for guests. The office opens at 9 am on Mondays."
    assert_faithful(half, chunks, judge="lexical", min_score=0.5)
    with pytest.raises(AnswerNotFaithful, match="do not mention 1 claim"):
        assert_faithful("Parking is free for guests. Refunds take 14 days.", chunks, judge="lexical", min_score=0)
    with pytest.raises(AnswerNotFaithful, match="contradict 1 claim"):
        assert_faithful("Parking is free. The office opens at 11 am.", chunks, judge="lexical", min_score=0)


def test_arguments_that_cannot_be_used_are_errors_and_no_failures() -> None:
    with pytest.raises(InvalidInput, match="between 0 and 1, not 80"):
        assert_faithful("x", ["x"], min_score=80)
    with pytest.raises(JudgeUnavailable):
        assert_faithful("x", ["x"], judge="nope")
    with pytest.raises(InvalidSample):
        assert_faithful("x\x00", ["x"], judge="lexical")
