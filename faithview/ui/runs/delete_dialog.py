"""The dialog that deletes a run: it says what goes with it, and what archiving would keep."""

import streamlit as st

from faithview.domain.errors import FaithViewError
from faithview.domain.run import Run, RunStatus
from faithview.services.results.run_edits import archive_run, get_contents
from faithview.services.results.runs import delete_run
from faithview.ui.shell import address, app, identity, write
from faithview.wording import numbers as fmt
from faithview.wording.run_contents import contents_words


@st.dialog("Delete the run?")
def delete_dialog(run: Run) -> None:
    """Ask whether the run is deleted, and delete or archive it."""
    services = app.services()
    try:
        contents = get_contents(services, run.run_id)
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
        if st.button("Delete run", type="primary", icon=":material/delete:", key="run.delete.yes") and write.allow(
            identity.why_cannot_delete()
        ):
            _leave(run, delete=True)
        if (
            run.archived_at is None
            and st.button("Archive instead", icon=":material/archive:", key="run.delete.archive")
            and write.allow(identity.why_cannot_run())
        ):
            _leave(run, delete=False)
        if st.button("Cancel", key="run.delete.no"):
            st.rerun()


def _leave(run: Run, *, delete: bool) -> None:
    try:
        (delete_run if delete else archive_run)(app.services(), run.run_id)
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return
    if delete:
        address.forget_run()
    st.rerun()
