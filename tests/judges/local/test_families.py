"""Each family's own loading path and prompt: the scores are those that its authors' procedure gives."""

from collections.abc import Callable
from pathlib import Path

import pytest

from faithview.domain.errors import JudgeFailed, JudgeUnavailable
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Sample
from faithview.judges.local.loading import pair_model
from faithview.judges.local.models import Opinion, PairModel, Question
from faithview.judges.local.options import read_options
from faithview.judges.registry import create_judge
from tests.judges.local import tiny_models
from tests.judges.local.conftest import MakeModel, judge_once

pytestmark = pytest.mark.torch

_PASSAGE = "The lake is very deep. It holds 3 kinds of fish."
_CLAIMS = ("The lake is deep.", "The river runs north.")


def _loaded(family: str, folder: Path, **options: str) -> PairModel:
    return pair_model(read_options(JudgeSpec(name=f"{family}:{folder}", options=options)))


def _scores(family: str, folder: Path, **options: str) -> list[Opinion]:
    found = _loaded(family, folder, **options).read([Question(_CLAIMS, (_PASSAGE,))])
    return [opinions[0] for opinions in found[0]]


def test_nli_gives_what_the_model_gives_for_premise_and_hypothesis(model: MakeModel) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder = model(tiny_models.deberta_nli)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    network = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    for claim, opinion in zip(_CLAIMS, _scores("nli", folder), strict=True):
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
    for claim, opinion in zip(_CLAIMS, _scores("hhem", folder), strict=True):
        prompt = (
            "<pad> Determine if the hypothesis is true given the premise?\n\n"
            f"Premise: {_PASSAGE}\n\nHypothesis: {claim}"
        )
        encoded = tokenizer([prompt], return_tensors="pt")
        assert int(encoded["input_ids"][0, 0]) == tokenizer.pad_token_id
        with torch.no_grad():
            logits = network(input_ids=encoded["input_ids"], attention_mask=encoded["attention_mask"]).logits
        assert opinion.supported == pytest.approx(float(logits[:, 0, :].softmax(-1)[0, 1]), abs=2e-4)
        assert opinion.contradicted is None


def test_hhem_runs_its_own_code_only_where_the_user_allows_it(
    model: MakeModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "ran"
    monkeypatch.setenv("TINY_HHEM_MARK", str(mark))
    folder = model(tiny_models.hhem)
    plain = _scores("hhem", folder)
    assert not mark.exists()
    monkeypatch.setattr("transformers.dynamic_module_utils.HF_MODULES_CACHE", str(tmp_path / "modules"))
    allowed = _scores("hhem", folder, trust_remote_code="yes")
    assert mark.exists()
    assert [o.supported for o in allowed] == pytest.approx([o.supported for o in plain], abs=2e-4)


def test_other_weights_are_not_taken_for_hhem(model: MakeModel, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    tiny_models.hhem(tmp_path)
    weights = load_file(str(tmp_path / "model.safetensors"))
    weights.pop("t5.classifier.weight")
    save_file(weights, tmp_path / "model.safetensors")
    with pytest.raises(JudgeUnavailable, match=r"lack 'classifier\.weight'; it is a different model"):
        _loaded("hhem", tmp_path)


def test_a_model_with_code_of_its_own_is_refused_without_consent(model: MakeModel) -> None:
    judge = create_judge(JudgeSpec(name=f"nli:{model(tiny_models.hhem)}"))
    with pytest.raises(JudgeUnavailable, match="comes with its own Python code") as refused:
        _ = judge.fingerprint
    assert "--judge-option trust_remote_code=yes" in str(refused.value)


def test_minicheck_reads_one_text_with_the_end_mark_between(model: MakeModel) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder = model(tiny_models.roberta_minicheck)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    network = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    for claim, opinion in zip(_CLAIMS, _scores("minicheck", folder), strict=True):
        text = tokenizer.eos_token.join([_PASSAGE, claim])
        with torch.no_grad():
            shares = network(**tokenizer([text], return_tensors="pt")).logits.softmax(-1)[0]
        assert opinion.supported == pytest.approx(float(shares[1]), abs=2e-4)
        assert opinion.contradicted is None


def test_minicheck_t5_compares_zero_and_one_as_first_words(model: MakeModel) -> None:
    import torch
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    folder = model(tiny_models.t5_minicheck)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    network = AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    assert tokenizer.convert_tokens_to_ids(["0", "1"]) == [3, 209]
    for claim, opinion in zip(_CLAIMS, _scores("minicheck", folder), strict=True):
        encoded = tokenizer(["predict: " + tokenizer.eos_token.join([_PASSAGE, claim])], return_tensors="pt")
        with torch.no_grad():
            logits = network(
                input_ids=encoded["input_ids"],
                attention_mask=encoded["attention_mask"],
                decoder_input_ids=torch.zeros((1, 1), dtype=torch.long),
            ).logits.squeeze(1)
        assert opinion.supported == pytest.approx(float(logits[:, [3, 209]].softmax(-1)[0, 1]), abs=2e-4)


def test_roberta_has_room_for_two_tokens_less_than_it_has_places(model: MakeModel) -> None:
    loaded = _loaded("minicheck", model(tiny_models.roberta_minicheck))
    assert loaded.limit == 62
    chunk = "The green hill is far away. " * 40
    opinions = loaded.read([Question((_CLAIMS[0],), (chunk,))])[0][0]
    covered = {at for opinion in opinions for at in range(opinion.start, opinion.end)}
    assert "".join(c for at, c in enumerate(chunk) if at not in covered).strip() == ""


@pytest.mark.parametrize("build", [tiny_models.deberta_nli, tiny_models.t5_minicheck, tiny_models.hhem])
def test_models_with_relative_places_take_any_length(model: MakeModel, build: Callable[[Path], Path]) -> None:
    family = {"deberta_nli": "nli", "t5_minicheck": "minicheck", "hhem": "hhem"}[build.__name__]
    loaded = _loaded(family, model(build), window="2000")
    assert loaded.limit is None
    chunk = "The green hill is far away. " * 250
    assert len(loaded.read([Question((_CLAIMS[0],), (chunk,))])[0][0]) == 1


def test_a_model_that_only_supports_never_contradicts(model: MakeModel) -> None:
    sample = Sample.of("The lake is deep. The river runs north.", [_PASSAGE, "The lake is not deep."])
    for family, build in (("minicheck", tiny_models.roberta_minicheck), ("hhem", tiny_models.hhem)):
        result = judge_once(f"{family}:{model(build)}", sample)
        assert {claim.verdict.value for claim in result.claims} <= {"supported", "not_mentioned"}
        assert result.answer_score == min(claim.support_score or 0 for claim in result.claims)


@pytest.mark.parametrize(
    ("family", "build", "says"),
    [
        ("minicheck", tiny_models.modernbert_marks, "'modernbert'. Bespoke-MiniCheck-7B needs a server of its own"),
        ("minicheck", tiny_models.deberta_nli, "MiniCheck has two labels, and"),
        ("lettucedetect", tiny_models.deberta_nli, "LettuceDetect has two labels, and"),
    ],
)
def test_a_model_for_something_else_is_refused(
    model: MakeModel, family: str, build: Callable[[Path], Path], says: str
) -> None:
    judge = create_judge(JudgeSpec(name=f"{family}:{model(build)}"))
    with pytest.raises(JudgeUnavailable, match=says):
        _ = judge.fingerprint


def test_a_device_that_is_not_there_is_refused(model: MakeModel) -> None:
    import torch

    missing = "mps" if not torch.backends.mps.is_available() else "cuda:99"
    sample = Sample.of("The lake is deep.", [_PASSAGE])
    with pytest.raises(JudgeFailed, match=f"PyTorch finds no device '{missing}' here"):
        judge_once(f"nli:{model(tiny_models.hand_set_nli)}", sample, device=missing)


def test_a_gpu_computes_in_half_precision_and_t5_in_one_of_its_range(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    from faithview.judges.local.networks import pick_device

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda: True)
    assert pick_device("auto")[:2] == ("cuda", "float16")
    assert pick_device("cuda:1", is_t5=True)[:2] == ("cuda:1", "bfloat16")
    assert pick_device("cpu")[:2] == ("cpu", "float32")
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda: False)
    assert pick_device("cuda", is_t5=True)[:2] == ("cuda", "float32")
    with pytest.raises(JudgeUnavailable, match="no device 'cuda:2'"):
        pick_device("cuda:2")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)
    assert pick_device("auto")[:2] == ("mps", "float16")
    assert pick_device("auto", is_t5=True)[:2] == ("mps", "float32")
