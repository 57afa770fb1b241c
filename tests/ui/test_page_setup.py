"""No page is drawn without what is set up before it."""

import pytest
from streamlit.testing.v1 import AppTest

from faithview.services.container import Store
from faithview.settings import DATABASE_VARIABLE
from faithview.ui import navigation, session
from tests.dashboard import ROOT


def test_a_page_opened_first_under_streamlit_s_own_command_runs_app_py(
    services: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Streamlit then takes the files in pages/ for pages of its own, and so does AppTest without a fixture of ours.
    monkeypatch.undo()
    monkeypatch.setenv(DATABASE_VARIABLE, services.database_url)
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).switch_page(navigation.SETTINGS).run()
    assert not app.exception
    assert [one.value for one in app.title] == ["Settings"]
    assert session.PAGES.key in app.session_state
