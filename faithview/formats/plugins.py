"""What installed packages add: loaded by entry point; one that cannot be used is named and the rest works."""

import logging
from collections.abc import Sequence
from difflib import get_close_matches
from importlib.metadata import entry_points
from typing import Protocol, TypeVar

from faithview.domain.errors import InvalidInput


class Named(Protocol):
    """What is chosen by its name."""

    @property
    def name(self) -> str:
        """What one writes to choose it."""


_Thing = TypeVar("_Thing", bound=Named)

_log = logging.getLogger(__name__)


def load_plugins(
    group: str, *, kind: str, wanted: type[_Thing], builtin: Sequence[_Thing]
) -> tuple[tuple[_Thing, ...], tuple[str, ...]]:
    """Return the built-in things, then those of installed plug-ins by name, and a sentence on each broken plug-in.

    Args:
        group: the group of entry points.
        kind: what a plug-in is called in a sentence: "format", "exporter".
        wanted: the class of what an entry point names.
        builtin: what FaithView brings; no plug-in takes the name of one.
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
            broken.append(f"The {kind} plug-in {point.name!r} is a {type(thing).__name__} and no {wanted.__name__}.")
        elif any(thing.name == other.name for other in usable):
            broken.append(f"The {kind} plug-in {point.name!r} has the name of another {kind}, {thing.name!r}.")
        else:
            usable.append(thing)
    return tuple(usable), tuple(broken)


def pick_named(things: Sequence[_Thing], name: str, *, kind: str, broken: Sequence[str] = ()) -> _Thing:
    """Return the thing with that name.

    Raises:
        InvalidInput: there is none; the text lists those there are, and the plug-ins that are broken.
    """
    for thing in things:
        if thing.name == name:
            return thing
    names = [thing.name for thing in things]
    near = get_close_matches(name, names, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise InvalidInput(" ".join([f"There is no {kind} {name!r}; known are {', '.join(names)}.{hint}", *broken]))
