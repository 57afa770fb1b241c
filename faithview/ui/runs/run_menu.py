"""The menu of one run: its name, note and series, and what can be done with it as a whole."""

from functools import partial

import streamlit as st

from faithview.domain.run import Run
from faithview.services.results.run_edits import (
    MAX_NAME,
    MAX_NOTE,
    archive_run,
    note_on_run,
    rename_run,
    restore_run,
)
from faithview.services.results.runs import list_runs
from faithview.ui.runs.delete_dialog import delete_dialog
from faithview.ui.runs.judge_again_dialog import judge_again_button
from faithview.ui.runs.series_form import series_form
from faithview.ui.shell import app, identity, series, session, write
from faithview.wording import numbers as fmt

_WRITE_PLACE = "run menu"
_LISTED_RUNS = 200


def run_menu(run: Run, *, page: str) -> None:
    """Draw the button that opens the menu of a run, for who may store runs.

    Args:
        run: the run.
        page: the page's name, with which the keys begin.
    """
    if not identity.can_run():
        return
    with st.popover("Manage", width="content", key=_popover(page), on_change="rerun"):
        _menu(run, page=page)


def runs_menu() -> None:
    """Draw the button that opens the menu of any run of the series in view, archived ones included."""
    if not identity.can_run():
        return
    with st.popover(
        "Manage runs", type="tertiary", icon=":material/edit:", key=_popover("overview"), on_change="rerun"
    ):
        runs = {run.run_id: run for run in _listed()}
        chosen = st.selectbox(
            "Run",
            list(runs),
            format_func=lambda run_id: runs[run_id].name + (", archived" if runs[run_id].archived_at else ""),
            key="overview.managed_run",
        )
        if chosen in runs:
            _menu(runs[chosen], page="overview")


def archived_note(run: Run) -> None:
    """Draw the run's note, that its texts were deleted, and that it is archived with the button that brings it back."""
    if run.note:
        st.markdown(f":material/sticky_note_2: :small[{fmt.literal(run.note)}]")
    if run.texts_deleted_at is not None:
        st.markdown(
            f":material/delete_history: The texts of this run were deleted on {fmt.day(run.texts_deleted_at)}. Its "
            "scores, verdicts and labels stay."
        )
    if run.archived_at is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f":material/archive: Archived on {fmt.day(run.archived_at)}: it is in no list, trend or comparison by "
            "default.",
            width="content",
        )
        if identity.can_run():
            st.button("Restore", key=f"run.restore.{run.run_id}", on_click=partial(_restore, run))


def _listed() -> list[Run]:
    return list_runs(app.services(), series=series.in_view(), archived=None, limit=_LISTED_RUNS)


def _popover(page: str) -> str:
    return f"{page}.run_menu"


def _menu(run: Run, *, page: str) -> None:
    write.show_message(_WRITE_PLACE)
    key = f"{page}.run.{run.run_id}"
    st.text_input("Name", value=run.name, max_chars=MAX_NAME, key=f"{key}.name")
    st.text_area(
        "Note", value=run.note, max_chars=MAX_NOTE, key=f"{key}.note", height=80, placeholder="What others should know"
    )
    st.button("Save name and note", key=f"{page}.run.save", on_click=partial(_save, run, key))
    series_form(run, key=key, write_place=_WRITE_PLACE)
    # A dialog opens below the menu unless the menu is closed first.
    close = partial(session.set_widget, _popover(page), False)
    with st.container(horizontal=True):
        judge_again_button(run, "Judge again with …", key=f"{page}.run.judge_again", on_click=close)
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
        if identity.why_cannot_delete() is None and st.button(
            "Delete…", icon=":material/delete:", key=f"{page}.run.delete", on_click=close
        ):
            delete_dialog(run)


def _save(run: Run, key: str) -> None:
    services = app.services()

    def store() -> None:
        rename_run(services, run.run_id, str(session.widget_value(f"{key}.name") or ""))
        note_on_run(services, run.run_id, str(session.widget_value(f"{key}.note") or ""))

    write.write(store, place=_WRITE_PLACE, refusal=identity.why_cannot_run())


def _archive(run: Run) -> None:
    if write.write(
        lambda: archive_run(app.services(), run.run_id), place=_WRITE_PLACE, refusal=identity.why_cannot_run()
    ):
        st.toast("The run is archived. It can be brought back at any time.")


def _restore(run: Run) -> None:
    write.write(lambda: restore_run(app.services(), run.run_id), place=_WRITE_PLACE, refusal=identity.why_cannot_run())


_ARCHIVE_HELP = (
    "Keeps the run but takes it out of lists, trends, pickers and default comparisons, with its repeats. A link to it "
    "still opens it, its labels still count for equal claims of other runs, and it can be brought back."
)
