"""The keys and buttons that label claims: every press goes to the server with the claim that was marked at that moment.

The component draws only what becomes of the presses. It asks the view on the page (`answer_view`) which claim is
marked, keeps each press until the server has answered it, and disables the page's buttons while they belong to another
claim than the marked one. What was pressed since the last run of the script is answered before anything is drawn.

`answer_keys` and `label_bar` are for pages that show a claim with the judge's verdict: no label given there is blind.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

import streamlit as st

from faithview.domain.certainty import Certainty
from faithview.domain.claim import ClaimRef, Verdict
from faithview.domain.label import NOT_A_CLAIM, Label, LabelKind, VerdictSource, counts_as_blind
from faithview.services.review.disagreements import LabelledClaim, get_labelled_claim
from faithview.services.review.key_presses import UNDO, KeyPress, PressLog, do_marked, mark_claim, read_presses
from faithview.services.review.labels import LabelProvenance
from faithview.ui import identity, opened_store, service_calls, session
from faithview.ui.frontend.component_files import read_script, read_styles
from faithview.ui.membership import MAX_NAME
from faithview.ui.widgets.selection import keep_choice
from faithview.wording import numbers as fmt
from faithview.wording.verdict_styles import (
    NOT_A_CLAIM_WORD,
    VERDICTS,
    VerdictStyle,
    claim_verdict_words,
    style_of,
    verdict_word,
)

_mount = st.components.v2.component(
    "faithview.label_keys",
    css=read_styles("label_keys"),
    js=read_script("label_keys"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyboard:
    """The actions of a page's keys and buttons.

    `keys` names the action of each key, `buttons` that of each button, by the end of the button's key, and `words` says
    what each action is called. `area` is the key of the container that holds the buttons and fields.
    """

    keys: Mapping[str, str]
    buttons: Mapping[str, str]
    words: Mapping[str, str]
    area: str


def label_keys(
    keyboard: Keyboard,
    *,
    key: str,
    log: PressLog,
    mark: str | None,
    waits: bool,
    claimless: Sequence[str] = (),
    refusal: str | None = None,
    unmarked: str = "no claim is on screen",
    sticks: bool = False,
) -> None:
    """Take the page's label keys; `session.widget_value(key)` holds the presses, for `read_presses`.

    Args:
        keyboard: what the keys and buttons do.
        key: the component's key, unique in the dashboard.
        log: the presses that are answered; the page shows what was refused.
        mark: the mark of the claim that the buttons in `keyboard.area` belong to, None for no claim.
        waits: whether each press changes what is on screen, so the next one is refused until it is answered.
        claimless: the actions that need no marked claim.
        refusal: why no key may label now, as a sentence; None if keys may.
        unmarked: why a key does nothing while no claim is marked, without the full stop.
        sticks: whether the buttons and fields stay at the lower edge of the window where the page is longer.
    """
    _mount(
        key=key,
        height=1,
        data={
            "page": key,
            "keys": dict(keyboard.keys),
            "buttons": dict(keyboard.buttons),
            "words": dict(keyboard.words),
            "area": f".st-key-{keyboard.area}",
            "mark": mark,
            "waits": waits,
            "claimless": list(claimless),
            "refusal": refusal,
            "unmarked": unmarked,
            "sticks": sticks,
            "acknowledged": log.acknowledged,
            "answers": [{"sequence": answer.sequence, "refusal": answer.refusal} for answer in log.answers],
        },
        on_presses_change=keep_choice,
    )


CHOICES: Mapping[str, str] = MappingProxyType({**{v.value: v.value for v in VERDICTS}, NOT_A_CLAIM: NOT_A_CLAIM})
# What each of the keys 1 to 5 chooses, on every page that takes labels.
KEY_CHOICES: Mapping[str, str] = MappingProxyType(
    {str(number): choice for number, choice in enumerate(CHOICES, start=1)}
)


def label_buttons(
    *,
    key: str,
    chosen: str | None,
    on_label: Callable[[str], None],
    disabled: bool = False,
    beside: Callable[[], None] | None = None,
) -> None:
    """Draw the buttons; `on_label` is called with the verdict, or "not_a_claim", before the next run of the script.

    Args:
        key: begins the buttons' keys. It must name the claim, so a press that comes late cannot meet another one.
        chosen: the person's last label, drawn as chosen; None for none.
        on_label: stores the label.
        disabled: whether the buttons are disabled.
        beside: draws what follows the buttons on their line, as far as there is room; None for nothing.
    """
    with st.container(horizontal=True, gap="xsmall"):
        for digit, choice in KEY_CHOICES.items():
            st.button(
                f"{verdict_word(choice).capitalize()} ({digit})",
                key=f"{key}.{choice}",
                icon=":material/block:" if choice == NOT_A_CLAIM else VERDICTS[Verdict(choice)].material,
                type="primary" if choice == chosen else "secondary",
                disabled=disabled,
                on_click=on_label,
                args=(choice,),
            )
        if beside is not None:
            beside()


def coloured(verdict: Verdict | None) -> str:
    """Return a verdict for Markdown, with its icon and colour."""
    if verdict is None:
        return f":material/block: {NOT_A_CLAIM_WORD}"
    return _coloured(VERDICTS[verdict], verdict_word(verdict))


def coloured_choice(choice: str) -> str:
    """Return what a label button says, for Markdown, with its icon and colour."""
    return coloured(None if choice == NOT_A_CLAIM else Verdict(choice))


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


def voice_words(label: Label, second_thought: Label | None) -> str:
    """Return in Markdown what a person said: "supported", or "blind: supported; after seeing the judge: contradicted".

    Args:
        label: their label that counts.
        second_thought: what they said after they had seen the judge's verdict, None for nothing else.
    """
    if second_thought is None:
        return label_words(label)
    return f"blind: {label_words(label)}; after seeing the judge: {label_words(second_thought)}"


def shared_words(runs: Sequence[str]) -> str:
    """Return in Markdown in which runs labels were given on equal claims: ", labelled in *October*"; "" if in none."""
    return f", labelled in {fmt.listed([f'*{fmt.literal(run)}*' for run in runs])}" if runs else ""


def choice_of(label: Label) -> str:
    """Return the choice that a label holds."""
    return label.verdict.value if label.verdict else NOT_A_CLAIM


def press_log(key: str) -> PressLog:
    """Return which presses of the keys with that key (see `label_keys`) are answered in this session."""
    value = session.press_log(key)
    log = value.get()
    if not isinstance(log, PressLog):
        log = PressLog()
        value.set(log)
    return log


def answer_presses(
    key: str, action: Callable[[KeyPress], object], *, refusal: str | None, then: Callable[[KeyPress], object]
) -> None:
    """Answer every press that the browser reported and that has no answer yet, in their order.

    Args:
        key: the key of the page's label keys.
        action: does what a press asks for; after it has stored anything it may not touch the session, where a run of
            the script may end.
        refusal: why this session may do nothing, None if it may.
        then: is called after each press that was done.
    """
    log = press_log(key)
    for press in log.unanswered(read_presses(_reported(key))):
        if log.answer(press, partial(action, press), refusal=refusal):
            then(press)


def _reported(key: str) -> object:
    state = session.widget_value(key)
    return state.get("presses") if isinstance(state, Mapping) else None


_WORDS: Mapping[str, str] = MappingProxyType({**{choice: verdict_word(choice) for choice in CHOICES}, UNDO: "undo"})


def answer_keys(page: str) -> None:
    """Store what was pressed on a page since the last run of the script; before the page reads anything."""
    answer_first_press()
    answer_presses(_key(page), _apply_key_press, refusal=_why_not(identity.current_reviewer()), then=_nothing_more)


def label_bar(page: str, place: ClaimRef | None, *, words: str) -> None:
    """Draw the verdicts on the selected claim and the buttons to label it, and take the page's label keys.

    Args:
        page: names the page, and begins the keys of what is drawn.
        place: the claim; None if none is selected, or if reviewers added it.
        words: what the page calls the claim: "Claim 2 now".
    """
    claim = None if place is None else get_labelled_claim(opened_store.store(), place)
    mark = None if claim is None else _mark(claim)
    area = f"{page}_label_bar"
    with st.container(key=area):
        service_calls.show_message(_write_place(page))
        if claim is not None and mark is not None:
            _bar(page, claim, mark, words=words)
    keyboard = Keyboard(
        keys={**KEY_CHOICES, "u": UNDO},
        buttons={action: action for action in _WORDS},
        words=_WORDS,
        area=area,
    )
    name = identity.current_reviewer()
    if mark is not None and identity.may_give_name():
        return  # the buttons have keys of their own
    # Without a claim there is no field for a name, so a key asks for a claim first.
    refusal = None if mark is None and name is None else _why_not(name)
    label_keys(
        keyboard,
        key=_key(page),
        log=press_log(_key(page)),
        mark=mark,
        waits=False,
        refusal=refusal,
        unmarked="no claim is selected yet; select one with a click",
    )


def _key(page: str) -> str:
    return f"{page}.label_keys"


def _write_place(page: str) -> str:
    return f"{page}.labels"


def _bar(page: str, claim: LabelledClaim, mark: str, *, words: str) -> None:
    name = identity.current_reviewer()
    own = next((label for label in reversed(claim.standing) if label.reviewer == name), None)
    after = claim.second_thought_of(name or "")
    key = f"{page}.label.{claim.place.run_id}.{claim.place.row}.{claim.place.claim_number}"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{words}** &nbsp; {_verdicts(claim)}", width="content")
        if after is not None or (own is not None and not counts_as_blind(own)):
            st.button(
                "Undo (U)",
                type="tertiary",
                icon=":material/undo:",
                key=f"{key}.{UNDO}",
                on_click=partial(_press, page, mark, UNDO),
            )
    if name is None:
        label_without_name(mark, label_as, place=_write_place(page))
    elif identity.ask_reviewer() is not None:
        label_buttons(
            key=key,
            chosen=choice_of(after or own) if own else None,
            on_label=partial(_press, page, mark),
        )


def _verdicts(claim: LabelledClaim) -> str:
    parts = [f"judge {coloured_judged(claim.judged.verdict, claim.certainty)}"]
    source = claim.effective.source
    if source is VerdictSource.DISAGREEMENT:
        parts.append("reviewers disagree, so the judge's verdict counts")
    elif source is VerdictSource.JUDGE:
        parts.append(":small[:gray[not labelled yet]]")
    else:
        parts.append(f"reviewers {coloured(claim.effective.verdict)}")
    return " &nbsp; ".join(parts)


def _mark(claim: LabelledClaim) -> str:
    place = claim.place
    return mark_claim(place.run_id, place.row, place.claim_number, claim.judged.text)


def _apply_key_press(press: KeyPress) -> None:
    _label(press.mark, press.action)


def _nothing_more(_: KeyPress) -> None:
    """Do nothing: there are no fields to empty here."""


def _press(page: str, mark: str, action: str) -> None:
    """Do what a button asks for where the browser has not sent it as a key press."""
    refusal = identity.why_cannot_label(identity.current_reviewer())
    service_calls.write(partial(_label, mark, action), place=_write_place(page), refusal=refusal)


def _label(mark: str | None, action: str) -> None:
    label_as(identity.current_reviewer() or "", mark, action)


def label_as(name: str, mark: str | None, action: str) -> None:
    """Label the marked claim under a name, or take the label back; raises FaithViewError."""
    do_marked(opened_store.store(), mark, action, LabelProvenance(reviewer=name))


def _why_not(name: str | None) -> str | None:
    return identity.why_no_name("below the claim") if name is None else identity.why_cannot_label(name)


_NAME_FIELD = "first_label.name"
_FIRST_AREA = "first_label_area"
_FIRST_KEYS = "first_label.keys"
# Stores a label under a name that was given just now: its arguments are the name, the mark and the verdict.
StoreLabel = Callable[[str, str, str], object]

_FIRST_KEYBOARD = Keyboard(
    keys=KEY_CHOICES,
    buttons=MappingProxyType({choice: choice for choice in CHOICES}),
    words=MappingProxyType({choice: f"{verdict_word(choice)}, waits for your name" for choice in CHOICES}),
    area=_FIRST_AREA,
)

_focus = st.components.v2.component("faithview.focus_field", js=read_script("focus_field"))


def answer_first_press() -> None:
    """Hold what a user without a name pressed since the last run of the script; before the claim is drawn."""
    answer_presses(_FIRST_KEYS, _hold_press, refusal=None, then=_nothing_more)


def label_without_name(mark: str, store: StoreLabel, *, place: str) -> None:
    """Draw the label buttons for a user without a name, and the field for the name once a label waits for it.

    A user who may not label sees the reason in place of the buttons.

    Args:
        mark: the mark of the claim on screen.
        store: stores the label.
        place: where the page shows why it was not stored.
    """
    if not identity.may_give_name():
        if identity.current_reviewer() is None and not identity.is_login_on():
            st.info(identity.cannot_label(), icon=":material/lock:")
        else:
            identity.ask_reviewer()
        return
    held = session.FIRST_LABEL.get()
    verdict = held[1] if held is not None and held[0] == mark else None
    with st.container(key=_FIRST_AREA):
        label_buttons(key=f"{_FIRST_KEYS}.{mark}", chosen=verdict, on_label=partial(_hold, mark))
    if verdict is not None:
        _ask_name(mark, verdict, store, place)
    service_calls.show_message(place)
    label_keys(_FIRST_KEYBOARD, key=_FIRST_KEYS, log=press_log(_FIRST_KEYS), mark=mark, waits=True)


def _ask_name(mark: str, verdict: str, store: StoreLabel, place: str) -> None:
    with (
        st.form("first_label", border=False),
        st.container(key="first_label_name", horizontal=True, vertical_alignment="center", gap="small"),
    ):
        st.markdown(f"{coloured_choice(verdict)}, labelled by", width="content")
        st.text_input(
            "Your name",
            key=_NAME_FIELD,
            max_chars=MAX_NAME,
            placeholder="Your name",
            label_visibility="collapsed",
            width=320,
        )
        st.form_submit_button("Save the label", type="primary", on_click=_save, args=(mark, verdict, store, place))
    _focus(key="first_label.focus", height=1, data={"selector": ".st-key-first_label_name input", "turn": mark})


def _save(mark: str, verdict: str, store: StoreLabel, place: str) -> None:
    name = identity.keep_name(_NAME_FIELD)
    if name is None:
        return
    session.FIRST_LABEL.clear()
    service_calls.write(partial(store, name, mark, verdict), place=place, refusal=identity.why_cannot_label(name))


def _hold(mark: str, verdict: str) -> None:
    session.FIRST_LABEL.set((mark, verdict))


def _hold_press(press: KeyPress) -> None:
    if press.mark is not None and press.action in CHOICES:
        _hold(press.mark, press.action)
