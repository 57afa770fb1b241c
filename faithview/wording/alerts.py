"""What an alert rule says, in words."""

from faithview.domain.alert import AlertKind, AlertRule

RULE_WORDS = {
    AlertKind.BELOW: "faithfulness below",
    AlertKind.FELL: "fell significantly by more than",
    AlertKind.COVERAGE: "share of answers with a verdict below",
}


def describe_rule(rule: AlertRule) -> str:
    """Return the rule in plain text, as "faithfulness below 0.8 in segment billing"."""
    where = "" if rule.segment is None else f" in segment {rule.segment}"
    return f"{RULE_WORDS[rule.kind]} {rule.threshold:g}{where}"
