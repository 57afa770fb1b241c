"""Settings lists, adds and deletes alert rules for those who may, and keeps the webhook's address to itself."""

import pytest

from faithview.domain.alert import AlertKind
from faithview.domain.project import Role
from faithview.services.alerts import add_rule
from faithview.services.container import Store
from faithview.settings import WEBHOOK_VARIABLE
from faithview.store.alerts import list_rules
from faithview.ui import membership, navigation
from tests.ui.conftest import OpenPage, words_of

_PAGE = f"{navigation.SETTINGS}?tab={navigation.ALERTS}"


def test_a_rule_is_added_listed_and_deleted(services: Store, open_page: OpenPage) -> None:
    app = open_page(_PAGE)
    assert "There are no alert rules yet." in words_of(app)
    app.selectbox(key="alerts.kind").select(AlertKind.FELL).run()
    app.number_input(key="alerts.threshold.fell").set_value(0.1)
    app.text_input(key="alerts.segment").set_value("billing")
    app.button(key="alerts.add").click().run()
    (rule,) = list_rules(services.db)
    assert (rule.kind, rule.threshold, rule.segment) == (AlertKind.FELL, 0.1, "billing")
    assert "Fell significantly by more than 0.1 in segment billing" in words_of(app).replace("\\", "")
    app.button(key=f"alerts.delete.{rule.rule_id}").click().run()
    assert list_rules(services.db) == []
    assert "There are no alert rules yet." in words_of(app)


def test_a_rule_that_nothing_could_break_is_refused(services: Store, open_page: OpenPage) -> None:
    app = open_page(_PAGE)
    app.number_input(key="alerts.threshold.below").set_value(0.0)
    app.button(key="alerts.add").click().run()
    assert "must be more than 0 and at most 1" in words_of(app)
    assert list_rules(services.db) == []


def test_a_viewer_sees_the_rules_and_changes_none(
    services: Store, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = add_rule(services, AlertKind.BELOW, 0.8)
    app = open_page(_PAGE)
    button = app.button(key=f"alerts.delete.{rule.rule_id}")
    monkeypatch.setattr(membership, "own_role", lambda: Role.VIEWER)
    button.click().run()
    assert list_rules(services.db) == [rule]
    assert "Faithfulness below 0.8" in words_of(app).replace("\\", "")
    assert "alerts.add" not in {one.key for one in app.button}


def test_the_address_of_the_webhook_is_not_shown(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "No webhook is set" in words_of(open_page(_PAGE))
    monkeypatch.setenv(WEBHOOK_VARIABLE, "https://hooks.example/secret-path")
    app = open_page(_PAGE)
    assert "A webhook is set" in words_of(app)
    assert "secret-path" not in str(app)
    assert "hooks.example" not in str(app)
