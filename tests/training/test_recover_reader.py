"""Weights that are recovered from the exported reader give what the exported reader gives."""

from pathlib import Path

import pytest

from faithview.judges.embedded.passages import ReaderInput
from faithview.judges.embedded.reader import OnnxReader

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")

_SHIPPED = Path(__file__).parents[2] / "faithview" / "judges" / "embedded"


def test_the_recovered_reader_reads_as_the_exported_one() -> None:
    from tests.training.network import Reader
    from tests.training.reader_pairs import Pair
    from tests.training.recover_reader import recovered
    from tests.training.train_reader import encode, predict

    exported = OnnxReader((_SHIPPED / "reader.onnx").read_bytes(), (_SHIPPED / "tokenizer.json").read_bytes())
    reader = Reader()
    reader.load_state_dict(recovered(onnx.load(str(_SHIPPED / "reader.onnx"))))
    passages = "Parcels\nA parcel stays at the shop for seven days. Then it goes back to the sender."
    claims = ["A parcel is kept at the shop for a week.", "A parcel is kept for a month.", "Dogs are not allowed."]
    given = [ReaderInput(claim=claim, asked="How long?", passages=passages) for claim in claims]
    pairs = [Pair(claim=one.claim, asked=one.asked, passages=passages, label="entailed") for one in given]
    found = predict(reader, [encode(exported.tokenizer, pair) for pair in pairs])[:, 0]
    expected = [reading.entailed for reading in exported.read(given)]
    # The exported reader also rounds what flows between layers, which moves probabilities by this much.
    assert found.tolist() == pytest.approx(expected, abs=0.2)
    assert max(expected) - min(expected) > 0.2
