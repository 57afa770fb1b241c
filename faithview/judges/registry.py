"""From a judge's name to a judge, importing nothing until it is asked for."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from typing import cast

from faithview.domain.errors import JudgeUnavailable
from faithview.domain.run import JudgeSpec
from faithview.judges.base import Judge

JudgeFactory = Callable[[JudgeSpec], Judge]

# Entry points of this group add judges: name -> "package.module:factory".
_ENTRY_POINTS = "faithview.judges"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeInfo:
    """What a user needs to know to choose a judge; `needs_model` judges are named "NAME:MODEL"."""

    name: str
    title: str
    target: str
    needs_model: bool = False
    is_remote: bool = False
    extra: str | None = None


# Targets are strings so that listing judges imports none of them.
_BUILTIN = (
    JudgeInfo(
        name="lexical",
        title="Embedded judge: offline, no key, compares words, numbers and names",
        target="faithview.judges.lexical:build",
    ),
)


def list_judges() -> tuple[JudgeInfo, ...]:
    """Return the built-in judges, then those of installed plug-ins by name."""
    plugins = sorted(entry_points(group=_ENTRY_POINTS), key=lambda point: point.name)
    return _BUILTIN + tuple(JudgeInfo(name=p.name, title=f"Plug-in {p.name}", target=p.value) for p in plugins)


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
    try:
        module = import_module(module_name)
    except ModuleNotFoundError as error:
        # A typing error in our own import is a bug, not a missing extra.
        if info.extra is None or (error.name or "").startswith("faithview"):
            raise
        raise JudgeUnavailable(
            f"Judge {info.name!r} needs a package that is not installed; run: pip install 'faithview[{info.extra}]'."
        ) from error
    return cast(JudgeFactory, getattr(module, attribute))
