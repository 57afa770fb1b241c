"""Which judges and methods exist, which of them can run here, and how a user's choice becomes a `JudgeSpec`."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from faithview.domain.errors import InvalidInput, JudgeUnavailable
from faithview.domain.run import CASCADE, DEFAULT_JUDGE, IMPORTED, JudgeErrors, JudgeSpec
from faithview.judges.judge_limits import measured_errors
from faithview.judges.registry import (
    JudgeInfo,
    asks_nothing_outside,
    availability,
    check_name,
    find_info,
    full_name,
    list_judges,
)
from faithview.wording.findings import often_wrong

# The option that says which share of the claims a cascade sends to its model, from 0 to 1.
CASCADE_SHARE = "cascade_share"
_COMPANIONS = "companions"
_YES = "yes"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOffer(JudgeInfo):
    """A judge that a user can choose, as it is here.

    `missing` is a sentence about what it lacks; None if it can run. `host` is the host that it would call; None if
    nothing leaves this machine. `server` marks a host other than the vendor's own in a fingerprint. `limits` begin with
    how often it is wrong, if measured. Only the offer of a cascade's full name ("cascade:openai:MODEL") has the host of
    the judge that it asks, and what that lacks.
    """

    missing: str | None = None
    server: str = ""


def list_offers(environ: Mapping[str, str] | None = None) -> list[JudgeOffer]:
    """Return every judge, built-in ones first, as available in this environment (None for the process's own)."""
    return [_offer(info, environ) for info in list_judges()]


def find_offer(name: str, environ: Mapping[str, str] | None = None) -> JudgeOffer | None:
    """Return the judge with this name ("openai:MODEL"); None if there is none."""
    info = find_info(name)
    return None if info is None else _offer(info, environ)


def list_askable(environ: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Return judges that a cascade can ask here, with examples of their models ("openai:MODEL"); empty if none can run.

    Such a judge has its key, a server of the user's own, or its packages.
    """
    offers = {offer.name: offer for offer in list_offers(environ)}
    ready = {name for name, offer in offers.items() if offer.missing is None}
    return tuple(name for name in offers[CASCADE].models if name.partition(":")[0] in ready)


def list_methods() -> Mapping[str, str]:
    """Return the methods of LLM judges: name and description."""
    from faithview.judges.llm.methods import METHODS

    return METHODS


def default_method(judge: str) -> str:
    """Return the method with which a judge works unless another one is chosen.

    For an LLM judge it is "single", or "claims" if the model's name says that it is small (see `judges/llm/methods`);
    for others, which have no methods, that of an empty `JudgeSpec`.
    """
    info = find_info(judge)
    if info is None or not info.has_methods:
        return JudgeSpec().method
    from faithview.judges.llm import methods

    return methods.default_method(judge.partition(":")[2])


def is_remote(spec: JudgeSpec) -> bool:
    """Return whether the judge is called over a network."""
    info = find_info(spec.name)
    return info is not None and info.is_remote


def is_free(spec: JudgeSpec) -> bool:
    """Return whether the judge is known to run on this machine alone, so its answers cost nothing."""
    info = find_info(spec.name)
    return info is not None and asks_nothing_outside(info)


def find_errors(spec: JudgeSpec) -> JudgeErrors | None:
    """Return how often this judge is wrong on documentation; None if not measured.

    It was measured for the two judges that come with FaithView, with their usual settings.
    """
    info = find_info(spec.name)
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
    info = find_info(spec.name)
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
    cascade_share: float | None = None,
    options: Mapping[str, str] | None = None,
) -> JudgeSpec:
    """Return the spec of a user's choice; the judge's defaults apply to the rest.

    Raises:
        JudgeUnavailable: no judge has that name, its model is missing, or it does not take a model.
        InvalidInput: a method or prompt was given for a judge without a model, more than one worker for a judge
            that has none, or a share of claims for a judge that is not a cascade.
    """
    judge = full_name(judge)
    info = check_name(judge)
    if workers > 1 and "workers" not in info.options:
        raise InvalidInput(f"Only the judge 'embedded' has workers, and not {judge!r}; leave --workers out.")
    chosen, usual = dict(options or {}), default_method(judge)
    for name, value in (("strictness", strictness), ("prompt_text", prompt_text), ("prompt_name", prompt_name)):
        if value is not None:
            chosen[name] = value
    if cascade_share is not None:
        chosen[CASCADE_SHARE] = str(cascade_share)
    _check_choice(judge, info, chosen, method)
    if companions:
        chosen[_COMPANIONS] = _YES
    if workers > 1:
        chosen["workers"] = str(workers)
    return JudgeSpec(name=judge, method=method or usual, options=chosen)


def _check_choice(judge: str, info: JudgeInfo, chosen: Mapping[str, str], method: str | None) -> None:
    """Raise InvalidInput if the method or an option does not apply to the judge."""
    is_usual = method in (None, JudgeSpec().method)
    if info.is_cascade and not is_usual:
        raise InvalidInput(
            f"A cascade asks its model about given claims in one call per answer, so the method {method!r} does not "
            f"apply to {judge!r}; leave it out."
        )
    if CASCADE_SHARE in chosen and not info.is_cascade:
        raise InvalidInput(
            f"The cascade share is for a cascade, such as cascade:openai:MODEL, and {judge!r} is not one; leave it out."
        )
    if not info.is_remote:
        unknown = next((name for name in chosen if name not in info.options), None)
        if (info.packages or info.is_cascade) and unknown is not None:
            raise InvalidInput(f"Judge {info.name!r} has no option {unknown!r}; it has {', '.join(info.options)}.")
        if unknown is not None or not is_usual:
            given = "a method" if not is_usual else str(unknown).replace("_", " ")
            raise InvalidInput(
                f"Judge {judge!r} does not call a model, so {given} does not apply to it; leave it out, or choose an "
                "LLM judge, for example openai:MODEL."
            )


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
    info, options = find_info(spec.name), dict(spec.options)
    if info is None or not info.has_methods:
        options.pop(_COMPANIONS, None)
    if info is not None and info.is_remote and concurrency is not None:
        options.setdefault("concurrency", str(concurrency))
    return spec if options == spec.options else replace(spec, options=options)


def answers_at_a_time(spec: JudgeSpec, concurrency: int) -> int:
    """Return how many answers the judge gets at a time: `concurrency`, or one for each of its threads."""
    return max(concurrency, int(spec.options.get("workers", "1")))


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


def _offer(info: JudgeInfo, environ: Mapping[str, str] | None) -> JudgeOffer:
    status = availability(info, environ)
    known: dict[str, Any] = {field.name: getattr(info, field.name) for field in fields(info)}
    cautions = tuple(filter(None, (caution_about(JudgeSpec(name=info.name)), *info.limits)))
    here = {"host": status.host, "limits": cautions, "missing": status.missing, "server": status.server}
    return JudgeOffer(**{**known, **here})
