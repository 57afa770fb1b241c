"""The page Audit: for admins only; log-ins and refused changes are in it."""

import pytest
from streamlit.testing.v1 import AppTest

from faithview.domain.audit import Action
from faithview.services.container import Store
from faithview.store import audit as stored_audit
from faithview.ui import navigation
from tests.dashboard import ROOT
from tests.factories import add_judged_run, two_claim_samples
from tests.ui.conftest import OpenPage

_OIDC = {"redirect_uri": "http://localhost/callback", "cookie_secret": "s", "client_id": "i", "client_secret": "s"}

_PAGE = f"{navigation.SETTINGS}?tab={navigation.AUDIT}"


def _app(role: str | None, **person: object) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.secrets["auth"] = _OIDC
    app.secrets["faithview"] = {"roles": {role: ["ada@example.com"]}} if role else {}
    app.user = {"email": "ada@example.com", "is_logged_in": True, **person}
    app.run()
    assert not app.exception
    return app


def _rows(services: Store) -> list[tuple[str, Action]]:
    return [(entry.who, entry.action) for entry in stored_audit.list_entries(services.db)]


@pytest.mark.parametrize(("role", "is_shown"), [("admin", True), ("reviewer", False), ("viewer", False), (None, False)])
def test_only_admins_read_it(services: Store, role: str | None, is_shown: bool) -> None:
    app = _app(role)
    app.query_params["tab"] = navigation.AUDIT
    app.switch_page(navigation.SETTINGS).run()
    assert not app.exception
    assert (len(app.dataframe) == 1) is is_shown
    assert ["Only an admin can read the audit log." in str(info.value) for info in app.info] == [True] * (not is_shown)


def test_without_log_in_everybody_is_an_admin(open_page: OpenPage, demo: Store) -> None:
    app = open_page(_PAGE)
    (table,) = app.dataframe
    assert "run started" in set(table.value["Action"])


def test_an_empty_log_says_so(open_page: OpenPage, services: Store) -> None:
    assert [str(info.value) for info in open_page(_PAGE).info] == [
        "Nothing has been recorded yet. This page will list who changed what, and when."
    ]


def test_a_log_in_is_written_down_with_the_address(services: Store) -> None:
    app = _app("reviewer")
    app.run()
    assert _rows(services) == [("ada@example.com", Action.LOGGED_IN)]
    _app("reviewer", iat=1_000_000_000)
    assert _rows(services) == [("ada@example.com", Action.LOGGED_IN)]


def test_a_log_in_with_an_unverified_address_is_refused_and_written_down(services: Store) -> None:
    _app("admin", email_verified=False)
    (entry,) = stored_audit.list_entries(services.db)
    assert (entry.who, entry.action, entry.subject) == ("not logged in", Action.LOG_IN_REFUSED, "ada@example.com")


def test_a_refused_change_is_written_down_once_and_a_change_under_its_person(services: Store) -> None:
    run = add_judged_run(services, two_claim_samples(2), "first")
    app = _app("reviewer")
    app.query_params["run"] = run.run_id
    app.query_params["claim"] = "1"
    app.switch_page(navigation.ANSWERS).run()
    (field,) = [one for one in app.text_area if one.key is not None and one.key.endswith(".1.note")]
    field.set_value("Look at this.").run()
    app.secrets["faithview"] = {"roles": {}}
    _add_note(app)
    refused = _rows(services)[0]
    assert _rows(services).count(refused) == 1
    assert refused == ("ada@example.com", Action.WRITE_REFUSED)
    app.secrets["faithview"] = {"roles": {"reviewer": ["ada@example.com"]}}
    app.run()
    _add_note(app)
    assert _rows(services)[0] == ("ada@example.com", Action.NOTE_ADDED)


def _add_note(app: AppTest) -> None:
    (button,) = [one for one in app.button if one.key is not None and one.key.endswith(".1.add_note")]
    button.click().run()
