"""Docstrings of coroutines that do what a plain function does: they take the Args, Returns and Raises from it."""

import re
from collections.abc import Callable
from inspect import cleandoc
from typing import Any, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])

_SECTION = re.compile(r"^(Args|Returns|Raises):$", re.MULTILINE)


def twin_of(original: Callable[..., Any]) -> Callable[[_Function], _Function]:
    """Return a decorator that adds the original's sections (Args, Returns, Raises) to a docstring."""

    def complete(twin: _Function) -> _Function:
        own, described = twin.__doc__, original.__doc__
        if own and described:  # `python -OO` keeps no docstrings
            text = cleandoc(described)
            found = _SECTION.search(text)
            twin.__doc__ = cleandoc(own) + (f"\n\n{_without_example(text[found.start() :])}" if found else "")
        return twin

    return complete


def _without_example(sections: str) -> str:
    return re.split(r"^Example:$", sections, flags=re.MULTILINE)[0].rstrip()
