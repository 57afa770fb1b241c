"""Parts of the settings page: facts to read; the store is chosen when the dashboard is started."""

import platform

import streamlit as st

import faithview
from faithview.services.evaluation import known_judges
from faithview.ui import format as fmt
from faithview.ui import shell


def store() -> None:
    """Draw which store this is."""
    services = shell.services()
    st.subheader("Store", anchor=False)
    st.code(services.database_url, language=None)
    st.caption(
        f"{fmt.plural(services.count_runs(), 'run')}. Another store is chosen with `faithview ui --db URL` or the "
        "environment variable `FAITHVIEW_DB`."
    )


def judges() -> None:
    """Draw the judges that there are."""
    st.subheader("Judges", anchor=False)
    for name, title in known_judges():
        st.markdown(f"`{name}` {fmt.literal(title)}")
    st.caption("The embedded judge runs on this machine; nothing that you upload or paste leaves it.")


def versions() -> None:
    """Draw what is installed."""
    st.subheader("Versions", anchor=False)
    st.caption(f"FaithView {faithview.__version__} · Streamlit {st.__version__} · Python {platform.python_version()}")
