"""Roles are checked at the write, not at the button: a press after the role is gone changes nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit import config
from streamlit.testing.v1 import AppTest

from faithview.domain.project import Role
from faithview.domain.run import Run
from faithview.services.container import Store
from faithview.services.results import list_runs
from faithview.services.review import disagreements
from faithview.store.runs import count_runs
from faithview.ui.membership import role_of
from tests.dashboard import ROOT
from tests.factories import add_judged_run, say, two_claim_samples
from tests.services.llm_runs import point_at
from tests.vendor import Vendor, running

pytestmark = [pytest.mark.process, pytest.mark.usefixtures("reader_of_buttons")]  # takes long

_OIDC = {"redirect_uri": "http://localhost/callback", "cookie_secret": "s", "client_id": "i", "client_secret": "s"}


@pytest.fixture
def run(services: Store) -> Run:
    run = add_judged_run(services, two_claim_samples(6), "first")
    return run


def _open() -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.secrets["auth"] = _OIDC
    _give_role(app, "reviewer")
    app.user = {"email": "ada@example.com", "is_logged_in": True}
    app.run().switch_page("pages/review.py").run()
    assert not app.exception
    return app


def _give_role(app: AppTest, role: str) -> None:
    app.secrets["faithview"] = {"roles": {role: ["ada@example.com"]}}


@pytest.mark.parametrize(
    ("role", "settled"), [("reviewer", True), ("admin", True), ("viewer", False), ("owner", False)]
)
def test_only_people_who_can_label_adjudicate(services: Store, run: Run, role: str, settled: bool) -> None:
    for name, verdict in (("Ben", "supported"), ("Cleo", "contradicted")):
        say(services, run.run_id, 2, 1, verdict, by=name)
    app = _open()
    app.segmented_control(key="choice.tab").set_value("disagreements").run()
    _give_role(app, role)
    app.button(key="reader.contradicted").click().run()
    assert not app.exception
    assert (disagreements.list_disagreements(services) == []) is settled


@pytest.mark.parametrize(("role", "stored"), [("reviewer", 1), ("admin", 1), ("viewer", 0)])
def test_only_people_who_can_run_save_a_checked_answer(services: Store, role: str, stored: int) -> None:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.secrets["auth"] = _OIDC
    _give_role(app, "reviewer")
    app.user = {"email": "ada@example.com", "is_logged_in": True}
    app.run().switch_page("pages/try_one_answer.py").run()
    app.text_area(key="check.answer").input("The office opens at 9 am.")
    app.text_area(key="check.chunks").input("The office opens at 9 am.")
    app.button(key="check.submit").click().run()
    _give_role(app, role)
    app.button(key="check.save").click().run()
    assert count_runs(services.db) == stored
    assert bool(app.error) is (role == "viewer")


def _page_that_asks_nobody() -> None:
    import streamlit as st

    from faithview.domain.errors import FaithViewError
    from faithview.services.results import list_runs, rename_run
    from faithview.ui.opened_store import store

    try:
        rename_run(store(), list_runs(store())[0].run_id, "new")
    except FaithViewError as error:
        st.text(str(error))


@pytest.mark.parametrize("role", ["reviewer", "admin", "viewer", "owner"])
def test_the_store_refuses_a_viewer_s_change_where_a_page_forgets_to_ask(services: Store, run: Run, role: str) -> None:
    app = AppTest.from_function(_page_that_asks_nobody, default_timeout=60)
    app.secrets["auth"] = _OIDC
    _give_role(app, role)
    app.user = {"email": "ada@example.com", "is_logged_in": True}
    app.run()
    assert not app.exception
    is_refused = role not in {"reviewer", "admin"}
    assert [list_runs(services)[0].name, bool(app.text)] == ["first" if is_refused else "new", is_refused]
    if is_refused:
        assert "You can view everything here. To start" in app.text[0].value


@pytest.fixture
def vendor(monkeypatch: pytest.MonkeyPatch) -> Iterator[Vendor]:
    with running() as started:
        point_at(started, monkeypatch)
        yield started


def _open_on(page: str, **address: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.secrets["auth"] = _OIDC
    _give_role(app, "reviewer")
    app.user = {"email": "ada@example.com", "is_logged_in": True}
    app.run()
    for name, value in address.items():
        app.query_params[name] = value
    return app.switch_page(page).run()


@pytest.mark.parametrize("role", ["reviewer", "admin", "viewer", "owner"])
def test_only_people_who_can_run_check_an_answer_with_a_model(services: Store, vendor: Vendor, role: str) -> None:
    app = _open_on("pages/try_one_answer.py")
    app.selectbox(key="check.judge").set_value("openai").run()
    app.selectbox(key="check.model.openai").set_value(app.selectbox(key="check.model.openai").options[0]).run()
    app.text_area(key="check.answer").input(f"The office opens at 9 am for {role}s.")
    app.text_area(key="check.chunks").input("The office opens at 9 am.")
    before = vendor.calls
    _give_role(app, role)
    app.button(key="check.submit").click().run()
    assert not app.exception
    assert (vendor.calls > before) is (role in {"reviewer", "admin"})
    assert bool(app.error) is (role not in {"reviewer", "admin"})


@pytest.mark.parametrize(
    ("verified", "role"), [(False, "viewer"), ("false", "viewer"), (True, "admin"), (None, "admin")]
)
def test_an_address_that_the_provider_calls_not_verified_is_nobody_s(
    services: Store, verified: object, role: str
) -> None:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.secrets["auth"] = _OIDC
    _give_role(app, "admin")
    app.user = {"email": "ada@example.com", "is_logged_in": True}
    if verified is not None:
        app.user["email_verified"] = verified
    app.run().switch_page("pages/upload.py").run()
    assert not app.exception
    assert bool(app.file_uploader) is (role == "admin")
    said = [str(caption.value) for caption in app.sidebar.caption]
    assert any("has not verified your e-mail address" in text for text in said) is (role == "viewer")


@pytest.mark.parametrize(("role", "shown"), [("viewer", False), ("reviewer", True), ("admin", True)])
def test_only_people_who_can_run_are_asked_for_a_file(services: Store, role: str, shown: bool) -> None:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.secrets["auth"] = _OIDC
    _give_role(app, role)
    app.user = {"email": "ada@example.com", "is_logged_in": True}
    app.run().switch_page("pages/upload.py").run()
    assert bool(app.file_uploader) is shown


@pytest.mark.parametrize(
    ("listed", "email", "role"),
    [
        ("ada@example.com", "Ada@Example.COM", Role.ADMIN),
        ("strasse@example.com", "straße@example.com", Role.VIEWER),
        ("straße@example.com", "strasse@example.com", Role.VIEWER),
        ("kim@example.com", "\u212aim@example.com", Role.VIEWER),  # the Kelvin sign, small: k
        ("straße@example.com", "Straße@example.com", Role.ADMIN),
    ],
)
def test_two_addresses_are_one_only_if_no_letter_but_a_capital_differs(listed: str, email: str, role: Role) -> None:
    assert role_of(email, {"admin": [listed]}) is role


@pytest.mark.parametrize("secrets", ["none", "no auth", "projects", "gone"])
def test_a_page_shows_nothing_where_log_in_is_required_and_not_described(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, secrets: str
) -> None:
    """As where Streamlit's own command started app.py, or where the description went while the server runs."""
    monkeypatch.setenv("FAITHVIEW_LOGIN", "required")
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    if secrets == "no auth":
        app.secrets["OTHER_KEY"] = "k"
    elif secrets == "projects":
        app.secrets["faithview"] = {"projects": {"support": {"db": f"sqlite:///{tmp_path / 'support.db'}"}}}
    elif secrets == "gone":
        app = _open()
        assert app.title
        del app.secrets["auth"]
        app.user = {}
    app.run()
    assert not app.exception
    (error,) = app.error
    assert str(error.value).startswith("FAITHVIEW_LOGIN requires a log-in, but ")
    assert not [*app.title, *app.text, *app.markdown, *app.button, *app.caption, *app.file_uploader]
    shown = [str(element.proto) for element in app._tree if hasattr(element, "proto")]
    assert run.name not in "".join(text for text in shown if "<style>" not in text)
    assert not (tmp_path / "support.db").exists()


def test_a_page_shows_nothing_where_the_log_in_is_asked_for_in_other_words(
    services: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAITHVIEW_LOGIN", "yes")
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    assert [str(error.value) for error in app.error] == ["FAITHVIEW_LOGIN is 'yes'; set it to 'required', or unset it."]
    assert not app.title


def test_nobody_gets_in_while_the_secrets_cannot_be_read(
    services: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "secrets.toml"
    broken.write_text("[auth\n", encoding="utf-8")
    config.set_option("secrets.files", [str(broken)])
    try:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    finally:
        config.set_option("secrets.files", [])
    assert [str(error.value) for error in app.error] == [
        "The secrets file cannot be read. Correct it, then reload this page."
    ]
    assert not app.title
