"""The audit log: one row per change that a person made to the store. It never contains the judged texts.

**A row** has a time, a person, an action and an object. It is written in the transaction of the change, so neither
exists without the other. FaithView never changes or deletes one.

**The person** is the verified e-mail address of the user; "local: NAME" in a dashboard without log-in, where the user
typed the name; "command line: USER@HOST" or "Python: USER@HOST"; "local" if nothing is known.

**Not logged**: what FaithView does by itself and can repeat, such as storing verdicts, workers' heartbeats, cached
figures and comparisons, carried-over labels, and which reviewer opened a claim. Logged answers are not in it either:
each is already a row with its time.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

UNKNOWN = "local"
# Longer descriptions of an object are cut.
MOST_CHARACTERS = 200


class Action(StrEnum):
    """An action: the kind of object, a full stop, and a verb. Rows of older stores have others too."""

    RUN_STARTED = "run.started"
    RUN_CONTINUED = "run.continued"
    RUN_RETRIED = "run.retried"
    RUN_CANCELLED = "run.cancelled"
    RUN_RENAMED = "run.renamed"
    RUN_NOTED = "run.noted"
    RUN_ARCHIVED = "run.archived"
    RUN_RESTORED = "run.restored"
    RUN_DELETED = "run.deleted"
    RUN_MOVED = "run.moved"
    SERIES_RENAMED = "run.series_renamed"
    LOG_EMPTIED = "run.log_emptied"
    BENCHMARK_ADDED = "run.benchmark_added"
    LABEL_GIVEN = "label.given"
    LABEL_RETRACTED = "label.retracted"
    NOTE_ADDED = "label.noted"
    CLAIMS_ASSIGNED = "label.assigned"
    SPOT_CHECK_DRAWN = "spot_check.drawn"
    SPOT_CHECK_EXTENDED = "spot_check.extended"
    SPOT_CHECK_ASSIGNED = "spot_check.assigned"
    SPOT_CHECK_UNASSIGNED = "spot_check.unassigned"
    EVENT_ADDED = "trend.event_added"
    EVENT_DELETED = "trend.event_deleted"
    RULE_ADDED = "trend.rule_added"
    RULE_DELETED = "trend.rule_deleted"
    ALERT_SEEN = "trend.alert_seen"
    KNOWLEDGE_SAVED = "knowledge.saved"
    KNOWLEDGE_DELETED = "knowledge.deleted"
    LOGGED_IN = "person.logged_in"
    LOGGED_OUT = "person.logged_out"
    LOG_IN_REFUSED = "person.log_in_refused"
    WRITE_REFUSED = "person.write_refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One row of the audit log.

    Attributes:
        id: its number; later rows have larger ones.
        at: the time, in UTC.
        who: the person, as the module's docstring describes.
        action: the action, one of `Action` or of an older FaithView's.
        run_id: the run that was changed; None if no run was. The run may be deleted by now.
        run_name: the run's name before the change.
        subject: the changed object if not the run: a claim's id, or the name of an event, mapping or spot-check.
        detail: the result: the verdict, the new name, the reason of a refusal.
        items: how many objects were changed.
    """

    id: int
    at: datetime
    who: str
    action: str
    run_id: str | None
    run_name: str | None
    subject: str | None
    detail: str | None
    items: int
