"""Write the trained reader as ONNX in 8 bits, with its tokenizer.

    python -m tests.training.export_reader reader.pt --start WEIGHTS -o FOLDER

Weights are rounded to 8 bits a column, and what flows between layers is rounded as it runs (dynamic quantization). The
script prints how far probabilities move by that on the help-desk answers kept for tuning.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer

from faithview.judges.embedded.passages import ReaderInput
from faithview.judges.embedded.reader import OnnxReader
from tests.helpdesk import Part, read_answers
from tests.training.network import Reader
from tests.training.reader_pairs import helpdesk_pairs
from tests.training.train_reader import encode, predict

_COMPARED = 300


def main(arguments: Sequence[str] | None = None) -> int:
    """Export and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--start", type=Path, required=True, help="folder with the tokenizer that was trained with")
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder for reader.onnx and tokenizer.json")
    parser.add_argument("--scale", choices=("column", "matrix"), default="column", help="what has a scale of its own")
    options = parser.parse_args(arguments)
    reader = Reader()
    reader.load_state_dict(torch.load(options.weights))
    reader.eval()
    options.output.mkdir(parents=True, exist_ok=True)
    network, words = options.output / "reader.onnx", options.output / "tokenizer.json"
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.onnx"
        export(reader, whole)
        quantize_dynamic(whole, network, weight_type=QuantType.QInt8, per_channel=options.scale == "column")
    remove_notes(network)
    stored = json.loads((options.start / "tokenizer.json").read_text(encoding="utf-8"))
    stored |= {"truncation": None, "padding": None}
    words.write_text(json.dumps(stored, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    print(f"{network}: {network.stat().st_size / 1e6:.1f} MB")
    compare(reader, OnnxReader(network.read_bytes(), words.read_bytes()), Tokenizer.from_str(json.dumps(stored)))
    return 0


def export(reader: Reader, path: Path) -> None:
    """Write the network as ONNX, for any number of rows of any length."""
    rows, length = torch.export.Dim("rows"), torch.export.Dim("length", max=512)
    given = tuple(torch.ones(2, 16, dtype=torch.int64) for _ in range(3))
    torch.onnx.export(
        reader,
        given,
        str(path),
        input_names=["tokens", "sides", "mask"],
        output_names=["classes", "marks"],
        dynamic_shapes={name: {0: rows, 1: length} for name in ("tokens", "sides", "mask")},
        external_data=False,
    )
    # The exporter's notes of shapes do not fit the transposed weights that the quantizer makes.
    model = onnx.load(str(path))
    del model.graph.value_info[:]
    onnx.save(model, str(path))


def remove_notes(network: Path) -> None:
    """Remove the notes of exporter and quantizer: they name folders of this machine and take part in the digest."""
    model = onnx.load(str(network))
    model.ClearField("metadata_props")
    for node in model.graph.node:
        node.ClearField("metadata_props")
        node.ClearField("doc_string")
    onnx.save(model, str(network))


def compare(reader: Reader, rounded: OnnxReader, tokenizer: Tokenizer) -> None:
    """Print how far the probabilities of the rounded network are from the trained one's."""
    answers = [answer for answer in read_answers() if answer.part is Part.TUNE]
    pairs = list(helpdesk_pairs(answers, versions=False))[:_COMPARED]
    whole = predict(reader, [encode(tokenizer, pair) for pair in pairs])[:, 0]
    given = [ReaderInput(claim=p.claim, asked=p.asked, passages=p.passages) for p in pairs]
    eight = np.array([reading.entailed for reading in rounded.read(given)])
    print(
        f"entailed in 8 bits and in full over {len(pairs)} claims: mean difference {np.abs(whole - eight).mean():.4f}, "
        f"largest {np.abs(whole - eight).max():.4f}, correlation {np.corrcoef(whole, eight)[0, 1]:.4f}"
    )


if __name__ == "__main__":
    sys.exit(main())
