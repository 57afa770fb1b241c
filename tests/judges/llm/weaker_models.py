"""The replies of a careful model for every method, and the same replies as weaker models would write them.

The careful replies follow from those written by hand for `single`. Each alteration changes them mechanically, in every
reply of the model, so an answer that is judged needed no reply that was as asked.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any

from faithview.domain.result import Result
from tests.judges.llm.judging import judge_against
from tests.judges.llm.server import Request, Say, Server, fenced, structure
from tests.judges.llm.written_replies import CASES, Case, reply

METHODS = ("single", "claims", "per-claim", "nli", "sentence", "qa", "combined")

Alter = Callable[[dict[str, Any], Request, Case], Say]

_LISTS = ("claims", "rulings", "sentences", "questions", "answers", "comparisons")
_LABELS = {
    "supported": ("entailment", "same"),
    "partially_supported": ("neutral", "partly"),
    "not_mentioned": ("neutral", "different"),
    "contradicted": ("contradiction", "different"),
}
_REWORDED = "One reads: "
# The list in the prompt of a step.
_LISTED = {
    "Comparisons": "comparisons",
    "ContextAnswers": "questions",
    "Verification": "claims",
    "NliReply": "sentences",
    "SentenceReply": "sentences",
}
_SCORES = {"supported": 1, "partially_supported": 0.5, "not_mentioned": 0, "contradicted": 0}
_WORST_FIRST = ("contradicted", "not_mentioned", "partially_supported", "supported")


def judge_altered(method: str, alter: Alter, cases: Sequence[Case] = CASES) -> list[tuple[Case, Result, Server]]:
    """Judge each case with a model that replies carefully, but for the alteration."""
    judged = []
    for case in cases:

        def script(request: Request, case: Case = case) -> Say:
            return alter(careful(request, case), request, case)

        (result,), server = judge_against(script, [case.sample], method=method)
        judged.append((case, result, server))
    return judged


def merged(cases: Sequence[Case]) -> Case:
    """Several answers as one, with the claims and the chunks of all."""
    chunks: list[str] = []
    claims: list[dict[str, Any]] = []
    for case in cases:
        for claim in json.loads(case.careful)["claims"]:
            evidence = [{**quote, "chunk": quote["chunk"] + len(chunks)} for quote in claim["evidence"]]
            claims.append({**claim, "evidence": evidence})
        chunks += case.chunks
    return Case(
        name=" + ".join(case.name for case in cases),
        question=cases[0].question,
        chunks=tuple(chunks),
        answer=" ".join(case.answer for case in cases),
        careful=reply(*claims),
        careless="",
        verdicts=tuple(verdict for case in cases for verdict in case.verdicts),
        quotes=(0, 0),
    )


_CLAIMING = [case for case in CASES if case.verdicts]
# Answers of several claims, so a reply that is cut off has whole ones before its end.
LONG = tuple(merged(_CLAIMING[first : first + 4]) for first in range(0, len(_CLAIMING) - 3, 3))


def is_again(request: Request) -> bool:
    """Whether the model was told that something of an earlier reply is missing."""
    return "our earlier reply" in request.user and "could not be used" in request.user


def careful(request: Request, case: Case) -> dict[str, Any]:
    """The careful model's reply to this request."""
    whole = json.loads(case.careful)
    claims: list[dict[str, Any]] = whole["claims"]
    by_text = {text: claim for claim in claims for text in (claim["text"], f"{_REWORDED}{claim['text']}")}
    stated = [{name: claim[name] for name in ("quote", "text")} for claim in claims]
    schema = _schema_of(request)
    listed = [json.loads(line) for line in fenced(request.user, _LISTED.get(schema, "")).split("\n") if line]
    match schema:
        case "Extraction":
            return {"claims": stated, "abstained": whole["abstained"]}
        case "Verification":
            rulings = [{"claim": item["claim"], **_ruling(by_text[item["text"]])} for item in listed]
            return {"rulings": rulings}
        case "OneRuling":
            return _ruling(by_text[fenced(request.user, "claim")])
        case "NliReply":
            return {"sentences": [_labelled(item, claims) for item in listed], "abstained": whole["abstained"]}
        case "SentenceReply":
            return {"sentences": [_scored(item, claims) for item in listed], "abstained": whole["abstained"]}
        case "Questions":
            asked = [{"question": f"{c['text']} Is it so?", "answer": "Yes.", "quote": c["quote"]} for c in claims]
            return {"questions": asked, "abstained": whole["abstained"]}
        case "ContextAnswers":
            return {"answers": [_answered(item, by_text) for item in listed]}
        case "Comparisons":
            return {"comparisons": [_compared(item, by_text) for item in listed]}
    return dict(whole)


def _schema_of(request: Request) -> str:
    """What is asked; a server that was found not to heed schemas gets none, and the prompt's data tells."""
    if request.schema:
        return request.schema
    inside = structure(request.user).inside
    if "sentences" in inside:
        return "SentenceReply" if "`is_claim`" in request.system else "NliReply"
    if "claim" in inside:
        return "OneRuling"
    asked = next((schema for schema, name in _LISTED.items() if name in inside), None)
    if asked is not None and not is_again(request):
        return asked
    return "SingleReply" if "chunk 1" in inside else "Questions" if "`question`" in request.system else "Extraction"


def _ruling(claim: dict[str, Any]) -> dict[str, Any]:
    return {name: claim[name] for name in claim if name not in ("quote", "text")}


def _of_sentence(item: dict[str, Any], claims: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The worst of the claims that a sentence makes; None if it makes none."""
    made = [claim for claim in claims if claim["quote"].strip(".") in item["text"]]
    return min(made, key=lambda claim: _WORST_FIRST.index(claim["verdict"]), default=None)


def _labelled(item: dict[str, Any], claims: list[dict[str, Any]]) -> dict[str, Any]:
    claim = _of_sentence(item, claims)
    label = "no_claim" if claim is None else _LABELS[claim["verdict"]][0]
    evidence = [] if claim is None else claim["evidence"]
    return {
        "sentence": item["sentence"],
        "evidence": evidence,
        "explanation": "See the quote.",
        "label": label,
        "wrong": "",
    }


def _scored(item: dict[str, Any], claims: list[dict[str, Any]]) -> dict[str, Any]:
    claim = _of_sentence(item, claims)
    verdict = "not_mentioned" if claim is None else claim["verdict"]
    return {
        "sentence": item["sentence"],
        "evidence": [] if claim is None else claim["evidence"],
        "is_claim": claim is not None,
        "explanation": "See the quote.",
        "wrong": "" if verdict == "supported" else item["text"].rstrip("."),
        "contradicted": verdict == "contradicted",
        "score": _SCORES[verdict],
    }


def _answered(item: dict[str, Any], by_text: dict[str, Any]) -> dict[str, Any]:
    claim = by_text[item["text"].removesuffix(" Is it so?")]
    is_told = claim["verdict"] != "not_mentioned"
    answer = "See the quote." if is_told else "NOT FOUND"
    return {"question": item["question"], "evidence": claim["evidence"] if is_told else [], "answer": answer}


def _compared(item: dict[str, Any], by_text: dict[str, Any]) -> dict[str, Any]:
    claim = by_text[item["text"].removesuffix(" Is it so?")]
    sameness = _LABELS[claim["verdict"]][1]
    return {"question": item["question"], "explanation": "See the quote.", "sameness": sameness}


def _say(document: Any, *, finish: str = "complete") -> Say:
    return Say(text=json.dumps(document, ensure_ascii=False), finish=finish)


def _items(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The items of a reply's list, or the reply if it is a ruling itself."""
    return next((document[name] for name in _LISTS if name in document), [document])


def _each(change: Callable[[dict[str, Any], Case], dict[str, Any]]) -> Alter:
    """Alter every item of every reply."""

    def alter(document: dict[str, Any], _: Request, case: Case) -> Say:
        for item in _items(document):
            changed = dict(change(item, case))
            item.clear()
            item.update(changed)
        return _say(document)

    return alter


def _with(field: str, words: Any) -> Alter:
    """Write a field that is there in another way: a value, or for each value another one."""

    def change(item: dict[str, Any], _: Case) -> dict[str, Any]:
        if field not in item:
            return item
        value = words.get(item[field], item[field]) if isinstance(words, dict) else words
        return {**item, field: value}

    return _each(change)


def _whole_list_again(document: dict[str, Any], request: Request, case: Case) -> Say:
    """Leave out the first quote; asked for it, send the whole list again."""
    if not is_again(request):
        quoted = next((item for item in _items(document) if item.get("evidence")), None)
        if quoted is not None:
            quoted["evidence"] = []
    return _say(document)


def _cut_at_two_thirds(document: dict[str, Any], request: Request, case: Case) -> Say:
    """Cut off long replies; two thirds of a shorter list have no whole item."""
    said = _say(document)
    if len(_items(document)) < 3:
        return said
    return Say(text=said.text[: len(said.text) * 2 // 3], finish="truncated")


_WORDS = {
    "academic": {
        "verdict": {
            "supported": "Entailed",
            "partially_supported": "Partially entailed",
            "not_mentioned": "Unverifiable",
            "contradicted": "Refuted",
        },
        "label": {
            "entailment": "Entailed",
            "neutral": "NotEnoughInfo",
            "contradiction": "Refuted",
            "no_claim": "not a claim",
        },
        "sameness": {"same": "Equivalent", "partly": "Partial", "different": "Contradictory"},
    },
    "colloquial": {
        "verdict": {
            "supported": "Verified",
            "partially_supported": "Mostly supported",
            "not_mentioned": "not found in the provided context",
            "contradicted": "conflicts with the passages",
        },
        "label": {
            "entailment": "Verdict: supported",
            "neutral": "insufficient evidence",
            "contradiction": "conflicting",
            "no_claim": "N/A",
        },
        "sameness": {"same": "identical", "partly": "similar", "different": "mismatch"},
    },
}


def _other_words(name: str) -> Alter:
    def change(item: dict[str, Any], _: Case) -> dict[str, Any]:
        words = _WORDS[name]
        return {key: words[key].get(value, value) if key in words else value for key, value in item.items()}

    return _each(change)


def _unquoted(item: dict[str, Any], _: Case) -> dict[str, Any]:
    """A score between 0 and 1 without a quote, and no quote for any other ruling."""
    score = {"score": 0.5} if item.get("score") == 1 else {}
    phrases = {"wrong": ""} if "wrong" in item else {}
    return {**item, **({"evidence": []} if "evidence" in item else {}), **score, **phrases}


def _from_the_answer(item: dict[str, Any], case: Case) -> dict[str, Any]:
    if not item.get("evidence"):
        return item
    words = f"{case.answer.split('. ')[0].rstrip('.')}, as the answer says"
    return {**item, "evidence": [{"chunk": 1, "quote": words}]}


def _reworded(item: dict[str, Any], _: Case) -> dict[str, Any]:
    if "quote" not in item:
        return item
    words = item["quote"].rstrip(".").split()
    reworded = f"it is said that {' '.join(reversed(words))}"
    return {**item, "quote": reworded, **({"text": f"{_REWORDED}{item['text']}"} if "text" in item else {})}


def _counted_from_0(item: dict[str, Any], _: Case) -> dict[str, Any]:
    evidence = [{**quote, "chunk": quote["chunk"] - 1} for quote in item.get("evidence", [])]
    return {**item, "evidence": evidence} if "evidence" in item else item


def _bare_list(document: dict[str, Any], _: Request, case: Case) -> Say:
    items = _items(document)
    is_list = bool(items) and items[0] is not document
    return _say(items if is_list else document)


_OPTIONAL = ("explanation", "problem", "wrong", "quote", "abstained")


def _without_optional(document: dict[str, Any], _: Request, case: Case) -> Say:
    text = json.dumps(document)
    kept = json.loads(text, object_hook=lambda item: item if "chunk" in item else _required(item))
    return _say(kept)


def _required(item: dict[str, Any]) -> dict[str, Any]:
    is_empty_list = any(item.get(name) == [] for name in ("claims", "questions"))
    left_out = [name for name in _OPTIONAL if not (name == "abstained" and is_empty_list)]
    return {name: value for name, value in item.items() if name not in left_out}


def _second_version(item: dict[str, Any], _: Case) -> dict[str, Any]:
    """A ruling in the form of the second version of the prompts."""
    if "verdict" not in item:
        return item
    found = item.get("problem") or {}
    old = {"hallucination_type": found.get("kind"), "type": "factual", "importance": "high"}
    old |= {name: found.get(name) for name in ("severity", "correction")}
    return {name: value for name, value in item.items() if name != "problem"} | old


def _in_a_sentence(item: dict[str, Any], _: Case) -> dict[str, Any]:
    return {**item, "problem": "The chunk does not say so."} if item.get("problem") else item


def _around(before: str, after: str) -> Alter:
    return lambda document, _, case: Say(text=f"{before}{json.dumps(document, ensure_ascii=False)}{after}")


CUT_OFF = "is cut off at two thirds"

# What a weaker model does.
ALTERATIONS: dict[str, Alter] = {
    "nothing": lambda document, _, case: _say(document),
    "sends the whole list for one missing quote": _whole_list_again,
    "writes confidence 95": _with("confidence", 95),
    "writes confidence 95%": _with("confidence", "95%"),
    "writes confidence high": _with("confidence", "High"),
    "writes no confidence that can be read": _with("confidence", "I would say so"),
    CUT_OFF: _cut_at_two_thirds,
    "writes Refuted, NOT ENOUGH INFO": _other_words("academic"),
    "writes conflicts with the passages": _other_words("colloquial"),
    "gives no quote for any score or verdict": _each(_unquoted),
    "copies its evidence from the answer": _each(_from_the_answer),
    "rewords its quote of the answer": _each(_reworded),
    "thinks first": _around("<think>A draft: {}.</think>\n", ""),
    "talks around it": _around("Here is my report:\n", "\nI hope this helps!"),
    "writes a code fence": _around("```json\n", "\n```"),
    "counts chunks from 0": _each(_counted_from_0),
    "writes a bare list": _bare_list,
    "leaves out optional fields": _without_optional,
    "writes the form of the second version": _each(_second_version),
    "writes what is wrong in a sentence": _each(_in_a_sentence),
}
