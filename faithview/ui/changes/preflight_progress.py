"""A preflight under way: its progress, and the buttons that stop and continue it."""

import time

import streamlit as st

from faithview.domain.preflight import PreflightRecord
from faithview.services.knowledge.preflight.preflights import get_progress
from faithview.ui import identity, opened_store, service_calls, session
from faithview.wording import numbers as fmt

# A process stores what it has judged and ends.
_END_S = 15.0
# While answers of it are judged elsewhere, some are stored at least this often, except by a slow model.
_QUIET_S = 5.0


def watch(record: PreflightRecord, *, pending: int, failed: int) -> None:
    """Draw the progress, read from the store every second while answers are judged; nothing if all are judged.

    Args:
        record: the preflight.
        pending: how many answers are not judged yet.
        failed: on how many the judge failed.
    """
    if not pending:
        if failed:
            st.warning(
                f"The judge failed on {fmt.plural(failed, 'answer')}. To judge them again, check the same version once "
                "more.",
                icon=":material/warning:",
            )
        return
    st.fragment(_progress, run_every=1.0)(record.preflight_id)


@opened_store.explaining()
def _progress(preflight_id: str) -> None:
    progress = get_progress(opened_store.store(), preflight_id)
    if progress.done >= progress.total:
        st.rerun()
    is_ours = opened_store.workers().is_working(preflight_id)
    is_elsewhere = not is_ours and _moved(preflight_id, progress.done)
    answers = f"{fmt.count(progress.done)} of {fmt.plural(progress.total, 'answer')}"
    state = "Judging again" if is_ours or is_elsewhere else "Stopped"
    st.progress(progress.done / progress.total if progress.total else 0.0, text=f"{state} · {answers}")
    error = None if is_ours else opened_store.workers().find_error(preflight_id)
    if error:
        st.error(fmt.literal(error), icon=":material/error:")
    if is_elsewhere:
        st.caption("Another process judges these answers. You can leave this page.")
    elif is_ours:
        st.caption("You can leave this page. Judging goes on, and the result is here when you come back.")
        if st.button("Cancel", icon=":material/stop:", key="before.cancel") and service_calls.allow(
            identity.why_cannot_run()
        ):
            with st.spinner("Storing what is judged"):
                opened_store.workers().stop(preflight_id, seconds=_END_S)
            st.rerun()
    elif (
        identity.can_run()
        and st.button("Continue", icon=":material/play_arrow:", key="before.continue", type="primary")
        and service_calls.allow(identity.why_cannot_run())
    ):
        opened_store.workers().start_preflight(preflight_id)
        st.rerun()


def _moved(preflight_id: str, done: int) -> bool:
    """Return whether answers were judged in the last seconds, although no process of this server does it."""
    known, before, at = session.PREFLIGHT_SEEN.get()
    now = time.monotonic()
    if known != preflight_id or done < before:
        session.PREFLIGHT_SEEN.set((preflight_id, done, now - _QUIET_S))
        return False
    if done > before:
        session.PREFLIGHT_SEEN.set((preflight_id, done, now))
        return True
    return now - at < _QUIET_S
