"""The back button undoes a choice, also where the browser still sends what the choice was."""

import pytest
from playwright.sync_api import expect

from faithview.services.container import Store
from faithview.services.results import list_runs
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser

# On a step back, Streamlit sends two messages: one without what the widgets hold, then one with what they held before.
# The second is late here, as it is where the browser is busy: the script has then set the widgets anew.
_LATE = """
(() => {
  const send = WebSocket.prototype.send;
  let last = -Infinity;
  window.lateMessages = 0;
  WebSocket.prototype.send = function (data) {
    const now = performance.now();
    const isSecond = window.makesLate > 0 && now - last < 300;
    last = now;
    if (!isSecond) return send.call(this, data);
    setTimeout(() => { send.call(this, data); window.lateMessages += 1; }, window.makesLate);
  };
})();
"""


def _listed(screen: Screen) -> list[str]:
    screen.until(lambda: bool(screen.listed()), "the list is drawn")
    return screen.listed()


def _go_back(screen: Screen, delay_ms: int) -> None:
    _make_late(screen, delay_ms)
    screen.page.go_back()
    _wait_for_late(screen)


def _make_late(screen: Screen, delay_ms: int) -> None:
    screen.page.evaluate("(delay) => { window.makesLate = delay; window.lateMessages = 0; }", delay_ms)


def _wait_for_late(screen: Screen) -> None:
    screen.page.wait_for_function("() => window.lateMessages > 0")
    screen.page.evaluate("() => { window.makesLate = 0; }")
    screen.settle()


@pytest.mark.parametrize("delay_ms", [50, 1000])
def test_a_step_back_and_a_link_turn_the_pages_of_the_answers(screen: Screen, services: Store, delay_ms: int) -> None:
    run = list_runs(services)[0]
    screen.page.add_init_script(_LATE)
    screen.open("/answers", run=run.run_id)
    first = _listed(screen)
    screen.page.get_by_test_id("stPaginationNext").click()
    screen.until(lambda: screen.listed() not in ([], first), "the second page is listed")
    screen.settle()
    second = _listed(screen)
    _go_back(screen, delay_ms)
    screen.until_address(row=None)
    screen.until(lambda: screen.listed() == first, "the first page is listed")
    screen.visit("/answers", run=run.run_id, row=second[1])
    screen.until(lambda: screen.listed() == second, "the second page is listed")
    _make_late(screen, delay_ms)
    screen.visit("/answers", run=run.run_id, row=first[1])
    _wait_for_late(screen)
    screen.until(lambda: screen.listed() == first, "the first page is listed")
    screen.until_address(row=first[1])


@pytest.mark.parametrize("delay_ms", [50, 1000])
def test_a_step_back_is_not_undone_by_what_the_widgets_held(screen: Screen, services: Store, delay_ms: int) -> None:
    runs = sorted(list_runs(services), key=lambda run: run.as_of)
    screen.page.add_init_script(_LATE)
    screen.open("/changes", baseline=runs[0].run_id, candidate=runs[1].run_id)
    before = _listed(screen)
    everything = screen.page.get_by_role("radio", name="all (")
    everything.click()
    screen.until_address(changes="all")
    screen.settle()
    expect(everything).to_be_checked()
    _go_back(screen, delay_ms)
    screen.until_address(changes=None)
    expect(everything).not_to_be_checked()
    screen.until(lambda: screen.listed() == before, "the list is as it was")


@pytest.mark.parametrize("delay_ms", [50, 1000])
def test_a_step_back_takes_a_filter_of_inspect_away(screen: Screen, services: Store, delay_ms: int) -> None:
    (run, *_) = list_runs(services)
    screen.page.add_init_script(_LATE)
    screen.open("/answers", run=run.run_id)
    before = _listed(screen)
    screen.filter_by("Verdict", "contradicted")
    screen.until_address(verdict="contradicted")
    screen.settle()
    screen.until(lambda: screen.listed() != before, "the list is filtered")
    _go_back(screen, delay_ms)
    screen.until_address(verdict=None)
    screen.until(lambda: screen.listed() == before, "the list is as it was")
