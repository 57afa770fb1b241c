"""The session's memory between reruns: every key is in this file, with a typed way to read and write it.

Values are ids, numbers and choices; whole objects and texts are listed with their reason. The keys of widgets are next
to the widgets; their values are read and set with the functions below.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Generic, TypeVar

import streamlit as st

from faithview.formats.files.report import ReadReport

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
class ComparedPair:
    """Two runs on the page Changes with what was chosen between them, by the parameters of its address.

    `series` is the series in view, and `is_chosen` says whether the user chose any of it. If not, `is_step` says
    whether the runs are those around a significant step.
    """

    series: str | None
    values: Mapping[str, str]
    is_chosen: bool
    is_step: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptClaims:
    """The pages of the list of claims that this session has seen under one filter, in the order they were seen in.

    `subject` names the filter and the series. Each page holds the ids of the claims that its rows show. The
    totals are those of the list when its first page was seen.
    """

    subject: str = ""
    pages: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    total_groups: int = 0
    total_claims: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownInWidget:
    """The last value of a widget that follows the address, as written in the address.

    `number` counts the widget's keys so far. `is_chosen` says whether the next value was chosen in the widget itself.
    """

    number: int
    value: object
    is_chosen: bool = False


RUN = SessionValue[str | None]("shell.run", None)
RUN_START = SessionValue[str | None]("shell.run.start", None)  # what a page shows whose address names no run
SERIES = SessionValue[str | None]("shell.series.in_view", None)
NEXT_SERIES = SessionValue[str | None]("shell.series.next", None)  # what a page shows whose address names none
# The page that was drawn last, and whether its address named a series.
SERIES_PLACE = SessionValue[tuple[str, bool]]("shell.series.place", ("", False))
# The page that the last run of the script drew, and the one that this run draws.
PAGES = SessionValue[tuple[str, str]]("shell.pages", ("", ""))
VIEW = SessionValue[str | None]("shell.view", None)  # whose verdicts were shown last, on any page
# The page that drew the switch of verdicts last, and whether its address named some.
VIEW_PLACE = SessionValue[tuple[str, bool]]("shell.view.place", ("", False))
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
# The run and the parameters of the address by name: where Answers is, and where it was when it was opened from another
# page without parameters.
INSPECT_PLACE = SessionValue[tuple[str, Mapping[str, str]]]("inspect.place", ("", MappingProxyType({})))
INSPECT_START = SessionValue[tuple[str, Mapping[str, str]]]("inspect.start", ("", MappingProxyType({})))
# The answer that is open, and the claim that the page selected in it: a label may make another one the worst.
INSPECT_FIRST_CLAIM = SessionValue[tuple[str, int | None]]("inspect.first_claim", ("", None))
COMPARE_PAGE = SessionValue[int]("compare.page", 1)
COMPARE_LAST = SessionValue[ComparedPair | None]("compare.last", None)  # what the page showed last
COMPARE_UNNAMED = SessionValue[ComparedPair | None]("compare.unnamed", None)  # what an address without runs shows
# The two answers that are open, and the claim that is selected in them until a person selects another.
COMPARE_FIRST_CLAIM = SessionValue[tuple[str, str | None]]("compare.first_claim", ("", None))
COMPARE_SCROLL_TOKEN = SessionValue[int]("compare.scroll_token", 0)
ACCEPTED_JUDGE_PAIRS = SessionValue[tuple[tuple[str, str], ...]]("compare.acknowledged", ())  # pairs of fingerprints
# A whole object: labels that were given together exist as a set nowhere but in this session.
INBOX_DONE = SessionValue[object]("inbox.done", None)
# What the last press over the list did, in Markdown, and the filter it was done under.
INBOX_NOTE = SessionValue[tuple[object, str] | None]("inbox.note", None)
INBOX_KEPT = SessionValue("inbox.kept", KeptClaims())
INBOX_REVIEWERS = SessionValue[tuple[str, ...]]("inbox.reviewers", ())  # names that the list offers
DISAGREEMENT_INDEX = SessionValue[int]("disputes.at", 0)
# Claims whose judge verdict this session has shown: hiding it afterwards does not make a label blind.
REVEALED_CLAIMS = SessionValue[frozenset[str]]("disputes.seen", frozenset())
# Answers, as run and row, that were shown with the judge's verdicts and are not stored as seen; and those, after the
# reviewer's name, that are.
# A whole object: the way through a spot-check exists nowhere but in this session. It holds positions and times, and
# the claim that a key press returned until the rerun draws it.
QUEUE_NAVIGATOR = SessionValue[object]("queue.walk", None)
# The mark of a claim and the verdict that was given on it before the reviewer's name was known.
FIRST_LABEL = SessionValue[tuple[str, str] | None]("first_label.held", None)
# A whole object with its run's id: what was left out of a file cannot be read again, for the file is not kept.
READ_REPORT = SessionValue[tuple[str, ReadReport] | None]("upload.report", None)
# A whole text: pasted rows are a file that exists nowhere but in this session.
PASTED_ROWS = SessionValue[str | None]("upload.pasted_rows", None)
# A whole text: what the last test of the judges found exists nowhere but in this session.
DIAGNOSIS = SessionValue[str | None]("settings.diagnosis", None)


def press_log(place: str) -> SessionValue[object]:
    """Return where the label keys that were answered on a page are noted: a whole object, changed in place.

    A run of the script may end at any access to the session: with the object at hand, a label and the note that its
    press is answered cannot come apart.
    """
    return SessionValue(f"labels.presses.{place}", None)


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
