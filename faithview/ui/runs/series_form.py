"""The series of a run, in its menu: puts the run, or its whole series, into another one."""

from functools import partial

import streamlit as st

from faithview.domain.run import Run
from faithview.domain.series import CHECKED_ANSWERS
from faithview.services.results.runs import count_runs
from faithview.services.results.series import list_series, move_run, rename_series
from faithview.ui.shell import app, identity, session, write
from faithview.wording import numbers as fmt


def series_form(run: Run, *, key: str, write_place: str) -> None:
    """Draw the form; `write_place` is where the page shows why a change was refused."""
    names = [series.name for series in list_series(app.services())]
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
    others = count_runs(app.services(), series=run.series) - 1
    if others and run.series != CHECKED_ANSWERS:
        st.checkbox(f"Move the other {fmt.plural(others, 'run')} of this series too", key=with_others)


def _move(run: Run, key: str, with_others: str, write_place: str) -> None:
    name = session.widget_text(key) or ""
    services = app.services()

    def store() -> None:
        if session.widget_value(with_others):
            rename_series(services, run.series, name)
        else:
            move_run(services, run.run_id, name)

    write.write(store, place=write_place, refusal=identity.why_cannot_run())


_HELP = (
    "The runs of a series are shown together on Overview, Compare, Trends and Sources. Choose one, or type the name of "
    "a new one. With all its runs moved, a series is renamed."
)
