"""The sample can be loaded from an empty page, and its tour leads through five pages and can be closed."""

from collections.abc import Callable

import pytest

from faithview import Sample
from faithview.services.container import Services
from faithview.services.demo.sample_runs import SERIES, sample_week_names
from faithview.ui.parts import empty_state
from faithview.ui.shell import identity, nav
from tests.factories import add_run
from tests.ui.conftest import OpenPage, words_of

_PAGES = (nav.OVERVIEW, nav.COMPARE, nav.INSPECT, nav.QUEUE, nav.JUDGES)


def _make_sample(services: Services) -> None:
    """Runs with the names of the sample's, without its answers: the tour asks for no more."""
    for name in [*sample_week_names(), "2026-w43, rules alone"]:
        add_run(services, [Sample(answer="Blue.", question="Which?")], f"{SERIES} {name}", series=SERIES)


def test_each_of_five_pages_has_its_step(services: Services, open_page: OpenPage) -> None:
    _make_sample(services)
    for number, page in enumerate(_PAGES, start=1):
        assert f"**Tour, {number} of 5.**" in words_of(open_page(page)), page
    assert "**Tour," not in words_of(open_page(nav.TRENDS))


def test_a_closed_tour_stays_closed(services: Services, open_page: OpenPage) -> None:
    _make_sample(services)
    app = open_page(nav.OVERVIEW)
    app.button(key="tour.close").click().run()
    assert not app.exception
    assert "**Tour," not in words_of(app)
    app.switch_page(nav.JUDGES).run()
    assert "**Tour," not in words_of(app)


def test_a_store_of_ones_own_has_no_tour(services: Services, open_page: OpenPage) -> None:
    add_run(services, [Sample(answer="Blue.")], "mine", series=SERIES)
    assert "**Tour," not in words_of(open_page(nav.OVERVIEW))


@pytest.mark.parametrize("page", [nav.OVERVIEW, nav.INSPECT, nav.COMPARE, nav.TRENDS, nav.SOURCES, nav.QUEUE])
def test_an_empty_page_loads_the_sample_on_a_click(
    services: Services, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    def load(given: Services, *, on_step: Callable[[str], None]) -> int:
        on_step("Judged *one* run.")
        _make_sample(given)
        return 6

    monkeypatch.setattr(empty_state, "load_sample", load)
    app = open_page(page)
    assert "There are no runs yet." in words_of(app)
    app.button(key="empty.sample").click().run()
    assert not app.exception
    assert "There are no runs yet." not in words_of(app)


def test_who_may_not_start_runs_cannot_load_the_sample(
    services: Services, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(identity, "role", lambda: identity.Role.VIEWER)
    app = open_page(nav.OVERVIEW)
    app.button(key="empty.sample").click().run()
    assert [one.value for one in app.error]
    assert "There are no runs yet." in words_of(app)
