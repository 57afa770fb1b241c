"""Words for the audit log: what each action is called, and a row's object."""

from collections.abc import Mapping
from types import MappingProxyType

from faithview.domain.audit import Action, AuditEntry

ACTIONS: Mapping[Action, str] = MappingProxyType(
    {
        Action.RUN_STARTED: "Started a run",
        Action.RUN_CONTINUED: "Continued a run",
        Action.RUN_RETRIED: "Retried failed answers",
        Action.RUN_CANCELLED: "Cancelled a run",
        Action.RUN_RENAMED: "Renamed a run",
        Action.RUN_NOTED: "Changed a run's note",
        Action.RUN_ARCHIVED: "Archived a run",
        Action.RUN_RESTORED: "Restored a run",
        Action.RUN_DELETED: "Deleted a run",
        Action.RUN_EMPTIED: "Deleted a run's texts",
        Action.RUN_MOVED: "Moved runs to a series",
        Action.SERIES_RENAMED: "Renamed a series",
        Action.LOG_EMPTIED: "Deleted logged texts",
        Action.BENCHMARK_ADDED: "Stored a benchmark",
        Action.LABEL_GIVEN: "Labelled",
        Action.LABEL_RETRACTED: "Retracted a label",
        Action.NOTE_ADDED: "Added a note",
        Action.CLAIMS_ASSIGNED: "Assigned claims",
        Action.PAIRS_DECIDED: "Paired answers by hand",
        Action.SPOT_CHECK_DRAWN: "Drew a spot-check",
        Action.SPOT_CHECK_EXTENDED: "Extended a spot-check",
        Action.SPOT_CHECK_ASSIGNED: "Assigned a spot-check",
        Action.SPOT_CHECK_UNASSIGNED: "Unassigned a spot-check",
        Action.DATASET_RENAMED: "Renamed a data set",
        Action.DATASET_DELETED: "Deleted a data set",
        Action.TAG_ADDED: "Tagged rows",
        Action.TAG_REMOVED: "Removed a tag",
        Action.ROWS_HELD_OUT: "Held out rows",
        Action.ROWS_RELEASED: "Released held-out rows",
        Action.EVENT_ADDED: "Added an event",
        Action.EVENT_DELETED: "Deleted an event",
        Action.RULE_ADDED: "Added an alert rule",
        Action.RULE_DELETED: "Deleted an alert rule",
        Action.ALERT_SEEN: "Acknowledged an alert",
        Action.KNOWLEDGE_SAVED: "Stored a knowledge base",
        Action.KNOWLEDGE_DELETED: "Deleted a knowledge base",
        Action.KNOWLEDGE_DECIDED: "Decided on a finding in a knowledge base",
        Action.KNOWLEDGE_CHECKED: "Checked an update of a knowledge base",
        Action.CHECK_DELETED: "Deleted the check of an update",
        Action.MAPPING_SAVED: "Saved a mapping",
        Action.MAPPING_DELETED: "Deleted a mapping",
        Action.TAB_SAVED: "Saved a tab",
        Action.TAB_DELETED: "Removed a tab",
        Action.LOGGED_IN: "Logged in",
        Action.LOGGED_OUT: "Logged out",
        Action.LOG_IN_REFUSED: "Log-in refused",
        Action.WRITE_REFUSED: "Change refused",
    }
)


def object_words(entry: AuditEntry) -> str:
    """Return what a row is about: the run by its name, else the object; "" if the action says it all."""
    parts = (entry.run_name or entry.run_id, entry.subject)
    return " · ".join(part for part in parts if part)
