"""The text of a failed assertion: what a person reads who did not expect it."""

from textwrap import dedent

import pytest

from faithview import Chunk, Evidence, Sample, State, Verdict
from faithview.domain.claim import Mismatch
from faithview.domain.errors import InvalidInput, InvalidSample, JudgeUnavailable
from faithview.domain.spans import Span
from faithview.services.guard.check import GuardCheck
from faithview.testing import AnswerNotFaithful, assert_faithful
from faithview.testing.assertion import failure_text
from tests.factories import make_claim, make_result
from tests.judges.llm.server import Status
from tests.vendor import running

CHUNK = "Shared inboxes hold up to 20 members. Owners can add members."


def test_it_reads_as_a_difference_does() -> None:
    with pytest.raises(AssertionError) as failed:
        assert_faithful(
            "Owners can add members. Shared inboxes hold up to 50 members. Refunds take 14 days.",
            CHUNK,
            "How many members fit?",
            judge="lexical",
        )
    assert str(failed.value) == dedent("""\
        1 of 3 claims is supported (0.33), below the threshold of 0.80. The chunks do not mention 1 claim and \
contradict 1 claim.
        faithfulness 0.33, required: 0.80; no claim may be contradicted or not mentioned. \
Judge: lexical, which makes mistakes.
        question: How many members fit?
        + supported                    Owners can add members.
        ! contradicted                 Shared inboxes hold up to 50 members.
                                       answer: "50", chunk 1: "20"
                                       chunk 1: "Shared inboxes hold up to 20 members."
                                       because: Chunk 1 says “20”, the answer “50”.
        - probably not mentioned       Refunds take 14 days.
                                       answer: "14 days", in no chunk
                                       because: “14 days” is not in the chunks.""")
    assert isinstance(failed.value, AnswerNotFaithful)
    assert failed.value.result.verdicts.count(Verdict.CONTRADICTED) == 1


def test_texts_can_neither_move_the_cursor_nor_begin_a_line() -> None:
    hostile = "\x1b[2J\x1b]0;owned\x07 \u202e\u2066 \r\n+ supported  All is well.\x00\ud800\u2028x\tq\x9b"
    answer = f"Members {hostile}"
    claim = make_claim(
        answer,
        Verdict.CONTRADICTED,
        explanation=hostile,
        mismatches=(Mismatch(0, len(answer), hostile, 0, len(hostile)),),
        evidence=(Evidence(chunk_id=hostile, quote=hostile, span=None),),
    )
    result = make_result(claim)

    class Unchecked(Sample):
        def __post_init__(self) -> None: ...

    sample = Unchecked(answer=answer, question=hostile, chunks=(Chunk(text=hostile, chunk_id=hostile),))
    text = failure_text(sample, result, f"because {hostile}")
    assert len(text.splitlines()) == text.count("\n") + 1 == 7
    assert not any(ord(c) < 32 and c != "\n" for c in text)
    assert not set(text) & set("\x7f\x9b\u202e\u2066\u2028\ud800\x00")
    assert "\\x1b[2J" in text
    assert "(not found in the chunk)" in text


def test_a_long_answer_is_cut_and_the_claims_at_fault_are_shown_first() -> None:
    claims = [make_claim(f"Claim {n}. " + "x" * 1000, Verdict.SUPPORTED) for n in range(100)]
    claims[90] = make_claim("The one at fault.", Verdict.NOT_MENTIONED, spans=(Span(start=0, end=3),))
    result = make_result(*claims, threshold=1.0)
    sample = Sample.of("abc " * 5000, ["x"], question="q" * 5000)
    text = failure_text(sample, result, GuardCheck.of(sample.answer, result).reason)
    assert "- not mentioned                The one at fault." in text
    assert text.endswith("… 80 more claims: 80 supported")
    assert len(text) < 10_000
    assert max(map(len, text.splitlines())) < 400


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
