"""Verdicts and labels in words for a page: with their icons and colours, in Markdown."""

from faithview.domain.certainty import Certainty
from faithview.domain.claim import Verdict
from faithview.domain.label import NOT_A_CLAIM, Label, LabelKind
from faithview.wording.verdict_styles import (
    NOT_A_CLAIM_WORD,
    VERDICTS,
    VerdictStyle,
    claim_verdict_words,
    style_of,
    verdict_word,
)


def coloured(verdict: Verdict | None) -> str:
    """Return a verdict for Markdown, with its icon and colour; None is "not a claim"."""
    if verdict is None:
        return f":material/block: {NOT_A_CLAIM_WORD}"
    return _coloured(VERDICTS[verdict], verdict_word(verdict))


def coloured_judged(verdict: Verdict, certainty: Certainty) -> str:
    """Return a judge's verdict on a claim for Markdown, with its icon and colour, and how sure the judge is of it."""
    return _coloured(style_of(verdict, certainty), claim_verdict_words(verdict, certainty))


def _coloured(style: VerdictStyle, words: str) -> str:
    return f":{style.streamlit_colour}[{style.material} {words}]"


def label_words(label: Label) -> str:
    """Return a label in Markdown: its verdict, or that it was undone."""
    if label.kind is LabelKind.RETRACTION:
        return ":material/undo: taken back"
    return coloured(label.verdict)


def choice_of(label: Label) -> str:
    """Return what a label chose: one of the four verdicts, or "not_a_claim"."""
    return label.verdict.value if label.verdict else NOT_A_CLAIM
