"""Live traffic, and deletion by age."""

from faithview.documents.base import Count, Document, Part, Share, Time, entry
from faithview.documents.runs import RunFigures


class ApplicationBacklog(Part):
    """The logged answers of an application."""

    application: str = entry("The application.")
    waiting: Count = entry("Answers that wait to be judged.")
    taken: Count = entry("Answers that were drawn.")
    skipped: Count = entry("Answers that were not drawn.")
    oldest_at: Time | None = entry("When the oldest waiting answer was logged.")


class WatchAlert(Part):
    """An alert."""

    run_id: str = entry("The run that raised it.")
    kind: str = entry("The rule's kind.", "rule.kind")
    message: str = entry("What happened.")


class WatchDocument(Document):
    """The result of a round of `faithview watch`."""

    judge: str = entry("The judge's name.", "plan.judge.name")
    sample_rate: Share = entry("The share of answers to judge.", "plan.rate")
    taken: Count = entry("Answers that were drawn.")
    skipped: Count = entry("Answers that were not drawn.")
    judged: Count = entry("Answers that were judged.")
    failed: Count = entry("Answers that could not be judged.")
    texts_removed: Count = entry("Skipped answers whose texts were removed.")
    runs_deleted: list[str] = entry("Deleted runs that were older than the limit.")
    runs: list[RunFigures] = entry("The runs that were judged.")
    alerts: list[WatchAlert] = entry("New alerts.")
    busy: list[str] = entry("Runs that another process judges.")
    applications: list[ApplicationBacklog] = entry("Waiting answers, by application.", "backlogs")


class OldRunPart(Part):
    """A run that is older than the limit."""

    run_id: str = entry("The run's id.")
    name: str = entry("Its name.")
    created_at: Time = entry("When it was made.")
    answers: Count = entry("Its answers.")
    open_spot_checks: list[str] = entry("Spot-checks of it that are still being labelled.", "open_checks")


class RetentionDocument(Document):
    """Runs and logged texts that are older than the limit."""

    deleted: bool = entry("Whether they were deleted; false with --dry-run.")
    before: Time = entry("The limit; runs and texts from before it are too old.")
    runs: list[OldRunPart] = entry("The runs.")
    spared: list[OldRunPart] = entry("Runs that are spared because a spot-check is open.")
    busy: list[OldRunPart] = entry("Runs that are being judged.")
    logged_answers: Count = entry("Logged answers.", "logged")


class RefusedAnswer(Part):
    """An answer that was not stored."""

    index: Count = entry("Its place in the request, from 0.")
    id: str | None = entry("Its id, if it has one.", "record_id")
    message: str = entry("The reason.", "reason")


class LogDocument(Document):
    """The result of logging answers."""

    accepted: Count = entry("Answers that are in the store now, including those already stored under the same id.")
    refused: list[RefusedAnswer] = entry("Answers that were not stored.")
