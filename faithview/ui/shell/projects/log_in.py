"""Who is logged in. An e-mail address that the provider calls not verified is nobody's: somebody else may own it."""

import streamlit as st

from faithview.settings import is_login_required


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
