"""What was found when the store and the judges were tried out, in sentences, and what to do where something fails."""

from datetime import datetime
from difflib import get_close_matches

from faithview.domain.diagnosis import Diagnosis, Fault, JudgeCheck, StoreCheck, Tested
from faithview.wording import numbers as fmt
from faithview.wording.live import backlog_words
from faithview.wording.verdict_styles import verdict_word

_WORKS, _FAILS, _NOT_SET_UP, _NOT_ASKED, _INSTALLED = "works", "fails", "not set up", "not asked", "installed"

_MODELS_SHOWN = 8

_ADVICE = {
    Fault.KEY: "The key is wrong or was revoked: set {key} to a valid key of the account that the address belongs to.",
    Fault.ACCESS: "The key is known but may not do this: give it access to this model, or use another key.",
    Fault.QUOTA: "The account has no credit or its quota is used up: add credit or raise the limit at the vendor.",
    Fault.RATE_LIMIT: "The server limits the rate of requests: wait a minute and try again. Runs wait by themselves; "
    "--concurrency 2 makes them send fewer at a time.",
    Fault.MODEL: "The server has no model with that name: {models}.",
    Fault.ADDRESS: "The address is wrong: {address}",
    Fault.NO_MODELS: "The server runs but has no model that writes text: load one (Ollama: `ollama pull MODEL`), or "
    "name one with --judge {judge}:MODEL.",
    Fault.UNREACHABLE: "No server answers at that address: start it, and check host and port{in_url}, http or "
    "https with its certificate (SSL_CERT_FILE), the network and the proxy.",
    Fault.TIMEOUT: "The server took too long: it may still be loading the model. Try again, or allow more with "
    "--timeout 300 (for runs: --judge-option timeout=300).",
    Fault.SERVER: "The server itself failed: check its log or the vendor's status page, and try again.",
    Fault.REJECTED: "The server rejected the request; its message above says why. docs/model-servers.md says how to "
    "set up common servers.",
    Fault.NO_API: "A server answers there, but not in this protocol: {address}",
    Fault.REFUSED: "The model refused to judge a harmless answer: use another model, or loosen the filter in front of "
    "it.",
    Fault.TRUNCATED: "The reply was cut off: raise the model's context length at the server, or use a model that "
    "reasons less.",
    Fault.UNUSABLE: "The model did not reply in the requested form. A run would ask again up to three times; use a "
    "larger model, or a server that supports JSON schemas.",
}

_IN_PROMPT = (
    "The server does not accept JSON schemas. The form of a reply is described in the prompt. Expect more repairs."
)

_LOCAL = "PyTorch and Transformers are installed: nli, hhem and minicheck can run."
_ALL_WORKS = "Everything that is set up works."
_SOMETHING_FAILS = "Something that is set up does not work; see above."

_VERSIONED = ("openai",)

# What aiohttp says where an address holds a password and a key goes along.
_TWO_LOGINS = "credentials encoded in URL"


def diagnosis_lines(found: Diagnosis, *, now: datetime) -> list[str]:
    """Write the whole result as plain lines: the store, each judge with its state, and whether all of it works."""
    store, embedded, missing = found.store, found.embedded, found.local_missing
    waiting = (backlog_words(backlog, now=now) for backlog in store.backlogs)
    parts = [
        ("store", _FAILS if store.error else _WORKS, [store.url, store_words(store), *waiting]),
        (
            "embedded",
            _FAILS if embedded.error else _WORKS,
            [f"{s[:1].upper()}{s[1:]}" for s in _tested_lines(embedded)],
        ),
        ("local", _NOT_SET_UP if missing else _INSTALLED, [missing or _LOCAL]),
        *((check.name, judge_state(check), judge_lines(check)) for check in found.judges),
    ]
    lines = [line for name, state, told in parts for line in (f"{name}: {state}", *(f"  {one}" for one in told))]
    return [*lines, _ALL_WORKS if found.works else _SOMETHING_FAILS]


def judge_state(check: JudgeCheck) -> str:
    """Return how a judge does in one or two words."""
    if check.fault is not None:
        return _FAILS
    if check.missing is not None:
        return _NOT_SET_UP
    return _NOT_ASKED if check.tested is None else _WORKS


def judge_lines(check: JudgeCheck) -> list[str]:
    """Write what is set up, what the server has, how its model did, and what to do, one or two sentences per line."""
    shown = [check.variables[0], *(one for one in check.variables[1:] if one[1] or one == check.variables[-1])]
    settings = ", ".join(f"{name} is {'set' if is_set else 'not set'}" for name, is_set in shown)
    lines = [f"{settings}. Host: {check.host}." if check.host else f"{settings}."]
    if check.missing is not None:
        return [*lines, check.missing]
    if check.models:
        lines.append(f"{fmt.plural(len(check.models), 'model')}: {_some(check.models)}.")
    if check.list_error is not None:
        said = f"No list of models: {check.list_error}" if check.tested is not None else check.list_error
        lines.append(said)
    if check.tested is not None:
        lines += [f"{check.model}: {line}" for line in _tested_lines(check.tested)]
        if check.tested.fault is None and check.reply_form == "prompt":
            lines.append(_IN_PROMPT)
    if check.fault is not None:
        lines.append(f"What to do: {_advice(check.fault, check)}")
    return lines


def _tested_lines(tested: Tested) -> list[str]:
    if tested.error is not None:
        return [tested.error]
    expected = verdict_word(tested.expected).lower()
    if tested.verdict is None:
        ruled = f"it found no claim in the test answer, which has one that is {expected}: do not rely on this judge"
    elif tested.verdict is tested.expected:
        ruled = f"the test claim is {expected}, as it should be"
    else:
        found = verdict_word(tested.verdict).lower()
        ruled = f"the test claim is {found}, but should be {expected}: measure this judge before you rely on it"
    parts = [ruled, f"{fmt.fixed(tested.seconds, 1)} s"]
    usage = tested.usage
    if usage.llm_calls:
        parts.append(f"{fmt.count(usage.prompt_tokens)} tokens in and {fmt.count(usage.completion_tokens)} out")
        parts.append("price unknown" if usage.cost_usd is None else fmt.dollars(usage.cost_usd))
    return [f"{' · '.join(parts)}.", *tested.warnings]


def store_words(store: StoreCheck) -> str:
    """Write whether the store can be used and which schema it has."""
    if store.error is not None:
        return store.error
    if store.found is None:
        return f"It is empty; the first run creates its schema, {store.wanted}."
    if store.found != store.wanted:
        return f"Schema {store.found}; the first use upgrades it to {store.wanted}, as does `faithview db upgrade`."
    return f"Schema {store.found}, as this FaithView needs."


def _advice(fault: Fault, check: JudgeCheck) -> str:
    variable = check.variables[-1][0]
    has_own = check.variables[-1][1]
    if fault is Fault.KEY and check.missing is not None:
        return check.missing
    if _TWO_LOGINS in (check.list_error or ""):
        return f"Remove user name and password from {variable}: they cannot be used together with a key."
    return _ADVICE[fault].format(
        key=next((name for name, is_set in check.variables[:-1] if is_set), check.variables[0][0]),
        models=_near(check),
        judge=check.name,
        in_url=f" in {variable}" if has_own else "",
        address=_address_words(check, variable)
        if has_own
        else "the vendor's own address was used, so a proxy may be in between.",
    )


def _address_words(check: JudgeCheck, variable: str) -> str:
    ending = "it usually ends in /v1" if check.name in _VERSIONED else "it usually ends after the port, without /v1"
    return f"check {variable}; {ending}."


def _near(check: JudgeCheck) -> str:
    """Write which models there are, those with names like the one that was asked first."""
    if not check.models:
        return f"name another with --judge {check.name}:MODEL"
    near = get_close_matches(check.model or "", check.models, n=_MODELS_SHOWN) or check.models
    return f"name one that it lists, for example {check.name}:{near[0]}"


def _some(names: tuple[str, ...]) -> str:
    shown = ", ".join(names[:_MODELS_SHOWN])
    return shown if len(names) <= _MODELS_SHOWN else f"{shown} and {fmt.count(len(names) - _MODELS_SHOWN)} more"
