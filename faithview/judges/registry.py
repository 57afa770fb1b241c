"""Find and build judges by name; importing this module imports no judge."""

import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import lru_cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from typing import cast

from faithview.domain.errors import JudgeUnavailable
from faithview.domain.run import CASCADE, JudgeSpec
from faithview.judges import judge_limits
from faithview.judges.base import INSTALL_LOCAL, Judge
from faithview.judges.capabilities import host_of, server_label

JudgeFactory = Callable[[JudgeSpec], Judge]

# Entry points of this group add judges: name -> "package.module:factory".
_ENTRY_POINTS = "faithview.judges"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeInfo:
    """The facts for choosing a judge. Judges that need a model are named "NAME:MODEL".

    `models` are examples, `default_model` the default. A judge with `packages` runs a
    model on this machine and needs them; the extra `local` installs them. A remote judge needs one of the environment
    variables `keys` or, for the user's own server, `base_url`; without the latter it calls `host`. With `has_methods`,
    `--method` and the options of `judges/llm/options.py` apply. `options` are those of a judge without methods; the
    values of its option `strictness` are in `strictness`, the default first. `limits` are sentences about what it
    cannot see; unknown for a plug-in. `asks` is the judge that a cascade (`is_cascade`) asks; None for others, and for
    the cascade in the list of judges, whose `models` are names of judges.
    """

    name: str
    title: str
    target: str
    needs_model: bool = False
    is_remote: bool = False
    has_methods: bool = False
    models: tuple[str, ...] = ()
    default_model: str | None = None
    packages: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    base_url: str | None = None
    host: str | None = None
    options: tuple[str, ...] = ()
    strictness: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    is_cascade: bool = False
    asks: "JudgeInfo | None" = None

    @property
    def runs_model(self) -> bool:
        """Whether its model runs on this machine; it is downloaded once unless its folder is named."""
        return bool(self.packages)

    @property
    def calls_llm(self) -> bool:
        """Whether it is an LLM judge, or a cascade that asks one."""
        return self.has_methods or (self.asks is not None and self.asks.has_methods)


@dataclass(frozen=True, slots=True, kw_only=True)
class Availability:
    """Whether a judge can run here. `missing` names the missing packages or keys; None if there are none.

    `host` is what it would call; None for a judge that calls none. `server` follows the judge's name in a fingerprint;
    it is "" for the vendor's own server.
    """

    missing: str | None = None
    host: str | None = None
    server: str = ""

    @property
    def is_ready(self) -> bool:
        """Whether nothing is missing."""
        return self.missing is None


_LOCAL = "faithview.judges.local:build"
_LOCAL_PACKAGES = ("torch", "transformers")
_LOCAL_OPTIONS = ("device", "revision", "window", "batch_tokens", "trust_remote_code")

# Targets are strings, so listing judges imports none of them.
_SINGLE = (
    JudgeInfo(
        name="embedded",
        title="Embedded judge: offline, no key, rules and a small reading model",
        target="faithview.judges.embedded:build",
        options=("workers", "strictness"),
        strictness=("balanced", "lenient", "strict"),
        limits=judge_limits.EMBEDDED,
    ),
    JudgeInfo(
        name="lexical",
        title="Rules alone: offline, no key, faster; compares words, numbers and names",
        target="faithview.judges.lexical:build",
        options=("workers",),
        limits=judge_limits.RULES,
    ),
    JudgeInfo(
        name="openai",
        title="A model at OpenAI, or at any server that speaks its protocol",
        target="faithview.judges.openai:build",
        needs_model=True,
        is_remote=True,
        has_methods=True,
        strictness=("strict", "lenient"),
        models=("gpt-6-luna", "gpt-6-sol", "gpt-6.1-sol", "gpt-6-astra"),
        keys=("OPENAI_API_KEY",),
        base_url="OPENAI_BASE_URL",
        host="api.openai.com",
        limits=judge_limits.MODEL,
    ),
    JudgeInfo(
        name="anthropic",
        title="A model at Anthropic, or at a server that speaks its protocol",
        target="faithview.judges.anthropic:build",
        needs_model=True,
        is_remote=True,
        has_methods=True,
        strictness=("strict", "lenient"),
        models=("claude-haiku-5-5", "claude-sonnet-5-5", "claude-opus-5-5"),
        # The last three tell its SDK where to find credentials other than a key.
        keys=(
            "ANTHROPIC_API_KEY",
            "ANTHROPIC_AUTH_TOKEN",
            "ANTHROPIC_PROFILE",
            "ANTHROPIC_IDENTITY_TOKEN",
            "ANTHROPIC_IDENTITY_TOKEN_FILE",
        ),
        base_url="ANTHROPIC_BASE_URL",
        host="api.anthropic.com",
        limits=judge_limits.MODEL,
    ),
    JudgeInfo(
        name="nli",
        title="NLI model on this machine: compares each claim with each chunk and detects contradictions",
        target=_LOCAL,
        needs_model=True,
        models=("cross-encoder/nli-deberta-v3-xsmall", "cross-encoder/nli-deberta-v3-base"),
        default_model="cross-encoder/nli-deberta-v3-xsmall",
        packages=_LOCAL_PACKAGES,
        options=(*_LOCAL_OPTIONS, "runtime", "labels"),
        limits=judge_limits.NLI,
    ),
    JudgeInfo(
        name="hhem",
        title="HHEM-2.1-Open on this machine: scores how far each chunk supports each claim",
        target=_LOCAL,
        needs_model=True,
        models=("vectara/hallucination_evaluation_model",),
        default_model="vectara/hallucination_evaluation_model",
        packages=_LOCAL_PACKAGES,
        options=(*_LOCAL_OPTIONS, "foundation"),
        limits=judge_limits.SUPPORT_ONLY,
    ),
    JudgeInfo(
        name="minicheck",
        title="MiniCheck on this machine: checks each claim against each chunk",
        target=_LOCAL,
        needs_model=True,
        models=(
            "lytang/MiniCheck-RoBERTa-Large",
            "lytang/MiniCheck-DeBERTa-v3-Large",
            "lytang/MiniCheck-Flan-T5-Large",
        ),
        default_model="lytang/MiniCheck-RoBERTa-Large",
        packages=_LOCAL_PACKAGES,
        options=(*_LOCAL_OPTIONS, "runtime"),
        limits=judge_limits.SUPPORT_ONLY,
    ),
    JudgeInfo(
        name="lettucedetect",
        title="LettuceDetect on this machine: marks the words that no chunk supports",
        target=_LOCAL,
        needs_model=True,
        models=(
            "KRLabsOrg/lettucedect-base-modernbert-en-v1",
            "KRLabsOrg/lettucedect-large-modernbert-en-v1",
            "KRLabsOrg/tinylettuce-ettin-17m-en-v1",
        ),
        default_model="KRLabsOrg/lettucedect-base-modernbert-en-v1",
        packages=_LOCAL_PACKAGES,
        options=_LOCAL_OPTIONS,
        limits=judge_limits.TOKENS,
    ),
)
_BUILTIN = (
    *_SINGLE,
    JudgeInfo(
        name=CASCADE,
        title="Cascade: the default judge, and a model for the claims that it is unsure of",
        target="faithview.judges.cascade:build",
        needs_model=True,
        models=tuple(f"{info.name}:{model}" for info in _SINGLE for model in info.models),
        options=("cascade_share", "workers"),
        limits=judge_limits.CASCADE,
        is_cascade=True,
    ),
)
_TARGETS = frozenset(info.target for info in _BUILTIN)


# How the vendors name their models.
_MODELS_OF = {
    "openai": re.compile(r"(chat)?gpt|o[1-9](-|$)|ft:gpt|codex|davinci|text-davinci", re.IGNORECASE),
    "anthropic": re.compile(r"claude|(opus|sonnet|haiku)(-|$)", re.IGNORECASE),
}
# Servers of models, which other tools name before the model, and models of vendors that have no judge of their own.
# Most of them speak OpenAI's protocol.
_SERVERS = re.compile(
    r"azure|bedrock|cohere|deepseek|fireworks|gemini|google|groq|lm-?studio|localai|mistral|ollama|openrouter"
    r"|together|vertex(-?ai)?|vllm|xai",
    re.IGNORECASE,
)
_SERVED = re.compile(
    r"gemini|gemma|llama|mistral|mixtral|ministral|magistral|codestral|qwen|qwq|deepseek|phi-?\d|command-[ar]|grok|kimi|glm-"
    r"|granite|nemotron|falcon|gpt-?oss",
    re.IGNORECASE,
)


def list_judges() -> tuple[JudgeInfo, ...]:
    """Return the built-in judges, then those of installed plug-ins by name."""
    return _BUILTIN + _plugins(tuple(sys.path))


def asks_nothing_outside(info: JudgeInfo) -> bool:
    """Return whether a judge works on this machine alone and costs nothing; False for plug-ins, where it is unknown."""
    if info.is_cascade and (info.asks is None or not asks_nothing_outside(info.asks)):
        return False
    return info.target in _TARGETS and not info.is_remote


def availability(info: JudgeInfo, environ: Mapping[str, str] | None = None) -> Availability:
    """Return whether a judge can run here and which host it would call, without importing or calling anything."""
    environ = os.environ if environ is None else environ
    if not all(find_spec(package) for package in info.packages):
        return Availability(missing=f"Needs PyTorch and Transformers: {INSTALL_LOCAL}.")
    if not info.is_remote:
        return Availability()
    url = environ.get(info.base_url) if info.base_url else None
    host = host_of(url) if url else info.host
    server = server_label(url, vendors_own=info.host or "") if url else ""
    if info.keys and not url and not any(environ.get(name, "").strip() for name in info.keys):
        also = f" (or {info.base_url}, for your own server)" if info.base_url else ""
        return Availability(missing=f"Needs a key: set {info.keys[0]}{also}.", host=host)
    return Availability(host=host, server=server)


def full_name(name: str) -> str:
    """Return a judge's name with its default model where it names none: "nli" is "nli:MODEL". Others stay as given."""
    family, colon, asked = name.partition(":")
    if family == CASCADE and asked:
        return f"{family}{colon}{full_name(asked)}"
    default = next((info.default_model for info in _BUILTIN if info.name == name), None)
    return name if default is None else f"{name}:{default}"


def create_judge(spec: JudgeSpec) -> Judge:
    """Build the judge that the spec names.

    Raises:
        JudgeUnavailable: no judge has that name, or a package or variable that it needs is missing.
    """
    judge = build_judge(spec)
    missing: str | None = getattr(judge, "missing", None)
    if missing is not None:
        raise JudgeUnavailable(missing)
    return judge


def build_judge(spec: JudgeSpec) -> Judge:
    """Build the judge that the spec names; one that lacks its key can estimate, and its calls fail.

    Raises:
        JudgeUnavailable: no judge has that name, or a package that it needs is missing.
    """
    spec = replace(spec, name=full_name(spec.name))
    info = check_name(spec.name)
    if info.target in _TARGETS:
        return _load(info)(spec)
    try:
        return _load(info)(spec)
    except JudgeUnavailable:
        raise
    except Exception as error:  # a border: a plug-in may fail in any way, and is named
        raise JudgeUnavailable(f"The judge plug-in {info.name!r} failed: {type(error).__name__}: {error}.") from error


def check_name(name: str) -> JudgeInfo:
    """Return the judge with this full name, such as "lexical" or "openai:MODEL".

    A cascade is returned with the packages, keys, host and options of the judge that it asks.

    Raises:
        JudgeUnavailable: no judge has that name, or it lacks a model or has one too many.
    """
    family, _, model = name.partition(":")
    known = {info.name: info for info in list_judges()}
    info = known.get(family)
    if info is None:
        raise JudgeUnavailable(f"No judge named {name!r}; known: {', '.join(known)}.{_hint(name, known)}")
    if info.is_cascade:
        return _asking(info, _check_asked(name, model))
    if info.needs_model and not model:
        raise JudgeUnavailable(f"Judge {family!r} needs a model: write {family}:MODEL.")
    if model and not info.needs_model:
        raise JudgeUnavailable(f"Judge {family!r} takes no model; write {family!r} instead of {name!r}.")
    return info


def find_info(name: str) -> JudgeInfo | None:
    """Return the judge with this name, even if it lacks its model; None if there is none."""
    family, _, asked = name.partition(":")
    info = next((info for info in list_judges() if info.name == family), None)
    if info is None or not info.is_cascade:
        return info
    inner = find_info(asked)
    return info if inner is None or inner.is_cascade else _asking(info, inner)


def _check_asked(name: str, asked: str) -> JudgeInfo:
    """Return the judge that a cascade names; raises JudgeUnavailable if it cannot be asked."""
    form = "write cascade:JUDGE:MODEL, for example cascade:openai:MODEL or cascade:nli"
    if not asked:
        raise JudgeUnavailable(f"A cascade needs the judge that it asks: {form}.")
    try:
        info = check_name(full_name(asked))
    except JudgeUnavailable as error:
        raise JudgeUnavailable(f"The cascade {name!r} cannot ask {asked!r}. {error}") from error
    if info.is_cascade:
        raise JudgeUnavailable(f"A cascade cannot ask another cascade, as {name!r} does: {form}.")
    if info in _SINGLE and not info.needs_model:
        raise JudgeUnavailable(
            f"A cascade asks a judge with a model after the default judge, and {asked!r} does not have one: {form}."
        )
    return info


def _asking(cascade: JudgeInfo, asked: JudgeInfo) -> JudgeInfo:
    """Return the cascade that asks this judge."""
    return replace(
        cascade,
        is_remote=asked.is_remote,
        models=(),
        packages=asked.packages,
        keys=asked.keys,
        base_url=asked.base_url,
        host=asked.host,
        options=(*cascade.options, *asked.options),
        strictness=asked.strictness,
        limits=tuple(dict.fromkeys((*cascade.limits, *asked.limits))),
        asks=asked,
    )


def _hint(name: str, known: Mapping[str, JudgeInfo]) -> str:
    """Return a suggestion for an unknown judge name, as a sentence after a space; "" if there is none."""
    family = name.partition(":")[0]
    meant = _judge_of_model(name)
    if meant is not None:
        return f" Did you mean {meant!r}?"
    near = get_close_matches(family.lower(), known, n=1)
    if near:
        return f" Did you mean {near[0] + name[len(family) :]!r}?"
    server, _, served = re.sub("/", ":", name, count=1).partition(":")
    is_of_server = bool(served) and _SERVERS.fullmatch(server) is not None
    if is_of_server or _SERVED.search(name):
        meant = f"openai:{served if is_of_server else name}"
        return f" Did you mean {meant!r}, with OPENAI_BASE_URL set to the server that has the model?"
    return ""


def _judge_of_model(name: str) -> str | None:
    """Return the judge for a model that is named without one; None if the model's name does not show it."""
    # As other tools write it: "openai/gpt-4o".
    vendor, slash, rest = name.partition("/")
    bare = rest if slash and vendor.lower() in _MODELS_OF else name
    for judge, pattern in _MODELS_OF.items():
        if pattern.match(bare):
            return f"{judge}:{bare}"
    owners = {model.partition("/")[0].lower(): info.name for info in _SINGLE for model in info.models if "/" in model}
    return f"{owners[vendor.lower()]}:{name}" if slash and vendor.lower() in owners else None


@lru_cache(maxsize=1)
def _plugins(_path: tuple[str, ...]) -> tuple[JudgeInfo, ...]:
    """Return the plug-ins on Python's path; looking through all installed packages takes milliseconds, so once."""
    plugins = sorted(entry_points(group=_ENTRY_POINTS), key=lambda point: point.name)
    return tuple(JudgeInfo(name=p.name, title=f"Plug-in {p.name}", target=p.value) for p in plugins)


def _load(info: JudgeInfo) -> JudgeFactory:
    module_name, _, attribute = info.target.partition(":")
    return cast(JudgeFactory, getattr(import_module(module_name), attribute))
