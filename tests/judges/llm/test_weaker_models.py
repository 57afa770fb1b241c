"""An answer is judged whatever a weaker model does to its replies; what nobody can check is counted and marked."""

import json
from typing import Any

import pytest

from faithview.domain.claim import Verdict
from faithview.domain.result import State, Weakness, read_weakness
from faithview.judges.llm.methods.method import NO_QUOTE_GIVEN
from faithview.judges.llm.replies.find_json import CUT_SHORT
from tests.judges.llm.hand_worked import CLAIMS, CONTRADICTED, EXTRACTION, SAMPLE, SUPPORTED, judge
from tests.judges.llm.server import Answer, Say, Status
from tests.judges.llm.weaker_models import ALTERATIONS, CUT_OFF, LONG, METHODS, is_again, judge_altered

_UNSAID = "gives no quote for any score or verdict"
_WITH_QUOTES_OF_THE_ANSWER = ("single", "claims", "per-claim", "combined", "qa")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ALTERATIONS)
def test_no_answer_fails_whatever_a_weaker_model_does(name: str, method: str) -> None:
    careful = judge_altered(method, ALTERATIONS["nothing"], LONG)
    judged = judge_altered(method, ALTERATIONS[name], LONG)
    for (_, expected, _), (_, result, _) in zip(careful, judged, strict=True):
        assert (result.state, result.error) == (State.JUDGED, None)
        if name == CUT_OFF:
            assert result.is_cut
            assert CUT_SHORT in result.warnings
            assert 0 < len(result.claims) < len(expected.claims)
            assert result.verdicts == expected.verdicts[: len(result.claims)]
        elif name == _UNSAID and method == "sentence":  # it also lowers the scores
            assert len(result.claims) == len(expected.claims)
        else:
            assert result.verdicts == expected.verdicts
            assert not result.is_cut


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", [_UNSAID, "copies its evidence from the answer"])
def test_verdicts_without_a_quote_from_a_chunk_are_counted_and_believed_less(name: str, method: str) -> None:
    careful = judge_altered(method, ALTERATIONS["nothing"], LONG)
    for (_, expected, _), (_, result, _) in zip(careful, judge_altered(method, ALTERATIONS[name], LONG), strict=True):
        unquoted = [number for number, c in enumerate(result.claims) if c.verdict is not Verdict.NOT_MENTIONED]
        assert (Weakness.UNQUOTED, len(unquoted)) in [read_weakness(warning) for warning in result.warnings]
        for number in unquoted:
            before, after = expected.claims[number], result.claims[number]
            assert before.support_score is not None
            assert after.support_score is not None
            assert after.support_score == 0.5 or abs(after.support_score - 0.5) < abs(before.support_score - 0.5)
            assert (before.confidence is None) or (after.confidence or 0) < before.confidence
            assert after.explanation.endswith(NO_QUOTE_GIVEN) == (name == _UNSAID)
        assert result.is_whole  # the same model would say the same again, so the verdicts are used again


@pytest.mark.parametrize("method", _WITH_QUOTES_OF_THE_ANSWER)
def test_claims_without_a_place_in_the_answer_are_counted_and_believed_less(method: str) -> None:
    careful = judge_altered(method, ALTERATIONS["nothing"], LONG)
    reworded = judge_altered(method, ALTERATIONS["rewords its quote of the answer"], LONG)
    for (_, expected, _), (_, result, server) in zip(careful, reworded, strict=True):
        assert not any(claim.is_anchored for claim in result.claims)
        assert (Weakness.UNPLACED, len(result.claims)) in [read_weakness(warning) for warning in result.warnings]
        confidences = [(a.confidence, b.confidence) for a, b in zip(expected.claims, result.claims, strict=True)]
        assert all(before is None or (after or 0) < before for before, after in confidences)
        # Once, for the list; a question of `qa` says where it comes from only to be shown.
        assert sum(is_again(call) for call in server.calls) == (method != "qa")


def _claims(*items: dict[str, Any], **more: Any) -> Say:
    return Say(text=json.dumps({"claims": list(items), "abstained": False, **more}))


_GOOD = {**CLAIMS[0], **CONTRADICTED}
_BARE = {**CLAIMS[1], **SUPPORTED, "evidence": []}


def test_a_missing_quote_is_asked_for_once_and_its_ruling_is_kept_with_a_mark() -> None:
    result, server = judge("single", SingleReply=[_claims(_GOOD, _BARE), _claims(_BARE)])
    assert result.verdicts == (Verdict.CONTRADICTED, Verdict.SUPPORTED)
    assert len(server.calls) == 2
    assert "claim 2 is supported, but no chunk is quoted" in server.calls[1].user
    assert result.claims[1].explanation == f"It says so. {NO_QUOTE_GIVEN}"
    assert result.claims[1].confidence == pytest.approx(0.45)
    assert result.claims[0].confidence == 0.8
    assert "The verdict on 1 claim needs a quote and has none that is in a chunk." in result.warnings


@pytest.mark.parametrize(
    "second",
    [
        Say(text="I have nothing to add."),
        Say(text="No.", finish="refused"),
        Say(text='{"claims": [', finish="truncated"),
        Say(text='{"claims": [{"text": "x"'),
        _claims({**_BARE, "text": "Something else.", "quote": "Something else."}),
        _claims(),
        Status(code=400, message="The prompt is too long."),
    ],
    ids=["prose", "a refusal", "a cut-off reply", "broken JSON", "another claim", "nothing", "an error"],
)
def test_a_missing_quote_never_fails_an_answer_whatever_comes_second(second: Answer) -> None:
    result, server = judge("single", SingleReply=[_claims(_GOOD, _BARE), second])
    assert result.verdicts == (Verdict.CONTRADICTED, Verdict.SUPPORTED)
    assert len(server.calls) == 2


def test_a_quote_that_comes_when_it_is_asked_for_is_used_without_a_mark() -> None:
    second = _claims({**CLAIMS[1], **SUPPORTED, "confidence": 0.7})
    result, _ = judge("single", SingleReply=[_claims(_GOOD, _BARE), second])
    assert result.claims[1].confidence == 0.7
    assert NO_QUOTE_GIVEN not in result.claims[1].explanation
    assert [read_weakness(warning) for warning in result.warnings] == [None]


_FULL = {**CLAIMS[1], **SUPPORTED}


@pytest.mark.parametrize(
    "again",
    [
        pytest.param((_GOOD, _FULL), id="as they were"),
        pytest.param(({**_GOOD, "text": "It costs 20."}, {**_FULL, "text": "Support is first-rate."}), id="reworded"),
        pytest.param((_FULL, _GOOD), id="in another order"),
        pytest.param((_GOOD, _FULL, {**_FULL, "text": "A third claim."}), id="with another claim"),
        pytest.param((_FULL,), id="the one that was asked for"),
        pytest.param(({**_FULL, "text": "Priority support is included."},), id="that one reworded, with its quote"),
    ],
)
def test_the_whole_list_sent_again_is_taken(again: tuple[dict[str, Any], ...]) -> None:
    result, server = judge("single", SingleReply=[_claims(_GOOD, _BARE), _claims(*again)])
    assert result.verdicts == (Verdict.CONTRADICTED, Verdict.SUPPORTED)
    assert [claim.confidence for claim in result.claims] == [0.8, 0.9]
    assert any(item.is_verified for item in result.claims[1].evidence)
    assert len(server.calls) == 2


def test_of_two_equal_claims_the_one_that_lacks_a_quote_gets_it() -> None:
    other = {**_GOOD, "evidence": []}
    result, _ = judge("single", SingleReply=[_claims(_GOOD, other), _claims({**_GOOD, "confidence": 0.6})])
    assert [claim.confidence for claim in result.claims] == [0.8, 0.6]


def test_after_a_cut_off_reply_the_claims_that_come_after_it_are_asked_for() -> None:
    text = _claims(_GOOD, _FULL).text
    cut = Say(text=text[: text.index('"verdict": "supported"')], finish="truncated")
    result, server = judge("single", SingleReply=[cut, _claims(_FULL)])
    assert result.verdicts == (Verdict.CONTRADICTED, Verdict.SUPPORTED)
    asked = server.calls[1].user
    assert "every claim of the answer that comes after claim 1 alone" in asked
    assert json.dumps({"claim": 1, "text": CLAIMS[0]["text"]}) in asked
    assert not result.is_cut
    assert result.warnings[0] == "Repaired: a reply was cut off, and the rest was requested."


@pytest.mark.parametrize("again", [(_GOOD, _FULL), (_FULL,)], ids=["the whole list", "the rest"])
def test_what_comes_after_a_cut_off_reply_is_not_counted_twice(again: tuple[dict[str, Any], ...]) -> None:
    text = _claims(_GOOD, _FULL).text
    cut = Say(text=text[: text.index('"verdict": "supported"')], finish="truncated")
    result, _ = judge("single", SingleReply=[cut, _claims(*again)])
    assert len(result.claims) == 2


@pytest.mark.parametrize("method", ["claims", "per-claim"])
def test_a_list_of_claims_that_stays_cut_off_is_used_as_far_as_it_goes(method: str) -> None:
    text = json.dumps(EXTRACTION)
    cut = Say(text=text[: text.index("priority support")], finish="truncated")
    result, _ = judge(
        method,
        Extraction=[cut, cut],
        Verification={"rulings": [{"claim": 1, **CONTRADICTED}]},
        OneRuling=CONTRADICTED,
    )
    assert result.verdicts == (Verdict.CONTRADICTED,)
    assert (result.is_cut, result.is_whole, result.warnings[0]) == (True, False, CUT_SHORT)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (95, 0.95),
        (95.0, 0.95),
        ("95", 0.95),
        ("95%", 0.95),
        ("about 95 percent", 0.95),
        ("0.95", 0.95),
        (".95", 0.95),
        ("9/10", 0.9),
        ("High", 0.9),
        ("High (0.9)", 0.9),
        ("VERY HIGH", 0.95),
        ("medium", 0.7),
        ("low", 0.5),
        ("certain", 0.99),
        ("Confidence: high", 0.9),
        (100, 1.0),
        (None, None),
        ("n/a", None),
        ("five stars", None),
        (7, None),  # of ten? of five?
        (-1, None),
    ],
)
def test_a_confidence_is_read_however_it_is_written(written: Any, read: float | None) -> None:
    result, _ = judge("single", SingleReply=[_claims({**_GOOD, "confidence": written})] * 2)
    assert result.state is State.JUDGED
    assert result.claims[0].confidence == read


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        ("Unverifiable", Verdict.NOT_MENTIONED),
        ("not enough info", Verdict.NOT_MENTIONED),
        ("NEI", Verdict.NOT_MENTIONED),
        ("NotMentioned", Verdict.NOT_MENTIONED),
        ("Neutral.", Verdict.NOT_MENTIONED),
        ("not supported by the given context", Verdict.NOT_MENTIONED),
        ("hallucinated", Verdict.NOT_MENTIONED),
        ("Refuted", Verdict.CONTRADICTED),
        ("contradicts", Verdict.CONTRADICTED),
        ("contradicted by chunk 1", Verdict.CONTRADICTED),
        ("entailed", Verdict.SUPPORTED),
        ("**Fully supported**", Verdict.SUPPORTED),
        ("supported in part", Verdict.PARTIALLY_SUPPORTED),
        ("mostly supported", Verdict.PARTIALLY_SUPPORTED),
    ],
)
def test_common_words_for_a_verdict_are_read(words: str, verdict: Verdict) -> None:
    result, server = judge("single", SingleReply=[_claims({**_GOOD, "verdict": words})])
    assert (result.verdicts, len(server.calls)) == ((verdict,), 1)


@pytest.mark.parametrize("words", ["supported with reservations", "supported, but only for Plus", "not refuted"])
def test_a_word_that_says_more_than_a_verdict_is_not_guessed_at(words: str) -> None:
    result, _ = judge("single", SingleReply=[_claims({**_GOOD, "verdict": words})] * 4)
    assert result.state is State.FAILED


def test_a_claim_without_a_quote_is_found_by_its_text() -> None:
    unquoted = {name: value for name, value in _GOOD.items() if name != "quote"}
    result, server = judge("single", SingleReply=[_claims(unquoted)])
    assert len(server.calls) == 1
    assert [span.of(SAMPLE.answer) for span in result.claims[0].spans] == ["The plan costs 20 euros a month."]


def test_a_claim_whose_quote_is_not_in_the_answer_is_asked_for_once() -> None:
    reworded = {**_GOOD, "quote": "a price of twenty euros"}
    result, server = judge("single", SingleReply=[_claims(reworded), _claims(_GOOD)])
    assert "claim 1 has a `quote` that is not in the answer; copy words of the answer" in server.calls[1].user
    assert result.claims[0].is_anchored
    result, server = judge("single", SingleReply=[_claims(reworded), _claims(reworded)])
    assert len(server.calls) == 2
    assert result.claims[0].confidence == pytest.approx(0.6)
    assert "The words of 1 claim were not found in the answer." in result.warnings
