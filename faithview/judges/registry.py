"""Find and build judges by name; importing this module imports no judge."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from typing import cast

from faithview.domain.errors import JudgeUnavailable
from faithview.domain.run import JudgeSpec
from faithview.judges import limits
from faithview.judges.base import Judge
from faithview.judges.hosts import host_of, server_label

JudgeFactory = Callable[[JudgeSpec], Judge]

# Entry points of this group add judges: name -> "package.module:factory".
_ENTRY_POINTS = "faithview.judges"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeInfo:
    """What a user needs to know to choose a judge. Judges that need a model are named "NAME:MODEL".

    `models` are examples. A remote judge needs one of the environment variables `keys` or, for the user's own server,
    `base_url`; without the latter it calls `host`. With `has_methods`, `--method` and the options of
    `judges/llm/options.py` apply. `options` are those of a judge without methods: `workers` and `strictness`, whose
    values are in `strictness`, the default first. `limits` are sentences about what it cannot see; unknown for a
    plug-in.
    """

    name: str
    title: str
    target: str
    needs_model: bool = False
    is_remote: bool = False
    has_methods: bool = False
    models: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    base_url: str | None = None
    host: str | None = None
    options: tuple[str, ...] = ()
    strictness: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Availability:
    """Whether a judge can run here. `missing` says what it lacks; None if it lacks nothing.

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


# Targets are strings so that listing judges imports none of them.
_BUILTIN = (
    JudgeInfo(
        name="embedded",
        title="Embedded judge: offline, no key, rules and a small model that reads",
        target="faithview.judges.embedded:build",
        options=("workers", "strictness"),
        strictness=("balanced", "lenient", "strict"),
        limits=limits.EMBEDDED,
    ),
    JudgeInfo(
        name="lexical",
        title="Rules alone: offline, no key, compares words, numbers and names, and is quicker",
        target="faithview.judges.lexical:build",
        options=("workers",),
        limits=limits.RULES,
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
        limits=limits.MODEL,
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
        limits=limits.MODEL,
    ),
)


def list_judges() -> tuple[JudgeInfo, ...]:
    """Return the built-in judges, then those of installed plug-ins by name."""
    plugins = sorted(entry_points(group=_ENTRY_POINTS), key=lambda point: point.name)
    return _BUILTIN + tuple(JudgeInfo(name=p.name, title=f"Plug-in {p.name}", target=p.value) for p in plugins)


def availability(info: JudgeInfo, environ: Mapping[str, str] | None = None) -> Availability:
    """Return whether a judge can run here and which host it would call, without importing or calling anything."""
    environ = os.environ if environ is None else environ
    if not info.is_remote:
        return Availability()
    url = environ.get(info.base_url) if info.base_url else None
    host = host_of(url) if url else info.host
    server = server_label(url, vendors_own=info.host or "") if url else ""
    if info.keys and not url and not any(environ.get(name, "").strip() for name in info.keys):
        also = f" (or {info.base_url}, for a server of your own)" if info.base_url else ""
        return Availability(missing=f"Needs a key: set {info.keys[0]}{also}.", host=host)
    return Availability(host=host, server=server)


def create_judge(spec: JudgeSpec) -> Judge:
    """Build the judge that the spec names.

    Raises:
        JudgeUnavailable: no judge has that name, or what it needs is not installed or set.
    """
    family, _, model = spec.name.partition(":")
    known = {info.name: info for info in list_judges()}
    info = known.get(family)
    if info is None:
        raise JudgeUnavailable(f"No judge named {spec.name!r}; known: {', '.join(known)}.")
    if info.needs_model and not model:
        raise JudgeUnavailable(f"Judge {family!r} needs a model: write {family}:MODEL.")
    if model and not info.needs_model:
        raise JudgeUnavailable(f"Judge {family!r} takes no model; write {family!r} instead of {spec.name!r}.")
    return _load(info)(spec)


def _load(info: JudgeInfo) -> JudgeFactory:
    module_name, _, attribute = info.target.partition(":")
    return cast(JudgeFactory, getattr(import_module(module_name), attribute))
