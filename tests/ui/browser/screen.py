"""The dashboard as a person sees it: opens pages, waits until they are still, reads them, and collects errors."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlencode, urlsplit

from playwright.sync_api import Browser, BrowserContext, FloatRect, Locator, Page, expect

from tests.browser import collect_errors, new_context
from tests.ui.browser.reruns import wait_until_answered, watch_reruns

_TIMEOUT_MS = 45_000  # spent only where a test fails: a loaded machine is slow, and that is no fault
_ROW_PX = 35  # how high Streamlit draws a row of a table, and its heading
_ROLE_PX = 240  # within the second column of the table of an upload's columns
_FRAMES = (
    "new Promise((done) => { let n = 6; const next = () => (--n ? requestAnimationFrame(next) : done()); next(); })"
)
# Streamlit asks its server for the page of an address that the browser's history leads to.
_VISIT = "(address) => { history.pushState(null, '', address); dispatchEvent(new PopStateEvent('popstate')); }"
# A moment rather than none: scripts may wait for the event at the end of a transition.
_AT_ONCE = """(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`*, *::before, *::after {
        transition-duration: 0.01ms !important; transition-delay: 0s !important;
        animation-duration: 0.01ms !important; animation-delay: 0s !important; animation-iteration-count: 1 !important;
    }`);
    document.adoptedStyleSheets.push(sheet);
    const attach = Element.prototype.attachShadow;
    Element.prototype.attachShadow = function (options) {
        const root = attach.call(this, options);
        root.adoptedStyleSheets.push(sheet);
        return root;
    };
})()"""
_HERE = ("127.0.0.1", "localhost")


@dataclass(slots=True, kw_only=True)
class Screen:
    """One page of the dashboard. `troubles` grows with console errors and with requests to another machine."""

    page: Page
    url: str
    errors: list[str]
    requests: list[str] = field(default_factory=list)

    @property
    def troubles(self) -> list[str]:
        """What went wrong so far."""
        strangers = [url for url in self.requests if not _is_here(url)]
        return [*self.errors, *(f"asked {url}" for url in strangers)]

    def forget_troubles(self) -> None:
        """Begin anew with what goes wrong."""
        self.errors.clear()
        self.requests.clear()

    def review_as(self, name: str) -> None:
        """Have the browser remember who reviews, as it does once somebody has given a name."""
        self.page.context.add_cookies([{"name": "faithview_reviewer", "value": name, "url": self.url}])

    def open(self, path: str, **parameters: str) -> "Screen":
        """Open an address as a link from elsewhere does, in a session of its own, and wait until it stands."""
        self.page.goto(self._address(path, parameters))
        return self.settle()

    def visit(self, path: str, **parameters: str) -> "Screen":
        """Go to an address in the session that is open, as the back button does, and wait until it stands.

        Loading the page takes most of what opening it does, and is left out here.
        """
        if not self._is_in_navigation(path.partition("?")[0]):
            return self.open(path, **parameters)
        self.page.evaluate(_VISIT, self._address(path, parameters))
        return self.settle()

    def _is_in_navigation(self, path: str) -> bool:
        # Streamlit stays on its page where the history leads to one that its navigation does not list.
        links = self.page.get_by_test_id("stPageLink-NavLink")
        listed: list[str] = links.evaluate_all("links => links.map((link) => link.href.split('?')[0])")
        return f"{self.url}{path}" in listed

    def _address(self, path: str, parameters: Mapping[str, str]) -> str:
        return f"{self.url}{path}" + (f"{'&' if '?' in path else '?'}{urlencode(parameters)}" if parameters else "")

    def settle(self) -> "Screen":
        """Wait until the script has run for all that was done and has ended; nothing may have been raised."""
        wait_until_answered(self.page)
        expect(self.page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]')).to_be_visible()
        # A skeleton is in the place of an element whose script the browser still fetches.
        expect(self.page.locator('[data-stale="true"], [data-testid="stSkeleton"]')).to_have_count(0)
        raised = self.page.get_by_test_id("stException")
        try:
            expect(raised).to_have_count(0)
        except AssertionError as error:
            raise AssertionError("\n".join(raised.all_inner_texts())) from error
        return self

    def hold_still(self, *, pointer_on: Locator | None = None) -> "Screen":
        """Wait until nothing on the page changes any more, with the pointer on that element or on none."""
        self.settle()
        if pointer_on is None:
            self.page.mouse.move(0, 0)
        else:
            pointer_on.hover()
            self.until(lambda: pointer_on.get_attribute("data-hovered") is not None, "the element knows of the pointer")
        self.page.evaluate(f"document.fonts.ready.then(() => {_FRAMES})")
        return self.settle()

    def main(self) -> Locator:
        """What is beside the sidebar."""
        return self.page.get_by_test_id("stMain")

    def sees(self, text: str | re.Pattern[str]) -> None:
        """Wait until that text stands somewhere on the page."""
        expect(self.main().get_by_text(text).first).to_be_visible()

    def sees_in_sidebar(self, text: str) -> None:
        """Wait until that text stands in the sidebar."""
        expect(self.page.get_by_test_id("stSidebar").get_by_text(text).first).to_be_visible()

    def press(self, name: str) -> None:
        """Press the button with that name once the page stands: a button that is drawn anew may lose a click."""
        self.settle()
        self.page.get_by_role("button", name=name, exact=True).click()

    def open_expander(self, name: str) -> None:
        """Unfold a part of the page, if it is folded."""
        part = self.page.get_by_test_id("stExpander").filter(has=self.page.get_by_text(name, exact=True))
        if part.locator("details[open]").count() == 0:
            part.locator("summary").click()
        expect(part.locator("details[open]")).to_have_count(1)

    def key(self, key: str) -> None:
        """Press a key once the page stands: what takes the key may be drawn after the text that a test waited for."""
        self.settle()
        self.page.keyboard.press(key)

    def enter(self, field: Locator, text: str) -> None:
        """Write into a field once the page stands, and press Enter: a form takes it only once its button is drawn."""
        self.settle()
        field.fill(text)
        field.press("Enter")

    def write(self, field: Locator, text: str) -> None:
        """Write into a field and leave it, so that what is pressed next does not move away when the field is sent."""
        self.settle()
        field.fill(text)
        field.blur()
        self.settle()

    def pick(self, name: str) -> None:
        """Pick one of several choices that lie side by side, by its words."""
        self.settle()
        self.page.get_by_role("radio", name=name, exact=True).click()
        self.settle()

    def widget(self, key: str) -> Locator:
        """The widget with that key, or with the one that it has since something else changed what it shows."""
        name = f"st-key-{re.sub(r'[^A-Za-z0-9_-]', '-', key)}"
        return self.page.locator(f'.{name}, [class*="{name}-turn-"]')

    def choose(self, key: str, option: str) -> None:
        """Choose an option of a select box, by its words."""
        self.settle()
        self.widget(key).locator("button").last.click()
        self.page.get_by_role("option", name=option, exact=True).click()
        self.settle()

    def choose_new(self, key: str, text: str) -> None:
        """Write an option that a select box does not have yet, and choose it."""
        self.settle()
        field = self.widget(key).locator("input")
        field.fill(text)
        self.page.get_by_role("option", name=text).first.click()
        self.settle()

    def upload(self, name: str, content: bytes) -> None:
        """Give the upload page a file."""
        field_ = self.page.get_by_test_id("stFileUploader").locator("input[type=file]")
        field_.set_input_files({"name": name, "mimeType": "application/octet-stream", "buffer": content})
        expect(self.page.get_by_role("button", name=f"Remove {name}", exact=True)).to_be_visible()
        self.settle()

    def begin_series(self) -> None:
        """Say that the file on the upload page is another application, where the page asks."""
        another = self.main().get_by_text("No, new series", exact=True)
        if another.count():
            another.first.click()
            self.settle()

    def parameters(self) -> Mapping[str, str]:
        """What the address says."""
        return {name: values[0] for name, values in parse_qs(urlsplit(self.page.url).query).items()}

    def path(self) -> str:
        """Which page the address names."""
        return urlsplit(self.page.url).path

    def until(self, holds: Callable[[], bool], what: str) -> None:
        """Wait until something holds."""
        for _ in range(_TIMEOUT_MS // 50):
            if holds():
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"Within {_TIMEOUT_MS / 1000:.0f} s it did not happen that {what}; at {self.page.url}.")

    def until_page(self, path: str) -> None:
        """Wait until the page at that path is open and stands."""
        self.until(lambda: self.path() == path, f"{path} opens")
        self.settle()

    def until_address(self, **expected: str | None) -> None:
        """Wait until the address says so; None means that it does not name it."""
        self.until(
            lambda: all(self.parameters().get(n) == v for n, v in expected.items()), f"the address says {expected}"
        )

    # ---- what is drawn on a canvas or moves: no locator of playwright's finds the place to click

    def middle_of(self, drawn: Locator) -> tuple[float, float]:
        """Return where the middle of a drawing is once the page stands and the drawing no longer moves."""
        box = self._still_box(drawn)
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def click_row(self, table: Locator, row: int, *, x: int) -> None:
        """Click into a row of a table, the first being 1, so many pixels from the table's left edge."""
        self.settle()  # before, the table of the page as it was may still be there
        table.scroll_into_view_if_needed()
        expect(table.locator("canvas table").first).to_be_attached()  # before, a click goes nowhere
        box = self._still_box(table)
        self.page.mouse.click(box["x"] + x, box["y"] + (row + 0.5) * _ROW_PX)

    def _still_box(self, drawn: Locator) -> FloatRect:
        self.settle()
        expect(drawn).to_be_visible()
        found: list[FloatRect] = []

        def stands() -> bool:
            before = drawn.bounding_box()
            self.page.evaluate(_FRAMES)
            after = drawn.bounding_box()
            if after is not None and after == before:
                found.append(after)
            return bool(found)

        self.until(stands, "the drawing stands still")
        return found[0]

    # ---- the components, whose parts lie in shadow roots that playwright's selectors look into

    def listed(self) -> list[str]:
        """The keys of the list of answers."""
        keys: list[str] = self.page.locator(".reader .row").evaluate_all("rows => rows.map((row) => row.dataset.key)")
        return keys

    def row(self, key: str) -> Locator:
        """One row of the list of answers."""
        return self.page.locator(f'.reader .row[data-key="{key}"]')

    def opened_row(self) -> Locator:
        """The row of the list that is open."""
        return self.page.locator('.reader .row[aria-selected="true"]')

    def claim(self, number: int) -> Locator:
        """One claim in the list of claims."""
        return self.page.locator(f".claim[data-claim='{number}']")

    def select_claim(self, number: int) -> None:
        """Click on a claim in the list of claims, which may be folded away among the supported ones."""
        fold = self.page.locator(".reader .fold[aria-expanded=false]")
        expect(self.page.locator(".reader .claim:visible, .reader .fold:visible").first).to_be_visible()
        if not self.claim(number).is_visible():
            fold.click()
        self.claim(number).click()

    def filter_by(self, label: str, *options: str) -> None:
        """Choose values of one of Answers's filters, by their words."""
        self.page.get_by_role("button", name=re.compile(r"Filter( \(\d\))?$")).click()
        for option in options:
            field_ = self.page.get_by_test_id("stPopoverBody").get_by_role("combobox", name=label)
            field_.click()
            self.page.get_by_role("option", name=option, exact=True).click()
            self.settle()
        self.page.keyboard.press("Escape")
        self.page.keyboard.press("Escape")

    def selected_claim(self) -> Locator:
        """The claim that is selected."""
        return self.page.locator(".claim[aria-current=true]")

    def answer(self) -> Locator:
        """The answer, as text."""
        return self.page.locator(".reader .left .text")

    def chunks(self) -> Locator:
        """The chunks' pane."""
        return self.page.locator(".reader .right")

    def lit(self, pane: str) -> list[str]:
        """The words lit in the pane "answer" or "chunks"."""
        place = {"answer": ".left", "chunks": ".right"}[pane]
        return [text for text in self.page.locator(f".reader {place} .mark.lit").all_inner_texts() if text]

    def sheet(self) -> Locator:
        """The columns of an uploaded file with what each is: what a screen reader is told of the table."""
        return self.grid().first

    def role_of(self, column: str) -> Locator:
        """What an uploaded file's column is, as the table says it."""
        return self.sheet().locator(f'tr:has(td:first-child:text-is("{column}")) td:nth-child(2)')

    def give_role(self, column: str, role: str) -> None:
        """Say what an uploaded file's column is."""
        expect(self.role_of(column)).to_be_attached()
        names = self.sheet().locator("td:first-child").all_inner_texts()
        self.click_row(self.main().get_by_test_id("stDataFrame").first, names.index(column) + 1, x=_ROLE_PX)
        self.page.keyboard.press("Enter")
        self.page.get_by_role("option", name=role, exact=True).click()
        expect(self.role_of(column)).to_have_text(role)
        self.settle()

    def grid(self) -> Locator:
        """The cells of the table on the page: what a screen reader is told of it."""
        return self.main().locator('[data-testid="stDataFrame"] canvas table')


def new_profile(browser: Browser, *, color_scheme: str = "light", moves: bool = False) -> BrowserContext:
    """Open a browser profile that knows nothing yet; `color_scheme` is "light" or "dark".

    It asks pages to keep still unless it `moves`, and takes the time out of all transitions of colours and places, of
    which Streamlit's own heed no such wish.
    """
    context = new_context(browser, color_scheme=color_scheme, moves=moves)
    if not moves:
        context.add_init_script(_AT_ONCE)
    context.set_default_timeout(_TIMEOUT_MS)
    expect.set_options(timeout=_TIMEOUT_MS)
    watch_reruns(context)
    return context


def stay_open(profile: BrowserContext, url: str) -> None:
    """Keep a page of the dashboard's server open, so that the next ones find its scripts compiled.

    Without it each page would have a process of its own and compile three megabytes.
    """
    profile.new_page().goto(f"{url}/_stcore/health")


def new_screen(profile: BrowserContext, url: str) -> Screen:
    """Open a page, which is a session of its own, for the dashboard at that address; nothing is opened yet."""
    page = profile.new_page()
    screen = Screen(page=page, url=url, errors=collect_errors(page))
    page.on("request", lambda request: screen.requests.append(request.url))
    return screen


def _is_here(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in ("data", "blob", "about") or parts.hostname in _HERE
