"""The options of an LLM judge, checked before anything is sent."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template

from faithview.domain.errors import InvalidInput, JudgeUnavailable
from faithview.domain.run import JudgeSpec
from faithview.judges.llm.cost import PriceList, load_prices
from faithview.judges.llm.methods import METHODS, create_method
from faithview.judges.llm.methods.method import Method
from faithview.judges.llm.prompts import (
    EXAMPLES,
    PLACEHOLDERS,
    STRICTNESS,
    PromptTemplate,
    custom_prompt,
    shipped_prompt,
    with_example,
)

# name -> what it does. None holds a key.
OPTIONS: Mapping[str, str] = {
    "strictness": "strict (the default) or lenient: which of the two shipped prompts to use",
    "prompt": "path of a prompt to use instead of the one that says what counts as support",
    "prompt_text": "the prompt itself, as text",
    "prompt_name": "name of that prompt",
    "companions": "yes: one more call per answer, for answer relevance and context relevance",
    "reasoning": "how much a reasoning model thinks before it replies: low, medium, high, …",
    "examples": "on: adds a worked example to the prompts of single and claims, for small models",
    "weights": "weights of the method combined: claims=0.4,nli=0.3,qa=0.3",
    "prices": "path of a price file to use instead of the shipped one",
    "concurrency": "maximum number of concurrent calls to the vendor (32)",
    "timeout": "seconds until a call is stopped and repeated (180)",
    "max_tokens": "maximum number of tokens in a reply, including reasoning (16000)",
}

# The efforts that each vendor's API knows.
REASONING: Mapping[str, tuple[str, ...]] = {
    "openai": ("none", "minimal", "low", "medium", "high", "xhigh", "max"),
    "anthropic": ("low", "medium", "high", "xhigh", "max"),
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
    reasoning: str | None

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
        vendor, _, model = spec.name.partition(":")
        reasoning = None
        if "reasoning" in options:
            reasoning = _one_of(options, "reasoning", REASONING.get(vendor, ()))
        try:
            prices = load_prices(options.get("prices"))
            prompts = load_prompts(method, options, strictness=strictness, with_companions=with_companions)
        except InvalidInput as error:
            raise JudgeUnavailable(str(error)) from error
        return cls(
            model=model,
            method=method,
            strictness=strictness,
            prompts=prompts,
            with_companions=with_companions,
            prices=prices,
            concurrency=int(_number(options, "concurrency", _DEFAULT_CONCURRENCY)),
            timeout_s=_number(options, "timeout", _DEFAULT_TIMEOUT_S),
            max_tokens=int(_number(options, "max_tokens", _DEFAULT_MAX_TOKENS)),
            reasoning=reasoning,
        )

    @property
    def fingerprint(self) -> str:
        """Method, strictness and prompts, with the prompts' hashes, and the reasoning if it was chosen."""
        labels = "+".join(prompt.label for prompt in self.prompts.values())
        reasoning = "" if self.reasoning is None else f"/reasoning={self.reasoning}"
        return f"{self.method.label}/{self.strictness}/{labels}{reasoning}"


def load_prompts(
    method: Method, options: Mapping[str, str], *, strictness: str, with_companions: bool = False
) -> dict[str, PromptTemplate]:
    """Return the prompt of each step; a user's own replaces that of the method's main step.

    Raises:
        InvalidInput: the user's prompt cannot be read, its placeholders are not right, or the method has no example.
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
        prompts[method.main_step] = _own_prompt(method, text, name=name)
    if _one_of(options, "examples", ("off", "on")) == "on":
        if not EXAMPLES.keys() & prompts.keys():
            raise InvalidInput(f"The method {method.name!r} has no worked example; choose single, claims or per-claim.")
        prompts = {step: with_example(prompt) for step, prompt in prompts.items()}
    return prompts


def _own_prompt(method: Method, text: str, *, name: str) -> PromptTemplate:
    """Return a user's prompt; an error about its placeholders names the method that they are for, if there is one."""
    try:
        return custom_prompt(method.main_step, text, name=name)
    except InvalidInput as error:
        found = set(Template(text).get_identifiers())
        fits = [m for m in METHODS if set(PLACEHOLDERS[create_method(m).main_step]) == found]
        if not fits or method.name in fits:
            raise
        raise InvalidInput(
            f"{error} Its placeholders are those of the method {fits[0]!r}: --method {fits[0]}."
        ) from None


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
        raise JudgeUnavailable(f"The option {name!r} is {value!r}; it must be {_choices(known)}.")
    return value


def _choices(words: tuple[str, ...]) -> str:
    return " or ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else "".join(words)


def _number(options: Mapping[str, str], name: str, default: float) -> float:
    try:
        number = float(options.get(name, default))
    except ValueError:
        number = 0.0
    if not 1 <= number <= 1_000_000:
        raise JudgeUnavailable(f"The option {name!r} is {options[name]!r}; it must be a number of at least 1.")
    return number
