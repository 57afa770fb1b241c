"""Tests of answers: `assert_faithful`, and a plugin for pytest that records what tests judged as a run."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from faithview.testing.assertion import AnswerNotFaithful, assert_faithful
    from faithview.testing.fixture import Faithfulness

__all__ = ["AnswerNotFaithful", "Faithfulness", "assert_faithful", "assertion"]

# Imported when first used: pytest imports this package for the plugin in it, in projects that test no answers, too.
_LAZY = {
    "AnswerNotFaithful": "faithview.testing.assertion",
    "Faithfulness": "faithview.testing.fixture",
    "assert_faithful": "faithview.testing.assertion",
}


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module 'faithview.testing' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
