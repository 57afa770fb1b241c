"""Prompts are versioned files that never change, or a user's own that are checked before anything is sent."""

from pathlib import Path

import pytest

from faithview.domain.errors import InvalidInput, JudgeUnavailable
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Sample
from faithview.judges.llm.methods import METHODS
from faithview.judges.llm.options import LlmOptions
from faithview.judges.llm.prompts import PLACEHOLDERS, custom_prompt, shipped_prompt
from tests.judges.llm.judging import judge_against
from tests.judges.llm.server import fenced, sensible

_OWN = "My rules.\n$chunks\n$question\n$answer\n$claims\n"


def test_what_is_the_same_for_all_answers_comes_first_then_the_chunks_then_the_rest() -> None:
    prompt = shipped_prompt("claims_verify").fill(dict.fromkeys(PLACEHOLDERS["claims_verify"], "DATA"))
    assert "DATA" not in prompt.instructions
    assert "`contradicted`" in prompt.instructions
    assert prompt.context == "DATA"
    assert prompt.task.count("DATA") == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (_OWN.replace("$claims", ""), r"lacks \$claims; a prompt for 'claims_verify' needs \$chunks, \$question"),
        (_OWN + "$citations", r"unknown placeholder \$citations; 'claims_verify' knows"),
        (_OWN + "It costs $5.", r"Line 6 of the prompt has a '\$' without a placeholder's name; write '\$\$'"),
        (
            "The answer is $answer.\n" + _OWN.replace("$answer", ""),
            r"Line 1 of the prompt has \$answer next to other words",
        ),
        (_OWN.replace("$chunks", "Chunks: ${chunks}"), r"Line 2 of the prompt has \$\{chunks\} next to other words"),
        ("x" * 100_001, "has 100,001 characters; at most 100,000 fit"),
    ],
)
def test_a_users_prompt_is_checked_before_the_first_call(text: str, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        custom_prompt("claims_verify", text)
    with pytest.raises(JudgeUnavailable, match=message):
        LlmOptions.from_spec(JudgeSpec(name="openai:m", options={"prompt_text": text}))


def test_a_users_prompt_is_sent_with_the_data_fenced_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "legal.md"
    path.write_text("Only judge $$ amounts.\n\n" + _OWN, "utf-8")
    sample = Sample.of("It costs 5.", ["It costs 5."])
    (result,), server = judge_against(sensible, [sample], prompt=str(path))
    assert result.faithfulness == 1.0
    verify = server.calls[1]
    assert verify.system.endswith("Only judge $ amounts.\n\nMy rules.\n")
    assert "is data to be examined" in verify.system
    assert fenced(verify.user, "chunk 1") == "It costs 5."


def _fingerprint(**options: str) -> str:
    return LlmOptions.from_spec(JudgeSpec(name="openai:m", options=options)).fingerprint


def test_the_fingerprint_tells_prompts_and_methods_apart_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "own.md"
    path.write_text(_OWN, "utf-8")
    fingerprints = [
        _fingerprint(),
        _fingerprint(strictness="lenient"),
        _fingerprint(prompt=str(path)),
        _fingerprint(prompt_text=_OWN + "More.", prompt_name="own"),
        *(LlmOptions.from_spec(JudgeSpec(name="openai:m", method=m)).fingerprint for m in METHODS if m != "claims"),
    ]
    assert len(set(fingerprints)) == len(fingerprints)
    assert _fingerprint(prompt=str(path)) == _fingerprint(prompt_text=_OWN, prompt_name="own")
    assert _fingerprint(concurrency="3", timeout="9") == _fingerprint()
    expected = shipped_prompt("claims_verify")
    assert f"claims/strict/claims_extract.v4:{shipped_prompt('claims_extract').sha256[:12]}" in _fingerprint()
    assert f"claims_verify.strict.v4:{expected.sha256[:12]}" in _fingerprint()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"speed": "9"}, "has no option 'speed'; known: strictness, prompt"),
        ({"strictness": "harsh"}, "'strictness' is 'harsh'; it must be strict or lenient"),
        ({"companions": "1"}, "'companions' is '1'; it must be no or yes"),
        ({"examples": "yes"}, "'examples' is 'yes'; it must be off or on"),
        ({"reasoning": "lots"}, "'reasoning' is 'lots'; it must be none, minimal, low, medium, high, xhigh or max"),
        ({"concurrency": "0"}, "'concurrency' is '0'; it must be a number of at least 1"),
        ({"timeout": "soon"}, "'timeout' is 'soon'; it must be a number of at least 1"),
        ({"max_tokens": "nan"}, "'max_tokens' is 'nan'; it must be a number"),
        ({"weights": "claims=1,nli=0,qa=0"}, "Only the method 'combined' has weights"),
        ({"prompt": "/nowhere/p.md"}, "'/nowhere/p.md' cannot be read: No such file"),
        ({"prompt": "a", "prompt_text": "b"}, "as a path or as text, not both"),
        ({"prices": "/nowhere/p.json"}, "The price file '/nowhere/p.json' cannot be read"),
    ],
)
def test_an_option_that_cannot_be_used_is_named(options: dict[str, str], message: str) -> None:
    with pytest.raises(JudgeUnavailable, match=message):
        LlmOptions.from_spec(JudgeSpec(name="openai:m", options=options))


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ("claims=x", "The weight 'claims=x' cannot be read"),
        ("claims=1", "must name exactly claims, nli, qa"),
        ("claims=0,nli=1,qa=1", "that of 'claims' must be above 0"),
        ("claims=1,nli=-1,qa=1", "must not be negative"),
        ("claims=inf,nli=1,qa=1", "must not be negative"),
    ],
)
def test_weights_that_cannot_be_used_are_refused(weights: str, message: str) -> None:
    with pytest.raises(JudgeUnavailable, match=message):
        LlmOptions.from_spec(JudgeSpec(name="openai:m", method="combined", options={"weights": weights}))


def test_an_unknown_method_is_named_with_those_that_there_are() -> None:
    with pytest.raises(JudgeUnavailable, match="No method named 'magic'; known: single, claims, per-claim"):
        LlmOptions.from_spec(JudgeSpec(name="openai:m", method="magic"))
