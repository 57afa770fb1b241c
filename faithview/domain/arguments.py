"""What the public functions require: arguments of the right type.

Callers get one sentence that names the wrong argument, instead of a TypeError.
"""

from collections.abc import Mapping
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from faithview.domain.errors import InvalidInput

_TEXT = ("a string", (str,))
_NAME = ("a name", (str,))
_SHARE = ("a number from 0 to 1, for example 0.8", (Real,))
_NUMBER = ("a number", (Real,))
_WHOLE = ("a whole number", (Integral,))
_FLAG = ("True or False", (bool,))
# For each argument name: its type in words, and its types. A bool does not pass as a number.
_KINDS: dict[str, tuple[str, tuple[type[Any], ...]]] = {
    "answer": _TEXT,
    "companions": _FLAG,
    "concurrency": _WHOLE,
    "fallback": _TEXT,
    "columns": ('a mapping of fields to columns, for example {"answer": "bot_text"}', (Mapping,)),
    "format": _NAME,
    "judge": ('a name, for example "embedded" or "openai:MODEL"', (str,)),
    "kb_version": _TEXT,
    "limit": _WHOLE,
    "max_calls": _WHOLE,
    "max_cost": _NUMBER,
    "max_retries": _WHOLE,
    "method": _NAME,
    "min_score": _SHARE,
    "name": _NAME,
    "options": ('a mapping of names to values, for example {"timeout": "60"}', (Mapping,)),
    "path": ("a path", (str, Path)),
    "progress": _FLAG,
    "project": _NAME,
    "prompt": ("a string or the pathlib.Path of a file", (str, Path)),
    "question": _TEXT,
    "run": ("a run's id or its name", (str,)),
    "series": _NAME,
    "strictness": _NAME,
    "threshold": _SHARE,
    "url": ("a store's URL, for example sqlite:///faithview.db", (str,)),
    "use_cache": _FLAG,
}
_LONGEST_SHOWN = 40


def check_arguments(*, optional: Mapping[str, object] | None = None, **given: object) -> None:
    """Raise InvalidInput for the first argument of a wrong type.

    Args:
        optional: arguments that may be None, by name.
        given: the other arguments, by name.
    """
    for name, value in given.items():
        refuse_other_type(name, value)
    for name, value in (optional or {}).items():
        if value is not None:
            refuse_other_type(name, value)


def refuse_other_type(name: str, value: object, *, shown: str | None = None) -> None:
    """Raise InvalidInput if a value is of the wrong type for an argument of that name.

    Args:
        name: the argument's name, the same in every function.
        value: the value that was passed.
        shown: its name in the error (default: `name`).
    """
    words, kinds = _KINDS[name]
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        raise InvalidInput(
            f"`{shown or name}` must be {words}, not {described(value, with_value=Integral in kinds or Real in kinds)}."
        )


def described(value: object, *, with_value: bool = False) -> str:
    """Describe a value for an error: its type, and the value itself if it cannot be a secret."""
    if value is None or isinstance(value, bool):
        return repr(value)
    if isinstance(value, str):
        return f"the string {value[:_LONGEST_SHOWN]!r}" if with_value else "a string"
    return f"a value of the type {type(value).__name__}"
