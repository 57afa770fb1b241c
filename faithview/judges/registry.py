"""Find and build judges by name; importing this module imports no judge."""

import os
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
    """The facts for choosing a judge. One that needs a model is named "NAME:MODEL".

    `target` is its factory. `models` are examples, the first one the default of a judge with `packages`, which runs the
    model on this machine; the extra `local` installs them. A judge with `keys` is called over a network: it needs one
    of these environment variables or, for the user's own server, `base_url`; without the latter it calls `host`.
    `options` are the names of its options, those in `judges/llm/options.py` left out; the values of its option
    `strictness` are in `strictness`, the default first. `limits` are sentences about what it cannot see; unknown for a
    plug-in. `asks` is the judge that a cascade asks; None for others, and for the cascade in the list of judges, whose
    `models` are names of judges.
    """

    name: str
    title: str
    target: str
    models: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    base_url: str | None = None
    host: str | None = None
    options: tuple[str, ...] = ()
    strictness: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    asks: "JudgeInfo | None" = None

    @property
    def is_cascade(self) -> bool:
        """Whether it asks another judge about the claims that the default judge is unsure of."""
        return self.name == CASCADE

    @property
    def needs_model(self) -> bool:
        """Whether a model, or for a cascade a judge, follows its name."""
        return bool(self.models) or self.is_cascade

    @property
    def runs_model(self) -> bool:
        """Whether its model runs on this machine; it is downloaded once unless its folder is named."""
        return bool(self.packages)

    @property
    def default_model(self) -> str | None:
        """The model of a judge that is named without one; None where the user has to name it."""
        return self.models[0] if self.packages and self.models else None

    @property
    def is_remote(self) -> bool:
        """Whether it is called over a network: an LLM judge, or a cascade that asks one."""
        return bool(self.keys)

    @property
    def has_methods(self) -> bool:
        """Whether it is an LLM judge itself, to which `--method` applies."""
        return self.is_remote and not self.is_cascade


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


_LOCAL_PACKAGES = ("torch", "transformers")
_LOCAL_OPTIONS = ("device", "revision", "window", "batch_tokens")

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
        limits=judge_limits.RULES,
    ),
    JudgeInfo(
        name="openai",
        title="A model at OpenAI, or at any server that speaks its protocol",
        target="faithview.judges.openai:build",
        models=("gpt-6-luna", "gpt-6-sol", "gpt-6.1-sol", "gpt-6-astra"),
        keys=("OPENAI_API_KEY",),
        base_url="OPENAI_BASE_URL",
        host="api.openai.com",
        strictness=("strict", "lenient"),
        limits=judge_limits.MODEL,
    ),
    JudgeInfo(
        name="anthropic",
        title="A model at Anthropic, or at a server that speaks its protocol",
        target="faithview.judges.anthropic:build",
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
        strictness=("strict", "lenient"),
        limits=judge_limits.MODEL,
    ),
    JudgeInfo(
        name="nli",
        title="NLI model on this machine: compares each claim with each chunk and detects contradictions",
        target="faithview.judges.local:build",
        models=("cross-encoder/nli-deberta-v3-xsmall", "cross-encoder/nli-deberta-v3-base"),
        packages=_LOCAL_PACKAGES,
        options=(*_LOCAL_OPTIONS, "trust_remote_code", "labels"),
        limits=judge_limits.NLI,
    ),
    JudgeInfo(
        name="hhem",
        title="HHEM-2.1-Open on this machine: scores how far each chunk supports each claim",
        target="faithview.judges.local:build",
        models=("vectara/hallucination_evaluation_model",),
        packages=_LOCAL_PACKAGES,
        options=(*_LOCAL_OPTIONS, "foundation"),
        limits=judge_limits.SUPPORT_ONLY,
    ),
    JudgeInfo(
        name="minicheck",
        title="MiniCheck on this machine: checks each claim against each chunk",
        target="faithview.judges.local:build",
        models=("lytang/MiniCheck-RoBERTa-Large", "lytang/MiniCheck-DeBERTa-v3-Large"),
        packages=_LOCAL_PACKAGES,
        options=(*_LOCAL_OPTIONS, "trust_remote_code"),
        limits=judge_limits.SUPPORT_ONLY,
    ),
)
_BUILTIN = (
    *_SINGLE,
    JudgeInfo(
        name=CASCADE,
        title="Cascade: the default judge, and a model for the claims that it is unsure of",
        target="faithview.judges.cascade:build",
        models=tuple(f"{info.name}:{model}" for info in _SINGLE for model in info.models),
        options=("cascade_share",),
        limits=judge_limits.CASCADE,
    ),
)
_TARGETS = frozenset(info.target for info in _BUILTIN)


def list_judges() -> tuple[JudgeInfo, ...]:
    """Return the built-in judges, then those of installed plug-ins by name."""
    return _BUILTIN + _plugins(tuple(sys.path))


def asks_nothing_outside(info: JudgeInfo) -> bool:
    """Return whether a judge works on this machine alone and costs nothing; False for plug-ins, where it is unknown."""
    asked = info.asks if info.is_cascade else info
    return asked is not None and asked.target in _TARGETS and not asked.is_remote


def availability(info: JudgeInfo, environ: Mapping[str, str] | None = None) -> Availability:
    """Return whether a judge can run here and which host it would call, without importing or calling anything."""
    environ = os.environ if environ is None else environ
    if not all(map(find_spec, info.packages)):
        return Availability(missing=f"Needs PyTorch and Transformers: {INSTALL_LOCAL}.")
    if not info.is_remote:
        return Availability()
    url = environ.get(info.base_url or "")
    if url:
        return Availability(host=host_of(url), server=server_label(url, vendors_own=info.host or ""))
    if any(environ.get(name, "").strip() for name in info.keys):
        return Availability(host=info.host)
    missing = f"Needs a key: set {info.keys[0]} (or {info.base_url}, for your own server)."
    return Availability(missing=missing, host=info.host)


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
        JudgeUnavailable: no judge has that name or one of the options, or a package or variable that it needs is
            missing.
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
        unknown = next((name for name in spec.options if name not in info.options), None)
        if unknown is not None and not info.is_remote:  # `judges/llm/options.py` knows those of a remote judge
            known = f"it has {', '.join(info.options)}" if info.options else "it has none"
            raise JudgeUnavailable(f"Judge {info.name!r} has no option {unknown!r}; {known}.")
        if not all(map(find_spec, info.packages)):
            raise JudgeUnavailable(f"Judge {spec.name!r} needs PyTorch and Transformers: {INSTALL_LOCAL}.")
    module, _, factory = info.target.partition(":")
    try:
        return cast(JudgeFactory, getattr(import_module(module), factory))(spec)
    except JudgeUnavailable:
        raise
    except Exception as error:
        if info.target in _TARGETS:
            raise
        # A plug-in may fail in any way, and is named.
        raise JudgeUnavailable(f"The judge plug-in {info.name!r} failed: {type(error).__name__}: {error}.") from error


def check_name(name: str) -> JudgeInfo:
    """Return the judge with this full name, such as "lexical" or "openai:MODEL" (see `find_info`).

    Raises:
        JudgeUnavailable: no judge has that name, or it lacks a model or has one too many.
    """
    family, _, model = name.partition(":")
    info = find_info(name)
    if info is None:
        known = [info.name for info in list_judges()]
        meant = "Write a model with its judge: openai:MODEL (also for a server of your own) or anthropic:MODEL."
        written = name if ":" in name else name.replace("/", ":", 1)  # other tools write "openai/MODEL"
        first, _, rest = written.partition(":")
        if near := get_close_matches(first.lower(), known, n=1):
            meant = f"Did you mean {':'.join(filter(None, (near[0], rest)))!r}?"
        raise JudgeUnavailable(f"No judge named {name!r}; known: {', '.join(known)}. {meant}")
    if info.is_cascade:
        if model:
            check_name(full_name(model))
        if info.asks is None or (info.asks in _SINGLE and not info.asks.needs_model):
            raise JudgeUnavailable(
                f"A cascade asks a judge with a model, which {name!r} does not name; write cascade:JUDGE:MODEL, for "
                "example cascade:openai:MODEL or cascade:nli."
            )
        return info
    if info.needs_model and not model:
        raise JudgeUnavailable(f"Judge {family!r} needs a model: write {family}:MODEL.")
    if model and not info.needs_model:
        raise JudgeUnavailable(f"Judge {family!r} takes no model; write {family!r} instead of {name!r}.")
    return info


def find_info(name: str) -> JudgeInfo | None:
    """Return the judge with this name, even if it lacks its model; None if there is none.

    A cascade is returned with the packages, keys, host and options of the judge that it asks.
    """
    family, _, asked_name = name.partition(":")
    info = next((info for info in list_judges() if info.name == family), None)
    if info is None or not info.is_cascade:
        return info
    asked = find_info(asked_name)
    if asked is None or asked.is_cascade:
        return info
    return replace(
        info,
        models=(),
        packages=asked.packages,
        keys=asked.keys,
        base_url=asked.base_url,
        host=asked.host,
        options=(*info.options, *asked.options),
        strictness=asked.strictness,
        limits=tuple(dict.fromkeys((*info.limits, *asked.limits))),
        asks=asked,
    )


@lru_cache(maxsize=1)
def _plugins(_path: tuple[str, ...]) -> tuple[JudgeInfo, ...]:
    """Return the plug-ins on Python's path; looking through all installed packages takes milliseconds, so once."""
    plugins = sorted(entry_points(group=_ENTRY_POINTS), key=lambda point: point.name)
    return tuple(JudgeInfo(name=p.name, title=f"Plug-in {p.name}", target=p.value) for p in plugins)
