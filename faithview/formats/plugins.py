"""Plug-ins of installed packages, loaded by entry point; a broken one is reported and the others work."""

import logging
from collections.abc import Sequence
from difflib import get_close_matches
from importlib.metadata import entry_points
from typing import Protocol, TypeVar

from faithview.domain.errors import InvalidInput


class Named(Protocol):
    """A thing that is chosen by its name."""

    @property
    def name(self) -> str:
        """The name to choose it by."""


_Thing = TypeVar("_Thing", bound=Named)

_log = logging.getLogger(__name__)


def load_plugins(
    group: str, *, kind: str, wanted: type[_Thing], builtin: Sequence[_Thing]
) -> tuple[tuple[_Thing, ...], tuple[str, ...]]:
    """Return the built-in things, then those of installed plug-ins by name, and a sentence about each broken one.

    Args:
        group: the group of entry points.
        kind: the word for it in a sentence: "format", "exporter".
        wanted: the class that an entry point must name.
        builtin: FaithView's own things; a plug-in cannot use their names.
    """
    usable, broken = list(builtin), []
    for point in sorted(entry_points(group=group), key=lambda point: point.name):
        try:
            thing = point.load()
        except Exception as error:  # noqa: BLE001 - a border: a plug-in may fail in any way, and is named
            _log.exception("The %s plug-in %s cannot be loaded", kind, point.name)
            broken.append(f"The {kind} plug-in {point.name!r} cannot be loaded: {type(error).__name__}: {error}.")
            continue
        if not isinstance(thing, wanted):
            types = f"{type(thing).__name__} instead of {wanted.__name__}"
            broken.append(f"The {kind} plug-in {point.name!r} is of type {types}.")
        elif any(thing.name == other.name for other in usable):
            broken.append(f"The {kind} plug-in {point.name!r} has the name of another {kind}, {thing.name!r}.")
        else:
            usable.append(thing)
    return tuple(usable), tuple(broken)


def pick_named(things: Sequence[_Thing], name: str, *, kind: str, broken: Sequence[str] = ()) -> _Thing:
    """Return the thing with that name.

    Raises:
        InvalidInput: there is none; the text lists the known ones and the broken plug-ins.
    """
    for thing in things:
        if thing.name == name:
            return thing
    names = [thing.name for thing in things]
    near = get_close_matches(name, names, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise InvalidInput(" ".join([f"There is no {kind} {name!r}; known are {', '.join(names)}.{hint}", *broken]))
