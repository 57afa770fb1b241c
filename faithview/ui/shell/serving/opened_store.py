"""The store that all sessions of this server share, and what is shown where it cannot be used."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import streamlit as st

from faithview.domain.errors import FaithViewError, StoreError, StoreReplaced
from faithview.services.container import Services, build
from faithview.settings import Settings

_LOOK_AGAIN_EVERY_S = 3.0


@st.cache_resource(on_release=lambda opened: opened.close())
def services() -> Services:
    """Return the services over the store that the environment names; one for all sessions."""
    return build(Settings.from_env(), who=_who)


def _who() -> str:
    from faithview.ui.shell import identity  # it asks this module for the store

    return identity.acting_person()


def open_store() -> None:
    """Open the store, or the file that is in its place by now; raises StoreError if it is gone or out of reach."""
    try:
        services().check_in_place()
    except StoreReplaced:
        # Its caches are about the file that is gone.
        services.clear()
        services().check_in_place()


def store_works() -> bool:
    """Return whether the store, or the file that is in its place by now, answers and has this FaithView's schema."""
    try:
        open_store()
        return services().is_reachable()
    except FaithViewError:
        return False


@contextmanager
def explaining() -> Iterator[None]:
    """Show why the store cannot be used, and stop, where a part of the app fails because of it.

    What a page raises beside that is a mistake of ours, unless the store is damaged.
    """
    try:
        yield
    except FaithViewError as error:
        _explain(error)
    except Exception as error:
        try:
            services().explain_damage(error)
        except FaithViewError as damage:
            _explain(damage)
        raise


def _explain(error: FaithViewError) -> NoReturn:
    st.title("The store cannot be used" if isinstance(error, StoreError) else "This cannot be shown")
    st.text(str(error))
    if isinstance(error, StoreError):
        st.caption("Choose another one with `faithview ui --db URL`, or look at it with `faithview db check`.")
        if not _is_back():  # else another try would end as this one did, again and again
            st.caption("This page goes on by itself once the store can be used.")
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
    return True
