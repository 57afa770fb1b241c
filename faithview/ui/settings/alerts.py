"""Alert rules: listed, added and deleted; and whether alerts are posted to a webhook, whose address is never shown."""

import os
from collections.abc import Callable
from functools import partial

import streamlit as st

from faithview.domain.alert import AlertKind, AlertRule
from faithview.services import alerts
from faithview.settings import WEBHOOK_VARIABLE
from faithview.store.alerts import list_rules
from faithview.ui import identity, opened_store, service_calls, session
from faithview.wording import numbers as fmt
from faithview.wording.alerts import RULE_WORDS, describe_rule

_PLACE = "settings.alerts"
_KIND, _THRESHOLD, _SEGMENT = "alerts.kind", "alerts.threshold", "alerts.segment"
_DEFAULTS = {AlertKind.BELOW: 0.8, AlertKind.FELL: 0.05, AlertKind.COVERAGE: 0.95}


def draw_rules() -> None:
    """Draw the rules, each with the button that deletes it, and the form that adds one."""
    st.caption("Each rule is checked when a run is complete. Open alerts are listed on *Overview*.")
    refusal = identity.why_cannot_run()
    rules = list_rules(opened_store.store().db)
    if not rules:
        st.markdown("There are no alert rules yet.")
    with st.container(gap="xxsmall"):
        for rule in rules:
            _draw_rule(rule, refusal)
    service_calls.show_message(_PLACE)
    if refusal is not None:
        st.info(refusal, icon=":material/lock:")
        return
    st.header("New rule", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = st.selectbox(
            "Raise an alert if", list(AlertKind), format_func=_words_of, key=_KIND, width=340, help=_KIND_HELP
        )
        kind = kind or AlertKind.BELOW
        # By kind: each begins at a threshold of its own.
        st.number_input("Threshold", 0.0, 1.0, _DEFAULTS[kind], 0.01, key=f"{_THRESHOLD}.{kind}", width=140)
        st.text_input("Segment", key=_SEGMENT, placeholder="All answers", width=220)
        st.button("Add the rule", type="primary", icon=":material/add_alert:", key="alerts.add", on_click=_add)


def _draw_rule(rule: AlertRule, refusal: str | None) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        words = describe_rule(rule)
        st.markdown(fmt.literal(words[:1].upper() + words[1:]), width=480)
        if refusal is None:
            st.button(
                "Delete",
                type="tertiary",
                icon=":material/delete:",
                key=f"alerts.delete.{rule.rule_id}",
                help="Deletes the rule and the alerts that it raised.",
                on_click=partial(_delete, rule.rule_id),
            )


def draw_webhook() -> None:
    """Draw whether alerts are posted, and how to set it up: the address is a secret, so the store does not hold it."""
    st.header("Webhook", anchor=False)
    is_set = bool(os.environ.get(WEBHOOK_VARIABLE, "").strip())
    if is_set:
        st.markdown(":material/check: A webhook is set: alerts of runs that this dashboard judges are posted to it.")
    else:
        st.markdown("No webhook is set, so alerts of runs that this dashboard judges are not posted.")
    st.caption(
        f"Set it with `{WEBHOOK_VARIABLE}` in each environment that judges runs. Anyone with the address can write to "
        "the channel, so FaithView does not store or show it."
    )


def _words_of(kind: AlertKind) -> str:
    words = RULE_WORDS[kind]
    return words[:1].upper() + words[1:]


def _add() -> None:
    kind = AlertKind(str(session.widget_value(_KIND)))
    threshold = session.widget_number(f"{_THRESHOLD}.{kind}", _DEFAULTS[kind])
    segment = session.widget_text(_SEGMENT)
    author = identity.current_reviewer()
    if _write(lambda: alerts.add_rule(opened_store.store(), kind, threshold, segment=segment, created_by=author)):
        session.forget_widgets(_SEGMENT)


def _delete(rule_id: int) -> None:
    _write(lambda: alerts.delete_rule(opened_store.store(), rule_id))


def _write(action: Callable[[], object]) -> bool:
    return service_calls.write(action, place=_PLACE, refusal=identity.why_cannot_run())


_KIND_HELP = (
    "*Fell significantly* compares with the previous comparable run. *Share of answers with a verdict* counts the "
    "answers that could be judged, among those that should have been."
)
