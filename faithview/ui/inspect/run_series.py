"""The series of the run in view, and the form that puts it, or its whole series, into another one."""

from functools import partial

import streamlit as st

from faithview.domain.run import Run
from faithview.domain.series import CHECKED_ANSWERS
from faithview.services.results.runs import count_runs
from faithview.services.results.series import list_series, move_run, rename_series
from faithview.ui.shell import app, identity, session, write
from faithview.wording import numbers as fmt

_WRITE_PLACE = "series"


def run_series(run: Run) -> None:
    """Draw the button with the form that edits the run's series, for who may store runs."""
    if not identity.can_run():
        return
    with st.popover("Series", icon=":material/stacks:", width="content"):
        write.show_message(_WRITE_PLACE)
        names = [series.name for series in list_series(app.services())]
        key = f"inspect.series.{run.run_id}.{run.series}"
        st.selectbox(
            "This run is in the series",
            names,
            index=names.index(run.series) if run.series in names else None,
            accept_new_options=True,
            key=key,
            help=_HELP,
        )
        others = count_runs(app.services(), series=run.series) - 1
        with_others = f"{key}.others"
        if others and run.series != CHECKED_ANSWERS:
            st.checkbox(f"Move the other {fmt.plural(others, 'run')} of the series too", key=with_others)
        st.button(
            "Change the series",
            key="inspect.series.change",
            on_click=partial(_change, run, key, with_others),
        )


def _change(run: Run, key: str, with_others: str) -> None:
    name = session.widget_text(key) or ""
    services = app.services()

    def store() -> None:
        if session.widget_value(with_others):
            rename_series(services, run.series, name)
        else:
            move_run(services, run.run_id, name)

    write.write(store, place=_WRITE_PLACE, refusal=identity.why_cannot_run())


_HELP = (
    "The runs of a series are shown together on Overview, Compare, Trends and Sources. Choose one, or type the name of "
    "a new one. With all its runs moved, a series is renamed."
)
