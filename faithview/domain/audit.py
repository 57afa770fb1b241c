"""The audit log: what people did to the store, in one row each, and never the texts that are judged.

**A row** says when, who, what and on which object. It is written in the transaction of the change, so that there is
no row without its change and no change without its row, and it is never changed or deleted: the database refuses it.

**Who** is the verified e-mail address of the person logged in; "local: NAME" in a dashboard without log-in, where the
name is what somebody typed; "command line: USER@HOST" or "Python: USER@HOST"; "local" where nothing is known.

**What has no row** is what FaithView does by itself and can do again: verdicts as they are stored, a worker's signs of
life, figures and comparisons that are kept to save time, labels carried over, who has opened a claim. Logged answers
have none either: each is a row with its time already.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

UNKNOWN = "local"
# The longest that a row says about an object; more is cut.
MOST_CHARACTERS = 200


class Kind(StrEnum):
    """What an action is about; `wording/audit.py` has the words."""

    RUN = "run"
    LABEL = "label"
    SPOT_CHECK = "spot_check"
    DATASET = "dataset"
    TREND = "trend"
    KNOWLEDGE = "knowledge"
    SAVED = "saved"
    PERSON = "person"


class Action(StrEnum):
    """What somebody did: its kind, a full stop, and what it is."""

    RUN_STARTED = "run.started"
    RUN_CONTINUED = "run.continued"
    RUN_RETRIED = "run.retried"
    RUN_CANCELLED = "run.cancelled"
    RUN_RENAMED = "run.renamed"
    RUN_NOTED = "run.noted"
    RUN_ARCHIVED = "run.archived"
    RUN_RESTORED = "run.restored"
    RUN_DELETED = "run.deleted"
    RUN_EMPTIED = "run.emptied"
    RUN_MOVED = "run.moved"
    SERIES_RENAMED = "run.series_renamed"
    LOG_EMPTIED = "run.log_emptied"
    BENCHMARK_ADDED = "run.benchmark_added"
    LABEL_GIVEN = "label.given"
    LABEL_RETRACTED = "label.retracted"
    NOTE_ADDED = "label.noted"
    CLAIMS_ASSIGNED = "label.assigned"
    PAIRS_DECIDED = "label.pairs_decided"
    SPOT_CHECK_DRAWN = "spot_check.drawn"
    SPOT_CHECK_EXTENDED = "spot_check.extended"
    SPOT_CHECK_ASSIGNED = "spot_check.assigned"
    SPOT_CHECK_UNASSIGNED = "spot_check.unassigned"
    DATASET_RENAMED = "dataset.renamed"
    DATASET_DELETED = "dataset.deleted"
    TAG_ADDED = "dataset.tagged"
    TAG_REMOVED = "dataset.untagged"
    ROWS_HELD_OUT = "dataset.held_out"
    ROWS_RELEASED = "dataset.released"
    EVENT_ADDED = "trend.event_added"
    EVENT_DELETED = "trend.event_deleted"
    RULE_ADDED = "trend.rule_added"
    RULE_DELETED = "trend.rule_deleted"
    ALERT_SEEN = "trend.alert_seen"
    KNOWLEDGE_SAVED = "knowledge.saved"
    KNOWLEDGE_DELETED = "knowledge.deleted"
    MAPPING_SAVED = "saved.mapping_saved"
    MAPPING_DELETED = "saved.mapping_deleted"
    TAB_SAVED = "saved.tab_saved"
    TAB_DELETED = "saved.tab_deleted"
    LOGGED_IN = "person.logged_in"
    LOGGED_OUT = "person.logged_out"
    LOG_IN_REFUSED = "person.log_in_refused"
    WRITE_REFUSED = "person.write_refused"

    @property
    def kind(self) -> Kind:
        """What it is about."""
        return Kind(self.value.partition(".")[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One row of the audit log.

    Attributes:
        entry_id: its number; later rows have larger ones.
        at: when, in UTC.
        who: as the module's docstring says.
        action: what was done.
        run_id: the run that it was done to or in; None where it was about no run. The run may be gone.
        run_name: what the run was called before the change.
        subject: the object beside the run: a claim's id, the name of an event, a mapping or a spot-check.
        detail: what became of it: the verdict, the new name, why it was refused.
        items: how many objects the change was about.
    """

    entry_id: int
    at: datetime
    who: str
    action: Action
    run_id: str | None
    run_name: str | None
    subject: str | None
    detail: str | None
    items: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFilter:
    """Which rows are wanted.

    Attributes:
        who: those of this person only; None for all.
        kind: those about this only; None for all.
        since: from then on.
        until: before then.
        words: those with this text in who, run, object or detail, ignoring case; "" for all.
    """

    who: str | None = None
    kind: Kind | None = None
    since: datetime | None = None
    until: datetime | None = None
    words: str = ""


def actions_of(kind: Kind) -> tuple[Action, ...]:
    """Return the actions that are about this."""
    return tuple(action for action in Action if action.kind is kind)
