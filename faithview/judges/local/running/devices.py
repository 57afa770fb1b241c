"""Which hardware runs a model, and in which precision."""

from typing import NamedTuple

from faithview.domain.errors import JudgeUnavailable

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
