"""The sample can be loaded from an empty page, and its tour leads through five pages and can be closed."""

from collections.abc import Callable

import pytest

from faithview import Sample
from faithview.domain.project import Role
from faithview.services.container import Store
from faithview.services.demo import SERIES, sample_week_names
from faithview.ui import membership, navigation
from faithview.ui.widgets import empty_state
from tests.factories import add_run
from tests.ui.conftest import OpenPage, words_of

pytestmark = pytest.mark.process  # takes long

_PAGES = (navigation.OVERVIEW, navigation.CHANGES, navigation.ANSWERS, navigation.REVIEW, navigation.JUDGES)


def _make_sample(services: Store) -> None:
    """Runs with the names of the sample's, without its answers: the tour asks for no more."""
    for name in [*sample_week_names(), "2026-w43, rules alone"]:
        add_run(services, [Sample(answer="Blue.", question="Which?")], f"{SERIES} {name}", series=SERIES)


def test_each_of_five_pages_has_its_step(services: Store, open_page: OpenPage) -> None:
    _make_sample(services)
    for number, page in enumerate(_PAGES, start=1):
        assert f"**Tour, {number} of 5.**" in words_of(open_page(page)), page
    for page in (navigation.TRENDS, f"{navigation.CHANGES}?tab={navigation.BEFORE}"):
        assert "**Tour," not in words_of(open_page(page)), page


def test_a_closed_tour_stays_closed(services: Store, open_page: OpenPage) -> None:
    _make_sample(services)
    app = open_page(navigation.OVERVIEW)
    app.button(key="tour.close").click().run()
    assert not app.exception
    assert "**Tour," not in words_of(app)
    app.switch_page(navigation.JUDGES).run()
    assert "**Tour," not in words_of(app)


def test_a_store_of_ones_own_has_no_tour(services: Store, open_page: OpenPage) -> None:
    add_run(services, [Sample(answer="Blue.")], "mine", series=SERIES)
    assert "**Tour," not in words_of(open_page(navigation.OVERVIEW))


@pytest.mark.parametrize(
    "page",
    [
        navigation.OVERVIEW,
        navigation.ANSWERS,
        navigation.CHANGES,
        navigation.TRENDS,
        f"{navigation.WEAK_SPOTS}?tab=sources",
        navigation.REVIEW,
    ],
)
def test_an_empty_page_loads_the_sample_on_a_click(
    services: Store, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    def load(given: Store, *, on_step: Callable[[str], None]) -> int:
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
    services: Store, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(membership, "own_role", lambda: Role.VIEWER)
    app = open_page(navigation.OVERVIEW)
    app.button(key="empty.sample").click().run()
    assert [one.value for one in app.error]
    assert "There are no runs yet." in words_of(app)
