"""Who this session's person is: the person logged in, else the name given once and kept in the browser.

An e-mail address that the provider calls not verified is nobody's: somebody else may own it.
"""

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from faithview.domain.audit import UNKNOWN
from faithview.settings import is_login_required
from faithview.ui.shell import session
from faithview.ui.shell.browser_memory import remembered

COOKIE = "faithview_reviewer"
MAX_NAME = 100  # characters


def is_login_on() -> bool:
    """Return whether people log in: OIDC is configured (`[auth]` in the secrets), or was when the server started."""
    return "is_logged_in" in st.user or is_login_required()


def verified_email() -> str | None:
    """Return the address of the person logged in; None where nobody is, or where it is not verified."""
    email = st.user.get("email") if st.user.get("is_logged_in") else None
    return str(email) if email and not is_unverified() else None


def is_unverified() -> bool:
    """Return whether the provider says of the person logged in that the address is not verified; many say nothing."""
    return bool(st.user.get("is_logged_in")) and str(st.user.get("email_verified", True)).lower() in ("false", "0")


def current_reviewer() -> str | None:
    """Return the verified e-mail address of the person logged in, else the name given; None where there is neither."""
    if is_login_on():
        return verified_email()
    # An empty name in the session means that the name in the browser was given up in this session.
    name = session.REVIEWER.get() if session.REVIEWER.is_set() else clean_name(remembered(COOKIE))
    return name or None


def acting_person() -> str:
    """Return who writes now, as `domain/audit.py` describes it; outside a session nobody is known."""
    if get_script_run_ctx(suppress_warning=True) is None:
        return UNKNOWN
    name = current_reviewer()
    if is_login_on():
        return name or "not logged in"
    return f"{UNKNOWN}: {name}" if name else UNKNOWN


def clean_name(name: str) -> str:
    """Return a name on one line; "" for one that cannot be used, wherever it comes from."""
    line = " ".join(name.split())
    return line if len(line) <= MAX_NAME and line.isprintable() else ""
