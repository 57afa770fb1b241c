"""The store that all sessions of this server share, and what is shown where it cannot be used."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from faithview.domain.errors import FaithViewError, NotAllowed, StoreError, StoreReplaced
from faithview.services.container import Store, build
from faithview.services.runs.worker import Workers
from faithview.settings import Settings
from faithview.ui import membership
from faithview.ui.membership import acting_person

_LOOK_AGAIN_EVERY_S = 3.0


def store() -> Store:
    """Return the store of this server, which all its sessions share.

    A session whose user may not see the project any more is rerun, which says so.
    """
    if (reason := membership.outside()) is not None:
        if get_script_run_ctx(suppress_warning=True) is not None:
            st.rerun()
        raise NotAllowed(reason)
    return served_store()


def served_store() -> Store:
    """Return the store of this server without checking roles, for the server itself."""
    return _opened(settings().database_url)


def settings() -> Settings:
    """Return the settings with the store of this server: its project's, else the one that the environment names."""
    project = membership.served_project()
    return Settings.from_env() if project is None else Settings(database_url=project.database_url)


def store_key() -> str:
    """Return what tells this store from others, for the keys of caches; it has no password in it."""
    return store().database_url


@st.cache_resource(on_release=lambda opened: opened.close(), show_spinner=False)
def _opened(url: str) -> Store:
    opened = build(
        Settings(database_url=url),
        who=acting_person,
        refusal=lambda: membership.why_cannot_write(lambda: opened.is_read_only),
    )
    return opened


def open_store() -> None:
    """Open the store, or the file that is in its place by now; raises StoreError if it is gone or out of reach."""
    try:
        served_store().check_in_place()
    except StoreReplaced:
        # Its caches are about the file that is gone, and so are words that pages keep (st.cache_data).
        _opened.clear(settings().database_url)
        st.cache_data.clear()
        served_store().check_in_place()


def store_works() -> bool:
    """Return whether the store, or the file that is in its place by now, answers and has this FaithView's schema."""
    try:
        open_store()
        return served_store().is_reachable()
    except FaithViewError:
        return False


@contextmanager
def explaining() -> Iterator[None]:
    """Show why the store cannot be used, and stop, where a part of the app fails because of it.

    Every other error of a page is a bug, unless the store is damaged.
    """
    try:
        yield
    except FaithViewError as error:
        _explain(error)
    except Exception as error:
        try:
            store().explain_damage(error)
        except FaithViewError as damage:
            _explain(damage)
        raise


def _explain(error: FaithViewError) -> NoReturn:
    st.title("The store cannot be used" if isinstance(error, StoreError) else "This cannot be shown")
    st.text(str(error))
    if isinstance(error, StoreError):
        st.caption("Choose another one with `faithview ui --db URL`, or check this one with `faithview db check`.")
        if not _is_back():  # otherwise each new try would end the same way
            st.caption("This page reloads when the store is available again.")
            _go_on_when_back()
    st.button("Try again", key="trouble.again")
    st.stop()


@st.fragment(run_every=_LOOK_AGAIN_EVERY_S)
def _go_on_when_back() -> None:
    """Draw the page again as soon as the store can be used."""
    if _is_back():
        st.rerun()


def _is_back() -> bool:
    """Return whether the store can be opened now."""
    try:
        open_store()
    except StoreError:
        return False
    except FaithViewError:  # the page says what it is
        return True
    return True


def workers() -> Workers:
    """Return the worker processes of this server's store; all its sessions share them."""
    return _workers(settings().database_url)


@st.cache_resource(show_spinner=False)
def _workers(database_url: str) -> Workers:
    return Workers(database_url, who=acting_person)
