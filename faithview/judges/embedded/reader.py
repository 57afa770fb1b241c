"""The reader: a small cross-encoder that says whether passages entail a claim, and which of its words they do not."""

from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from threading import Lock
from typing import NamedTuple

import numpy as np
from tokenizers import Tokenizer

from faithview.judges.embedded.passages import ReaderInput

# Longer passages are read in several windows.
MOST_TOKENS = 320

_LEAST_PASSAGE = 64
_OVERLAP = 32


class EncodedInput(NamedTuple):
    """One window. `offsets` are the places in the claim of its word pieces, which are the tokens from 1 on."""

    tokens: list[int]
    sides: list[int]
    offsets: list[tuple[int, int]]


def encode(tokenizer: Tokenizer, given: ReaderInput) -> list[EncodedInput]:
    """Return the windows of an input: one, unless its passages are long. All of the passages is in some window."""
    first, end = _special(tokenizer, "[CLS]"), _special(tokenizer, "[SEP]")
    claim = tokenizer.encode(given.claim, add_special_tokens=False)
    asked = tokenizer.encode(given.asked, add_special_tokens=False).ids if given.asked else []
    passages = tokenizer.encode(given.passages, add_special_tokens=False).ids
    # Cut a claim that fills the input by itself. It is too long to be a sentence, so the rules judge it.
    most_claim = MOST_TOKENS - _LEAST_PASSAGE - 3
    pieces, offsets = claim.ids[:most_claim], claim.offsets[:most_claim]
    left = most_claim - len(pieces)
    head = [first, *pieces, end, *(asked[-left:] if left else []), end]
    room = MOST_TOKENS - len(head) - 1
    windows = []
    for at in range(0, max(1, len(passages) - _OVERLAP), room - _OVERLAP):
        part = passages[at : at + room]
        sides = [0] * len(head) + [1] * (len(part) + 1)
        windows.append(EncodedInput([*head, *part, end], sides, offsets))
    return windows


def _special(tokenizer: Tokenizer, name: str) -> int:
    number: int | None = tokenizer.token_to_id(name)
    if number is None:
        raise ValueError(f"The tokenizer has no {name}; it is not the one that the reader was trained with.")
    return number


# Words with a higher probability of being wrong are named.
_MARKED = 0.5

# How many of the latest readings are kept: the same claims return in another run, at another strictness or in a chunk
# ablation.
_KEPT = 20_000

# Probabilities are rounded, because processors differ in the last digits.
_DIGITS = 4


class Reading(NamedTuple):
    """The reader's output for a claim: probabilities that add up to 1, and the ranges of the claim's wrong words.

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
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(network, options, providers=["CPUExecutionProvider"])
        self.tokenizer = Tokenizer.from_str(tokenizer.decode("utf-8"))
        self.digest = sha256(network).hexdigest()[:8]
        self._kept: OrderedDict[ReaderInput, Reading] = OrderedDict()
        self._lock = Lock()

    def read(self, inputs: Sequence[ReaderInput]) -> list[Reading]:
        """Read claims with their passages; recent readings are cached."""
        with self._lock:
            known = {given: self._kept[given] for given in inputs if given in self._kept}
        new = list(dict.fromkeys(given for given in inputs if given not in known))
        known |= {given: self._read_windows(given) for given in new}
        with self._lock:
            for given in new:
                self._kept[given] = known[given]
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return [known[given] for given in inputs]

    def _read_windows(self, given: ReaderInput) -> Reading:
        """Read all windows of an input; the one that entails most counts.

        Each is run by itself: in 8 bits the scales of a batch would depend on what else is in it.
        """
        readings = [self._run_window(window) for window in encode(self.tokenizer, given)]
        return max(readings, key=lambda reading: reading.entailed)

    def _run_window(self, window: EncodedInput) -> Reading:
        tokens, sides = (np.array([part], dtype=np.int64) for part in (window.tokens, window.sides))
        classes, marks = self._session.run(None, {"tokens": tokens, "sides": sides, "mask": np.ones_like(tokens)})
        shares = np.exp(classes[0] - classes[0].max())
        return _reading(window, shares / shares.sum(), 1 / (1 + np.exp(-marks[0][1:])))


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


def read_packaged() -> tuple[bytes, bytes]:
    """Return the network and the tokenizer that come with the package."""
    folder = files(__package__)
    return folder.joinpath("reader.onnx").read_bytes(), folder.joinpath("tokenizer.json").read_bytes()


@lru_cache(maxsize=1)
def packaged_reader() -> OnnxReader:
    """Return the reader that comes with the package; loading it takes about a fifth of a second."""
    return OnnxReader(*read_packaged())
