"""The session's memory between reruns: every key is in this file, with a typed way to read and write it.

Values are ids, numbers and choices; whole objects and texts are listed with their reason. The keys of widgets are next
to the widgets; their values are read and set with the functions below.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import streamlit as st

from faithview.domain.inbox import InboxFilter
from faithview.formats.files.report import ReadReport
from faithview.services.review.inbox import GivenLabel

_T = TypeVar("_T")


@dataclass(frozen=True)
class SessionValue(Generic[_T]):
    """One remembered value; `default` is its value until the session sets another one."""

    key: str
    default: _T

    def get(self) -> _T:
        """Return the value."""
        value: _T = st.session_state.get(self.key, self.default)
        return value

    def set(self, value: _T) -> None:
        """Remember a value."""
        st.session_state[self.key] = value

    def is_set(self) -> bool:
        """Return whether this session has set a value."""
        return self.key in st.session_state

    def clear(self) -> None:
        """Go back to the default."""
        st.session_state.pop(self.key, None)

    def take(self) -> _T:
        """Return the value and forget it."""
        value = self.get()
        self.clear()
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownInWidget:
    """The last value of a widget that follows the address, as written in the address.

    `number` counts the widget's keys so far. `is_chosen` says whether the next value was chosen in the widget itself.
    """

    number: int
    value: object
    is_chosen: bool = False


# The series that this run of the script shows, as found from the address.
SERIES = SessionValue[str | None]("shell.series.in_view", None)
DEFAULT_SERIES = SessionValue[str | None]("shell.series.default", None)  # the one that no address has to name
# The address of the page that is drawn; None before app.py has run.
PAGE = SessionValue[str | None]("shell.page", None)
REVIEWER = SessionValue[str]("reviewer.name", "")
LOG_IN_NOTED = SessionValue[str]("reviewer.log_in", "")  # the address whose log-in is in the audit log
REFUSALS_NOTED = SessionValue[frozenset[str]]("write.refused", frozenset())  # places of refusals that are in it
TOUR_CLOSED = SessionValue[bool]("shell.tour.closed", False)
EDITED_PROMPT = SessionValue[tuple[str, str] | None]("judge.prompt", None)  # the method and the edited text
CHECK_REQUEST = SessionValue[int | None]("check.asked", None)  # hash of the last text and judge sent to a model
GUARD_REQUEST = SessionValue[int | None]("guard.asked", None)  # the same of its tab Correct
# A whole object: a generated answer exists nowhere but in this session. The hash of what was asked, and the attempts or
# why there are none.
GENERATION = SessionValue[tuple[int, object] | None]("guard.generation", None)
# The filter under which claims were labelled or assigned last, what that did, and the labels that were given together:
# a whole object, for they exist as a set nowhere but in this session.
INBOX_DONE = SessionValue[tuple[InboxFilter, str, Sequence[GivenLabel]] | None]("inbox.done", None)
# The dialog that the next run of the script opens for the run in view: "again" or "delete".
RUN_DIALOG = SessionValue[str | None]("run.dialog", None)
# Grows with every press over ticked claims, after which the list is drawn anew and nothing is ticked.
INBOX_TURN = SessionValue[int]("inbox.turn", 0)
# A whole object with its run's id: what was left out of a file cannot be read again, for the file is not kept.
READ_REPORT = SessionValue[tuple[str, ReadReport] | None]("upload.report", None)
# A whole text: pasted rows are a file that exists nowhere but in this session.
PASTED_ROWS = SessionValue[str | None]("upload.pasted_rows", None)
# A whole text: what the last test of the judges found exists nowhere but in this session.
DIAGNOSIS = SessionValue[str | None]("settings.diagnosis", None)


def shown_in_widget(name: str) -> SessionValue[ShownInWidget | None]:
    """Return what a widget that follows the address shows; see `address_widget`."""
    return SessionValue(f"shown.{name}", None)


def write_message(place: str) -> SessionValue[str | None]:
    """Return where the reason waits why a write on that part of a page was refused or failed."""
    return SessionValue(f"write.message.{place}", None)


def widget_value(key: str) -> object:
    """Return what a widget holds; None if it is empty or not drawn yet."""
    return st.session_state.get(key)


def is_widget_kept(key: str) -> bool:
    """Return whether a widget was drawn by the last run of the script: Streamlit forgets those of other pages."""
    return key in st.session_state


def widget_text(key: str) -> str | None:
    """Return the text of a field without surrounding whitespace; None if it is empty."""
    return str(st.session_state.get(key) or "").strip() or None


def widget_number(key: str, default: float) -> float:
    """Return the number that a widget holds; `default` where it is not drawn yet."""
    value = st.session_state.get(key)
    return float(value) if isinstance(value, int | float) else default


def widget_page(key: str) -> int:
    """Return the page that a pagination widget shows, from 1."""
    return int(st.session_state.get(key, 1))


def set_widget(key: str, value: object) -> None:
    """Set what a widget holds: before it is drawn, or in a callback."""
    st.session_state[key] = value


def forget_widgets(*keys: str) -> None:
    """Set widgets back to what they hold at first."""
    for key in keys:
        st.session_state.pop(key, None)
