"""The options of an LLM judge, checked before anything is sent."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from faithview.domain.errors import InvalidInput, JudgeUnavailable
from faithview.domain.run import JudgeSpec
from faithview.judges.llm.cost import PriceList, load_prices
from faithview.judges.llm.methods import create_method
from faithview.judges.llm.methods.method import Method
from faithview.judges.llm.prompts import STRICTNESS, PromptTemplate, custom_prompt, shipped_prompt

# name -> what it does. None holds a key.
OPTIONS: Mapping[str, str] = {
    "strictness": "strict (the default) or lenient: which of the two shipped prompts to use",
    "prompt": "path of a prompt to use instead of the one that says what counts as support",
    "prompt_text": "the prompt itself, as text",
    "prompt_name": "name of that prompt",
    "companions": "yes: one more call per answer, for answer relevance and context relevance",
    "weights": "weights of the method combined: claims=0.4,nli=0.3,qa=0.3",
    "prices": "path of a price file to use instead of the shipped one",
    "concurrency": "maximum number of concurrent calls to the vendor (32)",
    "timeout": "seconds until a call is stopped and repeated (180)",
    "max_tokens": "maximum number of tokens in a reply, including reasoning (16000)",
}

_DEFAULT_CONCURRENCY = 32
_DEFAULT_TIMEOUT_S = 180.0
_DEFAULT_MAX_TOKENS = 16_000


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmOptions:
    """A spec, understood. `prompts` are the templates of all steps, a user's own included."""

    model: str
    method: Method
    strictness: str
    prompts: Mapping[str, PromptTemplate]
    with_companions: bool
    prices: PriceList
    concurrency: int
    timeout_s: float
    max_tokens: int

    @classmethod
    def from_spec(cls, spec: JudgeSpec) -> "LlmOptions":
        """Read a spec.

        Raises:
            JudgeUnavailable: an option is unknown or its value cannot be used.
        """
        options = spec.options
        for name in options:
            if name not in OPTIONS:
                raise JudgeUnavailable(f"Judge {spec.name!r} has no option {name!r}; known: {', '.join(OPTIONS)}.")
        method = create_method(spec.method, weights=options.get("weights"))
        strictness = _one_of(options, "strictness", STRICTNESS)
        with_companions = _one_of(options, "companions", ("no", "yes")) == "yes"
        try:
            prices = load_prices(options.get("prices"))
            prompts = load_prompts(method, options, strictness=strictness, with_companions=with_companions)
        except InvalidInput as error:
            raise JudgeUnavailable(str(error)) from error
        return cls(
            model=spec.name.partition(":")[2],
            method=method,
            strictness=strictness,
            prompts=prompts,
            with_companions=with_companions,
            prices=prices,
            concurrency=int(_number(options, "concurrency", _DEFAULT_CONCURRENCY)),
            timeout_s=_number(options, "timeout", _DEFAULT_TIMEOUT_S),
            max_tokens=int(_number(options, "max_tokens", _DEFAULT_MAX_TOKENS)),
        )

    @property
    def fingerprint(self) -> str:
        """Method, strictness and prompts, with the prompts' hashes."""
        labels = "+".join(prompt.label for prompt in self.prompts.values())
        return f"{self.method.label}/{self.strictness}/{labels}"


def load_prompts(
    method: Method, options: Mapping[str, str], *, strictness: str, with_companions: bool = False
) -> dict[str, PromptTemplate]:
    """Return the prompt of each step; a user's own replaces that of the method's main step.

    Raises:
        InvalidInput: the user's prompt cannot be read, or its placeholders are not right.
    """
    steps = (*method.steps, "companions") if with_companions else method.steps
    prompts = {step: shipped_prompt(step, strictness=strictness) for step in steps}
    text, name = options.get("prompt_text"), options.get("prompt_name", "custom")
    if "prompt" in options:
        if text is not None:
            raise InvalidInput("Give the prompt as a path or as text, not both.")
        path = Path(options["prompt"])
        text, name = read_prompt(path), options.get("prompt_name", path.stem)
    if text is not None:
        prompts[method.main_step] = custom_prompt(method.main_step, text, name=name)
    return prompts


def read_prompt(path: Path) -> str:
    """Return a prompt file's text; raises InvalidInput if it cannot be read."""
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise InvalidInput(f"The prompt file {str(path)!r} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise InvalidInput(f"The prompt file {str(path)!r} is not UTF-8 text; save it as UTF-8.") from error


def _one_of(options: Mapping[str, str], name: str, known: tuple[str, ...]) -> str:
    value = options.get(name, known[0])
    if value not in known:
        raise JudgeUnavailable(f"The option {name!r} is {value!r}; it must be {' or '.join(known)}.")
    return value


def _number(options: Mapping[str, str], name: str, default: float) -> float:
    text = options.get(name)
    if text is None:
        return default
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 1 <= number <= 1_000_000:
        raise JudgeUnavailable(f"The option {name!r} is {text!r}; it must be a number of at least 1.")
    return number
