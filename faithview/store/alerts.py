"""Alert rules, the alerts that runs raised, and complete runs that were not checked for alerts yet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, func, insert, select, update

from faithview.domain.alert import Alert, AlertKind, AlertRule
from faithview.domain.audit import Action
from faithview.domain.errors import NotFound
from faithview.domain.run import RunStatus
from faithview.store import dialect
from faithview.store.audit import record
from faithview.store.database import Database
from faithview.store.schema.comparison import AlertRow, AlertRuleRow
from faithview.store.schema.runs import ResultRow, RunRow


def add_rule(
    db: Database, kind: AlertKind, threshold: float, segment: str | None, *, now: datetime, created_by: str | None
) -> AlertRule:
    """Store a rule, or return an equal rule that exists."""
    rule = AlertRuleRow
    values = {"kind": kind, "threshold": threshold, "segment": segment, "created_at": now, "created_by": created_by}
    same = select(rule.__table__).where(
        rule.kind == kind, rule.threshold == threshold, rule.segment.is_not_distinct_from(segment)
    )
    with db.write() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        row = connection.execute(same).first()
        if row is None:
            row = connection.execute(insert(rule).returning(rule.__table__), values).one()
        record(connection, Action.RULE_ADDED, subject=f"{row.id}", detail=_in_short(kind, threshold, segment))
    return _to_rule(row)


def list_rules(db: Database) -> list[AlertRule]:
    """Return the rules, oldest first."""
    with db.read() as connection:
        return [_to_rule(row) for row in connection.execute(select(AlertRuleRow.__table__).order_by(AlertRuleRow.id))]


def _in_short(kind: str, threshold: float, segment: str | None) -> str:
    return f"{kind} {threshold:g}" + (f" in {segment}" if segment else "")


def delete_rule(db: Database, rule_id: int) -> None:
    """Delete a rule with the alerts that it raised; raises NotFound."""
    with db.write() as connection:
        row = AlertRuleRow
        gone = delete(row).where(row.id == rule_id).returning(row.kind, row.threshold, row.segment)
        deleted = connection.execute(gone).first()
        if deleted is None:
            raise NotFound(f"There is no alert rule {rule_id}; `faithview alert list` lists them.")
        record(connection, Action.RULE_DELETED, subject=f"{rule_id}", detail=_in_short(*deleted))


def add_alerts(db: Database, run_id: str, breaches: Sequence[Mapping[str, Any]], *, now: datetime) -> None:
    """Store alerts for the rules that a run breaks; a rule that it broke before keeps its first alert.

    Each breach has `rule_id`, `baseline_id`, `value` and `message`, as in `Alert`.
    """
    with db.bookkeep() as connection:
        # A rule, or the run, may have been deleted while the run was checked.
        rules = set(connection.execute(select(AlertRuleRow.id)).scalars())
        is_there = connection.execute(select(RunRow.id).where(RunRow.id == run_id)).scalar() is not None
        values = [
            {**breach, "run_id": run_id, "at": now, "is_acknowledged": False}
            for breach in breaches
            if is_there and breach["rule_id"] in rules
        ]
        if values:
            connection.execute(dialect.insert_new(connection, AlertRow), values)


def list_alerts(db: Database, *, run_id: str | None = None, only_unacknowledged: bool = False) -> list[Alert]:
    """Return the alerts, the newest run first, then in the order of their rules."""
    query = (
        select(AlertRow.__table__, RunRow.name.label("run_name"))
        .join(RunRow, RunRow.id == AlertRow.run_id)
        .order_by(RunRow.as_of.desc(), AlertRow.run_id, AlertRow.rule_id)
    )
    if run_id is not None:
        query = query.where(AlertRow.run_id == run_id)
    if only_unacknowledged:
        query = query.where(AlertRow.is_acknowledged.is_(False))
    rules = {rule.rule_id: rule for rule in list_rules(db)}
    with db.read() as connection:
        return [_to_alert(row, rules[row.rule_id]) for row in connection.execute(query) if row.rule_id in rules]


def acknowledge(db: Database, alert_id: int) -> None:
    """Mark an alert as seen; raises NotFound."""
    with db.write() as connection:
        seen = update(AlertRow).where(AlertRow.id == alert_id).values(is_acknowledged=True).returning(AlertRow.run_id)
        run_id = connection.execute(seen).scalar()
        if run_id is None:
            raise NotFound(f"There is no alert {alert_id}; `faithview alert list` lists them.")
        record(connection, Action.ALERT_SEEN, run_id=run_id, subject=f"{alert_id}")


def note_posted(db: Database, alert_ids: Sequence[int], *, at: datetime, error: str | None) -> None:
    """Record that the webhook accepted the alerts, or why it did not."""
    with db.bookkeep() as connection:
        connection.execute(
            update(AlertRow)
            .where(AlertRow.id.in_(alert_ids))
            .values(posted_at=at if error is None else None, post_error=error)
        )


def count_questions(db: Database, run_id: str, *, shared_with: str | None = None) -> int:
    """Return the number of distinct questions of a run; with another run's id, the number that both have."""
    query = select(func.count(ResultRow.cluster.distinct())).where(ResultRow.run_id == run_id)
    if shared_with is not None:
        query = query.where(ResultRow.cluster.in_(select(ResultRow.cluster).where(ResultRow.run_id == shared_with)))
    with db.read() as connection:
        return connection.execute(query).scalar_one()


def _to_rule(row: Row[Any]) -> AlertRule:
    values = dict(row._mapping)
    return AlertRule(rule_id=values.pop("id"), kind=AlertKind(values.pop("kind")), **values)


def _to_alert(row: Row[Any], rule: AlertRule) -> Alert:
    values = dict(row._mapping)
    del values["rule_id"]
    return Alert(alert_id=values.pop("id"), rule=rule, **values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unchecked:
    """A complete run that its worker has not checked for alerts yet."""

    run_id: str
    worker: str
    finished_at: datetime


def complete_run(db: Database, run_id: str, *, worker: str, now: datetime) -> None:
    """Complete a run, which its worker keeps until `note_checked`; does nothing if it belongs to another worker."""
    with db.bookkeep() as connection:
        connection.execute(
            update(RunRow)
            .where(RunRow.id == run_id, RunRow.worker == worker)
            .values(status=RunStatus.COMPLETE, finished_at=now, error=None, revision=RunRow.revision + 1)
        )


def list_unchecked(db: Database) -> list[Unchecked]:
    """Return the complete runs that were not checked for alerts yet, oldest first."""
    query = (
        select(RunRow.id, RunRow.worker, RunRow.finished_at)
        .where(RunRow.status == RunStatus.COMPLETE, RunRow.worker.is_not(None), RunRow.finished_at.is_not(None))
        .order_by(RunRow.finished_at, RunRow.id)
    )
    with db.read() as connection:
        return [
            Unchecked(run_id=row.id, worker=row.worker, finished_at=row.finished_at)
            for row in connection.execute(query)
        ]


def note_checked(db: Database, run_id: str, *, worker: str) -> None:
    """Record that a complete run was checked for alerts; does nothing if it belongs to another worker."""
    with db.bookkeep() as connection:
        connection.execute(update(RunRow).where(RunRow.id == run_id, RunRow.worker == worker).values(worker=None))
