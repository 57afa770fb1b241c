"""The reader: a small cross-encoder that says whether passages entail a claim, and which of its words they do not."""

from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from tests.training.encoding import EncodedInput, encode
from tests.training.passages import ReaderInput

# Words whose chance of being wrong is above this are named.
_MARKED = 0.5

# More windows at a time take more memory and save little time.
_BATCH = 8

# Probabilities are rounded, for kernels of processors differ in the last digits.
_DIGITS = 4


class Reading(NamedTuple):
    """What the reader says of a claim: probabilities that add up to 1, and the ranges of the claim's wrong words.

    `worst` is the highest chance of any word of the claim to be wrong.
    """

    entailed: float
    neutral: float
    contradicted: float
    worst: float
    wrong: tuple[tuple[int, int], ...]


class OnnxReader:
    """Runs the network with onnxruntime on the processor, in one thread: the same input always gives the same."""

    def __init__(self, network: bytes, tokenizer: bytes) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(network, options, providers=["CPUExecutionProvider"])
        self.tokenizer = Tokenizer.from_str(tokenizer.decode("utf-8"))
        self.digest = sha256(network).hexdigest()[:8]

    def read(self, inputs: Sequence[ReaderInput]) -> list[Reading]:
        """Read claims beside their passages; of several windows the one that entails most counts."""
        windows = [(number, window) for number, given in enumerate(inputs) for window in encode(self.tokenizer, given)]
        readings: list[Reading | None] = [None] * len(inputs)
        by_length = sorted(windows, key=lambda item: len(item[1].tokens))
        for at in range(0, len(by_length), _BATCH):
            part = by_length[at : at + _BATCH]
            for (number, _), reading in zip(part, self._run([window for _, window in part]), strict=True):
                best = readings[number]
                if best is None or reading.entailed > best.entailed:
                    readings[number] = reading
        return [reading for reading in readings if reading is not None]

    def _run(self, windows: Sequence[EncodedInput]) -> list[Reading]:
        longest = max(len(window.tokens) for window in windows)
        tokens, sides, mask = (np.zeros((len(windows), longest), dtype=np.int64) for _ in range(3))
        for number, window in enumerate(windows):
            size = len(window.tokens)
            tokens[number, :size], sides[number, :size], mask[number, :size] = window.tokens, window.sides, 1
        classes, marks = self._session.run(None, {"tokens": tokens, "sides": sides, "mask": mask})
        shares = np.exp(classes - classes.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        chances = 1 / (1 + np.exp(-marks))
        return [_reading(window, row, chance[1:]) for window, row, chance in zip(windows, shares, chances, strict=True)]


def _reading(
    window: EncodedInput,
    shares: "np.ndarray[tuple[int], np.dtype[np.float32]]",
    chances: "np.ndarray[tuple[int], np.dtype[np.float32]]",
) -> Reading:
    of_claim = [float(chance) for chance in chances[: len(window.offsets)]]
    wrong: list[tuple[int, int]] = []
    for (start, end), chance in zip(window.offsets, of_claim, strict=True):
        if chance < _MARKED:
            continue
        if wrong and start - wrong[-1][1] <= 1:
            wrong[-1] = (wrong[-1][0], end)
        else:
            wrong.append((start, end))
    entailed, neutral, contradicted = (round(float(share), _DIGITS) for share in shares)
    return Reading(entailed, neutral, contradicted, round(max(of_claim, default=0.0), _DIGITS), tuple(wrong))
