"""Answers without claims, replies that leave something out, and figures beside faithfulness."""

import json
from typing import Any

import pytest

from faithview.domain.claim import Verdict
from faithview.domain.result import State
from faithview.domain.sample import Sample
from tests.judges.llm.hand_worked import (
    CLAIMS,
    CONTRADICTED,
    EXTRACTION,
    SUPPORTED,
    VERIFICATION,
    check_two_claims,
    judge,
)
from tests.judges.llm.server import Say

_NO_CLAIMS: dict[str, dict[str, Any]] = {
    "claims": {"Extraction": {"claims": []}},
    "single": {"SingleReply": {"claims": []}},
    "per-claim": {"Extraction": {"claims": []}},
    "qa": {"Questions": {"questions": []}},
}


@pytest.mark.parametrize("method", _NO_CLAIMS)
@pytest.mark.parametrize(("abstained", "state"), [(True, State.ABSTAINED), (False, State.NO_CLAIMS)])
def test_an_answer_without_claims_ends_after_the_first_call(method: str, abstained: bool, state: State) -> None:
    by_schema: dict[str, Any] = {name: {**reply, "abstained": abstained} for name, reply in _NO_CLAIMS[method].items()}
    result, server = judge(method, **by_schema)
    assert (result.state, result.faithfulness, len(server.calls)) == (state, None, 1)


@pytest.mark.parametrize(
    ("sample", "state"),
    [
        (Sample.of("  ", ["Text."]), State.NO_CLAIMS),
        (Sample.of("An answer.", []), State.EMPTY_CONTEXT),
        (Sample.of("An answer.", [" \n"]), State.EMPTY_CONTEXT),
    ],
)
def test_nothing_to_judge_makes_no_call(sample: Sample, state: State) -> None:
    result, server = judge("claims", sample=sample)
    assert result.state is state
    assert server.calls == []
    assert result.usage.llm_calls == 0


_MADE_UP = [{"chunk": 1, "quote": "It includes “priority support”"}]
_NOWHERE = [{"chunk": 9, "quote": "words that stand nowhere"}]
_INCOMPLETE = [
    ("a claim without a verdict", {"rulings": [{"claim": 1, **CONTRADICTED}]}, "claim 2 is missing"),
    (
        "two verdicts for a claim",
        {"rulings": [{"claim": 1, **CONTRADICTED}, {"claim": 2, **SUPPORTED}, {"claim": 2, **CONTRADICTED}]},
        "claim 2 comes more than once, with different content",
    ),
    (
        "a claim that is not there",
        {"rulings": [{"claim": n, **CONTRADICTED} for n in (1, 2, 3)]},
        "there is no claim 3: the last is 2",
    ),
    (
        "claims numbered from 0",
        {"rulings": [{"claim": n, **CONTRADICTED} for n in (0, 1)]},
        "there is no claim 0: the last is 2",
    ),
    (
        "a fifth verdict",
        {"rulings": [{"claim": 1, **CONTRADICTED}, {"claim": 2, **SUPPORTED, "verdict": "true"}]},
        "rulings.1.verdict must be one of 'supported', 'partially_supported', 'not_mentioned' or 'contradicted'",
    ),
]
_FLAWED = [
    (
        "a chunk that is not there",
        {"rulings": [{"claim": 1, **CONTRADICTED, "evidence": _NOWHERE}, {"claim": 2, **SUPPORTED}]},
        "claim 1 quotes chunk 9, which does not exist: the last is 2",
    ),
    (
        "support from nowhere",
        {"rulings": [{"claim": 1, **CONTRADICTED}, {"claim": 2, **SUPPORTED, "evidence": []}]},
        "claim 2 is supported, but no quote of it is in a chunk",
    ),
    (
        "support from the answer",
        {"rulings": [{"claim": 1, **CONTRADICTED}, {"claim": 2, **SUPPORTED, "evidence": _MADE_UP}]},
        "claim 2 is supported, but no quote of it is in a chunk",
    ),
]


@pytest.mark.parametrize(("reply", "told"), [case[1:] for case in _INCOMPLETE], ids=[case[0] for case in _INCOMPLETE])
def test_an_incomplete_verification_is_repaired_with_what_was_wrong(reply: dict[str, Any], told: str) -> None:
    incomplete = Say(text=json.dumps(reply))
    good = Say(text=json.dumps(VERIFICATION))
    result, server = judge("claims", Extraction=EXTRACTION, Verification=[incomplete, good])
    check_two_claims(result)
    assert told in server.calls[2].user
    assert len(server.calls) == 3
    result, _ = judge("claims", Extraction=EXTRACTION, Verification=[incomplete] * 4)
    assert result.state is State.FAILED  # nothing is made up for what is missing
    assert result.raw_reply == incomplete.text


@pytest.mark.parametrize(("reply", "told"), [case[1:] for case in _FLAWED], ids=[case[0] for case in _FLAWED])
def test_a_ruling_that_is_enough_is_asked_for_once_more_and_then_used(reply: dict[str, Any], told: str) -> None:
    flawed = Say(text=json.dumps(reply))
    good = Say(text=json.dumps(VERIFICATION))
    result, server = judge("claims", Extraction=EXTRACTION, Verification=[flawed, good])
    check_two_claims(result)
    assert told in server.calls[2].user
    assert len(server.calls) == 3
    result, server = judge("claims", Extraction=EXTRACTION, Verification=[flawed, flawed])
    assert result.verdicts == (Verdict.CONTRADICTED, Verdict.SUPPORTED)
    assert len(server.calls) == 3


def test_a_reply_with_characters_that_cannot_be_stored_is_made_storable() -> None:
    extraction = {"claims": [{**CLAIMS[0], "text": "NUL \x00 here"}], "abstained": False}
    verification = {"rulings": [{"claim": 1, **CONTRADICTED}]}
    result, _ = judge("claims", Extraction=extraction, Verification=verification)
    assert result.claims[0].text == "NUL \ufffd here"


def test_companion_figures_take_one_call_and_never_touch_faithfulness() -> None:
    companions = {"answer_relevance": 0.25, "chunks": [{"chunk": 2, "relevance": 0}, {"chunk": 1, "relevance": 1}]}
    by_schema: dict[str, Any] = {"Extraction": EXTRACTION, "Verification": VERIFICATION, "Companions": companions}
    result, server = judge("claims", options={"companions": "yes"}, **by_schema)
    check_two_claims(result)
    assert result.metrics == {
        "answer_relevance": 0.25,
        "context_relevance": 0.5,
        "context_relevance[kb-7]": 1,
        "context_relevance[kb-9]": 0,
    }
    assert result.usage.llm_calls == len(server.calls) == 3
    without, server = judge("claims", **by_schema)
    assert (without.metrics, len(server.calls)) == ({}, 2)


def test_an_answer_stays_judged_without_companion_figures_and_says_so() -> None:
    by_schema: dict[str, Any] = {
        "Extraction": EXTRACTION,
        "Verification": VERIFICATION,
        "Companions": Say(text="no"),
    }
    result, _ = judge("claims", options={"companions": "yes"}, **by_schema)
    check_two_claims(result)
    assert result.metrics == {}
    assert "No relevance figures" in result.warnings[0]
    assert result.usage.llm_calls == 2 + 4
