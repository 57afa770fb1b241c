"""Which project a session is in, what its person may do there, and what nobody else gets to see."""

from collections.abc import Mapping
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from faithview.domain.audit import AuditFilter
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.project import Projects
from faithview.domain.run import Run
from faithview.services.projects import read_projects
from faithview.store import audit
from faithview.store.runs import count_runs
from faithview.ui import membership, navigation, opened_store, session
from tests.factories import open_services
from tests.ui.made_projects import SECRET
from tests.ui.projects.conftest import OpenAs, texts_of


def _project(app: AppTest) -> object:
    return app.session_state[session.PROJECT.key]


def _switch(app: AppTest) -> Any:
    return next((box for box in app.sidebar.selectbox if box.key == "shell.project"), None)


def test_who_is_in_one_project_sees_it_and_no_switch(open_as: OpenAs) -> None:
    app = open_as("ada")
    assert (_project(app), _switch(app)) == ("support", None)
    assert "inbox weekly" in texts_of(app)
    assert SECRET not in texts_of(app)


def test_settings_offer_no_other_store_in_a_project(open_as: OpenAs) -> None:
    app = open_as("ops", project="support").switch_page(navigation.SETTINGS).run()
    assert not app.exception
    assert "as the secrets file describes it" in texts_of(app)
    assert "FAITHVIEW_DB" not in texts_of(app)


def test_who_is_in_two_projects_sees_one_at_a_time(open_as: OpenAs) -> None:
    app = open_as("cleo", project="legal")
    assert _project(app) == "legal"
    assert _switch(app).options == ["Support assistant", f"Legal {SECRET}"]
    assert "inbox weekly" not in texts_of(app)
    _switch(app).set_value("support").run()
    # The browser opens the other one as a session of its own; this one shows nothing more.
    assert [str(caption.value) for caption in app.main.caption] == ["Opening the project …"]
    assert _project(app) == "legal"
    assert not app.title


@pytest.mark.parametrize("name", ["legal", "no-such-project", "<b>x</b>"])
def test_a_stranger_s_project_is_told_as_one_that_is_not_there(open_as: OpenAs, name: str) -> None:
    app = open_as("ada", project=name)
    assert [str(text.value) for text in app.text] == [f"There is no project {name!r} that you can open."]
    assert SECRET not in texts_of(app)
    assert "inbox" not in texts_of(app)


@pytest.mark.parametrize("address", [{}, {"project": "legal"}, {"project": "support"}])
@pytest.mark.parametrize("person", ["nobody", None])
def test_who_is_in_no_project_gets_into_none(open_as: OpenAs, person: str | None, address: dict[str, str]) -> None:
    app = open_as(person, **address)
    page = texts_of(app)
    assert (SECRET in page, "inbox" in page, "Support assistant" in page) == (False, False, False)
    assert [str(title.value) for title in app.title] == ["No project"]


def test_an_address_that_is_not_verified_is_in_no_project(open_as: OpenAs) -> None:
    app = open_as("ada")
    app.user["email_verified"] = False
    app.run()
    assert "inbox" not in texts_of(app)


def test_a_session_s_address_cannot_lead_into_a_stranger_s_project(open_as: OpenAs) -> None:
    app = open_as("ada", project="support")
    app.query_params["project"] = "legal"
    app.run()
    assert [str(text.value) for text in app.text] == ["There is no project 'legal' that you can open."]
    assert "inbox" not in texts_of(app)


@pytest.mark.parametrize(("project", "can_upload", "can_audit"), [("support", False, False), ("legal", True, True)])
def test_a_role_is_that_of_the_project(open_as: OpenAs, project: str, can_upload: bool, can_audit: bool) -> None:
    app = open_as("cleo", "pages/upload.py", project=project)
    assert bool(app.file_uploader) is can_upload
    app.query_params["tab"] = "audit"
    app.switch_page(navigation.SETTINGS).run()
    assert ("Only an admin can read the audit log." in texts_of(app)) is not can_audit


def test_an_admin_of_all_projects_is_an_admin_of_each(open_as: OpenAs) -> None:
    for project in ("support", "legal"):
        app = open_as("ops", "pages/upload.py", project=project)
        assert app.file_uploader


def test_who_is_taken_out_of_a_project_sees_and_stores_nothing_more_in_an_open_tab(
    open_as: OpenAs, tables: dict[str, Any]
) -> None:
    app = open_as("ada", "pages/try_one_answer.py", project="support")
    app.text_area(key="check.answer").input("The office opens at 9 am.")
    app.text_area(key="check.chunks").input("The office opens at 9 am.")
    app.button(key="check.submit").click().run()
    tables["projects"]["support"]["roles"]["reviewer"] = []
    app.secrets["faithview"] = tables
    app.button(key="check.save").click().run()
    assert not app.exception
    assert [str(text.value) for text in app.text] == ["There is no project 'support' that you can open."]
    with open_services(tables["projects"]["support"]["db"]) as services:
        assert all("Check" not in str(entry) for entry in audit.list_entries(services.db, AuditFilter()))
        assert count_runs(services.db) == 1


def test_a_description_that_breaks_lets_nobody_in(open_as: OpenAs, tables: dict[str, Any]) -> None:
    app = open_as("ops")
    tables["projects"]["support"]["roles"]["owner"] = ["ops@example.com"]
    app.secrets["faithview"] = tables
    app.run()
    assert "are invalid, so no user can open a project" in app.error[0].value
    assert "inbox" not in texts_of(app)


def test_people_of_another_project_are_not_offered_for_assignments(open_as: OpenAs) -> None:
    app = open_as("ada", "pages/review.py", project="support")
    assert "ben@example.com" not in texts_of(app)


def test_each_project_has_an_audit_log_of_its_own(open_as: OpenAs, tables: Mapping[str, Any]) -> None:
    open_as("cleo", project="legal")
    people = {}
    for name, table in tables["projects"].items():
        with open_services(table["db"]) as services:
            people[name] = {entry.who for entry in audit.list_entries(services.db, AuditFilter())}
    assert "cleo@example.com" in people["legal"]
    assert "cleo@example.com" not in people["support"]


def _described(tables: Mapping[str, Any]) -> Projects:
    projects = read_projects({"auth": {"client_id": "i"}, "faithview": tables})
    assert projects is not None
    return projects


def test_the_dashboard_is_ready_while_the_store_of_one_project_works(
    tables: dict[str, Any], runs: Mapping[str, Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    away = "postgresql://u:hunter2@127.0.0.1:1/d"
    tables["projects"]["legal"]["db"] = away
    monkeypatch.setattr(membership, "described_projects", lambda: _described(tables))
    assert opened_store.store_works()
    tables["projects"]["support"]["db"] = away.replace("/d", "/e")
    assert not opened_store.store_works()


def test_a_download_that_a_page_offered_is_refused_to_who_was_taken_out_since(
    tables: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(membership, "described_projects", lambda: _described(tables))
    monkeypatch.setattr(membership, "verified_email", lambda: "ada@example.com")
    monkeypatch.setattr(membership, "is_login_on", lambda: True)
    monkeypatch.setattr(type(session.PROJECT), "get", lambda self: "support")
    offered = membership.while_member(lambda: "the file")
    assert offered() == "the file"
    tables["projects"]["support"]["roles"]["reviewer"] = []
    with pytest.raises(NotFound, match="no project 'support' that you can open"):
        offered()


def test_a_server_that_began_with_projects_never_goes_on_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(membership, "_are_required", True)
    assert membership.are_projects_on()
    with pytest.raises(InvalidInput, match="no longer defines any projects"):
        membership.described_projects()
    assert not opened_store.store_works()
