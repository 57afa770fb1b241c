"""Which judges and methods there are, which of them can run here, and what a user's choice means as a spec."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from faithview.domain.errors import InvalidInput
from faithview.domain.run import JudgeSpec
from faithview.judges.registry import JudgeInfo, availability, list_judges

DEFAULT_METHOD = "claims"
STRICTNESS = ("strict", "lenient")


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOffer:
    """A judge as it is offered: `missing` says in a sentence what it lacks here, None where it can run.

    `host` is what it would call, None where nothing leaves this machine. `models` are examples of what can be named.
    `limits` are sentences on what it cannot see, none for a plug-in. `server` tells the host from the vendor's own in a
    fingerprint.
    """

    name: str
    title: str
    needs_model: bool
    has_methods: bool
    models: tuple[str, ...]
    missing: str | None
    host: str | None
    limits: tuple[str, ...] = ()
    server: str = ""


def list_offers(environ: Mapping[str, str] | None = None) -> list[JudgeOffer]:
    """Return every judge, built-in ones first, as this environment (else the process's own) lets it run."""
    return [_offer(info, environ) for info in list_judges()]


def find_offer(name: str, environ: Mapping[str, str] | None = None) -> JudgeOffer | None:
    """Return the offer that a judge's name ("openai:MODEL") belongs to; None if there is none."""
    info = _find(name)
    return None if info is None else _offer(info, environ)


def list_methods() -> Mapping[str, str]:
    """Return how LLM judges can work: a method's name and what it does."""
    from faithview.judges.llm.methods import METHODS

    return METHODS


def is_remote(spec: JudgeSpec) -> bool:
    """Return whether the judge is called over a network."""
    info = _find(spec.name)
    return info is not None and info.is_remote


def wants_companions(spec: JudgeSpec) -> bool:
    """Return whether relevance figures are wanted from a judge that does not ask a model for them."""
    info = _find(spec.name)
    return info is not None and not info.has_methods and spec.options.get("companions") == "yes"


def make_spec(
    judge: str,
    *,
    method: str | None = None,
    strictness: str | None = None,
    prompt_text: str | None = None,
    prompt_name: str | None = None,
    companions: bool = False,
    workers: int = 1,
    options: Mapping[str, str] | None = None,
) -> JudgeSpec:
    """Return the spec of a choice; what is not given is left to the judge.

    Raises:
        InvalidInput: the judge has no methods and prompts, and something was said about them; or it judges elsewhere,
            and more worker processes than one were asked for.
    """
    info = _find(judge)
    if workers > 1 and judge != "lexical":
        raise InvalidInput(
            f"Judge {judge!r} has no worker processes; give --concurrency instead, or leave --workers out."
        )
    chosen = dict(options or {})
    for name, value in (("strictness", strictness), ("prompt_text", prompt_text), ("prompt_name", prompt_name)):
        if value is not None:
            chosen[name] = value
    if info is not None and not info.has_methods:
        given = "a method" if method not in (None, DEFAULT_METHOD) else next(iter(chosen), None)
        if given is not None:
            raise InvalidInput(
                f"Judge {judge!r} asks no model, so {given.replace('_', ' ')} means nothing to it; leave that out, or "
                "choose a judge that does, openai:MODEL for example."
            )
    if companions:
        chosen["companions"] = "yes"
    if workers > 1:
        chosen["workers"] = str(workers)
    return JudgeSpec(name=judge, method=method or DEFAULT_METHOD, options=chosen)


def to_build(spec: JudgeSpec, *, concurrency: int | None = None) -> JudgeSpec:
    """Return the spec that builds the judge for a run of so many answers at a time.

    A spec may say itself how many calls are made at a time. Relevance figures of a judge that asks no model are added
    by `judge_one`, so its factory hears nothing of them.
    """
    info = _find(spec.name)
    if info is None or not info.has_methods:
        kept = {name: value for name, value in spec.options.items() if name != "companions"}
        return replace(spec, options=kept) if len(kept) < len(spec.options) else spec
    if concurrency is None or "concurrency" in spec.options:
        return spec
    return replace(spec, options={**spec.options, "concurrency": str(concurrency)})


def answers_at_a_time(spec: JudgeSpec, concurrency: int) -> int:
    """Return how many answers to keep with the judge: `concurrency`, or what its worker processes have use for."""
    workers = str(spec.options.get("workers", "1"))
    return max(concurrency, _ANSWERS_A_WORKER * int(workers)) if workers.isdecimal() and workers != "1" else concurrency


# Two batches of the embedded judge's (`BATCH`), so that the next one is there when a process is done.
_ANSWERS_A_WORKER = 32


def main_prompt(method: str, *, strictness: str = STRICTNESS[0]) -> str:
    """Return the shipped prompt that says what counts as support in a method, which a user's own replaces."""
    from faithview.judges.llm.methods import create_method
    from faithview.judges.llm.prompts import shipped_prompt

    return shipped_prompt(create_method(method).main_step, strictness=strictness).text


def check_prompt(method: str, text: str) -> None:
    """Raise InvalidInput if a user's prompt cannot be used with a method; says which placeholder is wrong."""
    from faithview.judges.llm.methods import create_method
    from faithview.judges.llm.prompts import custom_prompt

    custom_prompt(create_method(method).main_step, text)


def read_prompt(path: Path) -> str:
    """Return a user's prompt; raises InvalidInput if it cannot be read."""
    from faithview.judges.llm.options import read_prompt

    return read_prompt(path)


def _find(name: str) -> JudgeInfo | None:
    family = name.partition(":")[0]
    return next((info for info in list_judges() if info.name == family), None)


def _offer(info: JudgeInfo, environ: Mapping[str, str] | None) -> JudgeOffer:
    found = availability(info, environ)
    return JudgeOffer(
        name=info.name,
        title=info.title,
        needs_model=info.needs_model,
        has_methods=info.has_methods,
        models=info.models,
        missing=found.missing,
        host=found.host,
        server=found.server,
        limits=info.limits,
    )
