"""The dashboard of a project: who gets in, what they may do, and what nobody else gets to see."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from faithview.domain.errors import InvalidInput
from faithview.services.container import Store
from faithview.store.runs import count_runs
from faithview.ui import membership, navigation, opened_store
from tests.dashboard import ROOT
from tests.factories import add_judged_run, two_claim_samples

pytestmark = pytest.mark.process  # takes long

_OIDC = {"redirect_uri": "http://localhost/callback", "cookie_secret": "s", "client_id": "i", "client_secret": "s"}
_RUN = "zebrafish weekly"
OpenAs = Callable[..., AppTest]


@pytest.fixture
def section(services: Store, store_file: Path, tmp_path: Path) -> dict[str, Any]:
    """The section `faithview` of the secrets; Ada reviews in the project that is served, and Ben in the other one."""
    add_judged_run(services, two_claim_samples(2), _RUN)
    return {
        "roles": {"admin": ["ops@example.com"]},
        "projects": {
            "support": {
                "title": "Support assistant",
                "db": f"sqlite:///{store_file}",
                "roles": {"reviewer": ["ada@example.com"], "viewer": ["cleo@example.com"]},
            },
            "legal": {"db": f"sqlite:///{tmp_path / 'legal.db'}", "roles": {"reviewer": ["ben@example.com"]}},
        },
    }


@pytest.fixture
def open_as(section: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> OpenAs:
    """A function that opens the dashboard as a person: `open_as("ada", "pages/upload.py")`."""
    monkeypatch.setenv("FAITHVIEW_PROJECT", "support")
    monkeypatch.delenv("FAITHVIEW_DB")

    def opened(person: str | None, page: str | None = None) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
        app.secrets["auth"] = _OIDC
        app.secrets["faithview"] = section
        email = {} if person is None else {"email": f"{person}@example.com"}
        app.user = {"is_logged_in": person is not None, **email}
        app.run()
        if page is not None:
            app.switch_page(page).run()
        assert not app.exception
        return app

    return opened


def _texts(app: AppTest) -> str:
    return "\n".join(str(element.proto) for element in app._tree if hasattr(element, "proto"))


def test_a_member_sees_the_project_and_settings_offer_no_other_store(open_as: OpenAs) -> None:
    app = open_as("ada")
    assert _RUN in _texts(app)
    assert "Project: Support assistant" in [str(caption.value) for caption in app.sidebar.caption]
    app.switch_page(navigation.SETTINGS).run()
    assert "The secrets file names it" in _texts(app)
    assert "FAITHVIEW_DB" not in _texts(app)


@pytest.mark.parametrize("person", ["ben", "nobody", None])
def test_who_is_in_another_project_or_in_none_gets_in_nowhere(open_as: OpenAs, person: str | None) -> None:
    app = open_as(person)
    assert [str(title.value) for title in app.title] == ["No access"]
    assert (_RUN in _texts(app), "Support assistant" in _texts(app)) == (False, False)


def test_an_address_that_is_not_verified_is_nobody_s(open_as: OpenAs) -> None:
    app = open_as("ada")
    app.user["email_verified"] = False
    app.run()
    assert _RUN not in _texts(app)


@pytest.mark.parametrize(
    ("person", "can_upload", "can_audit"), [("cleo", False, False), ("ada", True, False), ("ops", True, True)]
)
def test_a_role_is_that_of_the_project(open_as: OpenAs, person: str, can_upload: bool, can_audit: bool) -> None:
    app = open_as(person, "pages/upload.py")
    assert bool(app.file_uploader) is can_upload
    app.query_params["tab"] = "audit"
    app.switch_page(navigation.SETTINGS).run()
    assert ("Only an admin can read the audit log." in _texts(app)) is not can_audit


def test_who_is_taken_out_sees_and_stores_nothing_more_in_an_open_tab(
    open_as: OpenAs, section: dict[str, Any], services: Store
) -> None:
    app = open_as("ada", "pages/try_one_answer.py")
    app.text_area(key="check.answer").input("The office opens at 9 am.")
    app.text_area(key="check.chunks").input("The office opens at 9 am.")
    app.button(key="check.submit").click().run()
    section["projects"]["support"]["roles"]["reviewer"] = []
    app.secrets["faithview"] = section
    app.button(key="check.save").click().run()
    assert not app.exception
    assert [str(title.value) for title in app.title] == ["No access"]
    assert count_runs(services.db) == 1


def test_a_description_that_breaks_or_goes_lets_nobody_in(open_as: OpenAs, section: dict[str, Any]) -> None:
    app = open_as("ops")
    section["projects"]["support"]["roles"]["owner"] = ["ops@example.com"]
    for broken in (section, {}):
        app.secrets["faithview"] = broken
        app.run()
        assert "is missing or invalid, so no user can open it" in app.error[0].value
        assert _RUN not in _texts(app)
    assert not opened_store.store_works()


def test_a_server_without_a_project_opens_none(open_as: OpenAs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FAITHVIEW_PROJECT")
    app = open_as("ops")
    assert "is missing or invalid, so no user can open it" in app.error[0].value
    assert _RUN not in _texts(app)


def test_a_server_of_a_project_never_goes_on_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAITHVIEW_PROJECT", "")
    with pytest.raises(InvalidInput, match="set but empty"):
        membership.served_project()
    assert not opened_store.store_works()
