"""The back button undoes a choice, also where the browser still sends what the choice was."""

import pytest

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


def _go_back(screen: Screen) -> None:
    _make_late(screen)
    screen.page.go_back()
    _wait_for_late(screen)


def _make_late(screen: Screen) -> None:
    screen.page.evaluate("() => { window.makesLate = 300; window.lateMessages = 0; }")


def _wait_for_late(screen: Screen) -> None:
    screen.page.wait_for_timeout(700)  # there may be no second message
    screen.page.evaluate("() => { window.makesLate = 0; }")
    screen.settle()


def test_a_step_back_and_a_link_turn_the_pages_of_the_answers(screen: Screen, services: Store) -> None:
    run = list_runs(services)[0]
    screen.page.add_init_script(_LATE)
    screen.open("/answers", run=run.run_id)
    first = _listed(screen)
    screen.page.get_by_test_id("stPaginationNext").click()
    screen.until(lambda: screen.listed() not in ([], first), "the second page is listed")
    screen.settle()
    second = _listed(screen)
    _go_back(screen)
    screen.until_address(row=None)
    screen.until(lambda: screen.listed() == first, "the first page is listed")
    screen.visit("/answers", run=run.run_id, row=second[1])
    screen.until(lambda: screen.listed() == second, "the second page is listed")
    _make_late(screen)
    screen.visit("/answers", run=run.run_id, row=first[1])
    _wait_for_late(screen)
    screen.until(lambda: screen.listed() == first, "the first page is listed")
    screen.until_address(row=first[1])


def test_a_step_back_takes_a_filter_of_inspect_away(screen: Screen, services: Store) -> None:
    (run, *_) = list_runs(services)
    screen.page.add_init_script(_LATE)
    screen.open("/answers", run=run.run_id)
    before = _listed(screen)
    screen.filter_by("Verdict", "contradicted")
    screen.until_address(verdict="contradicted")
    screen.settle()
    screen.until(lambda: screen.listed() != before, "the list is filtered")
    _go_back(screen)
    screen.until_address(verdict=None)
    screen.until(lambda: screen.listed() == before, "the list is as it was")
