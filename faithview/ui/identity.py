"""Who reviews: the logged-in user with OIDC, else a name given once and kept in the browser.

An e-mail address that the provider calls not verified is ignored, because another person may own it. Pages hide
controls only for convenience: every write checks the role again.
"""

from datetime import UTC, datetime

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from faithview.domain.audit import Action
from faithview.domain.project import Role
from faithview.services.audit import add_log_in
from faithview.store import audit
from faithview.store.spot_checks import list_reviewers
from faithview.ui import membership, session
from faithview.ui.browser_memory import remember
from faithview.ui.membership import COOKIE, MAX_NAME, clean_name, current_reviewer, is_login_on, is_unverified
from faithview.ui.opened_store import store
from faithview.wording import numbers as fmt

__all__ = ["Role", "current_reviewer", "is_login_on"]

_FIELD = "reviewer.field"

_CANNOT_LABEL = (
    "You can look at everything here, but your role does not let you label. Ask an admin for the role reviewer."
)
_UNVERIFIED = (
    "Your log-in works, but its provider has not verified your e-mail address, so you have read-only access. Verify "
    "the address there, then log out and in again."
)
_CANNOT_AUDIT = "Only an admin can read the audit log."
# The year 9999: Python has no later dates.
_LAST_SECOND = 253_402_300_800
_CANNOT_DELETE = "Only an admin can delete a run, because that also deletes its labels. You can archive it instead."


def role() -> Role:
    """Return what the user may do. Without OIDC every user who gives a name may do everything.

    In a read-only store every user is a viewer.
    """
    return (None if _is_read_only() else membership.own_role()) or Role.VIEWER


def can_label(name: str | None) -> bool:
    """Return whether a label may be stored under that name now, in this session."""
    return name is not None and name == current_reviewer() and role() is not Role.VIEWER


def why_cannot_label(name: str | None) -> str | None:
    """Return why no label may be stored under that name now, as a sentence; None if it may."""
    return None if can_label(name) else cannot_label()


def why_no_name(where: str) -> str:
    """Return, as a sentence, what a user without a name has to do first.

    Args:
        where: where the page asks for a name: "below the answer"; with a log-in no page does.
    """
    if is_unverified():
        return _UNVERIFIED
    return "Log in first, in the sidebar." if is_login_on() else f"Enter your name first, {where}."


def cannot_label() -> str:
    """Return the sentence for a user whose role does not allow labelling."""
    return membership.outside() or (membership.READ_ONLY if _is_read_only() else _CANNOT_LABEL)


def can_run() -> bool:
    """Return whether this session may start, stop and store runs and ask models."""
    return role() is not Role.VIEWER


def why_cannot_run() -> str | None:
    """Return why this session may not start, stop and store runs or ask models, as a sentence; None if it may."""
    return membership.why_cannot_run(lambda: store().is_read_only)


def why_cannot_delete() -> str | None:
    """Return, as a sentence, why this session may not delete what reviewers stored; None if it may."""
    if role() is Role.ADMIN:
        return None
    return membership.outside() or (membership.READ_ONLY if _is_read_only() else _CANNOT_DELETE)


def why_cannot_audit() -> str | None:
    """Return why this session may not read the audit log, as a sentence; None if it may."""
    return None if membership.own_role() is Role.ADMIN else _CANNOT_AUDIT


def note_log_in() -> None:
    """Write the log-in of this session's person into the audit log, once."""
    email = st.user.get("email") if is_login_on() and st.user.get("is_logged_in") else None
    if not email or store().is_read_only or session.LOG_IN_NOTED.get() == email:
        return
    session.LOG_IN_NOTED.set(str(email))
    if is_unverified():
        audit.add(store().db, Action.LOG_IN_REFUSED, subject=str(email), detail="address not verified")
        return
    issued = st.user.get("iat")
    moment = datetime.fromtimestamp(issued, UTC) if isinstance(issued, int) and 0 < issued < _LAST_SECOND else None
    add_log_in(store(), str(email), issued_at=moment)


def note_refusal(place: str, reason: str) -> None:
    """Write into the audit log that this session was refused a change, once for each place.

    Only with log-in: without it no change is refused, unless the store is read-only.
    """
    noted = session.REFUSALS_NOTED.get()
    if is_login_on() and membership.outside() is None and not _is_read_only() and place not in noted:
        session.REFUSALS_NOTED.set(noted | {place})
        audit.add(store().db, Action.WRITE_REFUSED, subject=place, detail=reason)


def known_reviewers() -> list[str] | None:
    """Return the addresses of all who may label, where log-in is on; None if it is off and any name may."""
    return membership.people_who_label() if is_login_on() else None


def names_to_choose() -> list[str]:
    """Return the reviewers for assignments: with log-in those who may label, otherwise all names in use."""
    allowed = known_reviewers()
    own = current_reviewer()
    names = {*list_reviewers(store().db), *([own] if own else [])} if allowed is None else set(allowed)
    return sorted(names, key=str.casefold)


def draw_person(place: DeltaGenerator) -> None:
    """Draw who reviews, at a place in the sidebar, and how to log in, log out, or give or change the name."""
    with place.container(key="sidebar-person", gap=None):
        if is_login_on():
            _log_in_or_out()
        else:
            _name()


def _log_in_or_out() -> None:
    name = current_reviewer()
    if name is None and not is_unverified():
        st.button("Log in", icon=":material/login:", key="reviewer.login", on_click=st.login)
        return
    if name is None:
        st.caption(_UNVERIFIED)
    elif membership.outside():
        st.caption(f"Logged in as {fmt.literal(name)}")
    else:
        st.caption(f"Reviewing as {fmt.literal(name)}, {role()}")
    st.button("Log out", icon=":material/logout:", key="reviewer.logout", on_click=_log_out)


def _name() -> None:
    name = current_reviewer()
    remember(COOKIE, name or "")
    if name is None:
        with (
            st.popover("Who are you?", icon=":material/person:", type="tertiary", key="reviewer.give"),
            st.form("reviewer.ask.sidebar", border=False),
        ):
            field = f"{_FIELD}.sidebar"
            st.text_input("Your name", key=field, max_chars=MAX_NAME, placeholder="Stored with what you add")
            st.form_submit_button("Save name", key="reviewer.keep", on_click=_keep_name, args=(field,))
        return
    st.caption(f"Reviewing as {fmt.literal(name)}")
    st.button("Change name", type="tertiary", icon=":material/person:", key="reviewer.change", on_click=_forget_name)


def ask_reviewer(*, place: str = "") -> str | None:
    """Return the reviewer's name; if this user may not label yet, draw what to do and return None.

    Args:
        place: tells the form apart where a page has it twice, as in a dialog above the page.
    """
    name = current_reviewer()
    if name is not None:
        if can_label(name):
            return name
        st.info(cannot_label(), icon=":material/lock:")
    elif is_unverified():
        st.info(_UNVERIFIED, icon=":material/lock:")
    elif is_login_on():
        st.info("Log in first, in the sidebar.", icon=":material/login:")
    else:
        field = f"{_FIELD}{place}"
        with st.form(f"reviewer.ask{place}", border=False), st.container(horizontal=True):
            st.text_input(
                "Your name",
                key=field,
                max_chars=MAX_NAME,
                placeholder="Your name, stored with what you add",
                label_visibility="collapsed",
                width=320,
            )
            st.form_submit_button("Save name", on_click=_keep_name, args=(field,))
    return None


def may_give_name() -> bool:
    """Return whether this user may label as soon as they give a name, and has given none."""
    return current_reviewer() is None and not is_login_on() and can_run()


def keep_name(field: str) -> str | None:
    """Keep the name in a text field for this session, and return it; None if it cannot be a name."""
    name = clean_name(session.widget_text(field) or "")
    if name:
        session.REVIEWER.set(name)
    return name or None


def _keep_name(field: str) -> None:
    keep_name(field)


def _is_read_only() -> bool:
    """Return whether the store can only be read; who is not in the project may not ask it."""
    return membership.outside() is None and store().is_read_only


def _log_out() -> None:
    if current_reviewer() is not None and membership.outside() is None and not _is_read_only():
        audit.add(store().db, Action.LOGGED_OUT)
    st.logout()


def _forget_name() -> None:
    session.REVIEWER.set("")
