"""What people do leaves a row each, and none of the texts that are judged; on both engines."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import select

from faithview.domain.audit import Action
from faithview.domain.event import EventKind
from faithview.domain.sample import Chunk, Sample
from faithview.services import audit, events, results, series
from faithview.services.container import Store
from faithview.services.results import delete_run
from faithview.services.review import labels
from faithview.services.review.labels import LabelProvenance
from faithview.store import audit as stored_audit
from faithview.store.schema.audit import AuditEntryRow
from tests.factories import LEXICAL, add_judged_run, say

_NOW = datetime(2026, 3, 1, tzinfo=UTC)
_SECRET = "zyzzyva"


def _actions(services: Store) -> list[Action]:
    entries = stored_audit.list_entries(services.db)
    return [entry.action for entry in reversed(entries)]


def test_each_thing_that_people_do_to_a_run_leaves_one_row_without_its_texts(services: Store) -> None:
    sample = Sample(
        question=f"Is {_SECRET} open?",
        answer=f"The {_SECRET} is open.",
        chunks=(Chunk(chunk_id="c", text=f"The {_SECRET} is closed."),),
    )
    run = add_judged_run(services, [sample], "Week 44", judge=LEXICAL)
    given = labels.label_claim(
        services, run.run_id, 1, 1, "supported", LabelProvenance(reviewer="Ada", note=f"{_SECRET} it is")
    )
    labels.retract_label(services, run.run_id, 1, given, LabelProvenance(reviewer="Ada"))
    results.rename_run(services, "Week 44", "Week 45")
    results.note_on_run(services, "Week 45", f"about {_SECRET}")
    results.archive_run(services, "Week 45")
    results.restore_run(services, "Week 45")
    series.move_run(services, "Week 45", "Desk")
    delete_run(services, "Week 45")
    assert _actions(services) == [
        Action.RUN_STARTED,
        Action.LABEL_GIVEN,
        Action.LABEL_RETRACTED,
        Action.RUN_RENAMED,
        Action.RUN_NOTED,
        Action.RUN_ARCHIVED,
        Action.RUN_RESTORED,
        Action.RUN_MOVED,
        Action.RUN_DELETED,
    ]
    with services.db.read() as connection:
        rows = [str(tuple(row)) for row in connection.execute(select(AuditEntryRow.__table__))]
    assert not [row for row in rows if _SECRET in row]
    (label,) = (e for e in stored_audit.list_entries(services.db) if e.action == Action.LABEL_GIVEN)
    assert (label.subject, label.run_name) == (f"{run.run_id}-1-1", "Week 44")


def test_a_label_of_a_blind_check_is_there_without_its_verdict(services: Store) -> None:
    sample = Sample.of("It is open.", ["It is closed."])
    run = add_judged_run(services, [sample], "a", judge=LEXICAL)
    say(services, run.run_id, 1, 1, "contradicted", by="Ada", is_blind=True)
    (entry,) = (e for e in stored_audit.list_entries(services.db) if e.action == Action.LABEL_GIVEN)
    assert entry.detail == "blind"


def test_events_leave_rows(services: Store) -> None:
    event = events.add_event(services, "New prices", at=_NOW, kind=EventKind.OTHER, kb_version=None, series=None)
    events.delete_event(services, event.event_id or 0)
    assert _actions(services) == [
        Action.EVENT_ADDED,
        Action.EVENT_DELETED,
    ]


def test_a_log_in_is_written_down_once_for_all_tabs_of_the_browser(services: Store) -> None:
    issued = datetime.now(UTC) - timedelta(minutes=1)
    for moment in (issued, issued, None):
        audit.add_log_in(services, "local", issued_at=moment)
    assert _actions(services) == [Action.LOGGED_IN, Action.LOGGED_IN]
    audit.add_log_in(services, "local", issued_at=datetime.now(UTC) + timedelta(minutes=1))
    assert len(_actions(services)) == 3


def test_who_uses_the_command_line() -> None:
    assert audit.command_line_user({}).startswith("command line: ")
    assert "@" in audit.command_line_user({})
    assert audit.command_line_user({"FAITHVIEW_ACTING_FOR": "ada@example.com"}) == "ada@example.com"
    assert audit.python_user().startswith("Python: ")
