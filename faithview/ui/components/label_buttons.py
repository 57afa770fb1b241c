"""The five labels that a person can give a claim, as buttons with the keys 1 to 5; and labels in words."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import streamlit as st

from faithview.domain.claim import Claim, Verdict
from faithview.domain.label import NOT_A_CLAIM, Label, LabelKind
from faithview.wording.verdicts import NOT_A_CLAIM_WORD, VERDICTS, claim_verdict_words, verdict_word

CHOICES: Mapping[str, str] = MappingProxyType({**{v.value: v.value for v in VERDICTS}, NOT_A_CLAIM: NOT_A_CLAIM})


def label_buttons(
    *,
    key: str,
    chosen: str | None,
    on_label: Callable[[str], None],
    disabled: bool = False,
    has_shortcuts: bool = True,
    beside: Callable[[], None] | None = None,
) -> None:
    """Draw the buttons; `on_label` is called with the verdict, or "not_a_claim", before the next run of the script.

    Args:
        key: begins the buttons' keys. It must name the claim, so that a press that comes late cannot meet another one.
        chosen: the person's last label, drawn as chosen; None for none.
        on_label: stores the label.
        disabled: whether the buttons are disabled.
        has_shortcuts: whether the keys 1 to 5 press the buttons; False where `label_keys` takes the keys.
        beside: draws what follows the buttons on their line, as far as there is room; None for nothing.
    """
    with st.container(horizontal=True, gap="xsmall"):
        for number, choice in enumerate(CHOICES, start=1):
            word = verdict_word(choice).capitalize()
            st.button(
                word if has_shortcuts else f"{word} ({number})",
                key=f"{key}.{choice}",
                icon=_icon(choice),
                shortcut=str(number) if has_shortcuts else None,
                type="primary" if choice == chosen else "secondary",
                disabled=disabled,
                on_click=on_label,
                args=(choice,),
            )
        if beside is not None:
            beside()


def coloured(verdict: Verdict | None) -> str:
    """Return a verdict for Markdown, with its icon and colour."""
    return f":material/block: {NOT_A_CLAIM_WORD}" if verdict is None else _coloured(verdict, verdict_word(verdict))


def coloured_judged(claim: Claim) -> str:
    """Return a judge's verdict on a claim for Markdown, with its icon and colour, and "probably" where it is unsure."""
    return _coloured(claim.verdict, claim_verdict_words(claim.verdict, claim.confidence))


def _coloured(verdict: Verdict, words: str) -> str:
    style = VERDICTS[verdict]
    return f":{style.streamlit_colour}[{style.material} {words}]"


def label_words(label: Label) -> str:
    """Return a label in Markdown: its verdict, or that it was undone."""
    if label.kind is LabelKind.RETRACTION:
        return ":material/undo: taken back"
    return coloured(label.verdict)


def voice_words(label: Label, second_thought: Label | None) -> str:
    """Return in Markdown what a person said: "supported", or "blind: supported; after seeing the judge: contradicted".

    Args:
        label: their label that counts.
        second_thought: what they said after they had seen the judge's verdict, None for nothing else.
    """
    if second_thought is None:
        return label_words(label)
    return f"blind: {label_words(label)}; after seeing the judge: {label_words(second_thought)}"


def choice_of(label: Label) -> str:
    """Return the choice that a label holds."""
    return label.verdict.value if label.verdict else NOT_A_CLAIM


def _icon(choice: str) -> str:
    return ":material/block:" if choice == NOT_A_CLAIM else VERDICTS[Verdict(choice)].material
