"""Alerts and events."""

from typing import Literal

from faithview.documents.base import Count, Document, Number, Part, Position, Share, Time, entry
from faithview.domain.alert import AlertKind
from faithview.domain.event import EventKind


class AlertRuleFigures(Part):
    """A rule for alerts."""

    rule_id: Position = entry("Its number.")
    kind: AlertKind = entry("The rule's kind.")
    threshold: Number = entry("The threshold that raises an alert.")
    segment: str | None = entry("The segment it checks; null for whole runs.")


class AlertRuleDocument(AlertRuleFigures, Document):
    """A rule that was just added."""


class OpenAlert(Part):
    """An alert that is not acknowledged."""

    alert_id: Position = entry("Its number.")
    rule_id: Position = entry("The rule that raised it.", "rule.rule_id")
    kind: AlertKind = entry("The rule's kind.", "rule.kind")
    run_id: str = entry("The run that raised it.")
    baseline_run_id: str | None = entry("The run that it was compared with.", "baseline_id")
    at: Time = entry("When it was raised.")
    value: Number = entry("The figure that raised it.")
    message: str = entry("What happened.")
    posted_at: Time | None = entry("When it was posted to the webhook.")
    post_error: str | None = entry("Why it could not be posted.")


class AlertsDocument(Document):
    """The rules and the open alerts of a store."""

    rules: list[AlertRuleFigures] = entry("The rules.")
    open: list[OpenAlert] = entry("The alerts that are not acknowledged.")


class PostedRun(Part):
    """The run that raised the alerts."""

    run_id: str = entry("The run's id.", "run.run_id")
    name: str = entry("Its name.", "run.name")
    as_of: Time = entry("The time of its answers.", "run.as_of")
    faithfulness: Share | None = entry("Its mean faithfulness.", "score.mean")
    rows: Count = entry("Its answers.")


class PostedAlert(Part):
    """An alert."""

    kind: AlertKind = entry("The rule's kind.", "rule.kind")
    threshold: Number = entry("The threshold that raises an alert.", "rule.threshold")
    segment: str | None = entry("The segment it checks; null for the whole run.", "rule.segment")
    value: Number = entry("The figure that raised it.")
    message: str = entry("What happened.")
    baseline_run_id: str | None = entry("The run that it was compared with.", "baseline_id")


class WebhookDocument(Document):
    """The document posted to a webhook about a run."""

    text: str = entry("The text for a chat: one line per alert, with Slack's markup escaped.")
    source: Literal["faithview"] = entry('Always "faithview".', default="faithview")
    run: PostedRun = entry("The run.")
    alerts: list[PostedAlert] = entry("The alerts.")


class EventFigures(Part):
    """A marker on the trend."""

    event_id: Position | None = entry("Its number; null for one that was detected.")
    at: Time = entry("When it happened.")
    kind: EventKind = entry("The kind of event.")
    label: str = entry("What happened.")
    kb_version: str | None = entry("The version of the knowledge base from then on.")
    detected: bool = entry("Whether it was detected from runs.", "is_detected")
    before_run_id: str | None = entry("The last run before it.")
    after_run_id: str | None = entry("The first run after it.")


class EventDocument(EventFigures, Document):
    """An event that was just added."""


class EventsDocument(Document):
    """The events of a series."""

    events: list[EventFigures] = entry("The events, oldest first.")
