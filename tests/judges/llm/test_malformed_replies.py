"""What a model writes is read where it is clear; the rest is asked for again, and nothing is made up."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithview.domain.claim import ClaimType, Importance, Verdict
from faithview.domain.result import State
from faithview.judges.llm.client import Finish, Reply
from faithview.judges.llm.replies.reading import Unusable, read_reply
from faithview.judges.llm.replies.schemas import Extraction, Ruling, SingleReply, Verification, lean_schema
from tests.judges.llm.hand_worked import CLAIMS, CONTRADICTED, EXTRACTION, SUPPORTED, VERIFICATION, judge
from tests.judges.llm.server import Say

_QUOTE = {"chunk": 1, "quote": "Prices: the plan costs 25 euros"}
_GOOD: dict[str, Any] = {
    "evidence": [_QUOTE],
    "explanation": "It says so.",
    "verdict": "supported",
    "confidence": 0.9,
    "problem": None,
}
_TEXT = json.dumps(_GOOD)
_EXACT = {"as asked": _TEXT, "white space around it": f"\n  {_TEXT}\n"}
_READ = {
    "a byte order mark": f"\ufeff{_TEXT}",
    "reasoning before it": f"<think>The draft is {{}}.</think>\n\n{_TEXT}",
    "a draft in the reasoning": f'<think>{{"verdict": "contradicted"}}</think>{_TEXT}',
    "reasoning whose beginning is in the prompt": f"So it is supported.\n</think>\n{_TEXT}",
    "channels": f"<|channel|>analysis<|message|>Hm.<|end|><|channel|>final<|message|>{_TEXT}",
    "a code fence": f"```json\n{_TEXT}\n```",
    "a code fence that does not end": f"```json\n{_TEXT}",
    "prose around it": f"Here is my ruling: {_TEXT}\n\nI hope this helps.",
    "braces in the prose": f"I judged the set {{a, b}} and the list [1]. {_TEXT}",
    "the same object twice": f"{_TEXT}\n{_TEXT}",
    "another object besides": f'{{"note": "thinking"}}\n{_TEXT}',
    "a line end in a string": _TEXT.replace("It says so.", "It says\nso."),
    "another case, with a full stop": json.dumps({**_GOOD, "verdict": " Supported."}),
    "another word for the label": json.dumps({**_GOOD, "verdict": "Entailed"}),
    "a label for a verdict": _TEXT.replace("verdict", "label"),
    "a number as text": json.dumps({**_GOOD, "confidence": "0.9"}),
    "a percentage": json.dumps({**_GOOD, "confidence": "about 90 %"}),
    "a confidence of 100": json.dumps({**_GOOD, "confidence": 90}),
    "a confidence of 10": json.dumps({**_GOOD, "confidence": "9/10"}),
    "a confidence in words": json.dumps({**_GOOD, "confidence": "high"}),
    "a chunk with its name": json.dumps({**_GOOD, "evidence": [{**_QUOTE, "chunk": "chunk 1"}]}),
    "one quote instead of a list": json.dumps({**_GOOD, "evidence": _QUOTE}),
    "n/a for null": json.dumps({**_GOOD, "problem": "N/A"}),
    "an empty problem": json.dumps({**_GOOD, "problem": {}}),
    "no explanation": json.dumps({k: v for k, v in _GOOD.items() if k != "explanation"}),
    "an unknown field": json.dumps({**_GOOD, "thoughts": "many"}),
}
_REFUSED = {
    "nothing": ("", "the reply was empty"),
    "an apology": ("I'm sorry, but I cannot help with that.", "has no JSON object"),
    "reasoning without an end": (f"<think>Perhaps {_TEXT}", "the reply was empty"),
    "a beginning": (_TEXT[:40], "Invalid JSON"),
    "all but the last bracket": (_TEXT[:-1], "Invalid JSON"),
    "two objects that differ": (f"{_TEXT} {_TEXT.replace('supported', 'contradicted')}", "2 JSON objects that differ"),
    "a missing comma": (_TEXT.replace(', "verdict"', ' "verdict"'), "Invalid JSON"),
    "an unknown word": (json.dumps({**_GOOD, "verdict": "TRUE"}), "verdict must be one of 'supported'"),
    "a truth value as a label": (json.dumps({**_GOOD, "verdict": True}), "verdict must be one of"),
    "no label": (json.dumps({k: v for k, v in _GOOD.items() if k != "verdict"}), "verdict is missing"),
    "another object": ('{"judgement": "supported"}', "no JSON object with `evidence`"),
    "the schema itself": (json.dumps(lean_schema(Ruling)), "no JSON object with `evidence`"),
    "brackets without an end": ('{"evidence": ' + "[" * 100_000, "nests too deep"),
    "a list of words": ('["supported"]', "no JSON object"),
}


@pytest.mark.parametrize("name", _EXACT | _READ)
def test_a_reply_that_can_be_read_is_read(name: str) -> None:
    found = read_reply(Reply(text=(_EXACT | _READ)[name]), Ruling)
    assert (found.value.verdict.value, found.value.confidence) == ("supported", 0.9)
    assert [(quote.chunk, quote.quote) for quote in found.value.evidence] == [(1, _QUOTE["quote"])]
    assert found.is_exact == (name in _EXACT)


@pytest.mark.parametrize("name", _REFUSED)
def test_a_reply_that_cannot_be_read_is_refused_with_the_reason(name: str) -> None:
    text, told = _REFUSED[name]
    with pytest.raises(Unusable, match=told):
        read_reply(Reply(text=text), Ruling)


@given(st.text() | st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists).map(json.dumps))
def test_whatever_a_model_writes_is_read_or_refused(text: str) -> None:
    for written in (text, f'{{"claims": {text}, "abstained": {text}}}'):
        for finish in Finish:
            with suppress(Unusable):
                assert isinstance(read_reply(Reply(text=written, finish=finish), Extraction).value, Extraction)


def test_json_that_a_broken_reply_quotes_is_never_taken_for_the_reply() -> None:
    planted = '{"verdict": "supported", "confidence": 1, "evidence": []}'
    for text in (f'{{"explanation": "The answer says {planted}", "verdict": ', f'{{"explanation": "{planted}"}}'):
        with pytest.raises(Unusable):
            read_reply(Reply(text=text), Ruling)


def test_only_whole_items_of_a_cut_off_list_are_read() -> None:
    text = json.dumps(EXTRACTION)
    for length in range(len(text)):
        with pytest.raises(Unusable):
            read_reply(Reply(text=text[:length]), Extraction)
    second = text.index(CLAIMS[1]["text"])
    cut = read_reply(Reply(text=text[: second + 5], finish=Finish.TRUNCATED), Extraction)
    assert cut.is_cut
    assert [claim.text for claim in cut.value.claims] == [CLAIMS[0]["text"]]


def test_what_decides_nothing_is_left_out_where_it_cannot_be_read() -> None:
    claim = {**CLAIMS[0], **CONTRADICTED, "type": "Definition", "importance": "very", "confidence": "perhaps"}
    reply = read_reply(Reply(text=json.dumps({"claims": [claim], "suggestions": "Say less."})), SingleReply).value
    (found,) = reply.claims
    assert (found.type, found.importance, found.confidence) == (ClaimType.DEFINITION, None, None)
    assert reply.suggestions == ["Say less."]
    assert (
        Importance.LOW.value
        in lean_schema(SingleReply)["properties"]["claims"]["items"]["properties"]["importance"]["enum"]
    )


@pytest.mark.parametrize("schema", [SingleReply, Verification])
def test_a_schema_asks_for_every_field_and_no_other(schema: Any) -> None:
    def check(part: dict[str, Any]) -> None:
        if part.get("type") == "object":
            assert part["required"] == list(part["properties"])
            assert part["additionalProperties"] is False
        inner = [*part.get("properties", {}).values(), *part.get("anyOf", []), *filter(None, [part.get("items")])]
        assert set(part) <= {"type", "enum", "items", "anyOf", "properties", "required", "additionalProperties"}
        for one in inner:
            check(one)

    check(lean_schema(schema))


def _verification(*rulings: dict[str, Any]) -> Say:
    return Say(text=json.dumps({"rulings": list(rulings), "suggestions": []}))


def test_a_list_without_one_ruling_is_asked_for_again() -> None:
    first = _verification({"claim": 1, **CONTRADICTED}, {"claim": 2, **SUPPORTED, "verdict": "perhaps"})
    second = Say(text=json.dumps(VERIFICATION))
    result, server = judge("claims", Extraction=EXTRACTION, Verification=[first, second])
    assert result.verdicts == (Verdict.CONTRADICTED, Verdict.SUPPORTED)
    assert "rulings.1.verdict must be one of" in server.calls[-1].user
    assert "perhaps" not in server.calls[-1].user  # what the model wrote may be hostile
    assert result.warnings == ("Repaired: a reply was requested again.",)
    assert result.is_whole


def test_a_cut_off_list_is_asked_for_again_and_its_whole_items_are_used_if_that_is_cut_off_too() -> None:
    whole = json.dumps({"rulings": [{"claim": 1, **CONTRADICTED}, {"claim": 2, **SUPPORTED}]})
    cut = Say(text=whole[: whole.index('"supported"') + 20], finish="truncated")
    result, _ = judge("claims", Extraction=EXTRACTION, Verification=[cut, Say(text=json.dumps(VERIFICATION))])
    assert result.verdicts == (Verdict.CONTRADICTED, Verdict.SUPPORTED)
    assert not result.is_cut
    result, server = judge("claims", Extraction=EXTRACTION, Verification=[cut, cut])
    assert result.verdicts == (Verdict.CONTRADICTED,)
    assert result.is_cut
    assert not result.is_whole
    assert [call.body["max_completion_tokens"] for call in server.calls] == [16_000, 16_000, 32_000]


def test_an_answer_without_claims_must_say_whether_it_abstains() -> None:
    silent = Say(text='{"claims": []}')
    result, server = judge("claims", Extraction=[silent, {"claims": [], "abstained": True}])
    assert result.state is State.ABSTAINED
    assert "abstained is missing" in server.calls[1].user
