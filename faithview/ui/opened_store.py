"""The store that all sessions of this server share, and what is shown where it cannot be used."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from faithview.domain.errors import FaithViewError, InvalidInput, NotFound, StoreError, StoreReplaced
from faithview.domain.project import Project
from faithview.services.container import Store, build
from faithview.services.runs.worker import Workers
from faithview.settings import Settings
from faithview.ui import membership, session
from faithview.ui.membership import acting_person

_LOOK_AGAIN_EVERY_S = 3.0


def store() -> Store:
    """Return the store of this session's project, else the store that the environment names.

    All sessions of a project share them. A session whose user may no longer open its project is rerun, which says so.
    """
    try:
        return store_of(membership.current_project())
    except (InvalidInput, NotFound):
        if get_script_run_ctx(suppress_warning=True) is not None:
            st.rerun()
        raise


def settings() -> Settings:
    """Return the settings with the store of `services`."""
    return settings_of(membership.current_project())


def settings_of(project: Project | None) -> Settings:
    """Return the settings with the store of a project; None is the store that the environment names."""
    return Settings.from_env() if project is None else Settings(database_url=project.database_url)


def store_key() -> str:
    """Return what tells this session's store from all others, for the keys of caches; it has no password in it."""
    return f"{session.PROJECT.get() or ''} {store().database_url}"


def store_of(project: Project | None) -> Store:
    """Return the store of a project without checking roles; None is the store that the environment names."""
    return _opened("", "") if project is None else _opened(project.name, project.database_url)


# The name too: two URLs may differ in a password alone.
@st.cache_resource(on_release=lambda opened: opened.close(), show_spinner=False)
def _opened(name: str, url: str) -> Store:
    del name
    opened = build(
        Settings(database_url=url) if url else Settings.from_env(),
        who=acting_person,
        refusal=lambda: membership.why_cannot_write(lambda: opened.is_read_only),
    )
    return opened


def open_store() -> None:
    """Open the store, or the file that is in its place by now; raises StoreError if it is gone or out of reach."""
    _open_store_of(membership.current_project())


def _open_store_of(project: Project | None) -> None:
    try:
        store_of(project).check_in_place()
    except StoreReplaced:
        # Its caches are about the file that is gone, and so are words that pages keep (st.cache_data).
        _forget(project)
        st.cache_data.clear()
        store_of(project).check_in_place()


def _forget(project: Project | None) -> None:
    if project is None:
        _opened.clear("", "")
    else:
        _opened.clear(project.name, project.database_url)


def store_works() -> bool:
    """Return whether the store, or the file that is in its place by now, answers and has this FaithView's schema.

    Of several projects one that works is enough: one team's database must not take the others' dashboard away. All are
    opened, so one that goes away later is missed then.
    """
    works = [_works(project) for project in served_projects()]
    return any(works)


def served_projects() -> Sequence[Project | None]:
    """Return the projects that this server shows, [None] where there are none; nothing if they are not understood.

    This is for the server itself, so it checks no role.
    """
    try:
        projects = membership.described_projects()
    except FaithViewError:
        return ()
    return (None,) if projects is None else projects.described


def _works(project: Project | None) -> bool:
    try:
        _open_store_of(project)
        return store_of(project).is_reachable()
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
        if not _is_back():  # else another try would end as this one did, again and again
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
    """Return the worker processes of this session's store; all its sessions share them."""
    return workers_over(settings())


def workers_over(settings: Settings) -> Workers:
    """Return the worker processes of a store."""
    return _workers(settings.database_url)


@st.cache_resource(show_spinner=False)
def _workers(database_url: str) -> Workers:
    return Workers(database_url, who=acting_person)
