"""The archived runs of the series in view, folded: opened and brought back."""

from functools import partial

import streamlit as st

from faithview.domain.run import Run
from faithview.services.results.run_edits import restore_run
from faithview.services.results.runs import count_runs, list_runs
from faithview.ui.shell import address, app, identity, nav, write
from faithview.wording import numbers as fmt

_LISTED = 50
_WRITE_PLACE = "archived runs"


def archived_runs(series: str | None) -> None:
    """Draw the archived runs of a series, or of all (None); nothing where there are none."""
    services = app.services()
    total = count_runs(services, series=series, archived=True)
    if not total:
        return
    write.show_message(_WRITE_PLACE)
    with st.expander(f"Archived ({fmt.plural(total, 'run')})", icon=":material/archive:"):
        for run in list_runs(services, series=series, archived=True, limit=_LISTED):
            _row(run)
        if total > _LISTED:
            st.caption(f"and {fmt.plural(total - _LISTED, 'older run')}")


def _row(run: Run) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        note = f"  \n:small[{fmt.literal(run.note)}]" if run.note else ""
        st.markdown(
            f"**{fmt.literal(run.name)}** :gray[:small[{fmt.literal(fmt.run_line(run))}]]{note}", width="stretch"
        )
        if st.button("Open", key=f"archived.open.{run.run_id}", type="tertiary"):
            st.switch_page(nav.INSPECT, query_params=address.link(run.run_id))
        if identity.can_run():
            st.button("Restore", key=f"archived.restore.{run.run_id}", on_click=partial(_restore, run))


def _restore(run: Run) -> None:
    write.write(lambda: restore_run(app.services(), run.run_id), place=_WRITE_PLACE, refusal=identity.why_cannot_run())
