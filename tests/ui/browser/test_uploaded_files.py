"""Uploaded files on the server's disk: how many there are, who can put one there, and when they are deleted."""

import http.client
import json
import re
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Request

from tests.dashboard import Dashboard, start_dashboard
from tests.ui.browser.screen import Screen, new_profile, new_screen

pytestmark = pytest.mark.browser

_MEGABYTE = 1_000_000


def _rows(megabytes: float, *, word: str = "own") -> bytes:
    """Return a file of JSON lines of about that size."""
    row = {"question": "How high?", "answer": f"The {word} tower is 330 m high.", "contexts": ["It is 330 m. " * 800]}
    line = json.dumps(row).encode() + b"\n"
    return line * max(1, int(megabytes * _MEGABYTE / len(line)))


@pytest.fixture(scope="module")
def place(folder: Path) -> Path:
    """The folder for the server's temporary files."""
    made = folder / "temporary"
    made.mkdir()
    return made


@pytest.fixture(scope="module")
def database(folder: Path) -> str:
    """A store of its own, empty at first."""
    return f"sqlite:///{folder}/uploads.db"


def _start(database: str, folder: Path, place: Path, **more: str) -> Dashboard:
    environment = {"TMPDIR": str(place), **more}
    return start_dashboard(database, log=folder / "dashboard.log", environment=environment)


@pytest.fixture(scope="module")
def dashboard(database: str, folder: Path, place: Path) -> Iterator[Dashboard]:
    """The module's dashboard, whose temporary files are in a folder of their own."""
    running = _start(database, folder, place)
    yield running
    running.stop()


def _files(place: Path) -> list[Path]:
    return [path for path in place.glob("faithview-uploads-*/*") if path.is_file()]


def _are(place: Path, count: int) -> Callable[[], bool]:
    return lambda: len(_files(place)) == count


@pytest.fixture
def before(place: Path) -> list[Path]:
    """The files of sessions that are not over yet."""
    return _files(place)


def _new(place: Path, before: list[Path]) -> list[Path]:
    return [path for path in _files(place) if path not in before]


@pytest.fixture
def uploaded(screen: Screen, place: Path, before: list[Path]) -> Request:
    """The request that has put a file of some MB there, on the page that is open."""
    screen.open("/upload")
    with screen.page.expect_request(lambda request: request.method == "PUT") as sent:
        screen.upload("first.jsonl", _rows(2))
    (first,) = _new(place, before)
    before.append(first)
    return sent.value


def test_one_file_is_kept_until_it_is_replaced_or_removed(
    screen: Screen, uploaded: Request, place: Path, before: list[Path]
) -> None:
    first = before[-1]
    assert first.read_bytes() == _rows(2)
    assert stat.S_IMODE(first.stat().st_mode) == 0o600
    assert stat.S_IMODE(first.parent.stat().st_mode) == 0o700
    screen.sees("330 m high")
    screen.upload("second.jsonl", _rows(1.5, word="other"))
    screen.sees("The other tower")
    screen.until(lambda: not first.exists(), "the first file is deleted")
    (second,) = _new(place, before)
    assert second.read_bytes() == _rows(1.5, word="other")
    screen.page.get_by_role("button", name="Remove second.jsonl").click()
    screen.until(lambda: not second.exists(), "the second file is deleted")
    assert _new(place, before) == []


def _put(screen: Screen, sent: Request, headers: Mapping[str, str], *, path: str | None = None) -> int:
    """Send a file as the page did, with other headers; return the status."""
    url = sent.url if path is None else f"{screen.url}{path}"
    kind = "multipart/form-data; boundary=xyz"
    form = b'--xyz\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\nmine\r\n--xyz--\r\n'
    return screen.page.request.put(url, data=form, headers={"Content-Type": kind, **headers}).status


def test_only_the_page_itself_can_put_a_file_there(
    screen: Screen, uploaded: Request, place: Path, before: list[Path]
) -> None:
    session, file = uploaded.url.rsplit("/", 2)[1:]
    token = {"X-Xsrftoken": uploaded.headers["x-xsrftoken"]}
    assert _put(screen, uploaded, {}) == 403
    assert _put(screen, uploaded, {"X-Xsrftoken": "2|forged|forged|1"}) == 403
    assert _put(screen, uploaded, token, path=f"/_stcore/upload_file/{session[:-1]}x/{file}") == 403
    assert _put(screen, uploaded, {**token, "Origin": "http://evil.test"}) == 403
    assert _put(screen, uploaded, {**token, "Content-Type": "text/plain"}) == 400
    assert _new(place, before) == []
    assert _put(screen, uploaded, token) == 204  # and this one takes the first one's place
    assert [path.read_bytes() for path in _new(place, before)] == [b"mine"]
    assert not before[-1].exists()


def _begin(screen: Screen, sent: Request, *, length: int) -> http.client.HTTPConnection:
    """Begin to send a body of so many bytes as the page's own session."""
    cookies = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in screen.page.context.cookies())
    connection = http.client.HTTPConnection("127.0.0.1", int(screen.url.rpartition(":")[2]), timeout=30)
    connection.putrequest("PUT", urlsplit(sent.url).path)
    connection.putheader("Content-Type", "multipart/form-data; boundary=xyz")
    connection.putheader("Content-Length", str(length))
    connection.putheader("Cookie", cookies)
    connection.putheader("X-Xsrftoken", sent.headers["x-xsrftoken"])
    connection.endheaders()
    return connection


def test_a_file_that_is_too_large_is_refused_before_it_is_sent(
    screen: Screen, uploaded: Request, place: Path, before: list[Path]
) -> None:
    connection = _begin(screen, uploaded, length=501 << 20)
    reply = connection.getresponse()
    assert (reply.status, reply.read()) == (413, b"File too large")
    connection.close()
    assert _new(place, before) == []


def test_a_browser_that_goes_away_leaves_no_file(
    screen: Screen, uploaded: Request, place: Path, before: list[Path], dashboard: Dashboard
) -> None:
    connection = _begin(screen, uploaded, length=4 << 20)
    connection.send(b'--xyz\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n' + b"x" * (3 << 20))
    screen.until(lambda: bool(_new(place, before)), "the server writes the file")
    connection.close()
    screen.until(lambda: not _new(place, before), "the file is deleted")
    assert "Traceback" not in dashboard.log.read_text(encoding="utf-8")


def test_files_go_with_their_session_and_with_the_server(
    browser: Browser, database: str, folder: Path, tmp_path: Path
) -> None:
    home, place = tmp_path / "home", tmp_path / "place"
    (home / ".streamlit").mkdir(parents=True)
    place.mkdir()
    # How long a session waits for its page to come back, in seconds.
    (home / ".streamlit" / "config.toml").write_text("[server]\ndisconnectedSessionTTL = 2\n", encoding="utf-8")
    running = _start(database, tmp_path, place, HOME=str(home), USERPROFILE=str(home))
    try:
        with new_profile(browser) as profile:
            closed, open_ = new_screen(profile, running.url), new_screen(profile, running.url)
            for screen in (closed, open_):
                screen.open("/upload")
                screen.upload("mine.jsonl", _rows(0.5))
                screen.sees("330 m high")
            assert len(_files(place)) == 2
            closed.page.close()
            open_.until(_are(place, 1), "the file of the closed page is deleted")
            running.process.kill()
            running.process.wait()
            assert len(_files(place)) == 1
            running = _start(database, tmp_path, place, HOME=str(home), USERPROFILE=str(home))
            assert list(place.glob("faithview-uploads-*")) == []
            last = new_screen(profile, running.url).open("/upload")
            last.upload("mine.jsonl", _rows(0.5))
            last.until(_are(place, 1), "the file is there")
    finally:
        running.stop()
    assert list(place.glob("faithview-uploads-*")) == []


def test_a_server_that_cannot_store_a_file_says_so_in_one_sentence(screen: Screen, place: Path) -> None:
    screen.open("/upload")
    for path in place.iterdir():
        shutil.rmtree(path)
    place.rmdir()
    try:
        screen.upload("mine.jsonl", _rows(0.5))
        screen.sees(re.compile(r"^The server could not store mine\.jsonl: No such file or directory\.$"))
    finally:
        place.mkdir()
    screen.upload("mine.jsonl", _rows(0.5))
    screen.sees("330 m high")
