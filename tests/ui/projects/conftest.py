"""The dashboard over two projects, opened by a person who is logged in."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from faithview.domain.run import Run
from tests.dashboard import ROOT
from tests.ui.made_projects import describe_projects, fill_projects

_OIDC = {"redirect_uri": "http://localhost/callback", "cookie_secret": "s", "client_id": "i", "client_secret": "s"}
OpenAs = Callable[..., AppTest]


@pytest.fixture
def tables(tmp_path: Path, empty_file: Path) -> dict[str, Any]:
    """The section `faithview` of the secrets, which a test may change while a session is open."""
    return describe_projects(tmp_path, empty_file)


@pytest.fixture
def runs(tables: Mapping[str, Any]) -> Iterator[dict[str, Run]]:
    """The runs by project."""
    st.cache_resource.clear()
    yield fill_projects(tables)
    st.cache_resource.clear()


@pytest.fixture
def open_as(tables: Mapping[str, Any], runs: Mapping[str, Run], monkeypatch: pytest.MonkeyPatch) -> OpenAs:
    """A function that opens the dashboard as a person, at an address: `open_as("ada", project="support")`."""
    monkeypatch.delenv("FAITHVIEW_DB", raising=False)

    def opened(person: str | None, page: str | None = None, /, **address: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
        app.secrets["auth"] = _OIDC
        app.secrets["faithview"] = tables
        email = {} if person is None else {"email": f"{person}@example.com"}
        app.user = {"is_logged_in": person is not None, **email}
        app.query_params.update(address)
        app.run()
        if page is not None:
            app.query_params.update(address)
            app.switch_page(page).run()
        assert not app.exception
        return app

    return opened


def texts_of(app: AppTest) -> str:
    """Return everything that the page holds, as its messages to the browser say it."""
    return "\n".join(str(element.proto) for element in app._tree if hasattr(element, "proto"))
