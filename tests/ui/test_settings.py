"""The button on Settings tries out the judges: nothing is sent before the press, nor for those who may only look."""

from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from faithview.domain.project import Role
from faithview.judges.registry import list_judges
from faithview.ui import membership, navigation
from tests.cli.test_doctor import STATES
from tests.ui.conftest import OpenPage
from tests.vendor import KEY, Vendor, running

_BUTTON = "settings.test"


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for info in list_judges():
        for name in (*info.keys, info.base_url or "UNUSED"):
            monkeypatch.delenv(name, raising=False)


@pytest.fixture(params=["works", "wrong key"])
def vendor(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, Vendor]]:
    with running(STATES[request.param].script) as started:
        for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
            monkeypatch.setenv(name, started.environment[name])
        yield request.param, started


def _texts(app: AppTest) -> str:
    shown = (app.markdown, app.caption, app.code)
    return "\n".join(str(one.value) for kind in shown for one in kind).replace("\\", "").replace("\u2060", "")


def test_a_press_asks_the_host_that_the_page_names(open_page: OpenPage, vendor: tuple[str, Vendor]) -> None:
    state, running_vendor = vendor
    app = open_page(navigation.SETTINGS)
    assert running_vendor.server.requests == []
    host = running_vendor.url.removeprefix("http://")
    assert f"**{host}** and sends each one a short question about a made-up answer" in _texts(app)
    app.button(key=_BUTTON).click().run()
    assert not app.exception
    text = _texts(app)
    if state == "works":
        assert "Everything that is set up works." in text
        assert "small-one: the test claim is contradicted, as it should be" in text
        assert running_vendor.calls == 1
    else:
        assert "Something that is set up does not work; see above." in text
        assert "What to do: The key is wrong or was revoked: set OPENAI_API_KEY" in text
    assert KEY not in text
    requests = len(running_vendor.server.requests)
    app.run()  # what was found stays, and nothing is asked again
    assert "OPENAI_API_KEY is set" in _texts(app)
    assert len(running_vendor.server.requests) == requests


def test_without_a_key_or_address_a_press_sends_nothing(open_page: OpenPage) -> None:
    app = open_page(navigation.SETTINGS)
    assert "so testing sends nothing" in _texts(app)
    app.button(key=_BUTTON).click().run()  # a test that reaches out of this machine fails
    assert not app.exception
    text = _texts(app)
    assert "Schema " in text
    assert "openai: not set up" in text


def test_who_may_only_look_cannot_press(
    open_page: OpenPage, vendor: tuple[str, Vendor], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_page(navigation.SETTINGS)
    monkeypatch.setattr(membership, "own_role", lambda: Role.VIEWER)  # gone between the page and the press
    app.button(key=_BUTTON).click().run()
    assert not app.exception
    assert app.button(key=_BUTTON).disabled
    assert "You can view everything here. To start" in _texts(app)
    assert vendor[1].server.requests == []


def test_each_judge_is_a_row_with_its_state(open_page: OpenPage) -> None:
    (table,) = open_page(navigation.SETTINGS).table
    rows = {row["name"]: row["state"] for _, row in table.value.iterrows()}
    assert len(rows) == len(list_judges())
    assert rows["`embedded`"].startswith(":material/check: Can run here.")
    assert "OPENAI" in rows["`openai:MODEL`"]
