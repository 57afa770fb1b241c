"""Write the weights of an exported reader as `train_reader --from` takes them, so that training can go on from it.

    python -m tests.training.recover_reader faithview/judges/embedded/reader.onnx -o recovered.pt

The weights come back rounded to 8 bits, as they were exported. What flows between layers is no longer rounded.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import onnx
import torch
from onnx import ModelProto, numpy_helper
from torch import Tensor

from tests.training.network import Reader

_ROUNDED = "_quantized"


def main(arguments: Sequence[str] | None = None) -> int:
    """Recover the weights and write them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", type=Path, help="reader.onnx, as export_reader wrote it")
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args(arguments)
    reader = Reader()
    reader.load_state_dict(recovered(onnx.load(str(options.network))))
    torch.save(reader.state_dict(), options.output)
    return 0


def recovered(model: ModelProto) -> dict[str, Tensor]:
    """Return the weights by the names that `Reader` has for them."""
    stored = {part.name: numpy_helper.to_array(part) for part in model.graph.initializer}
    weights = {name: torch.tensor(array) for name, array in stored.items() if name.endswith((".weight", ".bias"))}
    # The exporter names most matrices by numbers. The bias that is added to a product says whose matrix it is.
    named: dict[str, str] = {}
    made_from: dict[str, str] = {}
    for node in model.graph.node:
        if node.op_type == "MatMulInteger":
            made_from[node.output[0]] = node.input[1]
        for given in node.input:
            if node.op_type in ("Cast", "Mul") and given in made_from:
                made_from[node.output[0]] = made_from[given]
            if node.op_type == "Add" and given in made_from:
                bias = next(name for name in node.input if name.endswith(".bias"))
                named[made_from[given]] = bias.removesuffix(".bias") + ".weight"
    for name, array in stored.items():
        if not name.endswith(_ROUNDED):
            continue
        base = name.removesuffix(_ROUNDED)
        steps = array.astype("float32") - stored[f"{base}_zero_point"].astype("float32")
        exact = torch.tensor(steps * stored[f"{base}_scale"])
        # A layer's matrix is stored transposed; a table of words, places or sides is not multiplied by.
        weights[named.get(name, base)] = exact.T.contiguous() if name in named else exact
    return weights


if __name__ == "__main__":
    sys.exit(main())
