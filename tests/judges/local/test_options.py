"""What a user may choose of a judge that runs a model, and what is said where that cannot be."""

import pytest

from faithview.domain.errors import InvalidInput, JudgeUnavailable
from faithview.domain.run import JudgeSpec
from faithview.judges.base import INSTALL_LOCAL
from faithview.judges.local.options import LocalOptions, read_options
from faithview.judges.registry import availability, create_judge, full_name, list_judges
from faithview.services.judge_catalogue import find_offer, make_spec

_LOCAL = {info.name: info for info in list_judges() if info.packages}


def _spec(name: str = "nli:m", **options: str) -> JudgeSpec:
    return JudgeSpec(name=name, options=options)


def test_the_model_is_what_follows_the_family_and_the_rest_is_left_to_it() -> None:
    assert read_options(_spec("hhem:C:\\models\\h")) == LocalOptions(family="hhem", model="C:\\models\\h")


def test_options_are_read() -> None:
    given = {
        "device": "cuda:1",
        "revision": "abc",
        "window": "128",
        "batch_tokens": "2000",
        "labels": "neutral, entailment,contradiction",
        "trust_remote_code": "yes",
    }
    assert read_options(_spec(**given)) == LocalOptions(
        family="nli",
        model="m",
        device="cuda:1",
        revision="abc",
        window=128,
        batch_tokens=2000,
        labels=("neutral", "entailment", "contradiction"),
        trusts_code=True,
    )
    assert read_options(_spec("hhem:m", foundation="/f")).foundation == "/f"


@pytest.mark.parametrize(
    ("option", "value", "says"),
    [
        ("device", "gpu", "auto, cpu, mps, cuda or cuda:1"),
        ("device", "cpu:1", "auto, cpu, mps, cuda or cuda:1"),
        ("window", "8", "at least 32"),
        ("window", "many", "at least 32"),
        ("batch_tokens", "0", "at least 1"),
        ("trust_remote_code", "perhaps", "yes or no"),
    ],
)
def test_a_value_that_an_option_cannot_have_is_refused(option: str, value: str, says: str) -> None:
    with pytest.raises(JudgeUnavailable, match=f"{value!r}; .*{says}"):
        read_options(_spec(**{option: value}))


def test_an_option_of_another_judge_is_refused() -> None:
    with pytest.raises(JudgeUnavailable, match="Judge 'minicheck' has no option 'labels'; it has device, "):
        create_judge(_spec("minicheck:m", labels="entailment,neutral"))
    with pytest.raises(InvalidInput, match="Judge 'nli' has no option 'timeout'; it has device, "):
        make_spec("nli", options={"timeout": "9"})
    assert make_spec("nli", options={"device": "cpu"}).options == {"device": "cpu"}


@pytest.mark.torch
def test_a_folder_that_is_not_there_is_refused_before_the_first_answer() -> None:
    with pytest.raises(JudgeUnavailable, match="The model's folder /models/none does not exist"):
        create_judge(_spec("nli:/models/none"))


def test_a_judge_without_a_model_gets_its_default_everywhere() -> None:
    assert full_name("nli") == "nli:cross-encoder/nli-deberta-v3-xsmall"
    assert full_name("nli:other") == "nli:other"
    assert full_name("embedded") == "embedded"
    assert full_name("openai") == "openai"
    assert make_spec("hhem").name == "hhem:vectara/hallucination_evaluation_model"


def test_without_the_packages_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("faithview.judges.registry.find_spec", lambda _: None)
    assert availability(_LOCAL["hhem"]).missing == f"Needs PyTorch and Transformers: {INSTALL_LOCAL}."
    offer = find_offer("hhem")
    assert offer is not None
    assert offer.missing is not None
    with pytest.raises(JudgeUnavailable, match="needs PyTorch and Transformers: ") as refused:
        create_judge(JudgeSpec(name="nli"))
    assert INSTALL_LOCAL in str(refused.value)
