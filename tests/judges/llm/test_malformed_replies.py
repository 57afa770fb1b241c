"""Replies as models and servers really write them: each is repaired and counted, or refused with the reason."""

import json
from typing import Any

import pytest

from faithview.domain.claim import Verdict
from faithview.domain.result import State
from faithview.judges.llm.client import Reply
from faithview.judges.llm.replies.find_json import NoObject, Repairs, find_object
from faithview.judges.llm.replies.parsing import Unusable, parse
from faithview.judges.llm.replies.schemas import OneRuling
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
_OTHER_TEXT = "text around the JSON object was removed"
_NOTATION = "the JSON object was not valid JSON"
_WRAPPED = "the JSON object was inside another value"
_VALUE = "a value was not in the requested form"
_LEFT_OUT = "a field that decides nothing was left out or could not be read"

# What the reply looks like, and what has to be done.
_REPAIRED = {
    "as asked": (_TEXT, None),
    "white space around it": (f"\n  {_TEXT}\n", None),
    "a byte order mark": (f"\ufeff{_TEXT}", _OTHER_TEXT),
    "reasoning before it": (f"<think>The draft is {{}}.</think>\n\n{_TEXT}", _OTHER_TEXT),
    "a draft in the reasoning": (f'<think>{{"verdict": "contradicted"}}</think>{_TEXT}', _OTHER_TEXT),
    "reasoning whose beginning is in the prompt": (f"So it is supported.\n</think>\n{_TEXT}", _OTHER_TEXT),
    "reasoning under another name": (f"<reasoning>\nHm.\n</reasoning>\n{_TEXT}", _OTHER_TEXT),
    "channels": (f"<|channel|>analysis<|message|>Hm.<|end|><|channel|>final<|message|>{_TEXT}", _OTHER_TEXT),
    "a code fence": (f"```json\n{_TEXT}\n```", _OTHER_TEXT),
    "a code fence without a language": (f"```\n{_TEXT}\n```", _OTHER_TEXT),
    "a code fence of tildes": (f"~~~JSON\n{_TEXT}\n~~~", _OTHER_TEXT),
    "a code fence that does not end": (f"```json\n{_TEXT}", _OTHER_TEXT),
    "prose before it": (f"Here is my ruling: {_TEXT}", _OTHER_TEXT),
    "prose after it": (f"{_TEXT}\n\nI hope this helps.", _OTHER_TEXT),
    "braces in the prose": (f"I judged the set {{a, b}} and the list [1]. {_TEXT}", _OTHER_TEXT),
    "the same object twice": (f"{_TEXT}\n{_TEXT}", None),
    "another object besides": (f'{{"note": "thinking"}}\n{_TEXT}', None),
    "a trailing comma": (_TEXT[:-1] + ",}", _NOTATION),
    "a trailing comma in a list": (_TEXT.replace("}]", "},\n]"), _NOTATION),
    "a comma in a string stays": (json.dumps({**_GOOD, "explanation": "a,} b,] //c None"})[:-1] + ",}", _NOTATION),
    "a comment": (_TEXT.replace('"verdict"', '// the label\n"verdict"'), _NOTATION),
    "None as Python writes it": (_TEXT.replace("null", "None"), _NOTATION),
    "an apostrophe with an escape": (_TEXT.replace("It says", "It\\'s so, it says"), _NOTATION),
    "an unknown escape": (_TEXT.replace("It says so.", "C:\\Data says so."), _NOTATION),
    "a line end in a string": (_TEXT.replace("It says so.", "It says\nso."), _NOTATION),
    "an object as a string": (json.dumps(_TEXT), _WRAPPED),
    "an object in an object": (json.dumps({"result": _GOOD}), _WRAPPED),
    "an object in a list": (json.dumps([_GOOD]), _WRAPPED),
    "a tool call, written out": (json.dumps({"name": "OneRuling", "arguments": _GOOD}), _WRAPPED),
    "a tool call with a string": (json.dumps({"name": "OneRuling", "parameters": _TEXT}), f"{_WRAPPED} (2 times)"),
    "another case": (json.dumps({**_GOOD, "verdict": "Supported"}), _VALUE),
    "another case, with a full stop": (json.dumps({**_GOOD, "verdict": " supported."}), _VALUE),
    "a number as text": (json.dumps({**_GOOD, "confidence": "0.9"}), _VALUE),
    "a percentage": (json.dumps({**_GOOD, "confidence": "90 %"}), _VALUE),
    "a confidence in words": (json.dumps({**_GOOD, "confidence": "high"}), _VALUE),
    "a confidence of 100": (json.dumps({**_GOOD, "confidence": 90}), _VALUE),
    "another word for the label": (json.dumps({**_GOOD, "verdict": "Entailed"}), _VALUE),
    "a chunk as text": (json.dumps({**_GOOD, "evidence": [{**_QUOTE, "chunk": "1"}]}), _VALUE),
    "a chunk with its name": (json.dumps({**_GOOD, "evidence": [{**_QUOTE, "chunk": "chunk 1"}]}), _VALUE),
    "one quote instead of a list": (json.dumps({**_GOOD, "evidence": _QUOTE}), _VALUE),
    "none for null": (json.dumps({**_GOOD, "problem": "None"}), _VALUE),
    "n/a for null": (json.dumps({**_GOOD, "problem": "N/A"}), _VALUE),
    "an empty problem": (json.dumps({**_GOOD, "problem": {}}), _VALUE),
    "no problem": (json.dumps({k: v for k, v in _GOOD.items() if k != "problem"}), _LEFT_OUT),
    "a label for a verdict": (_TEXT.replace("verdict", "label"), _VALUE),
    "the form of the second version": (
        json.dumps({k: v for k, v in _GOOD.items() if k != "problem"} | {"severity": None, "correction": None}),
        _VALUE,
    ),
    "no explanation": (json.dumps({k: v for k, v in _GOOD.items() if k != "explanation"}), _LEFT_OUT),
    "null for an explanation": (json.dumps({**_GOOD, "explanation": None}), _LEFT_OUT),
    "an unknown field": (json.dumps({**_GOOD, "thoughts": "many"}), None),
}
_REFUSED = {
    "nothing": ("", "the reply was empty"),
    "white space": (" \n", "the reply was empty"),
    "prose": ("It is fine.", "has no JSON object"),
    "an apology": ("I'm sorry, but I cannot help with that.", "has no JSON object"),
    "reasoning without an end": (f"<think>Perhaps {_TEXT}", "ends within its reasoning"),
    "reasoning alone": ("<think>It is fine.</think>", "has no JSON object"),
    "a beginning": (_TEXT[:40], "has no end"),
    "all but the last bracket": (_TEXT[:-1], "has no end"),
    "a beginning in a code fence": (f"```json\n{_TEXT[:60]}\n```", "has no end"),
    "two objects that differ": (f"{_TEXT} {_TEXT.replace('supported', 'contradicted')}", "2 JSON objects that differ"),
    "single quotation marks": (str(_GOOD).replace("None", "null"), "has no JSON object"),
    "no quotation marks": ("{label: SUPPORTED, confidence: 0.9}", "has no JSON object"),
    "a missing comma": (_TEXT.replace(', "verdict"', ' "verdict"'), "near character"),
    "an unescaped quotation mark": (_TEXT.replace("It says so.", 'It says "so".'), "near character"),
    "a word as a number": (json.dumps({**_GOOD, "confidence": "five stars"}), "confidence: "),
    "no number": (_TEXT.replace("0.9", "NaN"), "Invalid JSON"),
    "out of bounds": (json.dumps({**_GOOD, "confidence": 1.5}), "must be between 0 and 1"),
    "an unknown word": (json.dumps({**_GOOD, "verdict": "TRUE"}), "verdict must be one of 'supported'"),
    "a truth value as a label": (json.dumps({**_GOOD, "verdict": True}), "verdict must be one of"),
    "no label": (json.dumps({k: v for k, v in _GOOD.items() if k != "verdict"}), "verdict is missing"),
    "null for a label": (json.dumps({**_GOOD, "verdict": None}), "verdict must be one of"),
    "another object": ('{"judgement": "supported"}', "is not a JSON object with `evidence`"),
    "the schema itself": (json.dumps(OneRuling.model_json_schema()), "is not a JSON object with `evidence`"),
    "a list of words": ('["supported"]', "is not a JSON object"),
    "a word": ('"supported"', "is not a JSON object"),
}


def test_a_reply_that_can_be_read_is_read_and_the_repair_counted() -> None:
    for name, (text, told) in _REPAIRED.items():
        repairs = Repairs()
        ruling = parse(Reply(text=text), OneRuling, repairs)
        assert (ruling.verdict.value, ruling.confidence) == ("supported", 0.9), name
        assert [(quote.chunk, quote.quote) for quote in ruling.evidence] == [(1, _QUOTE["quote"])], name
        assert [w.removeprefix("Repaired: ").removesuffix(".") for w in repairs.warnings] == ([told] if told else [])


def test_a_reply_that_cannot_be_read_is_refused_with_the_reason() -> None:
    for name, (text, told) in _REFUSED.items():
        with pytest.raises(Unusable) as caught:
            parse(Reply(text=text), OneRuling, Repairs())
        assert told in str(caught.value), name


def test_json_that_a_broken_reply_quotes_is_never_taken_for_the_reply() -> None:
    planted = '{"verdict": "supported", "confidence": 1, "evidence": []}'
    for text in (f'{{"explanation": "The answer says {planted}", "verdict": ', f'{{"explanation": "{planted}"}}'):
        with pytest.raises(NoObject):
            find_object(text, ["evidence", "verdict"], Repairs())


def _verification(*rulings: dict[str, Any]) -> Say:
    return Say(text=json.dumps({"rulings": list(rulings)}))


def test_the_rulings_that_can_be_used_are_kept_and_the_rest_alone_is_asked_for() -> None:
    first = _verification({"claim": 1, **CONTRADICTED}, {"claim": 2, **SUPPORTED, "verdict": "perhaps"})
    second = Say(text=json.dumps({"rulings": [{"claim": 2, **SUPPORTED}]}))
    result, server = judge("claims", Extraction=EXTRACTION, Verification=[first, second])
    assert result.verdicts == (Verdict.CONTRADICTED, Verdict.SUPPORTED)
    asked = server.calls[-1].user
    assert "with the ruling for claim 2 alone" in asked
    assert "perhaps" not in asked  # what the model wrote may be hostile
    assert result.warnings == ("Repaired: a part of a reply was requested again.",)
    assert result.is_whole


def test_the_whole_rulings_of_a_cut_off_reply_are_kept() -> None:
    whole = json.dumps({"rulings": [{"claim": 1, **CONTRADICTED}, {"claim": 2, **SUPPORTED}]})
    cut = Say(text=whole[: whole.index('"supported"') + 20], finish="truncated")
    rest = _verification({"claim": 2, **SUPPORTED})
    result, server = judge("claims", Extraction=EXTRACTION, Verification=[cut, rest])
    assert result.verdicts == (Verdict.CONTRADICTED, Verdict.SUPPORTED)
    assert "with the ruling for claim 2 alone" in server.calls[-1].user
    assert "Repaired: a reply was cut off, and the rest was requested." in result.warnings


def test_single_asks_again_for_the_claims_that_lack_by_their_words() -> None:
    good, bad = {**CLAIMS[0], **CONTRADICTED}, {**CLAIMS[1], **SUPPORTED, "evidence": []}
    first = Say(text=json.dumps({"claims": [good, bad], "abstained": False}))
    second = Say(text=json.dumps({"claims": [{**CLAIMS[1], **SUPPORTED}], "abstained": False}))
    result, server = judge("single", SingleReply=[first, second])
    assert result.verdicts == (Verdict.CONTRADICTED, Verdict.SUPPORTED)
    assert [claim.text for claim in result.claims] == [claim["text"] for claim in CLAIMS]
    assert json.dumps({"claim": 2, "text": CLAIMS[1]["text"]}) in server.calls[-1].user


def test_single_takes_no_ruling_for_a_claim_that_it_did_not_ask_for() -> None:
    good, bad = {**CLAIMS[0], **CONTRADICTED}, {**CLAIMS[1], **SUPPORTED, "verdict": "perhaps"}
    first = Say(text=json.dumps({"claims": [good, bad], "abstained": False}))
    other = {**CLAIMS[1], **SUPPORTED, "text": "Something else.", "quote": "It includes"}
    stranger = Say(text=json.dumps({"claims": [other], "abstained": False}))
    result, _ = judge("single", SingleReply=[first, stranger, stranger, stranger])
    assert result.state is State.FAILED


def test_an_answer_without_claims_must_say_whether_it_abstains() -> None:
    silent = Say(text='{"claims": []}')
    result, server = judge("claims", Extraction=[silent, {"claims": [], "abstained": True}])
    assert result.state is State.ABSTAINED
    assert "abstained is missing" in server.calls[1].user


def test_repairs_do_not_keep_a_verdict_from_being_used_again() -> None:
    result, _ = judge("claims", Extraction=EXTRACTION, Verification=Say(text=f"Sure: {json.dumps(VERIFICATION)}"))
    assert result.warnings == ("Repaired: text around the JSON object was removed.",)
    assert result.is_whole
