"""Each family's own loading path and input: the scores are those that its authors' procedure gives."""

from pathlib import Path

import pytest

from faithview.domain.errors import JudgeFailed, JudgeUnavailable
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Sample
from faithview.judges.local.model import LocalModel, Opinion
from faithview.judges.local.options import read_options
from faithview.judges.registry import create_judge
from tests.judges.local import tiny_models
from tests.judges.local.conftest import MakeModel, judge_once

pytestmark = pytest.mark.torch

_PASSAGE = "The lake is very deep. It holds 3 kinds of fish."
_CLAIMS = ("The lake is deep.", "The river runs north.")


def _model(family: str, folder: Path, **options: str) -> LocalModel:
    return LocalModel(read_options(JudgeSpec(name=f"{family}:{folder}", options=options)))


def _opinions(family: str, folder: Path) -> list[Opinion]:
    return [opinion for of_claim in _model(family, folder).read(_CLAIMS, [_PASSAGE]) for opinion in of_claim]


def test_nli_gives_what_the_model_gives_for_premise_and_hypothesis(model: MakeModel) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder = model(tiny_models.deberta_nli)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    network = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    for claim, opinion in zip(_CLAIMS, _opinions("nli", folder), strict=True):
        with torch.no_grad():
            shares = network(**tokenizer(_PASSAGE, claim, return_tensors="pt")).logits.softmax(-1)[0]
        assert opinion.supported == pytest.approx(float(shares[1]), abs=2e-4)
        assert opinion.contradicted == pytest.approx(float(shares[0]), abs=2e-4)


def test_hhem_gives_the_second_label_at_the_prompts_first_token(model: MakeModel) -> None:
    import torch
    from safetensors.torch import load_file
    from transformers import AutoTokenizer, T5Config, T5ForTokenClassification

    folder = model(tiny_models.hhem)
    tokenizer = AutoTokenizer.from_pretrained(folder / "foundation")
    network = T5ForTokenClassification(T5Config.from_pretrained(folder / "foundation", num_labels=2)).eval()
    weights = load_file(str(folder / "model.safetensors"))
    network.load_state_dict({name[3:]: tensor for name, tensor in weights.items()}, strict=False)
    for claim, opinion in zip(_CLAIMS, _opinions("hhem", folder), strict=True):
        prompt = (
            "<pad> Determine if the hypothesis is true given the premise?\n\n"
            f"Premise: {_PASSAGE}\n\nHypothesis: {claim}"
        )
        encoded = tokenizer([prompt], return_tensors="pt")
        assert int(encoded["input_ids"][0, 0]) == tokenizer.pad_token_id
        with torch.no_grad():
            logits = network(input_ids=encoded["input_ids"], attention_mask=encoded["attention_mask"]).logits
        assert opinion.supported == pytest.approx(float(logits[:, 0, :].softmax(-1)[0, 1]), abs=2e-4)
        assert opinion.contradicted == 0


def test_minicheck_reads_one_text_with_the_end_mark_between(model: MakeModel) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder = model(tiny_models.roberta_minicheck)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    network = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    for claim, opinion in zip(_CLAIMS, _opinions("minicheck", folder), strict=True):
        text = tokenizer.eos_token.join([_PASSAGE, claim])
        with torch.no_grad():
            shares = network(**tokenizer([text], return_tensors="pt")).logits.softmax(-1)[0]
        assert opinion.supported == pytest.approx(float(shares[1]), abs=2e-4)
        assert opinion.contradicted == 0


def test_other_weights_are_not_taken_for_hhem(model: MakeModel, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    tiny_models.hhem(tmp_path)
    weights = load_file(str(tmp_path / "model.safetensors"))
    weights.pop("t5.classifier.weight")
    save_file(weights, tmp_path / "model.safetensors")
    with pytest.raises(JudgeUnavailable, match=r"lacks 'classifier\.weight' and so was not trained for this judge"):
        _opinions("hhem", tmp_path)


def test_a_models_own_code_runs_only_where_the_user_allows_it(
    model: MakeModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "ran"
    monkeypatch.setenv("OWN_CODE_MARK", str(mark))
    monkeypatch.setattr("transformers.dynamic_module_utils.HF_MODULES_CACHE", str(tmp_path / "modules"))
    folder = model(tiny_models.with_own_code)
    with pytest.raises(JudgeUnavailable, match="--judge-option trust_remote_code=yes"):
        _model("nli", folder)
    assert not mark.exists()
    (allowed,) = _model("nli", folder, trust_remote_code="yes").read(["The lake."], ["The lake agrees."])
    assert mark.exists()
    assert allowed[0].supported > 0.9


@pytest.mark.parametrize(
    ("family", "build"), [("minicheck", tiny_models.roberta_minicheck), ("nli", tiny_models.hand_set_nli)]
)
def test_all_of_a_long_chunk_is_read_beside_a_claim_of_any_length(model: MakeModel, family: str, build: object) -> None:
    # RoBERTa has room for two tokens less than it has places: 62 of 64.
    loaded = _model(family, model(build))  # type: ignore[arg-type]  # a function of tiny_models
    chunk = "The green hill is far away. " * 250
    for claim in (_CLAIMS[0], "green hill " * 400):
        (opinions,) = loaded.read([claim], [chunk])
        covered = {at for opinion in opinions for at in range(opinion.start, opinion.end)}
        assert "".join(c for at, c in enumerate(chunk) if at not in covered).strip() == ""


@pytest.mark.parametrize(("family", "build"), [("nli", tiny_models.deberta_nli), ("hhem", tiny_models.hhem)])
def test_models_with_relative_places_take_any_length(model: MakeModel, family: str, build: object) -> None:
    loaded = _model(family, model(build), window="2000")  # type: ignore[arg-type]  # a function of tiny_models
    (opinions,) = loaded.read([_CLAIMS[0]], ["The green hill is far away. " * 250])
    assert len(opinions) == 1


def test_a_model_that_only_supports_never_contradicts(model: MakeModel) -> None:
    sample = Sample.of("The lake is deep. The river runs north.", [_PASSAGE, "The lake is not deep."])
    for family, build in (("minicheck", tiny_models.roberta_minicheck), ("hhem", tiny_models.hhem)):
        result = judge_once(f"{family}:{model(build)}", sample)
        assert {claim.verdict.value for claim in result.claims} <= {"supported", "not_mentioned"}
        assert result.answer_score == min(claim.support_score or 0 for claim in result.claims)


def test_a_model_for_something_else_is_refused_before_its_weights_are_loaded(model: MakeModel) -> None:
    judge = create_judge(JudgeSpec(name=f"minicheck:{model(tiny_models.deberta_nli)}"))
    with pytest.raises(JudgeUnavailable, match=r"MiniCheck has two labels, and .* has 3"):
        _ = judge.fingerprint


def test_a_device_that_is_not_there_is_refused(model: MakeModel) -> None:
    sample = Sample.of("The lake is deep.", [_PASSAGE])
    with pytest.raises(JudgeFailed, match="PyTorch finds no device 'cuda:99' here"):
        judge_once(f"nli:{model(tiny_models.hand_set_nli)}", sample, device="cuda:99")


@pytest.mark.parametrize(("family", "is_half"), [("nli", True), ("hhem", False)])
def test_a_gpu_computes_in_half_precision_which_the_fingerprint_tells(
    model: MakeModel, monkeypatch: pytest.MonkeyPatch, family: str, is_half: bool
) -> None:
    import torch

    folder = model(tiny_models.BUILDERS[family])
    on_processor = _model(family, folder, device="cpu").version
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert _model(family, folder).version == on_processor + ("+half" if is_half else "")
