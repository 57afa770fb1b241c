"""The judge of claims beside passages, with a model whose answers are known: "agrees" entails, "denies" contradicts."""

import asyncio
import gc
import weakref
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from faithview.domain.claim import Claim, Verdict, verify_claims
from faithview.domain.errors import JudgeFailed, JudgeUnavailable
from faithview.domain.result import Result
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Chunk, Sample
from faithview.judges.base import Judge
from faithview.judges.local import models
from faithview.judges.local.loading import pair_model
from faithview.judges.local.models import PairModel, Question
from faithview.judges.local.networks import Encoded
from faithview.judges.local.options import read_options
from faithview.judges.registry import create_judge
from tests.judges.local.conftest import MakeModel
from tests.judges.local.tiny_models import hand_set_nli

pytestmark = pytest.mark.torch

_FILLER = "The green hill is far away. "


def _turned(folder: Path) -> Path:
    return hand_set_nli(folder, ("neutral", "contradiction", "entailment"))


def _unnamed(folder: Path) -> Path:
    return hand_set_nli(folder, ("LABEL_0", "LABEL_1", "LABEL_2"))


def _judge(folder: Path, sample: Sample, **options: str) -> Result:
    async def use() -> Result:
        judge: Judge = create_judge(JudgeSpec(name=f"nli:{folder}", options=options))
        try:
            return await judge.judge(sample)
        finally:
            await judge.aclose()

    return asyncio.run(use())


def _claim(folder: Path, *chunks: str, answer: str = "The lake is very deep.", **options: str) -> Claim:
    sample = Sample(answer=answer, chunks=tuple(Chunk(chunk_id=name, text=t) for name, t in zip("abc", chunks)))  # noqa: B905 - as many as are given
    result = _judge(folder, sample, **options)
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


def test_the_chunk_is_the_premise_and_the_claim_the_hypothesis(model: MakeModel) -> None:
    loaded = pair_model(read_options(JudgeSpec(name=f"nli:{model(hand_set_nli)}")))
    encoded = loaded.encode("deep lake", "green hill")
    first, second = loaded.texts.ids("deep lake"), loaded.texts.ids("green hill")
    cls, sep = loaded.texts.special("cls_token"), loaded.texts.special("sep_token")
    assert encoded.tokens == [cls, *first, sep, *second, sep]
    assert encoded.sides == [0] * (len(first) + 2) + [1] * (len(second) + 1)


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
    found: list[int] = []
    loaded = pair_model(read_options(JudgeSpec(name=f"nli:{model(hand_set_nli)}", options={"window": "32"})))
    opinions = loaded.read([Question(("The lake is very deep.",), (chunk,))])[0][0]
    found = [opinion.end - opinion.start for opinion in opinions]
    assert len(found) > 6
    assert [opinion.supported > 0.5 for opinion in opinions] == [False] * (len(found) - 1) + [True]


def test_the_passage_gives_way_where_a_claim_is_long(model: MakeModel) -> None:
    seen: list[int] = []
    loaded = pair_model(read_options(JudgeSpec(name=f"nli:{model(hand_set_nli)}")))
    claim = "green hill " * 175  # 350 of 512 tokens, and windows have 256
    chunk = _FILLER * 40 + "agrees"

    class _Watched:
        def run(self, inputs: Sequence[Encoded]) -> Any:
            seen.extend(len(given.tokens) for given in inputs)
            return loaded.network.run(inputs)

    opinions = _with_network(loaded, _Watched()).read([Question((claim,), (chunk,))])[0][0]
    assert max(seen) <= 512
    covered = {at for opinion in opinions for at in range(opinion.start, opinion.end)}
    assert "".join(c for at, c in enumerate(chunk) if at not in covered).strip() == ""
    assert max(opinion.supported for opinion in opinions) > 0.9


def test_a_claim_longer_than_the_model_is_read_in_parts(model: MakeModel) -> None:
    loaded = pair_model(read_options(JudgeSpec(name=f"nli:{model(hand_set_nli)}")))
    seen: list[int] = []

    class _Watched:
        def run(self, inputs: Sequence[Encoded]) -> Any:
            seen.extend(len(given.tokens) for given in inputs)
            return loaded.network.run(inputs)

    watched = _with_network(loaded, _Watched())
    chunks = ("The hill agrees.", _FILLER, _FILLER * 100 + "It denies.")
    opinions = watched.read([Question(("green hill " * 400, "The lake."), chunks)])[0]
    assert max(seen) <= 512
    assert [opinion.chunk for opinion in opinions[0]] == [0, 1, 2]
    assert [opinion.supported > 0.5 for opinion in opinions[0]] == [True, False, False]
    assert [(opinion.contradicted or 0) > 0.5 for opinion in opinions[0]] == [False, False, True]
    assert (opinions[0][2].start, opinions[0][2].end) == (0, len(chunks[2]))
    assert [opinion.chunk for opinion in opinions[1]][:2] == [0, 1]
    assert len(opinions[1]) > 3  # a short claim keeps one opinion a passage


def test_a_part_that_is_not_supported_leaves_a_long_claim_unsupported(model: MakeModel) -> None:
    loaded = pair_model(read_options(JudgeSpec(name=f"nli:{model(hand_set_nli)}")))
    # The word stands in the first part of the claim only, so only that part is entailed.
    claim = "agrees " + "green hill " * 400
    assert loaded.read([Question((claim,), (_FILLER,))])[0][0][0].supported < 0.5


def test_a_model_too_small_for_a_passage_fails_and_says_so(model: MakeModel) -> None:
    loaded = pair_model(read_options(JudgeSpec(name=f"nli:{model(hand_set_nli)}")))
    tiny = replace(loaded, limit=3)
    with pytest.raises(JudgeFailed, match="The model takes 3 tokens, too few for a claim and a passage"):
        tiny.read([Question(("The lake.",), (_FILLER,))])


def test_special_tokens_in_a_text_are_data(model: MakeModel) -> None:
    folder = model(hand_set_nli)
    loaded = pair_model(read_options(JudgeSpec(name=f"nli:{folder}")))
    passage = "deep [SEP] lake [CLS] [PAD]"
    assert len(loaded.texts.plain(passage)) == len(passage)
    assert loaded.texts.special("sep_token") not in loaded.texts.ids(passage)
    assert loaded.encode(passage, "green [SEP]").tokens.count(loaded.texts.special("sep_token")) == 2
    assert _claim(folder, "The lake is very [SEP] deep agrees.").verdict is Verdict.SUPPORTED


def test_batches_change_nothing_but_how_many_are_read_at_a_time(model: MakeModel) -> None:
    folder = model(hand_set_nli)
    answer = "The lake is very deep. It holds 3 kinds of fish. The old stone house is new."
    chunks = tuple(
        Chunk(text=f"{_FILLER * number}It holds fish {word}.") for number, word in enumerate(["agrees", "denies", "so"])
    )
    sample = Sample(answer=answer, chunks=chunks)
    results = [_judge(folder, sample, batch_tokens=str(most)) for most in (1, 50, 100_000)]
    assert results[0].claims == results[1].claims == results[2].claims


def test_inputs_are_held_in_parts(model: MakeModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "MOST_INPUTS", 10)
    loaded = pair_model(read_options(JudgeSpec(name=f"nli:{model(hand_set_nli)}")))
    sizes: list[int] = []

    class _Watched:
        def run(self, inputs: Sequence[Encoded]) -> Any:
            sizes.append(len(inputs))
            return loaded.network.run(inputs)

    question = Question(tuple(f"The lake is deep {n}." for n in range(4)), tuple(_FILLER + str(n) for n in range(12)))
    opinions = _with_network(loaded, _Watched()).read([question])
    assert sum(sizes) == 48
    assert max(sizes) <= 12  # ten, and the rest of the window that was begun
    assert [[opinion.chunk for opinion in of_claim] for of_claim in opinions[0]] == [list(range(12))] * 4


def test_a_batch_that_does_not_fit_the_memory_is_halved(model: MakeModel) -> None:
    import torch

    from faithview.judges.local.networks import Device, TorchNetwork

    sizes: list[int] = []

    def forward(tokens: Any, mask: Any, sides: Any) -> Any:
        sizes.append(tokens.numel())
        if tokens.numel() > 40:
            raise torch.OutOfMemoryError("no memory")
        return tokens[:, :1].float()

    network = TorchNetwork(forward, Device("cpu", "float32", 1000), padding=0)
    inputs = [Encoded([number] * 10) for number in range(16)]
    assert [int(row[0]) for row in network.run(inputs)] == list(range(16))
    assert sizes[0] == 160
    assert network.batch_tokens == 40
    assert max(sizes[sizes.index(40) :]) == 40
    with pytest.raises(JudgeFailed, match="has too little memory for one input of 100 tokens"):
        network.run([Encoded([1] * 100)])


def test_judges_chosen_alike_share_one_model_and_it_goes_when_another_is_used(model: MakeModel) -> None:
    folder, other = model(hand_set_nli), model(_turned)
    options = read_options(JudgeSpec(name=f"nli:{folder}", options={"window": "77"}))
    loaded = pair_model(options)
    assert pair_model(read_options(JudgeSpec(name=f"nli:{folder}", options={"window": "77"}))) is loaded
    assert pair_model(read_options(JudgeSpec(name=f"nli:{folder}", options={"window": "78"}))) is not loaded
    gone = weakref.ref(loaded)
    del loaded
    pair_model(read_options(JudgeSpec(name=f"nli:{other}")))
    gc.collect()
    assert gone() is None


def test_a_fingerprint_names_the_content_and_what_changes_verdicts(model: MakeModel, tmp_path: Path) -> None:
    folder = model(hand_set_nli)

    def fingerprint(**options: str) -> str:
        return create_judge(JudgeSpec(name=f"nli:{folder}", options=options)).fingerprint

    assert fingerprint() == fingerprint(batch_tokens="9", device="cpu")
    assert len({fingerprint(), fingerprint(window="64"), fingerprint(labels="entailment,neutral,contradiction")}) == 3
    moved = hand_set_nli(tmp_path / "m", ("neutral", "entailment", "contradiction"))
    assert (
        create_judge(JudgeSpec(name=f"nli:{moved}")).fingerprint.rpartition("+")[2] != fingerprint().rpartition("+")[2]
    )


def test_a_model_that_cannot_be_loaded_fails_the_answer_with_the_reason(model: MakeModel, tmp_path: Path) -> None:
    from transformers import BertConfig, BertModel

    folder = hand_set_nli(tmp_path)
    config = BertConfig.from_pretrained(folder)
    BertModel(config).save_pretrained(folder)  # an encoder that was never trained to classify
    names = {"contradiction": 0, "entailment": 1, "neutral": 2}
    config.update({"id2label": {number: name for name, number in names.items()}, "label2id": names})
    config.save_pretrained(folder)
    with pytest.raises(JudgeFailed, match=r"lacks 'classifier\.bias' and so was not trained for this judge"):
        _judge(folder, Sample.of("The lake is deep.", ["The lake is deep."]))


def _with_network(loaded: PairModel, network: Any) -> PairModel:
    return replace(loaded, network=network)
