"""Judging the answers of a stored run again with another judge: a dialog that says what leaves the machine first."""

from collections.abc import Callable

import streamlit as st

from faithview.domain.errors import FaithViewError, NotFound
from faithview.domain.run import Run
from faithview.services.results.runs import get_run
from faithview.services.runs.judge_again import judge_again
from faithview.ui.parts.judge_choice import choose_judge, where_it_goes
from faithview.ui.shell import address, app, identity, nav, write
from faithview.wording import numbers as fmt

_PAGE = "again"


def judge_again_button(run: Run, label: str, *, key: str, on_click: Callable[[], None] | None = None) -> None:
    """Draw the button that opens the dialog, for who may start runs.

    `on_click` is done first, for example to close the menu that the button is in.
    """
    if not identity.can_run():
        return
    if st.button(label, icon=":material/gavel:", key=key, on_click=on_click):
        _dialog(run.run_id)


@st.dialog("Judge again with another judge", width="large")
def _dialog(run_id: str) -> None:
    try:
        run = get_run(app.services(), run_id)
    except NotFound as error:
        st.text(str(error))
        return
    st.markdown(
        f"The same answers of *{fmt.literal(run.name)}* become a run of their own beside it, so that the two differ by "
        "their judge alone."
    )
    choice = choose_judge(_PAGE)
    host = choice.offer.host
    if host is not None:
        st.warning(where_it_goes(choice.offer), icon=":material/upload:")
    is_agreed = host is None or st.checkbox(f"Send them to {fmt.literal(host)}", key=f"{_PAGE}.agreed.{host}")
    is_ready = choice.spec is not None and is_agreed
    if st.button("Start the run", type="primary", disabled=not is_ready, key=f"{_PAGE}.start") and choice.spec:
        if not write.allow(identity.why_cannot_run()):
            return
        try:
            started = judge_again(app.services(), run, choice.spec)
        except FaithViewError as error:
            st.error(fmt.literal(str(error)), icon=":material/error:")
            return
        app.workers().start(started.run_id)
        st.switch_page(nav.UPLOAD, query_params=address.link(started.run_id))
