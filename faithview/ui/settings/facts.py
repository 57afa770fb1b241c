"""Parts of the settings page: facts to read; the store is chosen when the dashboard is started."""

import platform

import streamlit as st

from faithview.services.judge_catalogue import list_offers
from faithview.services.results.runs import count_runs
from faithview.ui.parts.judge_choice import where_it_goes
from faithview.ui.shell import app
from faithview.version import __version__
from faithview.wording import numbers as fmt


def store() -> None:
    """Draw which store this is."""
    services = app.services()
    st.subheader("Store", anchor=False)
    st.code(services.database_url, language=None)
    st.caption(
        f"{fmt.plural(count_runs(services), 'run')}. Another store is chosen with `faithview ui --db URL` or the "
        "environment variable `FAITHVIEW_DB`."
    )


def judges() -> None:
    """Draw the judges that there are, whether they can run here, and which host they would call."""
    st.subheader("Judges", anchor=False)
    for offer in list_offers():
        name = f"{offer.name}:MODEL" if offer.needs_model else offer.name
        st.markdown(f"`{name}` {fmt.literal(offer.title)}")
        if offer.missing is not None:
            st.caption(f":material/key_off: {fmt.literal(offer.missing)}")
        else:
            st.caption(f":material/check: Can run here. {where_it_goes(offer)}")
    st.caption(
        "Keys come from the environment or from Streamlit's secrets file. They are never stored, shown or written to a "
        "log; nothing leaves this machine unless a judge that calls a host is chosen."
    )


def versions() -> None:
    """Draw what is installed."""
    st.subheader("Versions", anchor=False)
    st.caption(f"FaithView {__version__} · Streamlit {st.__version__} · Python {platform.python_version()}")
