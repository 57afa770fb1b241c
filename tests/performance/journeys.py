"""Ten things that analysts do on the sample: clicks, keys and seconds until each is done. See README.md beside this."""

import argparse
import re
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from playwright.sync_api import Locator, expect

from tests.browser import collect_errors, launch, new_context
from tests.dashboard import ROOT, free_port
from tests.performance import tables
from tests.performance.first_hour import start_demo, wait_until_served
from tests.ui.browser.screen import Screen

_CSV = ROOT / "tests" / "data" / "support_bot" / "monday.csv"
_ANSWER = "Shared inboxes hold up to 50 members. Links expire after 7 days."
_CHUNKS = "Shared inboxes hold up to 20 members.\n\nLinks expire after 7 days."
_LABELS = 20
_PAGE_MS = 120_000


@dataclass(slots=True)
class Hand:
    """What a person does: each click, key and filled field is counted, and timed until the page is at rest."""

    screen: Screen
    clicks: int = 0
    keys: int = 0
    fields: int = 0
    seconds: float = 0.0

    def click(self, target: Locator) -> None:
        """Click, once the target can be clicked."""
        self.clicks += 1
        self._timed(target.click)

    def key(self, key: str) -> None:
        """Press a key."""
        self.keys += 1
        self._timed(lambda: self.screen.page.keyboard.press(key))

    def fill(self, field: Locator, text: str, *, enters: bool = False) -> None:
        """Write into a field; with `enters` also press Enter."""
        self.fields += 1
        self._timed(lambda: field.fill(text))
        if enters:
            self._timed(lambda: field.press("Enter"))

    def goes_to(self, page: str) -> None:
        """Click on a page's name in the sidebar."""
        self.click(self.screen.page.get_by_test_id("stPageLink-NavLink").filter(has_text=page))

    def button(self, name: str | re.Pattern[str]) -> Locator:
        """Return the button with that name."""
        exact = isinstance(name, str)
        return self.screen.main().get_by_role("button", name=name, exact=exact).first

    def sees(self, text: str | re.Pattern[str]) -> None:
        """Wait until that text is on screen, which counts as time of the machine."""
        begin = perf_counter()
        self.screen.sees(text)
        self.screen.settle()
        self.seconds += perf_counter() - begin

    def _timed(self, act: Callable[[], object]) -> None:
        begin = perf_counter()
        act()
        self.screen.settle()
        self.seconds += perf_counter() - begin


def first_five_minutes(hand: Hand) -> None:
    """When and why it fell and where, a wrong sentence with its evidence, and whether the judge can be trusted."""
    hand.sees("The claim that could do most harm")
    for button, page in (
        ("See why", "/changes"),
        ("See the wrong claims", "/answers"),
        ("See what reviewers found", "/review"),
        ("See how good the judge is", "/judges"),
    ):
        hand.click(hand.button(button))
        hand.screen.until_page(page)


def invented_fact(hand: Hand) -> None:
    """Paste an answer and its chunks, and see which claim they do not support. The page is open."""
    hand.screen.visit("/try")
    _paste(hand, "Check the answer")
    hand.sees(re.compile("Not faithful: 1 of 2 claims is not supported"))


def own_csv(hand: Hand) -> None:
    """Judge a file, open its worst claim and label it."""
    hand.screen.visit("/upload")
    begin = perf_counter()
    hand.clicks += 1
    hand.screen.upload(_CSV.name, _CSV.read_bytes())
    hand.seconds += perf_counter() - begin
    hand.click(hand.button("Judge the answers"))
    worst = hand.button("Inspect the worst")
    begin = perf_counter()
    expect(worst).to_be_visible()
    hand.screen.settle()
    hand.seconds += perf_counter() - begin
    hand.click(worst)
    hand.screen.until_page("/answers")
    hand.fill(hand.screen.page.get_by_role("textbox", name="Your name").first, "Mira", enters=True)
    hand.sees(re.compile(r"Contradicted \("))
    hand.key("4")
    hand.sees("reviewed by 1 reviewer")


def october(hand: Hand) -> None:
    """Why faithfulness fell on 14 October, and the worst answer that it spoilt, before and now."""
    hand.click(hand.screen.widget("overview.change.1").get_by_role("button"))
    hand.screen.until_page("/changes")
    expect(hand.screen.page.locator(".pair .claim").first).to_be_visible()


def spot_check(hand: Hand) -> None:
    """Set up a blind spot-check of 20 claims and label them."""
    hand.goes_to("Review")
    hand.screen.until_page("/review")
    page = hand.screen.page
    size = page.get_by_role("radio", name=re.compile(rf"^{_LABELS} labels"))
    if size.count() and not size.is_checked():
        hand.click(size)
    hand.fill(page.get_by_role("textbox", name="Your name").first, "Ada")
    hand.click(page.get_by_test_id("stFormSubmitButton").get_by_role("button", name="Start"))
    expect(hand.screen.claim(1)).to_be_visible()
    hand.screen.settle()
    for number in range(1, _LABELS + 1):
        hand.key("1")
        if number < _LABELS:
            hand.sees(re.compile(rf"Claim {number + 1} of \d+\."))


def two_judges(hand: Hand) -> None:
    """Compare two judges."""
    hand.goes_to("Judges")
    hand.screen.until_page("/judges")
    hand.click(hand.screen.page.get_by_role("radio", name="Side by side"))
    hand.sees(re.compile("Claims with different verdicts"))


def which_documents(hand: Hand) -> None:
    """Which documents changed, and which claims rest on them."""
    hand.goes_to("Changes")
    hand.screen.until_page("/changes")
    hand.click(hand.screen.page.get_by_role("radio", name="Documents"))
    hand.sees(re.compile("10 documents edited"))


def label_five(hand: Hand) -> None:
    """Find the claims on a topic and label five of them at once."""
    hand.goes_to("Claims")
    hand.screen.until_page("/claims")
    page = hand.screen.page
    hand.click(hand.button(re.compile("Your name")))
    hand.fill(page.get_by_role("textbox", name="Your name"), "Ada", enters=True)
    hand.fill(hand.screen.widget("inbox.find").locator("input"), "tray", enters=True)
    hand.screen.until_address(find="tray")
    for at in range(5):
        hand.click(page.locator("[data-faithview-inbox] .row .tick").nth(at))
    hand.key("3")
    hand.sees("Labelled")


def share(hand: Hand) -> None:
    """Copy a claim with its link, and save the run's report. Its answer is open."""
    hand.screen.visit("/answers")
    hand.click(hand.button("Share"))
    report = hand.screen.widget("inspect.report.texts.html").get_by_role("button")
    with hand.screen.page.expect_download() as saved:
        hand.click(report)
    if not saved.value.suggested_filename.endswith(".html"):
        raise RuntimeError(f"The report is called {saved.value.suggested_filename!r}.")


def guard(hand: Hand) -> None:
    """Correct an answer. The page is open."""
    hand.screen.visit("/try", tab="correct")
    _paste(hand, "Guard the answer")
    hand.sees(re.compile("Passes once corrected"))


def _paste(hand: Hand, button: str) -> None:
    page = hand.screen.page
    hand.fill(page.get_by_label("Question"), "How many?")
    hand.fill(page.get_by_role("textbox", name="Answer", exact=True), _ANSWER)
    hand.fill(page.get_by_role("textbox", name="Chunks", exact=True), _CHUNKS)
    hand.click(hand.button(button))


# Each with the most clicks and keys that it may take, the labels themselves left out.
_JOURNEYS: Mapping[str, tuple[Callable[[Hand], None], int]] = {
    "1 first five minutes": (first_five_minutes, 4),
    "2 invented fact": (invented_fact, 1),
    "4 14 October": (october, 2),
    "5 spot-check of 20": (spot_check, 22 + _LABELS),
    "6 two judges": (two_judges, 2),
    "7 which documents": (which_documents, 2),
    "8 topic, label five": (label_five, 10),
    "9 share": (share, 2),
    "10 guard": (guard, 1),
    "3 own CSV": (own_csv, 6),  # last: the pages then show its series
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Take the journeys and print the table; return 1 if one takes more clicks than it may."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", help="the beginning of a journey's name, such as 9")
    options = parser.parse_args(arguments)
    expect.set_options(timeout=_PAGE_MS)
    lines: list[list[str]] = []
    with tempfile.TemporaryDirectory() as place:
        port = free_port()
        command = [sys.executable, "-m", "faithview", "demo", "--no-browser", "--port", str(port)]
        process, log = start_demo(command, ROOT, Path(place))
        try:
            wait_until_served(process, port, log)
            with launch() as browser:
                for name, (take, most) in _JOURNEYS.items():
                    if options.only and not name.startswith(f"{options.only} "):
                        continue
                    with new_context(browser) as context:  # a browser that knows nothing
                        page = context.new_page()
                        page.set_default_timeout(_PAGE_MS)
                        screen = Screen(page=page, url=f"http://127.0.0.1:{port}", errors=collect_errors(page))
                        screen.open("/")
                        hand = Hand(screen)
                        take(hand)
                    done = hand.clicks + hand.keys
                    is_met = done <= most
                    figures = [str(hand.clicks), str(hand.keys), str(hand.fields), f"{hand.seconds:.1f}"]
                    lines.append([name, *figures, str(most), "yes" if is_met else "NO"])
                    sys.stderr.write(f"{' | '.join(lines[-1])}\n")
        finally:
            process.terminate()
            process.wait()
    sys.stdout.write(f"{tables.machine()}\n")
    columns = ["journey", "clicks", "keys", "fields", "machine, s", "most clicks and keys", "met"]
    tables.show("Clicks and seconds from the Overview, or from the page that is named", columns, lines)
    return int(any(line[-1] == "NO" for line in lines))


if __name__ == "__main__":
    sys.exit(main())
