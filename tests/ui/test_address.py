"""A widget that shows what the address says: what somebody chooses is written, what the browser repeats is not."""

from streamlit.testing.v1 import AppTest


def _page() -> None:
    """Draw one choice that is kept in the address as `kind`, and note what is written."""
    import streamlit as st

    from faithview.ui.address import AddressWidget

    widget = AddressWidget("kind")

    def write() -> None:
        st.session_state["written"] = [*st.session_state.get("written", []), widget.value()]
        if not st.session_state.get("refuses"):
            st.query_params["kind"] = str(widget.value())

    st.segmented_control(
        "Kind",
        ["all", "new", "old"],
        key=widget.show(st.query_params.get("kind", "all")),
        on_change=widget.on_choice(write),
        required=True,
    )
    call = st.session_state.setdefault("first call", widget.on_choice(write))
    if st.session_state.get("repeats"):
        call()


def _open() -> AppTest:
    app = AppTest.from_function(_page).run()
    assert not app.exception
    return app


def _kind(app: AppTest) -> str:
    value = app.query_params["kind"]
    return value if isinstance(value, str) else value[0]


def _go_to(app: AppTest, kind: str) -> None:
    app.query_params["kind"] = kind
    app.run()
    assert not app.exception


def test_a_choice_goes_to_the_address_and_the_widget_keeps_its_key() -> None:
    app = _open()
    for kind in ("new", "old"):
        app.segmented_control(key="kind").set_value(kind).run()
        assert _kind(app) == kind
        assert app.segmented_control(key="kind").value == kind
    assert app.session_state["written"] == ["new", "old"]


def test_a_widget_that_the_address_has_changed_shows_it_under_another_key_and_nothing_is_written() -> None:
    app = _open()
    _go_to(app, "old")
    (widget,) = app.segmented_control
    assert (widget.key, widget.value) == ("kind.turn.1", "old")
    assert "written" not in app.session_state
    widget.set_value("new").run()
    assert (app.segmented_control[0].key, _kind(app)) == ("kind.turn.1", "new")


def test_what_the_old_widget_held_is_no_choice() -> None:
    app = _open()
    app.segmented_control(key="kind").set_value("new").run()
    app.session_state["repeats"] = True
    _go_to(app, "all")
    assert app.session_state["written"] == ["new"]
    (widget,) = app.segmented_control
    assert (widget.key, widget.value) == ("kind.turn.1", "all")


def test_a_choice_that_is_refused_is_undone_in_the_same_widget() -> None:
    app = _open()
    app.session_state["refuses"] = True
    app.segmented_control(key="kind").set_value("new").run()
    assert app.session_state["written"] == ["new"]
    (widget,) = app.segmented_control
    assert (widget.key, widget.value) == ("kind", "all")
