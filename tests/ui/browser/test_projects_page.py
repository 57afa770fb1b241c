"""Projects in a browser: the address of every page names one, the switch opens another, a stranger's stays closed."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

from faithview.domain.run import Run
from tests.dashboard import Dashboard, start_dashboard
from tests.payloads import PAGES
from tests.ui.browser.screen import Screen, new_profile, new_screen, stay_open
from tests.ui.made_projects import SECRET, describe_projects, fill_projects

pytestmark = pytest.mark.browser

_COOKIE, _COOKIE_SECRET = "_streamlit_user", "a-secret-of-the-tests-only-32-letters"


@pytest.fixture(scope="module")
def section(folder: Path, empty_file: Path) -> dict[str, Any]:
    """The section `faithview` of the secrets."""
    return describe_projects(folder, empty_file)


@pytest.fixture(scope="module")
def runs(section: Mapping[str, Any]) -> dict[str, Run]:
    """The runs by project."""
    return fill_projects(section)


@pytest.fixture(scope="module")
def dashboard(section: Mapping[str, Any], runs: Mapping[str, Run], folder: Path) -> Iterator[Dashboard]:
    """The dashboard over both projects, where people log in."""
    secrets = folder / "secrets.toml"
    secrets.write_text(_toml(section), encoding="utf-8")
    running = start_dashboard(None, log=folder / "dashboard.log", environment={"FAITHVIEW_SECRETS": str(secrets)})
    yield running
    running.stop()


def _toml(section: Mapping[str, Any]) -> str:
    lines = [
        "[auth]", 'redirect_uri = "http://127.0.0.1/oauth2callback"', f'cookie_secret = "{_COOKIE_SECRET}"',
        'client_id = "i"', 'client_secret = "s"', 'server_metadata_url = "http://127.0.0.1:9/none"',
        "[faithview.roles]", f"admin = {json.dumps(section['roles']['admin'])}",
    ]  # fmt: skip
    for name, table in section["projects"].items():
        lines += [f"[faithview.projects.{name}]", *(f"{key} = {json.dumps(table[key])}" for key in ("title", "db"))]
        lines += [f"[faithview.projects.{name}.roles]"]
        lines += [f"{role} = {json.dumps(people)}" for role, people in table["roles"].items()]
    return "\n".join(lines) + "\n"


@pytest.fixture
def ada(dashboard: Dashboard, browser: Browser) -> Iterator[Screen]:
    """The dashboard as Ada sees it, who is in one project."""
    yield from _as("ada", dashboard, browser)


@pytest.fixture
def cleo(dashboard: Dashboard, browser: Browser) -> Iterator[Screen]:
    """The dashboard as Cleo sees it, who is in both."""
    yield from _as("cleo", dashboard, browser)


def _as(person: str, dashboard: Dashboard, browser: Browser) -> Iterator[Screen]:
    user = {"origin": dashboard.url, "is_logged_in": True, "email": f"{person}@example.com"}
    signed = create_signed_value(_COOKIE_SECRET, _COOKIE, json.dumps(user)).decode("latin-1")
    with new_profile(browser) as context:
        stay_open(context, dashboard.url)
        context.add_cookies([{"name": _COOKIE, "value": signed, "url": dashboard.url}])
        screen = new_screen(context, dashboard.url)
        yield screen
    assert not screen.troubles, f"The page logged errors or asked another machine: {screen.troubles}"


def test_the_address_of_each_page_names_the_project_and_the_way_back_works(ada: Screen) -> None:
    ada.open("/judges")
    ada.until_address(project="support")
    ada.page.get_by_test_id("stSidebar").get_by_role("link", name="Settings").click()
    ada.until(lambda: ada.path() == "/settings", "the settings are open")
    ada.until_address(project="support")
    ada.settle()
    ada.page.go_back()
    ada.until(lambda: ada.path() == "/judges", "the judges are open again")
    ada.until_address(project="support")


def test_another_project_is_opened_with_nothing_of_this_one(cleo: Screen, runs: Mapping[str, Run]) -> None:
    cleo.open("/answers", project="support", run=runs["support"].run_id)
    cleo.sees("The inbox opens at 9 am.")
    cleo.choose("shell.project", f"Legal {SECRET}")
    cleo.until_address(project="legal", run=None)
    cleo.sees(f"The {SECRET} opens at 9 am.")
    assert "inbox opens" not in cleo.page.content()
    cleo.page.go_back()
    cleo.until_address(project="support", run=runs["support"].run_id)
    cleo.sees("The inbox opens at 9 am.")
    expect(cleo.main()).not_to_contain_text(SECRET)


def test_a_stranger_s_project_stays_closed_on_every_page(ada: Screen, runs: Mapping[str, Run]) -> None:
    received: list[str] = []
    ada.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: received.append(repr(frame))))
    for path in (*PAGES, "/settings?tab=audit"):
        ada.visit(path, project="legal", run=runs["legal"].run_id, row="row-11", series="legal set")
        expect(ada.page.get_by_role("heading", name="No project")).to_be_visible()
        ada.sees("There is no project 'legal' that you can open.")
    assert received
    assert not [frame for frame in received if SECRET in frame]
