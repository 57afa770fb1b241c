"""A loaded network: token ids in, numbers out, in batches that fit the memory and are shared by answers."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from faithview.domain.errors import JudgeFailed, JudgeUnavailable


class Encoded(NamedTuple):
    """An input as token ids; `sides` says which of two texts each is from, empty where the network is not told."""

    tokens: list[int]
    sides: list[int] = []  # noqa: RUF012 - never written to: a NamedTuple's default, not a class's state


def batches(lengths: Sequence[int], most_tokens: int) -> Iterator[list[int]]:
    """Yield the numbers of the inputs of each batch, the longest inputs first.

    A batch is as wide as its longest input, and width times inputs is at most `most_tokens`; an input that is longer
    than that is a batch of its own.
    """
    batch: list[int] = []
    for number in sorted(range(len(lengths)), key=lambda at: (-lengths[at], at)):
        if batch and lengths[batch[0]] * (len(batch) + 1) > most_tokens:
            yield batch
            batch = []
        batch.append(number)
    if batch:
        yield batch


# Inputs of one batch times its width. A processor gains nothing from larger batches; a GPU needs them to be kept busy.
_CPU_BATCH_TOKENS = 4_096
_GPU_BATCH_TOKENS = 32_768


class Device(NamedTuple):
    """A device by PyTorch's name, the name of the precision, and how many tokens make a batch."""

    name: str
    dtype: str
    batch_tokens: int

    @property
    def is_half(self) -> bool:
        """Whether numbers have half the usual digits, which moves probabilities by up to about 0.01."""
        return self.dtype != "float32"


def pick_device(wanted: str, *, is_t5: bool = False) -> Device:
    """Return the device to use: for "auto" an NVIDIA or AMD GPU, else Apple's, else the processor.

    A GPU computes in half precision. T5's activations exceed the range of float16, so T5 gets bfloat16, or float32 on a
    GPU without it.

    Raises:
        JudgeUnavailable: the device that the user named is not there.
    """
    import torch

    has_cuda, has_mps = torch.cuda.is_available(), torch.backends.mps.is_available()
    name = wanted
    if wanted == "auto":
        name = "cuda" if has_cuda else "mps" if has_mps else "cpu"
    kind, _, number = name.partition(":")
    is_there = {"cpu": True, "cuda": has_cuda, "mps": has_mps}[kind]
    if not is_there or (number and int(number) >= torch.cuda.device_count()):
        raise JudgeUnavailable(
            f"PyTorch finds no device {name!r} here; leave the option device out, or write device=cpu."
        )
    if kind == "cpu":
        return Device(name, "float32", _CPU_BATCH_TOKENS)
    if not is_t5:
        return Device(name, "float16", _GPU_BATCH_TOKENS)
    has_bfloat16 = kind == "cuda" and torch.cuda.is_bf16_supported()
    return Device(name, "bfloat16" if has_bfloat16 else "float32", _GPU_BATCH_TOKENS)


# A network's output for one input: a number per label, or a row of them per token.
Logits = npt.NDArray[np.float32]

# One batch as PyTorch takes it: token ids, mask and sides (None where the network takes none), to logits.
Forward = Callable[[Any, Any, Any], Any]


class Network(Protocol):
    """Runs inputs of any number and length and gives their logits in the same order."""

    def run(self, inputs: Sequence[Encoded]) -> list[Logits]:
        """Return the logits of each input; raises JudgeFailed where the memory does not hold even one."""
        ...


class TorchNetwork:
    """Runs a model with PyTorch. Only one batch runs at a time, because all judges share the device's memory.

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
                f"{self._device.name} has too little memory for one input of {longest:,} tokens; choose a smaller "
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


_Asked = TypeVar("_Asked")
_Found = TypeVar("_Found")

# Answers that are read together: as many as take a second or two, so a GPU's batches are full and a run's progress
# moves on a slow processor too.
_FIRST, _MOST = 4, 64
_SHORT_S, _LONG_S = 1.0, 3.0


class ReadingQueue(Generic[_Asked, _Found]):
    """Hands requests to a function that takes many at a time, in a thread of its own.

    While it works on some, the next ones gather. The loop stays free, so results are stored and pages are drawn
    meanwhile.
    """

    def __init__(
        self, read: Callable[[Sequence[_Asked]], list[_Found]], *, clock: Callable[[], float] = monotonic
    ) -> None:
        """Make the queue; no thread is started yet. `clock` tells seconds."""
        self._read = read
        self._clock = clock
        self._together = _FIRST
        self._waiting: list[tuple[_Asked, asyncio.Future[_Found]]] = []
        self._pool: ThreadPoolExecutor | None = None
        self._task: asyncio.Task[None] | None = None

    async def ask(self, asked: _Asked) -> _Found:
        """Return what the function finds for one request; raises what it raises."""
        future: asyncio.Future[_Found] = asyncio.get_running_loop().create_future()
        self._waiting.append((asked, future))
        if self._task is None:
            self._task = asyncio.create_task(self._work())
        return await future

    async def aclose(self) -> None:
        """End the thread, after what it is working on."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    async def _work(self) -> None:
        try:
            await asyncio.sleep(0)  # all requests of this turn of the loop go together
            while self._waiting:
                batch, self._waiting = self._waiting[: self._together], self._waiting[self._together :]
                start = self._clock()
                await self._answer([(asked, future) for asked, future in batch if not future.done()])
                self._adapt(len(batch), self._clock() - start)
        finally:
            self._task = None

    def _adapt(self, read: int, seconds: float) -> None:
        """Read twice as many next time where all that were allowed took little, half as many where they took long."""
        if seconds > _LONG_S:
            self._together = max(1, self._together // 2)
        elif seconds < _SHORT_S and read == self._together:
            self._together = min(_MOST, 2 * self._together)

    async def _answer(self, batch: list[tuple[_Asked, asyncio.Future[_Found]]]) -> None:
        if not batch:
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="faithview-model")
        loop = asyncio.get_running_loop()
        try:
            found = await loop.run_in_executor(self._pool, self._read, [asked for asked, _ in batch])
        except Exception as error:  # noqa: BLE001 - a border: it is raised again, where the answer was asked about
            if len(batch) > 1:  # one answer cannot be read; the others can
                for one in batch:
                    await self._answer([one])
            elif not batch[0][1].done():
                batch[0][1].set_exception(error)
            return
        for (_, future), result in zip(batch, found, strict=True):
            if not future.done():
                future.set_result(result)
