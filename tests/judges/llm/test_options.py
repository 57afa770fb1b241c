"""The method without a choice, the reasoning, and the worked example: what is sent, and what is refused."""

import json
from typing import Any

import pytest

from faithview.domain.claim import HallucinationType, Verdict
from faithview.domain.errors import InvalidInput, JudgeUnavailable
from faithview.domain.result import Result
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Sample
from faithview.judges.llm.client import Reply
from faithview.judges.llm.methods import create_method, default_method
from faithview.judges.llm.options import LlmOptions
from faithview.judges.llm.prompts import PLACEHOLDERS, STRICTNESS, custom_prompt, shipped_prompt, with_example
from faithview.judges.llm.replies.reading import read_reply
from faithview.judges.llm.replies.schemas import BY_STEP
from faithview.services.judge_catalogue import make_spec
from tests.judges.llm.hand_worked import judge
from tests.judges.llm.judging import VENDORS, judge_against
from tests.judges.llm.server import Answer, Request, Status, sensible

_SAMPLE = Sample.of("It costs 5.", ["It costs 5."], question="What does it cost?")
both_vendors = pytest.mark.parametrize("vendor", VENDORS)


@pytest.mark.parametrize(
    ("model", "method"),
    [
        ("gpt-6-luna", "single"),
        ("claude-haiku-5-5", "single"),
        ("qwen3", "single"),  # its size is not known
        ("qwen3:8b", "claims"),
        ("llama-3.1-8B-Instruct", "claims"),
        ("gemma-2-2.5b-it", "claims"),
        ("qwen2.5:14b", "single"),
        ("gpt-oss-20b", "single"),
        ("mixtral-8x7b", "single"),  # 56 billion
        ("qwen3-30b-a3b", "single"),
        ("my-model-7bit", "single"),
    ],
)
def test_a_model_that_is_small_by_its_name_is_asked_in_two_steps(model: str, method: str) -> None:
    assert default_method(model) == method
    assert make_spec(f"openai:{model}").method == method
    assert make_spec(f"openai:{model}", method="nli").method == "nli"


def test_a_judge_without_methods_refuses_those_of_others() -> None:
    assert make_spec("embedded").method == JudgeSpec().method
    with pytest.raises(InvalidInput, match="does not call a model, so a method does not apply to it"):
        make_spec("embedded", method="single")


def test_a_prompt_for_another_method_says_which() -> None:
    text = shipped_prompt("claims_verify").text
    with pytest.raises(JudgeUnavailable, match=r"\$claims; 'single' knows .* those of the method 'claims': --method c"):
        LlmOptions.from_spec(make_spec("openai:m", prompt_text=text))
    with pytest.raises(JudgeUnavailable, match=r"lacks \$chunks; a prompt for 'single' needs [^.]*\.\Z"):
        LlmOptions.from_spec(make_spec("openai:m", prompt_text="Anything.\n$answer\n"))


def _fingerprint(method: str = "single", **options: str) -> str:
    return LlmOptions.from_spec(JudgeSpec(name="openai:m", method=method, options=options)).fingerprint


def test_reasoning_and_examples_are_in_the_fingerprint_only_if_they_are_chosen() -> None:
    found = [_fingerprint(), _fingerprint(reasoning="low"), _fingerprint(reasoning="high"), _fingerprint(examples="on")]
    assert len(set(found)) == len(found)
    assert _fingerprint(examples="off") == _fingerprint()
    assert "reasoning" not in _fingerprint()
    assert _fingerprint(reasoning="low").endswith("/reasoning=low")


def test_reasoning_is_sent_as_each_vendor_takes_it() -> None:
    _, server = judge_against(sensible, [_SAMPLE], method="single", reasoning="low")
    assert server.calls[0].body["reasoning_effort"] == "low"
    _, server = judge_against(sensible, [_SAMPLE], vendor="anthropic", method="single", reasoning="high")
    body = server.calls[0].body
    assert body["thinking"] == {"type": "adaptive"}
    assert body["output_config"]["effort"] == "high"
    assert body["output_config"]["format"]["type"] == "json_schema"


@both_vendors
def test_without_the_option_nothing_is_said_of_reasoning(vendor: str) -> None:
    _, server = judge_against(sensible, [_SAMPLE], vendor=vendor, method="single")
    assert not {"reasoning_effort", "thinking"} & server.calls[0].body.keys()
    assert "effort" not in server.calls[0].body.get("output_config", {})


@both_vendors
def test_a_model_that_does_not_reason_stops_the_run_with_what_to_change(vendor: str) -> None:
    def script(_: Request) -> Answer:
        return Status(code=400, message="This model does not support the effort parameter: output_config.effort.")

    results, server = judge_against(script, [_SAMPLE] * 3, vendor=vendor, method="single", reasoning="low")
    assert len(server.calls) == 1
    for result in results:
        assert "Leave out the judge option reasoning=low, or choose another value." in (result.error or "")


def test_anthropic_knows_fewer_efforts() -> None:
    with pytest.raises(JudgeUnavailable, match="'reasoning' is 'minimal'; it must be low, medium, high, xhigh or max"):
        LlmOptions.from_spec(JudgeSpec(name="anthropic:m", method="single", options={"reasoning": "minimal"}))


def _parts_of_example(step: str) -> dict[str, str]:
    """The texts of a step's example by what they are: "Chunk 1", "Answer", "Reply"."""
    text = with_example(shipped_prompt(step)).text
    example = text[text.index("# An example") : text.index("# The ")]
    return dict(line.split(": ", 1) for line in example.split("\n") if ": " in line)


@pytest.mark.parametrize("step", ["single", "claims_extract", "claims_verify"])
def test_the_example_is_a_reply_as_it_is_asked_for(step: str) -> None:
    parts = _parts_of_example(step)
    assert read_reply(Reply(text=parts["Reply"]), BY_STEP[step]).is_exact
    assert ("Chunk 1" in parts) == ("chunks" in PLACEHOLDERS[step])
    assert ("Claim 1" in parts) == ("claims" in PLACEHOLDERS[step])


def _judge_example() -> Result:
    parts = _parts_of_example("single")
    chunks = [parts["Chunk 1"], parts["Chunk 2"]]
    sample = Sample.of(parts["Answer"], chunks, question=parts["Question"])
    result, _ = judge("single", sample=sample, SingleReply=json.loads(parts["Reply"]))
    return result


def test_the_example_has_a_conflation_and_a_claim_that_is_not_mentioned_with_every_word_in_its_place() -> None:
    result = _judge_example()
    kinds = [(claim.verdict, claim.hallucination_type) for claim in result.claims]
    assert (Verdict.CONTRADICTED, HallucinationType.CONFLATION) in kinds
    assert (Verdict.NOT_MENTIONED, HallucinationType.FABRICATION) in kinds
    assert result.warnings == ()
    assert all(item.is_verified for claim in result.claims for item in claim.evidence)
    for claim in result.claims:
        assert bool(claim.mismatches) == (claim.verdict is not Verdict.SUPPORTED)


@pytest.mark.parametrize("strictness", STRICTNESS)
def test_the_example_stands_before_the_data_and_leaves_the_prompt_usable(strictness: str) -> None:
    for step in ("single", "claims_extract", "claims_verify"):
        plain = shipped_prompt(step, strictness=strictness)
        prompt = with_example(plain)
        assert custom_prompt(step, prompt.text).text == prompt.text
        assert prompt.instructions.startswith(plain.instructions[: plain.instructions.rindex("# The")])
        assert "# An example, with other texts" in prompt.instructions
        filled: Any = prompt.fill(dict.fromkeys(PLACEHOLDERS[step], "DATA"))
        assert (filled.context + filled.task).count("DATA") == len(PLACEHOLDERS[step])


def test_examples_are_sent_with_the_methods_that_have_one() -> None:
    for method, calls in (("single", [True]), ("claims", [True, True]), ("combined", [True, True, *[False] * 4])):
        _, server = judge_against(sensible, [_SAMPLE], method=method, examples="on")
        assert sorted(("# An example" in call.system for call in server.calls), reverse=True) == calls
    with pytest.raises(JudgeUnavailable, match="The method 'nli' has no worked example; choose single, claims or"):
        LlmOptions.from_spec(JudgeSpec(name="openai:m", method="nli", options={"examples": "on"}))
    own = custom_prompt("single", "Mine.\n$chunks\n$question\n$answer\n")
    assert with_example(own).instructions.rstrip().endswith("}")
    assert create_method("single").main_step == own.step
