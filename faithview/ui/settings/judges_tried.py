"""The button that tries out the store and the judges, and what it found."""

from datetime import UTC, datetime

import streamlit as st

from faithview.domain.diagnosis import Asking, Diagnosis
from faithview.services.diagnosis.diagnose import diagnose, hosts_to_ask
from faithview.ui.shell import app, identity, session
from faithview.ui.shell.write import allow
from faithview.wording import diagnosis as words
from faithview.wording import numbers as fmt

_ICONS = {
    words.WORKS: ":material/check_circle:",
    words.INSTALLED: ":material/check_circle:",
    words.FAILS: ":material/error:",
    words.NOT_SET_UP: ":material/key_off:",
    words.NOT_ASKED: ":material/remove:",
}


def draw_test() -> None:
    """Draw the button; a press asks the hosts that are named beside it. What was found stays until the next press."""
    hosts = hosts_to_ask()
    refusal = identity.why_cannot_run()
    with st.container(horizontal=True, vertical_alignment="center"):
        is_pressed = st.button(
            "Test the judges", icon=":material/network_check:", key="settings.test", disabled=refusal is not None
        )
        st.caption(fmt.literal(refusal) if refusal else _what_a_press_does(hosts))
    if is_pressed and allow(refusal):
        session.DIAGNOSIS.set(_diagnose())
    found = session.DIAGNOSIS.get()
    if isinstance(found, Diagnosis):
        _draw(found)


def _what_a_press_does(hosts: tuple[str, ...]) -> str:
    if not hosts:
        return "No judge that asks a server is set up, so a press sends nothing. It tests the store and this machine."
    named = fmt.listed([f"**{fmt.literal(host)}**" for host in hosts])
    return f"A press asks {named} for the models and one small question each, about a made-up answer."


def _diagnose() -> Diagnosis:
    with st.status("Testing the judges", expanded=True) as status:
        found = diagnose(app.settings(), announce=_announce)
        status.update(label="Tested the judges", state="complete", expanded=False)
    return found


def _announce(asking: Asking) -> None:
    st.caption(fmt.literal(words.asking_words(asking)))


def _draw(found: Diagnosis) -> None:
    (st.success if found.works else st.error)(words.summary_words(found).replace("; see above", ""))
    missing = found.local_missing
    _draw_part(
        "Store",
        words.FAILS if found.store.error else words.WORKS,
        words.store_lines(found.store, now=datetime.now(UTC)),
    )
    _draw_part("embedded", words.FAILS if found.embedded.error else words.WORKS, words.tested_lines(found.embedded))
    _draw_part("Models on this machine", words.NOT_SET_UP if missing else words.INSTALLED, [words.local_words(missing)])
    for check in found.judges:
        _draw_part(check.name, words.judge_state(check), words.judge_lines(check))


def _draw_part(name: str, state: str, lines: list[str]) -> None:
    with st.container(gap="xxsmall"):
        st.markdown(f"{_ICONS[state]} **{fmt.literal(name)}** {state}")
        for line in lines:
            st.caption(fmt.literal(line))
