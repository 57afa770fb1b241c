"""The dashboard driven in a browser: a session that acts, waits for what it asked for, and says how long that took."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page

from faithview.domain.answer import AnswerFilter, AnswerPage, Order
from faithview.domain.claim import HallucinationType, Verdict
from faithview.domain.inbox import make_filter
from faithview.domain.result import State
from faithview.services.container import Store
from faithview.services.results import get_run
from faithview.services.review.inbox import list_groups
from faithview.store.answers import list_answers
from faithview.store.results import get_answer
from tests.browser import new_context

WATCHER = (Path(__file__).parent / "watcher.js").read_text(encoding="utf-8")

_SEARCH_FIELD = '[data-testid="stMain"] [data-testid="stTextInput"] input'
_LIST_PAGE = 50
_SHOWN = 60  # characters of an answer that tell it from others
_SETTLE_MS = 250  # between two actions, so that one does not wait for what the other left behind

Expected = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What should be on screen: which check of `watcher.js`, on which page (None for any), with what it needs."""

    kind: str
    path: str | None = None
    expected: Expected | None = None


def first_load(browser: Browser, url: str, view: View) -> float:
    """Open the address with a fresh profile; return the ms from asking for it until the view is on screen."""
    with new_context(browser) as context:
        context.add_init_script(WATCHER)
        page = context.new_page()
        page.goto(url, wait_until="commit")
        return _ask(page, "([kind, path, expected]) => fv.shown(kind, path, expected)", view)


class Session:
    """One open session of the dashboard over one store, on the run with that id."""

    def __init__(self, browser: Browser, url: str, services: Store, *, run_id: str) -> None:
        self._context = new_context(browser)
        self._context.add_init_script(WATCHER)
        self._page = self._context.new_page()
        self._url = url
        self._services = services
        self._run_id = run_id

    def close(self) -> None:
        """Close the session."""
        self._context.close()

    def open(self, path: str) -> None:
        """Open an address of the dashboard, whatever was open before; not measured."""
        self._page.goto(self._url + path, wait_until="commit")
        _ask(self._page, "([kind, path, expected]) => fv.shown(kind, path, expected)", self.view_of(path))

    def view_of(self, path: str) -> View:
        """Return what a page shows when it is opened without any filter."""
        if path == "/answers":
            return View(kind="list", path=path, expected=self._listed(AnswerFilter(), Order.HARM, row=None))
        if path == "/claims":
            return View(kind="inbox", path=path, expected=self._found(""))
        if path == "/changes":
            return View(kind="words", path=path, expected={"words": ["Before", "Now"]})
        return View(kind=path.strip("/") or "overview", path=path)

    def inspect_link(self, *, row: int) -> tuple[str, View]:
        """Return the address of the n-th worst answer, from 0, and what it shows."""
        keys = self._keys(
            list_answers(self._services.db, self._run_id, AnswerFilter(), order=Order.HARM, offset=row, limit=1)
        )
        address = f"{self._url}/answers?{urlencode({'run': self._run_id, 'row': keys[0]})}"
        return address, View(
            kind="list", path="/answers", expected=self._listed(AnswerFilter(), Order.HARM, row=keys[0])
        )

    def switch_to(self, path: str) -> float:
        """Go to another page by its link in the sidebar."""
        link = self._page.locator(f'[data-testid="stPageLink-NavLink"][href="{self._url}{path}"]')
        return self._measure(self.view_of(path), link.click)

    def choose(self, widget: str, index: int, filters: AnswerFilter, order: Order = Order.HARM) -> float:
        """Choose the n-th option of the filters or the order on the inspect page; `filters` and `order` then hold.

        What the filter had before is taken away first, by its chip.
        """
        chip = self._page.locator(f".st-key-inspect-chip-{widget} button").first
        if chip.count():
            self._measure(self._list_view(AnswerFilter(), Order.HARM), chip.click)
        if widget != "order":
            opener = self._page.get_by_role("button", name="Filter").first
            if opener.get_attribute("aria-expanded") != "true":  # it stays open after a choice
                opener.click()
        self._page.locator(
            f'[class*="st-key-inspect-filter-{widget}"] button, [class*="st-key-inspect-filter-{widget}"] input'
        ).last.click()
        # Answers and claims are options of their lists, too; a filter's first option is "Select all".
        options = self._page.locator("[role=option]:not(.row, .claim)")
        option = options.nth(index if widget == "order" else index + 1)
        option.wait_for()
        return self._measure(self._list_view(filters, order), option.click)

    def search_answers(self, text: str) -> float:
        """Look for a text on the inspect page."""
        field = self._page.locator(_SEARCH_FIELD)
        field.fill(text)
        return self._measure(self._list_view(AnswerFilter(search=text), Order.HARM), lambda: field.press("Enter"))

    def turn_page(self, number: int) -> float:
        """Go to the next page of the list, which is the n-th, from 1."""
        page = list_answers(
            self._services.db,
            self._run_id,
            AnswerFilter(),
            order=Order.HARM,
            offset=(number - 1) * _LIST_PAGE,
            limit=_LIST_PAGE,
        )
        view = View(kind="list", path="/answers", expected=self._page_expected(page, self._keys(page)[0]))
        return self._measure(view, self._page.locator('[data-testid="stPaginationNext"]').click)

    def open_answer(self, at: int, *, with_key: bool = False) -> float:
        """Open the n-th answer of the list's first page, from 0: by a click, or with J from the one before it."""
        key = self._keys(
            list_answers(self._services.db, self._run_id, AnswerFilter(), order=Order.HARM, limit=_LIST_PAGE)
        )[at]
        view = View(kind="answer", path="/answers", expected={"text": self._text_of(key)})
        row = self._page.locator(f'[data-faithview-list] > [data-key="{key}"]')
        return self._measure(view, (lambda: self._page.keyboard.press("j")) if with_key else row.click)

    def search_claims(self, text: str) -> float:
        """Look for a text in all claims, in the inbox."""
        field = self._page.locator('[class*="st-key-inbox-find"] input')
        field.fill(text)
        view = View(kind="inbox", path="/claims", expected=self._found(text))
        return self._measure(view, lambda: field.press("Enter"))

    def _measure(self, view: View, act: Callable[[], None]) -> float:
        self._page.bring_to_front()
        self._page.wait_for_timeout(_SETTLE_MS)
        self._page.evaluate(
            "([kind, path, expected]) => fv.watch(kind, path, expected)", [view.kind, view.path, view.expected]
        )
        act()
        return float(self._page.evaluate("() => fv.pending"))

    def _list_view(self, filters: AnswerFilter, order: Order) -> View:
        return View(kind="list", path="/answers", expected=self._listed(filters, order, row=None))

    def _listed(self, filters: AnswerFilter, order: Order, *, row: str | None) -> Expected:
        """Return what the list and the answer beside it show; the page stays with the row that is open."""
        page = list_answers(self._services.db, self._run_id, filters, order=order, limit=_LIST_PAGE, around=row)
        keys = self._keys(page)
        return self._page_expected(page, row if row in keys else keys[0])

    def _page_expected(self, page: AnswerPage, row: str) -> Expected:
        return {"keys": self._keys(page), "text": self._text_of(row)}

    def _text_of(self, key: str) -> str:
        return get_answer(self._services.db, self._run_id, key).sample.answer[:_SHOWN]

    def _found(self, text: str) -> Expected:
        series = get_run(self._services, self._run_id).series
        page = list_groups(self._services, make_filter(text, {}), series=series)
        total = f"{page.total_groups:,}" if page.groups else "No claim matches."
        return {"total": total, "ids": [str(group.group_id) for group in page.groups]}

    @staticmethod
    def _keys(page: AnswerPage) -> list[str]:
        return [row.key for row in page.rows]


def filter_steps(segments: list[str]) -> dict[str, list[tuple[str, int, AnswerFilter, Order]]]:
    """Return, for each kind of filter, the choices to go through: widget, option's number, and what then holds."""
    worst = Order.HARM
    orders = [*enumerate(Order)]
    return {
        "filter by state": [
            ("state", n, AnswerFilter(states=(s,)), worst) for n, s in enumerate(State) if s in _STATES
        ],
        "filter by verdict": [("verdict", n, AnswerFilter(verdicts=(v,)), worst) for n, v in enumerate(Verdict)],
        "filter by type": [
            ("type", n, AnswerFilter(hallucination_types=(h,)), worst) for n, h in enumerate(HallucinationType)
        ],
        "filter by segment": [("segment", n, AnswerFilter(segments=(s,)), worst) for n, s in enumerate(segments)],
        "change the order": [("order", n, AnswerFilter(), order) for n, order in [*orders[1:], orders[0]]],
    }


_STATES = (State.NO_CLAIMS, State.ABSTAINED, State.EMPTY_CONTEXT, State.FAILED)


def _ask(page: Page, script: str, view: View) -> float:
    return float(page.evaluate(script, [view.kind, view.path, view.expected]))
