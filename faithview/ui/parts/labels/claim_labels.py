"""Labels on pages that show a claim with the judge's verdict: the keys, and the bar with the buttons of that claim.

No label given here is blind. The view on the page says which claim is marked, and the key labels that one.
"""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

import streamlit as st

from faithview.domain.claim import ClaimRef
from faithview.domain.label import VerdictSource, counts_as_blind
from faithview.services.review.disagreements import LabelledClaim, get_labelled_claim
from faithview.services.review.label_keys import UNDO, KeyPress, do_marked, mark_claim
from faithview.services.review.labels import LabelProvenance
from faithview.ui.components.label_buttons import CHOICES, choice_of, coloured, coloured_judged, label_buttons
from faithview.ui.components.label_keys import Keyboard, label_keys
from faithview.ui.parts.label_presses import answer_presses, press_log
from faithview.ui.shell import app, identity, write
from faithview.wording.verdicts import verdict_word

_WORDS: Mapping[str, str] = MappingProxyType({**{choice: verdict_word(choice) for choice in CHOICES}, UNDO: "undo"})


def answer_keys(page: str) -> None:
    """Store what was pressed on a page since the last run of the script; before the page reads anything."""
    answer_presses(_key(page), _do, refusal=_why_not(identity.current_reviewer()), then=_nothing_more)


def label_bar(page: str, place: ClaimRef | None, *, words: str) -> None:
    """Draw the verdicts on the selected claim and the buttons to label it, and take the page's label keys.

    Args:
        page: names the page, and begins the keys of what is drawn.
        place: the claim; None where none is selected, or where people found it.
        words: what the page calls the claim: "Claim 2 now".
    """
    claim = None if place is None else get_labelled_claim(app.services(), place)
    mark = None if claim is None else _mark(claim)
    area = f"{page}_label_bar"
    with st.container(key=area):
        write.show_message(_write_place(page))
        if claim is not None and mark is not None:
            _bar(page, claim, mark, words=words)
    keyboard = Keyboard(
        keys={**{str(number): choice for number, choice in enumerate(CHOICES, start=1)}, "u": UNDO},
        buttons={action: action for action in _WORDS},
        words=_WORDS,
        area=area,
    )
    name = identity.current_reviewer()
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
    if identity.ask_reviewer() is not None:
        label_buttons(
            key=key,
            chosen=choice_of(after or own) if own else None,
            on_label=partial(_press, page, mark),
            has_shortcuts=False,
        )


def _verdicts(claim: LabelledClaim) -> str:
    parts = [f"judge {coloured_judged(claim.judged)}"]
    source = claim.effective.source
    if source is VerdictSource.DISAGREEMENT:
        parts.append("reviewers disagree, so the judge's verdict counts")
    elif source is VerdictSource.JUDGE:
        parts.append(":small[:gray[not labelled yet]]")
    else:
        parts.append(f"people {coloured(claim.effective.verdict)}")
    return " &nbsp; ".join(parts)


def _mark(claim: LabelledClaim) -> str:
    place = claim.place
    return mark_claim(place.run_id, place.row, place.claim_number, claim.judged.text)


def _do(press: KeyPress) -> None:
    _label(press.mark, press.action)


def _nothing_more(_: KeyPress) -> None:
    """Do nothing: there are no fields to empty here."""


def _press(page: str, mark: str, action: str) -> None:
    """Do what a button asks for where the browser has not sent it as a key press."""
    refusal = identity.why_cannot_label(identity.current_reviewer())
    write.write(partial(_label, mark, action), place=_write_place(page), refusal=refusal)


def _label(mark: str | None, action: str) -> None:
    do_marked(app.services(), mark, action, LabelProvenance(reviewer=identity.current_reviewer() or ""))


def _why_not(name: str | None) -> str | None:
    return identity.why_no_name("below the claim") if name is None else identity.why_cannot_label(name)
