"""The options of a judge with a local model, checked before anything is loaded."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from faithview.domain.errors import JudgeUnavailable
from faithview.domain.run import JudgeSpec


class Family(StrEnum):
    """Which kind of model a judge runs; the part of its name before the colon."""

    NLI = "nli"
    HHEM = "hhem"
    MINICHECK = "minicheck"
    LETTUCEDETECT = "lettucedetect"


class Runtime(StrEnum):
    """The library that runs the network; `AUTO` is ONNX Runtime on a processor if the model has an ONNX file."""

    AUTO = "auto"
    TORCH = "torch"
    ONNX = "onnx"


_EVERY_FAMILY = ("device", "revision", "window", "batch_tokens", "trust_remote_code")
_OPTIONS: Mapping[Family, tuple[str, ...]] = {
    Family.NLI: (*_EVERY_FAMILY, "runtime", "labels"),
    Family.HHEM: (*_EVERY_FAMILY, "foundation"),
    Family.MINICHECK: (*_EVERY_FAMILY, "runtime"),
    Family.LETTUCEDETECT: _EVERY_FAMILY,
}

# A passage of fewer tokens says too little to judge a claim by.
_LEAST_WINDOW = 32
_MOST_WINDOW = 8192
_MOST_BATCH_TOKENS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalOptions:
    """A judge's model and how to run it; two judges with equal options share one loaded model.

    `model` is a folder or a name at the Hugging Face Hub. `revision` is a commit, a tag or a branch there. `device` is
    "auto", "cpu", "mps" or "cuda", with a number where there are several. `window` is how many tokens of a chunk are
    read at a time and `batch_tokens` how many tokens of all inputs; None leaves it to the model and the device.
    `labels` are the names of an NLI model's outputs in their order, where its configuration does not give them.
    `foundation` is where HHEM's tokenizer is, if not at the Hub. `trusts_code` allows running Python code that comes
    with the model.
    """

    family: Family
    model: str
    device: str = "auto"
    revision: str | None = None
    window: int | None = None
    batch_tokens: int | None = None
    runtime: Runtime = Runtime.AUTO
    labels: tuple[str, ...] = ()
    foundation: str | None = None
    trusts_code: bool = False

    @property
    def name(self) -> str:
        """The judge's name, "nli:MODEL" for example."""
        return f"{self.family}:{self.model}"


def read_options(spec: JudgeSpec) -> LocalOptions:
    """Return the options of a spec whose name is FAMILY:MODEL.

    Raises:
        JudgeUnavailable: the judge has no such option, or an option has a value that it cannot have.
    """
    family_name, _, model = spec.name.partition(":")
    family = Family(family_name)
    given = {name: str(value).strip() for name, value in spec.options.items()}
    known = _OPTIONS[family]
    unknown = next((name for name in given if name not in known), None)
    if unknown is not None:
        raise JudgeUnavailable(
            f"Judge {family_name!r} has no option {unknown!r}; it has {', '.join(known[:-1])} and {known[-1]}."
        )
    return LocalOptions(
        family=family,
        model=model,
        device=_device(given.get("device", "auto")),
        revision=given.get("revision") or None,
        window=_number(given, "window", _LEAST_WINDOW, _MOST_WINDOW),
        batch_tokens=_number(given, "batch_tokens", 1, _MOST_BATCH_TOKENS),
        runtime=_runtime(given.get("runtime", Runtime.AUTO)),
        labels=tuple(label.strip() for label in given["labels"].split(",")) if given.get("labels") else (),
        foundation=given.get("foundation") or None,
        trusts_code=_yes_or_no(given.get("trust_remote_code", "no")),
    )


def _device(given: str) -> str:
    kind, _, number = given.partition(":")
    if kind in ("auto", "cpu", "mps", "cuda") and (not number or (kind == "cuda" and number.isdecimal())):
        return given
    raise JudgeUnavailable(f"The device cannot be {given!r}; write auto, cpu, mps, cuda or cuda:1.")


def _runtime(given: str) -> Runtime:
    try:
        return Runtime(given)
    except ValueError:
        raise JudgeUnavailable(f"The runtime cannot be {given!r}; write auto, torch or onnx.") from None


def _number(given: Mapping[str, str], name: str, least: int, most: int) -> int | None:
    text = given.get(name)
    if text is None:
        return None
    if text.isdecimal() and least <= int(text) <= most:
        return int(text)
    raise JudgeUnavailable(f"The option {name} cannot be {text!r}; give a number from {least:,} to {most:,}.")


def _yes_or_no(given: str) -> bool:
    answers = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
    if given.casefold() not in answers:
        raise JudgeUnavailable(f"The option trust_remote_code cannot be {given!r}; write yes or no.")
    return answers[given.casefold()]
