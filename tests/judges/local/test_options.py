"""What a user may choose of a judge that runs a model, and what is said where that cannot be."""

import pytest

from faithview.domain.errors import InvalidInput, JudgeUnavailable
from faithview.domain.run import JudgeSpec
from faithview.judges import local
from faithview.judges.base import INSTALL_LOCAL
from faithview.judges.local.options import Family, Runtime, read_options
from faithview.judges.registry import availability, create_judge, full_name, list_judges
from faithview.services.judge_catalogue import answers_at_a_time, find_offer, make_spec

_LOCAL = {info.name: info for info in list_judges() if info.packages}


def _spec(name: str = "nli:m", **options: str) -> JudgeSpec:
    return JudgeSpec(name=name, options=options)


def test_every_family_is_registered() -> None:
    assert set(_LOCAL) == {family.value for family in Family}
    assert all(info.default_model in info.models and not info.is_remote for info in _LOCAL.values())


@pytest.mark.parametrize("name", list(_LOCAL))
def test_the_registry_and_the_judge_know_the_same_options(name: str) -> None:
    values = {"device": "cpu", "window": "64", "batch_tokens": "9", "trust_remote_code": "no", "runtime": "torch"}
    for option in _LOCAL[name].options:
        read_options(_spec(f"{name}:m", **{option: values.get(option, "x")}))
    with pytest.raises(JudgeUnavailable, match="has no option 'speed'") as refused:
        read_options(_spec(f"{name}:m", speed="9"))
    assert all(option in str(refused.value) for option in _LOCAL[name].options)


def test_options_are_read() -> None:
    options = read_options(
        _spec(
            "nli:owner/name",
            device="cuda:1",
            revision="abc",
            window="128",
            batch_tokens="2000",
            runtime="onnx",
            labels="neutral, entailment,contradiction",
            trust_remote_code="Yes",
        )
    )
    assert (options.family, options.model, options.name) == (Family.NLI, "owner/name", "nli:owner/name")
    assert (options.device, options.revision, options.window, options.batch_tokens) == ("cuda:1", "abc", 128, 2000)
    assert (options.runtime, options.labels) == (Runtime.ONNX, ("neutral", "entailment", "contradiction"))
    assert options.trusts_code


def test_nothing_is_trusted_unless_the_user_says_so() -> None:
    assert not any(read_options(_spec(f"{family}:m")).trusts_code for family in Family)


@pytest.mark.parametrize(
    ("option", "value", "says"),
    [
        ("device", "gpu", "auto, cpu, mps, cuda or cuda:1"),
        ("device", "cpu:1", "auto, cpu, mps, cuda or cuda:1"),
        ("window", "8", "from 32 to 8,192"),
        ("window", "many", "from 32 to 8,192"),
        ("batch_tokens", "0", "from 1 to 1,000,000"),
        ("runtime", "fast", "auto, torch or onnx"),
        ("trust_remote_code", "perhaps", "yes or no"),
    ],
)
def test_a_value_that_an_option_cannot_have_is_refused_with_those_that_it_can(
    option: str, value: str, says: str
) -> None:
    with pytest.raises(JudgeUnavailable, match=says) as refused:
        read_options(_spec(**{option: value}))
    assert repr(value) in str(refused.value)


def test_a_folder_is_a_model_too() -> None:
    assert read_options(_spec("nli:C:\\models\\nli")).model == "C:\\models\\nli"
    assert read_options(_spec("hhem:/models/hhem")).model == "/models/hhem"


def test_a_folder_that_is_not_there_is_refused_before_anything_else() -> None:
    with pytest.raises(JudgeUnavailable, match="The model's folder /models/none does not exist"):
        create_judge(_spec("nli:/models/none"))


def test_a_judge_without_a_model_gets_its_default_everywhere() -> None:
    assert full_name("nli") == "nli:cross-encoder/nli-deberta-v3-xsmall"
    assert full_name("nli:other") == "nli:other"
    assert full_name("embedded") == "embedded"
    assert full_name("openai") == "openai"
    assert make_spec("hhem").name == "hhem:vectara/hallucination_evaluation_model"
    assert make_spec("openai:m").name == "openai:m"


def test_an_unknown_option_is_refused_where_a_run_is_created() -> None:
    with pytest.raises(InvalidInput, match="Judge 'nli' has no option 'timeout'; it has device, "):
        make_spec("nli", options={"timeout": "9"})
    assert make_spec("nli", options={"device": "cpu"}).options == {"device": "cpu"}


def test_enough_answers_are_under_way_to_fill_batches() -> None:
    assert answers_at_a_time(make_spec("nli"), 8) == 128
    assert answers_at_a_time(make_spec("nli"), 200) == 200
    assert answers_at_a_time(make_spec("lexical"), 8) == 8


def test_without_the_packages_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    absent: list[str] = []
    monkeypatch.setattr("faithview.judges.registry.find_spec", absent.append)
    monkeypatch.setattr(local, "find_spec", absent.append)
    assert availability(_LOCAL["hhem"]).missing == f"Needs PyTorch and Transformers: {INSTALL_LOCAL}."
    offer = find_offer("hhem")
    assert offer is not None
    assert offer.missing is not None
    with pytest.raises(JudgeUnavailable) as refused:
        create_judge(JudgeSpec(name="nli"))
    assert str(refused.value) == (
        f"Judge 'nli:cross-encoder/nli-deberta-v3-xsmall' needs PyTorch and Transformers: {INSTALL_LOCAL}."
    )
    assert set(absent) <= {"torch", "transformers"}
