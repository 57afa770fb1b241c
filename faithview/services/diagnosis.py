"""Test the store and every configured judge.

Nothing is sent anywhere unless a key or an address is set, and nothing is created or migrated.
"""

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from time import perf_counter

from faithview.domain.claim import Verdict
from faithview.domain.diagnosis import DEFAULT_TIMEOUT_S, Diagnosis, Fault, JudgeCheck, StoreCheck, Tested
from faithview.domain.errors import FaithViewError, InvalidInput, JudgeFailed, StoreError
from faithview.domain.result import Result, State
from faithview.domain.run import DEFAULT_JUDGE, JudgeSpec
from faithview.domain.sample import Sample
from faithview.judges.capabilities import is_address
from faithview.judges.registry import JudgeInfo, availability, check_name, full_name, list_judges
from faithview.services import schema
from faithview.services.container import build
from faithview.services.runs.judge_answer import check_sample, run_blocking
from faithview.settings import Settings
from faithview.store import live
from faithview.wording import numbers as fmt

_SAMPLE = Sample.of(
    "A shared inbox holds up to 50 members.",
    ["Shared inboxes hold up to 20 members. Owners can add members."],
    question="How many members fit into a shared inbox?",
)
_EXPECTED = Verdict.CONTRADICTED

# Models with these names do not write text.
_NO_TEXT = re.compile(
    r"embed|rerank|whisper|tts|transcribe|speech|audio|realtime|moderation|image|dall-e", re.IGNORECASE
)

# After these errors a question would fail as the request for the models did.
_HOPELESS = (
    Fault.KEY,
    Fault.QUOTA,
    Fault.RATE_LIMIT,
    Fault.UNREACHABLE,
    Fault.TIMEOUT,
    Fault.NO_API,
    Fault.SERVER,
)


def diagnose(
    settings: Settings,
    *,
    names: Sequence[str] = (),
    calls: bool = True,
    timeout_s: float = DEFAULT_TIMEOUT_S,
    announce: Callable[[str], object] = lambda text: None,
) -> Diagnosis:
    """Test the store, the default judge, and each configured judge that calls a server.

    A server is asked for its models and then, with `calls`, one question to one of them; the call is not repeated.

    Args:
        settings: which store.
        names: judges to test ("openai:MODEL"), each with a model of its server, in place of all configured ones.
        calls: False sends nothing at all.
        timeout_s: seconds to wait for a reply, from 1.
        announce: called with a sentence before each request: what is sent, and to which host.

    Raises:
        JudgeUnavailable: a name is not a judge's, or lacks its model.
        InvalidInput: a named judge does not call a server, or the time is out of range.
    """
    if timeout_s < 1:
        raise InvalidInput(f"The time limit is {timeout_s:g} s; it must be at least 1.")
    chosen: dict[str, dict[str | None, None]] = {}
    for name in names:
        full = full_name(name)
        info = check_name(full)
        if not info.is_remote:
            raise InvalidInput(f"Judge {name!r} does not call a server; test it with `faithview check --judge {name}`.")
        if info.asks is not None:  # the default judge is tested anyway
            info, full = info.asks, full.partition(":")[2]
        chosen.setdefault(info.name, {})[full.partition(":")[2]] = None
    judges, missing = [], []
    for info in list_judges():
        if info.packages:
            missing.append(availability(info).missing)
        if info.is_remote and names and info.name not in chosen:
            judges.append(_judge_setup(info))
        elif info.is_remote:
            models = chosen.get(info.name, (None,))
            judges += [_check_judge(info, m, calls=calls, timeout_s=timeout_s, announce=announce) for m in models]
    return Diagnosis(
        store=_check_store(settings),
        embedded=_test_default(),
        local_missing=next(filter(None, missing), None),
        judges=tuple(judges),
    )


def hosts_to_ask() -> tuple[str, ...]:
    """Return the hosts that `diagnose` asks in this environment, without user names and passwords."""
    found = [availability(info) for info in list_judges() if info.is_remote]
    return tuple(one.host for one in found if one.is_ready and one.host is not None)


def _check_store(settings: Settings) -> StoreCheck:
    """Return whether the store can be reached and which schema it has; nothing is changed."""
    url = schema.shown_url(settings)
    try:
        state = schema.check(settings)
    except StoreError as error:
        return StoreCheck(url=url, error=str(error))
    found = StoreCheck(url=url, found=state.current, wanted=state.wanted)
    if state.current == state.wanted:
        with build(settings) as store:
            return replace(found, backlogs=tuple(live.list_backlogs(store.db)))
    if state.current is not None and state.current > state.wanted:
        newer = f"The store was written by a newer FaithView (schema {state.current}); this one knows {state.wanted}."
        return replace(found, error=newer)
    return found


def _judge_setup(info: JudgeInfo) -> JudgeCheck:
    """Return how a judge is configured."""
    status = availability(info)
    variables = (*info.keys, *((info.base_url,) if info.base_url else ()))
    return JudgeCheck(
        name=info.name,
        variables=tuple((name, bool(os.environ.get(name, "").strip())) for name in variables),
        host=status.host if status.is_ready else None,
        missing=status.missing,
    )


def _check_judge(
    info: JudgeInfo, model: str | None, *, calls: bool, timeout_s: float, announce: Callable[[str], object]
) -> JudgeCheck:
    check = replace(_judge_setup(info), model=model)
    if check.missing is not None or check.host is None:
        failed = Tested(expected=_EXPECTED, fault=Fault.KEY, error=check.missing) if model is not None else None
        return replace(check, tested=failed)
    url = os.environ.get(info.base_url or "")
    if url and not is_address(url):
        said = f"{info.base_url} is not an address: it must begin with http:// or https:// and name a host."
        return replace(check, list_fault=Fault.ADDRESS, list_error=said)
    if not calls:
        return check
    from faithview.judges import probing  # imported here, because most machines call no server

    announce(f"Asking {check.host} for its models (no cost).")
    try:
        check = replace(check, models=run_blocking(probing.list_models(info.name, timeout_s=timeout_s)))
    except JudgeFailed as error:
        check = replace(check, list_fault=probing.fault_of(error), list_error=str(error))
    asked = model or _model_to_ask(info, check)
    if asked is None and check.list_fault is None:
        said = f"The server at {check.host} lists no model."
        return replace(check, list_fault=Fault.NO_MODELS, list_error=said)
    if asked is None or check.list_fault in _HOPELESS:
        return check
    name = f"{info.name}:{asked}"
    expected = probing.estimate_question(name, _SAMPLE)
    price = "price unknown" if expected.cost_usd is None else f"about {fmt.dollars(expected.cost_usd)}"
    tokens = fmt.count(expected.prompt_tokens + expected.completion_tokens)
    announce(
        f"Asking {asked} at {check.host} one short question about a made-up answer (about {tokens} tokens, {price})."
    )
    probed = run_blocking(probing.ask_once(name, _SAMPLE, timeout_s=timeout_s))
    tested = _tested(probed.result, seconds=probed.seconds, fault=probed.fault, error=probed.result.error)
    return replace(check, model=asked, reply_form=probed.reply_form, tested=tested)


def _model_to_ask(info: JudgeInfo, check: JudgeCheck) -> str | None:
    """Return a model of the server; if it lists none, the vendor's own server gets the first example."""
    if check.models:
        known = [model for model in info.models if model in check.models]
        return next(iter(known), None) or next((m for m in check.models if not _NO_TEXT.search(m)), None)
    is_vendors_own = check.host == info.host
    return next(iter(info.models), None) if is_vendors_own and check.models is None else None


def _test_default() -> Tested:
    start = perf_counter()
    try:
        result = check_sample(_SAMPLE, judge=JudgeSpec(name=DEFAULT_JUDGE))
    except FaithViewError as error:
        return Tested(expected=_EXPECTED, error=str(error))
    return _tested(result, seconds=perf_counter() - start, error=result.error)


def _tested(result: Result, *, seconds: float, fault: Fault | None = None, error: str | None = None) -> Tested:
    claims = result.claims if result.state is State.JUDGED else ()
    return Tested(
        expected=_EXPECTED,
        verdict=claims[0].verdict if claims else None,
        seconds=seconds,
        usage=result.usage,
        warnings=result.warnings,
        fault=fault,
        error=error,
    )
