"""The judge of claims beside passages, with a model whose answers are known: "agrees" entails, "denies" contradicts."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from faithview.domain.claim import Claim, Verdict, verify_claims
from faithview.domain.errors import JudgeFailed, JudgeUnavailable
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Chunk, Sample
from faithview.judges.local.model import LocalModel
from faithview.judges.local.options import read_options
from faithview.judges.registry import create_judge
from tests.judges.local.conftest import MakeModel, judge_once
from tests.judges.local.tiny_models import hand_set_nli

pytestmark = pytest.mark.torch

_FILLER = "The green hill is far away. "


def _turned(folder: Path) -> Path:
    return hand_set_nli(folder, ("neutral", "contradiction", "entailment"))


def _unnamed(folder: Path) -> Path:
    return hand_set_nli(folder, ("LABEL_0", "LABEL_1", "LABEL_2"))


def _claim(folder: Path, *chunks: str, answer: str = "The lake is very deep.", **options: str) -> Claim:
    sample = Sample(answer=answer, chunks=tuple(Chunk(chunk_id=name, text=t) for name, t in zip("abc", chunks)))  # noqa: B905 - as many as are given
    result = judge_once(f"nli:{folder}", sample, **options)
    assert verify_claims(result.claims, sample) == result.claims
    assert len(result.claims) == 1
    return result.claims[0]


@pytest.mark.parametrize("build", [hand_set_nli, _turned], ids=["usual order", "another order"])
def test_verdicts_follow_the_labels_of_the_configuration(model: MakeModel, build: Callable[[Path], Path]) -> None:
    folder = model(build)
    assert _claim(folder, "The lake is deep agrees.").verdict is Verdict.SUPPORTED
    assert _claim(folder, "The lake is deep denies.").verdict is Verdict.CONTRADICTED
    assert _claim(folder, "The lake is deep.").verdict is Verdict.NOT_MENTIONED


def test_a_model_whose_labels_say_nothing_is_refused_before_its_weights_are_loaded(model: MakeModel) -> None:
    judge = create_judge(JudgeSpec(name=f"nli:{model(_unnamed)}"))
    with pytest.raises(JudgeUnavailable, match="LABEL_0, LABEL_1, LABEL_2"):
        _ = judge.fingerprint


def test_the_chunk_that_supports_a_claim_is_named_and_its_sentence_quoted(model: MakeModel) -> None:
    claim = _claim(
        model(hand_set_nli), _FILLER, f"{_FILLER}The lake is very deep agrees. {_FILLER}", "The weather was mild."
    )
    assert claim.verdict is Verdict.SUPPORTED
    assert claim.supporting_chunk_ids == ("b",)
    assert [(item.chunk_id, item.quote) for item in claim.evidence] == [("b", "The lake is very deep agrees.")]
    assert claim.explanation == "Chunk b supports this."
    assert claim.confidence == claim.support_score
    assert claim.confidence is not None
    assert claim.confidence > 0.9


def test_what_contradicts_a_supported_claim_is_kept(model: MakeModel) -> None:
    claim = _claim(model(hand_set_nli), "The lake is very deep agrees.", "The lake is not very deep denies.")
    assert claim.verdict is Verdict.SUPPORTED
    assert claim.supporting_chunk_ids == ("a", "b")
    assert [item.chunk_id for item in claim.evidence] == ["a", "b"]
    assert claim.explanation == "Chunk a supports this, but chunk b contradicts it."
    assert claim.confidence == pytest.approx(0.5, abs=0.01)  # shown as "probably supported"
    assert claim.support_score is not None
    assert claim.support_score > 0.9


def test_a_contradiction_counts_only_from_a_chunk_about_the_same(model: MakeModel) -> None:
    folder = model(hand_set_nli)
    claim = _claim(folder, "Nothing here says so, the weather denies.")
    assert (claim.verdict, claim.supporting_chunk_ids, claim.evidence) == (Verdict.NOT_MENTIONED, (), ())
    claim = _claim(folder, "Nothing here says so, the weather denies.", "The lake is very deep denies.")
    assert (claim.verdict, claim.supporting_chunk_ids) == (Verdict.CONTRADICTED, ("b",))
    assert [item.quote for item in claim.evidence] == ["The lake is very deep denies."]


@pytest.mark.parametrize("at", [0, 45, 89], ids=["first", "in the middle", "last"])
def test_a_word_anywhere_in_a_long_chunk_is_read(model: MakeModel, at: int) -> None:
    # 90 sentences of 7 tokens are more than the model's 512.
    chunk = "".join("The lake is very deep agrees. " if number == at else _FILLER for number in range(90))
    claim = _claim(model(hand_set_nli), chunk)
    assert claim.verdict is Verdict.SUPPORTED
    assert [item.quote for item in claim.evidence] == ["The lake is very deep agrees."]
    assert claim.evidence[0].span is not None
    assert claim.evidence[0].span.start == chunk.index("The lake")


def test_one_sentence_longer_than_the_model_is_read_to_its_end(model: MakeModel) -> None:
    chunk = "green hill " * 600 + "agrees"
    assert _claim(model(hand_set_nli), chunk).verdict is Verdict.SUPPORTED


def test_a_small_window_reads_the_same_in_more_parts(model: MakeModel) -> None:
    chunk = _FILLER * 30 + "The lake is very deep agrees."
    (opinions,) = _model(model(hand_set_nli), window="32").read(["The lake is very deep."], [chunk])
    assert len(opinions) > 6
    assert [opinion.supported > 0.5 for opinion in opinions] == [False] * (len(opinions) - 1) + [True]


def test_of_a_claim_too_long_for_the_model_the_beginning_is_read(model: MakeModel) -> None:
    loaded = _model(model(hand_set_nli))
    first, last = loaded.read(["agrees " + "green hill " * 400, "green hill " * 400 + "agrees"], [_FILLER * 100])
    assert [opinion.supported > 0.5 for opinion in first] == [True] * len(first)
    assert [opinion.supported > 0.5 for opinion in last] == [False] * len(last)


def test_special_tokens_in_a_text_are_data(model: MakeModel) -> None:
    folder = model(hand_set_nli)
    plain = _claim(folder, "The lake is very  CLS] deep agrees.", answer="The lake is very  SEP] deep.")
    marked = _claim(folder, "The lake is very [CLS] deep agrees.", answer="The lake is very [SEP] deep.")
    assert (marked.verdict, marked.support_score) == (Verdict.SUPPORTED, plain.support_score)
    assert [item.quote for item in marked.evidence] == ["The lake is very [CLS] deep agrees."]


def test_batches_change_nothing_but_how_many_are_read_at_a_time(model: MakeModel) -> None:
    name = f"nli:{model(hand_set_nli)}"
    answer = "The lake is very deep. It holds 3 kinds of fish. The old stone house is new."
    chunks = tuple(
        Chunk(text=f"{_FILLER * number}It holds fish {word}.") for number, word in enumerate(["agrees", "denies", "so"])
    )
    sample = Sample(answer=answer, chunks=chunks)
    results = [judge_once(name, sample, batch_tokens=str(most)) for most in (1, 50, 100_000)]
    assert results[0].claims == results[1].claims == results[2].claims


def test_a_memory_that_is_too_small_fails_the_answer_and_says_what_to_choose(
    model: MakeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch
    from transformers import BertForSequenceClassification

    def run_out(*_: object, **__: object) -> None:
        raise torch.OutOfMemoryError("no memory")

    monkeypatch.setattr(BertForSequenceClassification, "forward", run_out)
    with pytest.raises(JudgeFailed, match=r"cpu has too little memory for 1 inputs .* smaller batch_tokens or window"):
        _claim(model(hand_set_nli), "The lake.")


def test_judges_in_several_threads_share_a_model(model: MakeModel) -> None:
    loaded = _model(model(hand_set_nli))
    asked = [["The lake agrees. " * 100 * length, "It denies. " * 200] for length in (1, 3, 5, 7)]
    expected = [loaded.read(["The lake.", "The hill."], chunks) for chunks in asked]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda chunks: loaded.read(["The lake.", "The hill."], chunks), asked * 4)) == expected * 4


def test_a_fingerprint_names_the_content_and_what_changes_verdicts(model: MakeModel, tmp_path: Path) -> None:
    folder = model(hand_set_nli)

    def fingerprint(**options: str) -> str:
        return create_judge(JudgeSpec(name=f"nli:{folder}", options=options)).fingerprint

    assert fingerprint() == fingerprint(batch_tokens="9", device="cpu")
    assert len({fingerprint(), fingerprint(window="64"), fingerprint(labels="entailment,neutral,contradiction")}) == 3
    moved = hand_set_nli(tmp_path / "m", ("neutral", "entailment", "contradiction"))
    other = create_judge(JudgeSpec(name=f"nli:{moved}")).fingerprint
    assert other.rpartition("+")[2] != fingerprint().rpartition("+")[2]


def test_a_model_that_cannot_be_loaded_fails_the_answer_with_the_reason(model: MakeModel, tmp_path: Path) -> None:
    from transformers import BertConfig, BertModel

    folder = hand_set_nli(tmp_path)
    config = BertConfig.from_pretrained(folder)
    BertModel(config).save_pretrained(folder)  # an encoder that was never trained to classify
    names = {"contradiction": 0, "entailment": 1, "neutral": 2}
    config.update({"id2label": {number: name for name, number in names.items()}, "label2id": names})
    config.save_pretrained(folder)
    with pytest.raises(JudgeFailed, match=r"lacks 'classifier\.bias' and so was not trained for this judge"):
        _claim(folder, "The lake is deep.")


def _model(folder: Path, **options: str) -> LocalModel:
    return LocalModel(read_options(JudgeSpec(name=f"nli:{folder}", options=options)))
