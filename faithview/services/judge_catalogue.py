"""Which judges and methods exist, which of them can run here, and how a user's choice becomes a `JudgeSpec`."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from faithview.domain.errors import InvalidInput, JudgeUnavailable
from faithview.domain.run import DEFAULT_JUDGE, IMPORTED, JudgeErrors, JudgeSpec
from faithview.judges.judge_limits import measured_errors
from faithview.judges.registry import (
    JudgeInfo,
    asks_nothing_outside,
    availability,
    check_name,
    full_name,
    list_judges,
)
from faithview.wording.findings import often_wrong

DEFAULT_METHOD = "claims"

_COMPANIONS = "companions"
_YES = "yes"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOffer:
    """A judge that a user can choose.

    `missing` is a sentence about what it lacks here; None if it can run. `host` is the host that it would call; None if
    nothing leaves this machine. `models` are examples, `default_model` is used if none is named; with `runs_model` the
    model runs on this machine, and is downloaded once unless its folder is named. `strictness` are the values of that
    option, the default first; empty for a judge without it. `limits` are sentences about its limits, empty for a
    plug-in. `server` marks a host other than the vendor's own in a fingerprint.
    """

    name: str
    title: str
    needs_model: bool
    has_methods: bool
    models: tuple[str, ...]
    missing: str | None
    host: str | None
    strictness: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    server: str = ""
    default_model: str | None = None
    runs_model: bool = False


def list_offers(environ: Mapping[str, str] | None = None) -> list[JudgeOffer]:
    """Return every judge, built-in ones first, as available in this environment (None for the process's own)."""
    return [_offer(info, environ) for info in list_judges()]


def find_offer(name: str, environ: Mapping[str, str] | None = None) -> JudgeOffer | None:
    """Return the judge with this name ("openai:MODEL"); None if there is none."""
    info = _find_info(name)
    return None if info is None else _offer(info, environ)


def list_methods() -> Mapping[str, str]:
    """Return the methods of LLM judges: name and description."""
    from faithview.judges.llm.methods import METHODS

    return METHODS


def is_remote(spec: JudgeSpec) -> bool:
    """Return whether the judge is called over a network."""
    info = _find_info(spec.name)
    return info is not None and info.is_remote


def is_free(spec: JudgeSpec) -> bool:
    """Return whether the judge is known to run on this machine alone, so its answers cost nothing."""
    info = _find_info(spec.name)
    return info is not None and asks_nothing_outside(info)


def find_errors(spec: JudgeSpec) -> JudgeErrors | None:
    """Return how often this judge is wrong on documentation; None if not measured.

    It was measured for the two judges that come with FaithView, with their usual settings.
    """
    info = _find_info(spec.name)
    if info is None or spec.method == IMPORTED:
        return None
    usual = next(iter(info.strictness), None)
    return measured_errors().get(info.name) if spec.options.get("strictness", usual) == usual else None


def caution_about(spec: JudgeSpec) -> str:
    """Return the sentence on how often this judge is wrong, in plain text; "" if not measured."""
    errors = find_errors(spec)
    return "" if errors is None else often_wrong(errors, is_default=spec.name == DEFAULT_JUDGE)


def has_companions(spec: JudgeSpec) -> bool:
    """Return whether the spec asks for relevance metrics. Specs are stored, with this option as text."""
    return spec.options.get(_COMPANIONS) == _YES


def wants_companions(spec: JudgeSpec) -> bool:
    """Return whether FaithView adds relevance metrics to this judge's results, because it does not call a model."""
    info = _find_info(spec.name)
    return info is not None and not info.has_methods and has_companions(spec)


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
    """Return the spec of a user's choice; the judge's defaults apply to the rest.

    Raises:
        JudgeUnavailable: no judge has that name, its model is missing, or it does not take a model.
        InvalidInput: a method or prompt was given for a judge without a model, or more than one worker process for a
            judge that has none.
    """
    judge = full_name(judge)
    info = check_name(judge)
    if workers > 1 and "workers" not in info.options:
        raise InvalidInput(f"Judge {judge!r} has no worker processes; use --concurrency instead of --workers.")
    chosen = dict(options or {})
    for name, value in (("strictness", strictness), ("prompt_text", prompt_text), ("prompt_name", prompt_name)):
        if value is not None:
            chosen[name] = value
    if not info.has_methods:
        unknown = next((name for name in chosen if name not in info.options), None)
        given = "a method" if method not in (None, DEFAULT_METHOD) else unknown
        if info.packages and unknown is not None:
            raise InvalidInput(f"Judge {info.name!r} has no option {unknown!r}; it has {', '.join(info.options)}.")
        if given is not None:
            raise InvalidInput(
                f"Judge {judge!r} does not call a model, so {given.replace('_', ' ')} does not apply to it; leave it "
                "out, or choose an LLM judge, for example openai:MODEL."
            )
    if companions:
        chosen[_COMPANIONS] = _YES
    if workers > 1:
        chosen["workers"] = str(workers)
    return JudgeSpec(name=judge, method=method or DEFAULT_METHOD, options=chosen)


def to_build(spec: JudgeSpec, *, concurrency: int | None = None) -> JudgeSpec:
    """Return the spec that builds the judge for a run with `concurrency` answers at a time.

    The spec's own option for concurrent calls takes precedence. `judge_one` adds the relevance metrics of a judge
    without a model, so its factory does not get that option.
    """
    if spec.method == IMPORTED:
        raise JudgeUnavailable(
            f"The answers were judged by {spec.name}, whose results were imported, so nothing can be judged as part of "
            "that run. `faithview rejudge RUN` judges its answers here, as a new run."
        )
    info = _find_info(spec.name)
    if info is None or not info.has_methods:
        options = {name: value for name, value in spec.options.items() if name != _COMPANIONS}
        return replace(spec, options=options) if len(options) < len(spec.options) else spec
    if concurrency is None or "concurrency" in spec.options:
        return spec
    return replace(spec, options={**spec.options, "concurrency": str(concurrency)})


def with_workers(spec: JudgeSpec, workers: int) -> JudgeSpec:
    """Return the spec with that many processes; unchanged if the judge has none, or its spec names a number."""
    info = _find_info(spec.name)
    if workers == 1 or info is None or "workers" not in info.options or "workers" in spec.options:
        return spec
    return replace(spec, options={**spec.options, "workers": str(workers)})


def answers_at_a_time(spec: JudgeSpec, concurrency: int) -> int:
    """Return how many answers the judge gets at a time: `concurrency`, or enough to keep it busy."""
    workers = str(spec.options.get("workers", "1"))
    if workers.isdecimal() and workers != "1":
        return max(concurrency, _ANSWERS_A_WORKER * int(workers))
    info = _find_info(spec.name)
    return max(concurrency, _ANSWERS_OF_A_MODEL) if info is not None and info.packages else concurrency


# Two batches of the embedded judge (`BATCH`): the next one is ready when a process is done.
_ANSWERS_A_WORKER = 32

# Twice the batch of a model on this machine: the next batch is ready when it is done.
_ANSWERS_OF_A_MODEL = 128


def main_prompt(method: str, *, strictness: str = "strict") -> str:
    """Return the shipped prompt that defines support for a method; a user's own prompt replaces it."""
    from faithview.judges.llm.methods import create_method
    from faithview.judges.llm.prompts import shipped_prompt

    return shipped_prompt(create_method(method).main_step, strictness=strictness).text


def check_prompt(method: str, text: str) -> None:
    """Raise InvalidInput if a user's prompt cannot be used with a method; the message names the wrong placeholder."""
    from faithview.judges.llm.methods import create_method
    from faithview.judges.llm.prompts import custom_prompt

    custom_prompt(create_method(method).main_step, text)


def read_prompt(path: Path) -> str:
    """Return a user's prompt; raises InvalidInput if it cannot be read."""
    from faithview.judges.llm.options import read_prompt

    return read_prompt(path)


def _find_info(name: str) -> JudgeInfo | None:
    family = name.partition(":")[0]
    return next((info for info in list_judges() if info.name == family), None)


def _offer(info: JudgeInfo, environ: Mapping[str, str] | None) -> JudgeOffer:
    status = availability(info, environ)
    return JudgeOffer(
        name=info.name,
        title=info.title,
        needs_model=info.needs_model,
        has_methods=info.has_methods,
        models=info.models,
        missing=status.missing,
        host=status.host,
        server=status.server,
        strictness=info.strictness,
        limits=tuple(filter(None, (caution_about(JudgeSpec(name=info.name)), *info.limits))),
        default_model=info.default_model,
        runs_model=bool(info.packages),
    )
