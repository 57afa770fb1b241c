"""What this installation uses: its store, its judges and its versions."""

import platform
from datetime import UTC, datetime

import streamlit as st

from faithview.services.judge_catalogue import list_offers
from faithview.services.live.backlogs import list_backlogs
from faithview.services.results.runs import count_runs
from faithview.ui.parts.judge_choice import where_it_goes
from faithview.ui.shell import app, session
from faithview.version import __version__
from faithview.wording import numbers as fmt
from faithview.wording.live import backlog_words

# Applications whose logged answers are counted on the page.
_MOST_APPLICATIONS = 8


def draw_store() -> None:
    """Draw the address of the store and its number of runs."""
    services = app.services()
    st.header("Store", anchor=False)
    st.code(services.database_url, language=None)
    other = (
        "To use another store, start with `faithview ui --db URL` or set the environment variable `FAITHVIEW_DB`."
        if session.PROJECT.get() is None
        else "It is this project's store, as the secrets file describes it."
    )
    st.caption(f"{fmt.plural(count_runs(services), 'run')}. {other}")
    for backlog in list_backlogs(services)[:_MOST_APPLICATIONS]:
        st.caption(fmt.literal(f"Live: {backlog_words(backlog, now=datetime.now(UTC))}."))


def draw_judges() -> None:
    """Draw every judge, whether it can run here, and which host it calls."""
    st.header("Judges", anchor=False)
    for offer in list_offers():
        name = f"{offer.name}:MODEL" if offer.needs_model else offer.name
        st.markdown(f"{fmt.code(name)} {fmt.literal(offer.title)}")
        if offer.missing is not None:
            st.caption(f":material/key_off: {fmt.literal(offer.missing)}")
        else:
            st.caption(f":material/check: Can run here. {where_it_goes(offer)}")
    st.caption(
        "Keys come from the environment or from Streamlit's secrets file. They are never stored, shown or logged. Data "
        "leaves this machine only if you choose a judge that calls a host."
    )


def draw_versions() -> None:
    """Draw the installed versions."""
    st.header("Versions", anchor=False)
    st.caption(f"FaithView {__version__} · Streamlit {st.__version__} · Python {platform.python_version()}")
