"""A model's ONNX file is run with ONNX Runtime on a processor, and says the same as its weights."""

import asyncio
import shutil
import warnings
from pathlib import Path

import pytest

from faithview.domain.errors import JudgeFailed
from faithview.domain.result import Result
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Chunk, Sample
from faithview.judges.local.loading import pair_model
from faithview.judges.local.networks import OnnxNetwork, TorchNetwork
from faithview.judges.local.options import read_options
from faithview.judges.registry import create_judge
from tests.judges.local.conftest import MakeModel
from tests.judges.local.tiny_models import hand_set_nli

pytestmark = pytest.mark.torch

_SAMPLE = Sample(
    answer="The lake is very deep. It holds 3 kinds of fish. The river runs north.",
    chunks=(
        Chunk(chunk_id="a", text="The weather was mild."),
        Chunk(chunk_id="b", text="It holds 3 kinds of fish denies. " + "The green hill is far away. " * 90),
    ),
)


@pytest.fixture(scope="module")
def with_onnx(model: MakeModel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that has an ONNX file beside its weights, as published ones have."""
    pytest.importorskip("onnx", reason="onnx is not installed")
    import torch
    from transformers import AutoModelForSequenceClassification

    folder = tmp_path_factory.mktemp("with_onnx")
    shutil.copytree(model(hand_set_nli), folder, dirs_exist_ok=True)
    network = AutoModelForSequenceClassification.from_pretrained(folder, attn_implementation="eager").eval()

    class _Logits(torch.nn.Module):  # type: ignore[misc] # a class of PyTorch, which has no types here
        def __init__(self) -> None:
            super().__init__()
            self.network = network

        def forward(self, tokens: object, mask: object, sides: object) -> object:
            return self.network(input_ids=tokens, attention_mask=mask, token_type_ids=sides).logits

    names = ["input_ids", "attention_mask", "token_type_ids"]
    given = torch.ones((2, 9), dtype=torch.long)
    (folder / "onnx").mkdir()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyTorch's, about its older exporter, which needs no further package
        torch.onnx.export(
            _Logits(),
            (given, given, torch.zeros_like(given)),
            str(folder / "onnx" / "model.onnx"),
            input_names=names,
            output_names=["logits"],
            dynamic_axes={name: {0: "inputs", 1: "tokens"} for name in names},
            opset_version=17,
            dynamo=False,
        )
    return folder


def _judge(folder: Path, **options: str) -> Result:
    async def use() -> Result:
        judge = create_judge(JudgeSpec(name=f"nli:{folder}", options=options))
        try:
            return await judge.judge(_SAMPLE)
        finally:
            await judge.aclose()

    return asyncio.run(use())


def test_it_is_taken_on_a_processor_and_gives_the_same_verdicts(with_onnx: Path) -> None:
    def network(**options: str) -> object:
        return pair_model(read_options(JudgeSpec(name=f"nli:{with_onnx}", options=options))).network

    assert isinstance(network(device="cpu"), OnnxNetwork)
    assert isinstance(network(device="cpu", runtime="torch"), TorchNetwork)
    onnx, torch = _judge(with_onnx, device="cpu"), _judge(with_onnx, device="cpu", runtime="torch")
    assert [claim.verdict.value for claim in onnx.claims] == ["not_mentioned", "contradicted", "not_mentioned"]
    assert [claim.verdict for claim in onnx.claims] == [claim.verdict for claim in torch.claims]
    assert [claim.evidence for claim in onnx.claims] == [claim.evidence for claim in torch.claims]
    for one, other in zip(onnx.claims, torch.claims, strict=True):
        assert one.support_score == pytest.approx(other.support_score, abs=2e-4)


def test_it_is_not_made_up_where_a_model_has_none(model: MakeModel) -> None:
    with pytest.raises(JudgeFailed, match=r"has no onnx/model\.onnx; leave the option runtime out"):
        _judge(model(hand_set_nli), runtime="onnx", device="cpu")
