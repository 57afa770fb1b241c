"""The menu of one run: its name, note and series, and what is done with it as a whole: judge again, archive, delete."""

from functools import partial

import streamlit as st

from faithview.domain.errors import FaithViewError, NotFound
from faithview.domain.run import CASCADE, DEFAULT_JUDGE, JudgeSpec, Run, RunStatus
from faithview.domain.series import CHECKED_ANSWERS
from faithview.services.judge_catalogue import list_askable
from faithview.services.results import (
    MAX_NAME,
    MAX_NOTE,
    archive_run,
    delete_run,
    get_contents,
    get_run,
    note_on_run,
    rename_run,
    restore_run,
)
from faithview.services.runs.create import judge_again
from faithview.services.series import move_run, rename_series
from faithview.store.runs import count_runs
from faithview.store.series import list_series
from faithview.ui import address, identity, navigation, opened_store, service_calls, session
from faithview.ui.address import go
from faithview.ui.widgets.judge_choice import ASK_MODEL_HELP, choose_judge, estimate_line, where_it_goes
from faithview.wording import numbers as fmt
from faithview.wording.runs import contents_words


@st.dialog("Delete the run?")
def delete_dialog(run: Run) -> None:
    """Ask whether the run is deleted, and delete or archive it."""
    store = opened_store.store()
    try:
        contents = get_contents(store, run.run_id)
    except FaithViewError as error:  # deleted meanwhile
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return
    st.markdown(f"Deleting **{fmt.literal(run.name)}** also deletes {fmt.literal(contents_words(contents))}.")
    if contents.repeats:
        st.markdown(f"Its {fmt.plural(contents.repeats, 'repeat')} will be kept.")
    if run.status is RunStatus.RUNNING:
        st.markdown("The run is still being judged. Deleting it stops the judging.")
    st.markdown("This cannot be undone.")
    with st.container(horizontal=True):
        if st.button(
            "Delete run", type="primary", icon=":material/delete:", key="run.delete.yes"
        ) and service_calls.allow(identity.why_cannot_delete()):
            _leave(run, delete=True)
        if (
            run.archived_at is None
            and st.button("Archive instead", icon=":material/archive:", key="run.delete.archive")
            and service_calls.allow(identity.why_cannot_run())
        ):
            _leave(run, delete=False)
        if st.button("Cancel", key="run.delete.no"):
            st.rerun()


def _leave(run: Run, *, delete: bool) -> None:
    try:
        (delete_run if delete else archive_run)(opened_store.store(), run.run_id)
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return
    if delete:
        go(run=None, row=None, claim=None)
    st.rerun()


_PAGE = "again"


def judge_again_button(run: Run, label: str, *, key: str) -> None:
    """Draw the button that opens the dialog, for who may start runs."""
    if not identity.can_run():
        return
    if st.button(label, icon=":material/gavel:", key=key):
        _dialog(run.run_id)


def ask_model_button(run: Run, *, key: str) -> None:
    """Draw the button that opens the dialog with a cascade chosen, for users who may start runs.

    Draws nothing where it has no use: another judge has judged the run, no model can be asked here, or no claim is
    uncertain.
    """
    is_default = run.judge.name == DEFAULT_JUDGE and not run.is_imported
    if not is_default or run.status is not RunStatus.COMPLETE or not identity.can_run() or not list_askable():
        return
    uncertain = service_calls.count_uncertain(run)
    if uncertain and st.button(
        f"Ask a model about {fmt.plural(uncertain, 'uncertain claim')}",
        icon=":material/help_center:",
        type="tertiary",
        key=key,
        on_click=session.set_widget,
        args=(f"{_PAGE}.judge", CASCADE),
        help=ASK_MODEL_HELP,
    ):
        _dialog(run.run_id)


@st.dialog("Judge again with another judge", width="large")
def _dialog(run_id: str) -> None:
    try:
        run = get_run(opened_store.store(), run_id)
    except NotFound as error:
        st.text(str(error))
        return
    st.markdown(f"Judges the answers of *{fmt.literal(run.name)}* again as a separate run, so only the judge differs.")
    choice = choose_judge(_PAGE, says_where=False)
    host = choice.offer.host
    if host is not None:
        st.warning(where_it_goes(choice.offer), icon=":material/upload:")
    elif choice.spec is not None:
        st.caption(where_it_goes(choice.offer))
    if choice.spec is not None and choice.offer.is_remote:
        _estimate(run, choice.spec)
    is_agreed = host is None or st.checkbox(f"Send them to {fmt.literal(host)}", key=f"{_PAGE}.agreed.{host}")
    is_ready = choice.spec is not None and is_agreed
    if st.button("Start the run", type="primary", disabled=not is_ready, key=f"{_PAGE}.start") and choice.spec:
        if not service_calls.allow(identity.why_cannot_run()):
            return
        try:
            started = judge_again(opened_store.store(), run, choice.spec)
        except FaithViewError as error:
            st.error(fmt.literal(str(error)), icon=":material/error:")
            return
        opened_store.workers().start(started.run_id)
        st.switch_page(navigation.UPLOAD, query_params=address.link(started.run_id))


def _estimate(run: Run, judge: JudgeSpec) -> None:
    try:
        st.markdown(estimate_line(service_calls.estimate_again(run, judge)))
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")


def series_form(run: Run, *, key: str, write_place: str) -> None:
    """Draw the form; `write_place` is where the page shows why a change was refused."""
    names = [series.name for series in list_series(opened_store.store().db)]
    key = f"{key}.series.{run.series}"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Series",
            names,
            index=names.index(run.series) if run.series in names else None,
            accept_new_options=True,
            key=key,
            help=_HELP,
        )
        with_others = f"{key}.others"
        st.button("Move", key=f"{key}.move", on_click=partial(_move, run, key, with_others, write_place))
    others = count_runs(opened_store.store().db, series=run.series) - 1
    if others and run.series != CHECKED_ANSWERS:
        st.checkbox(f"Move the other {fmt.plural(others, 'run')} of this series too", key=with_others)


def _move(run: Run, key: str, with_others: str, write_place: str) -> None:
    name = session.widget_text(key) or ""
    store = opened_store.store()

    def save() -> None:
        if session.widget_value(with_others):
            rename_series(store, run.series, name)
        else:
            move_run(store, run.run_id, name)

    service_calls.write(save, place=write_place, refusal=identity.why_cannot_run())


_HELP = (
    "The pages show the runs of one series together. Choose a series, or type the name of a new one. Moving all its "
    "runs renames a series."
)


_WRITE_PLACE = "run menu"
_AGAIN, _DELETE = "again", "delete"
_LISTED_RUNS = 200


def run_menu(run: Run, *, page: str) -> None:
    """Draw the button that opens the menu of a run, for users who may store runs.

    Args:
        run: the run.
        page: the page's name, with which the keys begin.
    """
    if not identity.can_run():
        return
    with st.popover("Manage", width="content", key=_popover(page), on_change="rerun") as popover:
        if popover.open:
            _menu(run, page=page)
    wanted = session.RUN_DIALOG.take()
    if wanted == _AGAIN:
        _dialog(run.run_id)
    elif wanted == _DELETE:
        delete_dialog(run)


def archived_note(run: Run) -> None:
    """Draw the run's note, and that it is archived with the button that brings it back."""
    if run.note:
        st.markdown(f":material/sticky_note_2: :small[{fmt.literal(run.note)}]")
    if run.archived_at is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f":material/archive: Archived on {fmt.day(run.archived_at)}: lists, trends and comparisons leave it out "
            "by default.",
            width="content",
        )
        if identity.can_run():
            st.button("Restore", key=f"run.restore.{run.run_id}", on_click=partial(_restore, run))


def _popover(page: str) -> str:
    return f"{page}.run_menu"


def _menu(run: Run, *, page: str) -> None:
    service_calls.show_message(_WRITE_PLACE)
    key = f"{page}.run.{run.run_id}"
    st.text_input("Name", value=run.name, max_chars=MAX_NAME, key=f"{key}.name")
    st.text_area(
        "Note", value=run.note, max_chars=MAX_NOTE, key=f"{key}.note", height=80, placeholder="Note for others"
    )
    st.button("Save name and note", key=f"{page}.run.save", on_click=partial(_save, run, key))
    series_form(run, key=key, write_place=_WRITE_PLACE)

    def ask(dialog: str) -> None:
        """Close the menu, below which a dialog would open, and open the dialog in the next run of the script."""
        session.set_widget(_popover(page), False)
        session.RUN_DIALOG.set(dialog)

    with st.container(horizontal=True):
        st.button(
            "Judge again with …",
            icon=":material/gavel:",
            key=f"{page}.run.judge_again",
            on_click=partial(ask, _AGAIN),
        )
        if run.archived_at is None:
            st.button(
                "Archive",
                icon=":material/archive:",
                key=f"{page}.run.archive",
                help=_ARCHIVE_HELP,
                on_click=partial(_archive, run),
            )
        else:
            st.button(
                "Restore", icon=":material/unarchive:", key=f"{page}.run.restore", on_click=partial(_restore, run)
            )
        if identity.why_cannot_delete() is None:
            st.button("Delete…", icon=":material/delete:", key=f"{page}.run.delete", on_click=partial(ask, _DELETE))


def _save(run: Run, key: str) -> None:
    store = opened_store.store()

    def save() -> None:
        rename_run(store, run.run_id, str(session.widget_value(f"{key}.name") or ""))
        note_on_run(store, run.run_id, str(session.widget_value(f"{key}.note") or ""))

    service_calls.write(save, place=_WRITE_PLACE, refusal=identity.why_cannot_run())


def _archive(run: Run) -> None:
    if service_calls.write(
        lambda: archive_run(opened_store.store(), run.run_id), place=_WRITE_PLACE, refusal=identity.why_cannot_run()
    ):
        st.toast("The run is archived. You can restore it at any time.")


def _restore(run: Run) -> None:
    service_calls.write(
        lambda: restore_run(opened_store.store(), run.run_id), place=_WRITE_PLACE, refusal=identity.why_cannot_run()
    )


_ARCHIVE_HELP = (
    "Removes the run and its repeats from lists, trends and default comparisons. Links still open it, and you can "
    "restore it."
)
