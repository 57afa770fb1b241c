"""Tests of answers: `assert_faithful`, and a plugin for pytest that records what tests judged as a run."""

from typing import TYPE_CHECKING

from faithview.domain.lazy_exports import export_lazily

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

__getattr__, __dir__ = export_lazily(__name__, _LAZY)
