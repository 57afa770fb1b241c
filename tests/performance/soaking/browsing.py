"""A person at a browser: labels claims with keys, compares what was stored with what was marked, looks at pages."""

import itertools
import time
from dataclasses import dataclass

from playwright.sync_api import Browser, Error

from faithview.domain.run import Run
from faithview.services.container import Store
from tests.browser import launch, new_context
from tests.factories import open_services
from tests.label_presses import RECORDER, compare, press_on_inspect
from tests.payloads import PAGES
from tests.ui.browser.screen import new_profile, new_screen

_ANSWERS_A_VISIT = 3
_PAUSE_MS = 150
_PAGES_A_VISIT = 4
_WAIT_MS = 60_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Browsed:
    """What people at browsers did; `reviewers` are the names under which `stored` labels were given."""

    presses: int = 0
    stored: int = 0
    refused: int = 0
    pages: int = 0
    reviewers: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()

    def __add__(self, other: "Browsed") -> "Browsed":
        return Browsed(
            presses=self.presses + other.presses,
            stored=self.stored + other.stored,
            refused=self.refused + other.refused,
            pages=self.pages + other.pages,
            reviewers=self.reviewers + other.reviewers,
            faults=self.faults + other.faults,
        )


def browse(address: str, store: str, run: Run, *, number: int, until: float) -> Browsed:
    """Work until that moment (`time.monotonic`), in a browser of its own."""
    done = Browsed()
    paths = itertools.cycle(PAGES[number:] + PAGES[:number])
    with launch() as browser, open_services(store) as services:
        for visit in itertools.count():
            if time.monotonic() > until:
                break
            done += _label(browser, address, services, run, reviewer=f"browser {number} visit {visit}")
            done += _look(browser, address, run, [next(paths) for _ in range(_PAGES_A_VISIT)])
    return done


def _label(browser: Browser, address: str, services: Store, run: Run, *, reviewer: str) -> Browsed:
    context = new_context(browser)
    try:
        context.add_init_script(RECORDER)
        name = reviewer.replace(" ", "%20")
        context.add_cookies([{"name": "faithview_reviewer", "value": name, "url": address}])
        page = context.new_page()
        page.goto(f"{address}/answers?run={run.run_id}&order=File+order")
        page.wait_for_function("window.readPage && readPage().answer !== null", timeout=_WAIT_MS)
        page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for(timeout=_WAIT_MS)
        press_on_inspect(page, answers=_ANSWERS_A_VISIT, pause_ms=_PAUSE_MS)
        figures = compare(page, services, run, reviewer=reviewer)
    except Error as error:
        return Browsed(reviewers=(reviewer,), faults=(f"{reviewer}: {str(error).splitlines()[0]}",))
    finally:
        context.close()
    faults = [f"{reviewer}: {problem}" for problem in figures.problems]
    if figures.lost:
        faults.append(f"{reviewer}: {figures.lost} presses were neither stored nor refused")
    return Browsed(
        presses=figures.presses,
        stored=figures.stored,
        refused=figures.refused,
        reviewers=(reviewer,),
        faults=tuple(faults),
    )


def _look(browser: Browser, address: str, run: Run, paths: list[str]) -> Browsed:
    faults: list[str] = []
    with new_profile(browser) as profile:
        for path in paths:
            screen = new_screen(profile, address)
            try:
                screen.open(path, run=run.run_id)
            except (AssertionError, Error) as error:
                faults.append(f"{path}: {str(error).splitlines()[0]}")
            faults += [f"{path}: {trouble}" for trouble in screen.troubles]
            screen.page.close()
    return Browsed(pages=len(paths), faults=tuple(faults))
