"""The options of a judge with a local model; the registry knows which judge has which of them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from faithview.domain.errors import JudgeUnavailable
from faithview.domain.run import JudgeSpec

# A passage of fewer tokens says too little to judge a claim by.
_LEAST_WINDOW = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalOptions:
    """A judge's model and how to run it; judges with equal options share one loaded model.

    `family` is "nli", "hhem" or "minicheck". `model` is a folder or a name at the Hugging Face Hub, `revision` a
    commit, a tag or a branch there. `device` is PyTorch's name, "cuda:1" for example, or "auto". `window` is how many
    tokens of a chunk are read at a time, `batch_tokens` how many tokens of all inputs; None leaves it to the family and
    the device. `labels` are the names of an NLI model's outputs in their order, where its configuration does not give
    them. `foundation` is where HHEM's tokenizer is, if not at the Hub. `trusts_code` allows running Python code that
    comes with the model.
    """

    family: str
    model: str
    device: str = "auto"
    revision: str | None = None
    window: int | None = None
    batch_tokens: int | None = None
    labels: tuple[str, ...] = ()
    foundation: str | None = None
    trusts_code: bool = False


def read_options(spec: JudgeSpec) -> LocalOptions:
    """Return the options of a spec whose name is FAMILY:MODEL.

    Raises:
        JudgeUnavailable: an option has a value that it cannot have.
    """
    family, _, model = spec.name.partition(":")
    given = spec.options
    device = given.get("device", "auto")
    if not re.fullmatch(r"auto|cpu|mps|cuda(:\d+)?", device):
        raise JudgeUnavailable(f"The device cannot be {device!r}; write auto, cpu, mps, cuda or cuda:1.")
    trusts_code = given.get("trust_remote_code", "no")
    if trusts_code not in ("yes", "no"):
        raise JudgeUnavailable(f"The option trust_remote_code cannot be {trusts_code!r}; write yes or no.")
    return LocalOptions(
        family=family,
        model=model,
        device=device,
        revision=given.get("revision"),
        window=_number(given, "window", least=_LEAST_WINDOW),
        batch_tokens=_number(given, "batch_tokens", least=1),
        labels=tuple(label.strip() for label in given["labels"].split(",")) if "labels" in given else (),
        foundation=given.get("foundation"),
        trusts_code=trusts_code == "yes",
    )


def _number(given: Mapping[str, str], name: str, *, least: int) -> int | None:
    text = given.get(name)
    if text is None:
        return None
    if text.isdecimal() and int(text) >= least:
        return int(text)
    raise JudgeUnavailable(f"The option {name} cannot be {text!r}; give a number of at least {least}.")
