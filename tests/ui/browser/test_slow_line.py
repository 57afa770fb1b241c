"""What a person does while the page still waits for the server ends where it should."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from faithview.services.container import Store
from faithview.services.results import list_runs
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser


class _Line:
    """The connection of a page to the server; it can keep back what the server says."""

    def __init__(self, page: Page) -> None:
        self._kept: list[str | bytes] = []
        self._keeps = False
        self._to_page: Callable[[str | bytes], None] = lambda _: None
        page.route_web_socket(re.compile("/_stcore/stream"), self._connect)

    def _connect(self, route: WebSocketRoute) -> None:
        self._to_page = route.send
        route.connect_to_server().on_message(self._heard)

    def _heard(self, message: str | bytes) -> None:
        if self._keeps:
            self._kept.append(message)
        else:
            self._to_page(message)

    def keep_back(self) -> None:
        self._keeps = True

    def has_kept_a_whole_run(self) -> bool:
        messages = [ForwardMsg.FromString(message) for message in self._kept if isinstance(message, bytes)]
        return any(message.WhichOneof("type") == "script_finished" for message in messages)

    def pass_on(self) -> None:
        self._keeps = False
        for message in self._kept:
            self._to_page(message)
        self._kept.clear()


def test_an_answer_that_the_browser_has_seen_before_opens_again(other_screen: Screen, services: Store) -> None:
    line = _Line(other_screen.page)
    other_screen.open("/answers", run=list_runs(services)[0].run_id)
    other_screen.until(lambda: bool(other_screen.listed()), "the list is drawn")
    keys = other_screen.listed()
    for key in keys[1:3]:
        other_screen.key("j")
        other_screen.until_address(row=key)
    other_screen.settle()
    line.keep_back()
    other_screen.page.keyboard.press("j")
    other_screen.until(line.has_kept_a_whole_run, "the server has answered")
    other_screen.page.evaluate("history.back()")
    other_screen.page.wait_for_timeout(500)  # the page asks for the second answer before it has got the fourth
    line.pass_on()
    expect(other_screen.opened_row()).to_have_attribute("data-key", keys[1])
    other_screen.settle()
