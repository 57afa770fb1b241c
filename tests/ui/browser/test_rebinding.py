"""A page under a stranger's name that resolves to this machine sees nothing, and none frames the dashboard."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, sync_playwright

from tests.browser import find_chromium, find_headless_shell
from tests.dashboard import Dashboard
from tests.http_server import Handler, serving

pytestmark = pytest.mark.browser

_ASK = """async (url) => {
    const opened = await new Promise((resolve) => {
        const socket = new WebSocket(url.replace("http", "ws") + "/_stcore/stream");
        socket.onopen = () => resolve(true);
        socket.onerror = () => resolve(false);
    });
    let read = null;
    try { read = (await (await fetch(url + "/_stcore/host-config")).text()).slice(0, 200); } catch { read = "refused"; }
    return [opened, read];
}"""


@pytest.fixture(scope="module")
def stranger() -> Iterator[str]:
    """The address of a stranger's web server on this machine; the path is the page that it shows in a frame."""

    class Stranger(Handler):
        def answer(self, body: bytes) -> None:
            page = f"<h1>Stranger</h1><iframe id=f src='http://{self.path[1:]}/'></iframe>"
            self.reply(page.encode(), headers={"Content-Type": "text/html"})

    with serving(Stranger) as url:
        yield url


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """A page of a browser in which evil.test is this machine, as after a rebinding."""
    flags = ["--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP *.test 127.0.0.1, EXCLUDE 127.0.0.1"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_headless_shell() or find_chromium(), args=flags)
        yield browser.new_page()
        browser.close()


def test_a_rebound_name_gets_one_sentence_and_nothing_else(page: Page, dashboard: Dashboard) -> None:
    response = page.goto(f"http://evil.test:{dashboard.port}/answers")
    assert response is not None
    assert response.status == 421
    assert page.inner_text("body").startswith("FaithView does not accept the host name 'evil.test:")
    opened, read = page.evaluate(_ASK, f"http://evil.test:{dashboard.port}")
    assert opened is False
    assert read.startswith("FaithView does not accept")


def test_another_page_of_this_machine_gets_neither_the_websocket_nor_an_answer(
    page: Page, dashboard: Dashboard, stranger: str
) -> None:
    page.goto(f"{stranger}/127.0.0.1:1")
    assert page.evaluate(_ASK, dashboard.url) == [False, "refused"]


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_a_stranger_cannot_show_the_dashboard_in_a_frame(
    page: Page, dashboard: Dashboard, stranger: str, name: str
) -> None:
    page.goto(f"{stranger.replace('127.0.0.1', 'evil.test')}/{name}:{dashboard.port}")
    frame = page.frames[1]
    page.wait_for_timeout(1500)
    assert frame.locator('[data-testid="stApp"]').count() == 0
    assert frame.locator("body #root").count() == 0
