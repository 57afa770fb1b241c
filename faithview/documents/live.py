"""Live traffic, what is deleted of it and of runs, and who did what."""

from datetime import UTC, datetime
from typing import Annotated

from pydantic import BeforeValidator

from faithview.documents.base import Count, Document, Part, Position, Share, Time, entry
from faithview.documents.runs import RunFigures
from faithview.domain.audit import Action, Kind


class ApplicationBacklog(Part):
    """The logged answers of an application."""

    application: str = entry("The application.")
    waiting: Count = entry("Answers that wait.")
    taken: Count = entry("Answers that were drawn.")
    skipped: Count = entry("Answers that were not.")
    oldest_at: Time | None = entry("When the oldest of those that wait was logged.")


class WatchAlert(Part):
    """An alert."""

    run_id: str = entry("The run that raised it.")
    kind: str = entry("The figure that the rule watches.", "rule.kind")
    message: str = entry("What happened.")


class WatchDocument(Document):
    """The result of `faithview watch`."""

    judge: str = entry("The judge's name.", "plan.judge.name")
    sample_rate: Share = entry("The share of answers that is judged.", "plan.rate")
    taken: Count = entry("Answers that were drawn.")
    skipped: Count = entry("Answers that were not.")
    judged: Count = entry("Answers that were judged.")
    failed: Count = entry("Those of them that could not be.")
    texts_removed: Count = entry("Skipped answers whose texts were removed.")
    runs_deleted: list[str] = entry("Runs that were older than they are kept.")
    runs: list[RunFigures] = entry("The runs that were judged.")
    alerts: list[WatchAlert] = entry("New alerts.")
    busy: list[str] = entry("Runs that another process judges.")
    applications: list[ApplicationBacklog] = entry("The waiting answers, by application.", "backlogs")


class OldRunPart(Part):
    """A run that is older than texts are kept."""

    run_id: str = entry("The run's id.")
    name: str = entry("Its name.")
    created_at: Time = entry("When it was made.")
    answers: Count = entry("Its answers.")
    open_spot_checks: list[str] = entry("Spot-checks of it that are still being labelled.", "open_checks")


class RetentionDocument(Document):
    """Runs and texts that are older than the retention rule allows."""

    deleted: bool = entry("Whether it was deleted; false with --dry-run.")
    before: Time = entry("Runs and texts from before this time.")
    keep_scores: bool = entry("Whether scores, verdicts and labels stay.", "rule.keep_scores")
    runs: list[OldRunPart] = entry("The runs.")
    spared: list[OldRunPart] = entry("Runs that are spared because a spot-check is open.")
    busy: list[OldRunPart] = entry("Runs that are being judged.")
    logged_answers: Count = entry("Logged answers.", "logged")


def _in_utc(value: object) -> object:
    return value.astimezone(UTC) if isinstance(value, datetime) else value


class AuditEntryPart(Part):
    """One action of a user."""

    id: Position = entry("The entry's number.", "entry_id")
    at: Annotated[Time, BeforeValidator(_in_utc)] = entry("When, in UTC.")
    who: str = entry("Who.")
    kind: Kind = entry("The kind of object.", "action.kind")
    action: Action = entry("What.")
    run_id: str | None = entry("The run that it is about.")
    run_name: str | None = entry("Its name then.")
    subject: str | None = entry("The other object it is about.")
    detail: str | None = entry("More about it.")
    items: int = entry("How many things it is about.")


class AuditDocument(Document):
    """The audit log."""

    entries: list[AuditEntryPart] = entry("The entries, newest first.")


class RefusedAnswer(Part):
    """An answer that was not stored."""

    index: Count = entry("Its place in the request, from 0.")
    id: str | None = entry("Its id, where it has one.", "record_id")
    message: str = entry("Why.", "reason")


class LogDocument(Document):
    """How many logged answers were stored."""

    accepted: Count = entry(
        "Answers that are in the store now, those included that were there before under the same id."
    )
    refused: list[RefusedAnswer] = entry("Answers that were not stored.")
