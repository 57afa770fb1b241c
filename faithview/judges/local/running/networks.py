"""A loaded network: token ids in, numbers out, in batches that fit the memory."""

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from faithview.domain.errors import JudgeFailed
from faithview.judges.local.running.batches import Encoded, batches
from faithview.judges.local.running.devices import Device

# What a network says of one input: a number per label, or a row of them per token.
Logits = npt.NDArray[np.float32]

# One batch as PyTorch takes it: token ids, mask and sides (None where the network takes none), to logits.
Forward = Callable[[Any, Any, Any], Any]


class Network(Protocol):
    """Runs inputs of any number and length and gives their logits in the same order."""

    def run(self, inputs: Sequence[Encoded]) -> list[Logits]:
        """Return the logits of each input; raises JudgeFailed where the memory does not hold even one."""
        ...


class TorchNetwork:
    """Runs a model with PyTorch. One batch runs at a time, whoever asks, for all share the device's memory.

    Where a batch does not fit the memory, the following ones are half as large.
    """

    def __init__(self, forward: Forward, device: Device, *, padding: int, batch_tokens: int | None = None) -> None:
        self._forward = forward
        self._device = device
        self._padding = padding
        self._batch_tokens = batch_tokens or device.batch_tokens
        self._lock = Lock()

    @property
    def batch_tokens(self) -> int:
        """How many tokens a batch may have; less than at first where the memory was too small."""
        return self._batch_tokens

    def run(self, inputs: Sequence[Encoded]) -> list[Logits]:
        """Return the logits of each input."""
        with self._lock:
            return self._run(list(inputs))

    def _run(self, inputs: list[Encoded]) -> list[Logits]:
        import torch

        found: list[Logits] = [np.empty(0, np.float32)] * len(inputs)
        waiting = list(range(len(inputs)))
        while waiting:
            batch = next(batches([len(inputs[at].tokens) for at in waiting], self._batch_tokens))
            numbers = [waiting[at] for at in batch]
            try:
                logits = self._run_batch([inputs[at] for at in numbers])
            except torch.OutOfMemoryError as error:
                self._shrink(inputs, numbers, error)
                continue
            for at, row in zip(numbers, logits, strict=True):
                found[at] = row
            done = set(numbers)
            waiting = [at for at in waiting if at not in done]
        return found

    def _run_batch(self, inputs: Sequence[Encoded]) -> list[Logits]:
        import torch

        tokens, mask, sides = padded(inputs, self._padding)
        place = self._device.name
        with torch.inference_mode():
            logits = self._forward(
                torch.from_numpy(tokens).to(place),
                torch.from_numpy(mask).to(place),
                None if sides is None else torch.from_numpy(sides).to(place),
            )
            return rows(logits.float().cpu().numpy(), inputs)

    def _shrink(self, inputs: Sequence[Encoded], batch: Sequence[int], error: Exception) -> None:
        import torch

        longest = max(len(inputs[at].tokens) for at in batch)
        if len(batch) == 1:
            raise JudgeFailed(
                f"The memory of {self._device.name} does not hold one input of {longest:,} tokens; choose a smaller "
                "window, or device=cpu."
            ) from error
        self._batch_tokens = longest * (len(batch) // 2)
        if self._device.name.startswith("cuda"):
            torch.cuda.empty_cache()


class OnnxNetwork:
    """Runs a network from an ONNX file with ONNX Runtime on the processor, which may run several batches at a time."""

    def __init__(self, file: Path, *, padding: int, batch_tokens: int) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
        self._names = {given.name for given in self._session.get_inputs()}
        self._padding = padding
        self._batch_tokens = batch_tokens

    def run(self, inputs: Sequence[Encoded]) -> list[Logits]:
        """Return the logits of each input."""
        found: list[Logits] = [np.empty(0, np.float32)] * len(inputs)
        for numbers in batches([len(given.tokens) for given in inputs], self._batch_tokens):
            batch = [inputs[at] for at in numbers]
            tokens, mask, sides = padded(batch, self._padding)
            given = {"input_ids": tokens, "attention_mask": mask}
            given["token_type_ids"] = np.zeros_like(tokens) if sides is None else sides
            logits = self._session.run(None, {name: given[name] for name in self._names})[0]
            for at, row in zip(numbers, rows(np.asarray(logits, np.float32), batch), strict=True):
                found[at] = row
        return found


Ids = npt.NDArray[np.int64]


def padded(inputs: Sequence[Encoded], padding: int) -> tuple[Ids, Ids, Ids | None]:
    """Return token ids, mask and sides of a batch, each of one row an input; None for sides that no input has."""
    shape = (len(inputs), max(len(given.tokens) for given in inputs))
    tokens, mask, sides = np.full(shape, padding, np.int64), np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for row, given in enumerate(inputs):
        length = len(given.tokens)
        tokens[row, :length] = given.tokens
        mask[row, :length] = 1
        sides[row, : len(given.sides)] = given.sides
    return tokens, mask, sides if any(given.sides for given in inputs) else None


def rows(logits: Logits, inputs: Sequence[Encoded]) -> list[Logits]:
    """Return each input's logits as a copy of its own; those of padding are left out where every token has some."""
    if logits.ndim == 2:
        return [row.copy() for row in logits]
    return [row[: len(given.tokens)].copy() for row, given in zip(logits, inputs, strict=True)]


def shares(logits: Logits) -> Logits:
    """Return probabilities over the last axis (softmax)."""
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True), np.float32)
