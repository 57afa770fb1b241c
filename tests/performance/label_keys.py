"""Measures whether labels given with fast keys on a slow server are on the claims that were marked.

Run from the checkout: `python -m tests.performance.label_keys [--labels 200] [--delay 2]`. Half of the labels are given
on Inspect and half in the queue, with 50, 150 and 400 ms between two keys. It exits with 1 if a label is on a claim
that was not marked when its key went down, or if a press is neither stored nor refused on the page.
"""

import argparse
import contextlib
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page

from faithview.domain.run import Run
from faithview.services.container import Store
from tests.browser import launch, new_context
from tests.factories import add_judged_run, draw_check, open_services
from tests.label_presses import (
    CLAIMS,
    RECORDER,
    Figures,
    compare,
    many_claim_samples,
    press_in_queue,
    press_on_inspect,
    start_slow_dashboard,
)
from tests.performance import tables

_PAUSES_MS = (50, 150, 400)


def main() -> int:
    """Give the labels and print what became of the presses; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--labels", type=int, default=200)
    parser.add_argument("--delay", type=float, default=2.0, help="seconds that the server waits before each script run")
    options = parser.parse_args()
    each = -(-options.labels // (2 * len(_PAUSES_MS)))  # on each page with each pause
    answers = -(-each // CLAIMS)
    sys.stdout.write(f"{tables.machine()}; {options.delay:g} s before each run of the script\n")
    is_good = True
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="faithview-keys-")))
        url = f"sqlite:///{folder / 'faithview.db'}"
        services = stack.enter_context(open_services(url))
        run = add_judged_run(services, many_claim_samples(answers), "inboxes")
        dashboard = start_slow_dashboard(url, log=folder / "slow.log", delay_s=options.delay)
        stack.callback(dashboard.stop)
        browser = stack.enter_context(launch())
        for pause in _PAUSES_MS:
            page = _sit_down(browser, f"{dashboard.url}/answers?run={run.run_id}&order=File+order", f"Ada {pause}")
            press_on_inspect(page, answers=answers, pause_ms=pause)
            figures = compare(page, services, run, reviewer=f"Ada {pause}")
            is_good &= _report(f"Inspect, {pause} ms", figures)
            check = _draw(services, run, size=each + 3)
            page = _sit_down(browser, f"{dashboard.url}/review?check={check}", f"Ben {pause}")
            press_in_queue(page, taken=each, pause_ms=pause)
            figures = compare(page, services, run, reviewer=f"Ben {pause}")
            is_good &= _report(f"Queue, {pause} ms", figures)
    return 0 if is_good else 1


def _sit_down(browser: Browser, address: str, name: str) -> Page:
    context = new_context(browser)
    context.add_init_script(RECORDER)
    context.add_cookies([{"name": "faithview_reviewer", "value": name.replace(" ", "%20"), "url": address}])
    page = context.new_page()
    page.goto(address)
    page.wait_for_function("window.readPage && readPage().answer !== null", timeout=60_000)
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for(timeout=60_000)
    return page


def _draw(services: Store, run: Run, *, size: int) -> int:
    return draw_check(services, run.run_id, size=size, name="check", is_blind=False, by="Ada")


def _report(what: str, figures: Figures) -> bool:
    sys.stdout.write(f"{what}: {figures}\n" + "".join(f"  wrong: {problem}\n" for problem in figures.problems))
    sys.stdout.flush()
    return figures.wrong == 0 and figures.lost == 0


if __name__ == "__main__":
    sys.exit(main())
