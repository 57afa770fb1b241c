"""How long the pages of reviewing take with 100,000 claims and 20,000 labels, and with a tenth. See README.md."""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

from playwright.sync_api import Browser, Page

from faithview.domain.claim import Verdict
from faithview.services.container import Store
from faithview.services.review.spot_checks import Strata
from faithview.stats.spot_check import Unit
from faithview.store import labels, spot_checks
from tests.browser import launch, new_context
from tests.dashboard import start_dashboard
from tests.factories import draw_check, make_label, open_services
from tests.performance import tables
from tests.performance.dashboard import Times, show_actions
from tests.performance.driving import WATCHER
from tests.performance.review import give_labels
from tests.performance.stores import LARGE, RUN_ID, SMALL, cached_store

_LABELS_AN_ANSWER = 2
_DRAWN = 2_000
_LABELLED = 400
_AT = datetime(2026, 4, 2, 9, tzinfo=UTC)
_SETTLE_MS = 250
_MAIN = '[data-testid="stMain"]'
_VIEWS = ("reviewed", "corrected", "judge")
# What Overview says in one view alone.
_ON_OVERVIEW = {
    "judge": "By the judge",
    "reviewed": "Showing reviewers' verdicts",
    "corrected": "Showing scores corrected",
}
_IN_WORDS = {"judge": "by the judge", "reviewed": "reviewed", "corrected": "corrected"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the table, and return 0 if every target is met, else 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "faithview-performance")
    parser.add_argument("--repetitions", type=int, default=7)
    options = parser.parse_args(arguments)
    times = Times()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="faithview-review-")))
        browser = stack.enter_context(launch())
        sessions = {}
        for rows in (LARGE, SMALL):
            url = _labelled_store(options.folder, folder, rows)
            with open_services(url) as services:
                check = _draw(services)
            dashboard = start_dashboard(url, log=options.folder / f"review-{rows}.log")
            stack.callback(dashboard.stop)
            sessions[rows] = _Reviewer(browser, dashboard.url, check)
        for number in range(options.repetitions + 1):
            for rows, session in sessions.items():
                found = Times() if number == 0 else times  # the first round is what only the first session waits for
                _act(found, rows, session)
    sys.stdout.write(f"{tables.machine()}; {options.repetitions} repetitions, all times in ms\n")
    return 0 if show_actions(times) else 1


class _Reviewer:
    """A person with the dashboard open, who labels and looks around."""

    def __init__(self, browser: Browser, url: str, check: int) -> None:
        context = new_context(browser)
        context.add_init_script(WATCHER)
        self.page: Page = context.new_page()
        self._url = url
        self._check = check
        self._labelled = _LABELLED
        context.add_cookies([{"name": "faithview_reviewer", "value": "Ada", "url": url}])
        self.page.goto(f"{url}/review")
        self.page.get_by_role("heading", name="New spot-check").wait_for()

    def go(self, path: str, *words: str, selector: str | None = None) -> float:
        """Go to a page by its link in the sidebar; it is there once it shows these words."""
        link = self.page.locator(f'[data-testid="stPageLink-NavLink"][href="{self._url}{path}"]')
        return self._measure(link.click, *words, selector=selector)

    def choose(self, words: str, *shown: str) -> float:
        """Choose one of the segments of a control."""
        button = self.page.locator(f"{_MAIN} button").filter(has_text=words).first
        return self._measure(button.click, *shown)

    def open_queue(self) -> float:
        """Open the spot-check from the list of them."""
        button = (
            self.page.locator(f"{_MAIN} button")
            .filter(has_text="Start")
            .or_(self.page.locator(f"{_MAIN} button").filter(has_text="Continue"))
        )
        return self._measure(button.first.click, self._progress())

    def label(self) -> float:
        """Press the key for "supported" and wait for the next claim."""
        self._labelled += 1
        return self._measure(lambda: self.page.keyboard.press("1"), self._progress())

    def _progress(self) -> str:
        return f"{self._labelled:,} of "

    def _measure(self, act: Callable[[], None], *words: str, selector: str | None = None) -> float:
        self.page.wait_for_timeout(_SETTLE_MS)
        self.page.evaluate("(expected) => fv.watch('words', null, expected)", {"words": words, "selector": selector})
        act()
        return float(self.page.evaluate("() => fv.pending"))


def _act(times: Times, rows: int, session: _Reviewer) -> None:
    times.add("open the list of spot-checks", rows, session.go("/review", "labelled"))
    times.add("open a spot-check", rows, session.open_queue())
    for _ in range(3):
        times.add("label a claim and get the next one", rows, session.label())
    for name in ("open the judges page after a label", "open it again"):
        times.add(name, rows, session.go("/judges", "Reviewers agree with", "mistakes", selector=".js-plotly-plot"))
        if name != "open it again":
            session.go("/settings", "Settings")
    times.add("agreement among reviewers, after a label", rows, session.choose("Reviewers", "Every two reviewers"))
    session.choose("Judges", "Reviewers agree with")  # or the page would open there next time
    session.go("/settings", "Settings")
    times.add("open the overview", rows, session.go("/", "What changed last"))
    for view in _VIEWS:
        shown = _ON_OVERVIEW[view]
        times.add(f"overview: switch to {view}", rows, session.choose(view, shown))
    session.go("/answers", "Faithfulness by the judge")
    for view in _VIEWS:
        shown = f"Faithfulness {_IN_WORDS[view]}"
        times.add(f"inspect: switch to {view}", rows, session.choose(view, shown))


def _labelled_store(kept: Path, folder: Path, rows: int) -> str:
    source = Path(cached_store(kept, rows).removeprefix("sqlite:///"))
    labelled = kept / f"{source.stem}-labelled.db"
    if not labelled.exists():
        unfinished = labelled.with_suffix(".unfinished")
        shutil.copyfile(source, unfinished)
        with open_services(unfinished) as services:
            give_labels(services, _LABELS_AN_ANSWER * rows)
        unfinished.rename(labelled)
    copy = folder / f"{rows}.db"
    shutil.copyfile(labelled, copy)
    return f"sqlite:///{copy}"


def _draw(services: Store) -> int:
    """Draw a spot-check of which a part is labelled, so that there is a corrected score to show."""
    # Claims drawn singly: of a whole answer some claim has an imported label that says otherwise, which is a tie.
    check = draw_check(
        services, RUN_ID, size=_DRAWN, name="Spot-check", unit=Unit.CLAIM, strata=Strata.SCORE, is_blind=False, by="Ada"
    )
    given = []
    for position in range(1, _LABELLED + 1):
        item = spot_checks.get_item(services.db, check, position).drawn
        label = make_label(
            Verdict.SUPPORTED if position % 4 else Verdict.CONTRADICTED,
            item.claim_number,
            by="Ben",
            at=_AT,
            spot_check_id=check,
            inclusion_probability=item.inclusion_probability,
        )
        given.append((item.row, label))
    labels.add_labels(services.db, RUN_ID, given)
    return check


if __name__ == "__main__":
    sys.exit(main())
