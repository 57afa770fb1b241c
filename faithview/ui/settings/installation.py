"""The store, the judges and the versions in use, and the button that tries the judges out."""

import platform
from datetime import UTC, datetime

import pandas as pd
import streamlit as st

from faithview.domain.hidden_characters import make_visible
from faithview.services.diagnosis import diagnose, hosts_to_ask
from faithview.services.judge_catalogue import JudgeOffer, list_offers
from faithview.store.live import list_backlogs
from faithview.store.runs import count_runs
from faithview.ui import identity, membership, opened_store, session
from faithview.ui.service_calls import allow
from faithview.ui.widgets.judge_choice import where_it_goes
from faithview.version import __version__
from faithview.wording import diagnosis as words
from faithview.wording import numbers as fmt
from faithview.wording.live import backlog_words

# Applications whose logged answers are counted on the page.
_MOST_APPLICATIONS = 8


def draw_store() -> None:
    """Draw the address of the store and its number of runs."""
    store = opened_store.store()
    st.header("Store", anchor=False)
    st.code(store.database_url, language=None)
    other = (
        "To use another store, start with `faithview ui --db URL` or set the environment variable `FAITHVIEW_DB`."
        if membership.served_project() is None
        else "The secrets file names it as this project's store."
    )
    st.caption(f"{fmt.plural(count_runs(store.db), 'run')}. {other}")
    for backlog in list_backlogs(store.db)[:_MOST_APPLICATIONS]:
        st.caption(fmt.literal(f"Live: {backlog_words(backlog, now=datetime.now(UTC))}."))


def draw_judges() -> None:
    """Draw a table of the judges: whether each can run here, and which host it calls."""
    st.header("Judges", anchor=False)
    st.table(
        pd.DataFrame([_judge_row(offer) for offer in list_offers()]),
        border="horizontal",
        hide_index=True,
        hide_header=True,
        alt="The judges: name, what each one does, and whether it can run here.",
    )
    st.caption(
        "Keys come from the environment or from Streamlit's secrets file. They are never stored, shown or logged. "
        "Answers are sent only to the hosts of the judges and models that you choose."
    )


def _judge_row(offer: JudgeOffer) -> dict[str, str]:
    if offer.missing is not None:
        state = f":material/key_off: {fmt.literal(offer.missing)}"
    else:
        state = f":material/check: Can run here. {where_it_goes(offer)}"
    return {
        "name": fmt.code(f"{offer.name}:MODEL" if offer.needs_model else offer.name),
        "title": fmt.literal(offer.title),
        "state": state,
    }


def draw_versions() -> None:
    """Draw the installed versions."""
    st.header("Versions", anchor=False)
    st.caption(
        f"FaithView {__version__} · Streamlit {st.__version__} · Python {platform.python_version()}  \n"
        "The documentation is in the folder `docs` of FaithView's source code."
    )


def draw_test() -> None:
    """Draw the button; a press asks the hosts named next to it. The results stay until the next press."""
    hosts = hosts_to_ask()
    refusal = identity.why_cannot_run()
    with st.container(horizontal=True, vertical_alignment="center"):
        is_pressed = st.button(
            "Test the judges", icon=":material/network_check:", key="settings.test", disabled=refusal is not None
        )
        st.caption(fmt.literal(refusal) if refusal else _what_a_press_does(hosts))
    if is_pressed and allow(refusal):
        with st.status("Testing the judges", expanded=True) as status:

            def announce(text: str) -> None:
                st.caption(fmt.literal(text))

            found = diagnose(opened_store.settings(), announce=announce)
            status.update(label="Tested the judges", state="complete", expanded=False)
        session.DIAGNOSIS.set(make_visible("\n".join(words.diagnosis_lines(found, now=datetime.now(UTC)))))
    if (lines := session.DIAGNOSIS.get()) is not None:
        st.code(lines, language=None, wrap_lines=True)


def _what_a_press_does(hosts: tuple[str, ...]) -> str:
    if not hosts:
        return "No judge that asks a server is set up, so testing sends nothing. It checks the store and this machine."
    named = fmt.listed([f"**{fmt.literal(host)}**" for host in hosts])
    return f"Testing lists the models at {named} and sends each one a short question about a made-up answer."
