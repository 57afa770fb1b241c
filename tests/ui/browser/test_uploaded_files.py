"""Uploaded files on the server's disk: how many there are, who can put one there, and when they are deleted."""

import http.client
import json
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Request

from tests.dashboard import Dashboard, start_dashboard
from tests.ui.browser.screen import Screen

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


def test_a_browser_that_goes_away_leaves_no_file(
    screen: Screen, uploaded: Request, place: Path, before: list[Path], dashboard: Dashboard
) -> None:
    connection = _begin(screen, uploaded, length=4 << 20)
    connection.send(b'--xyz\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n' + b"x" * (3 << 20))
    screen.until(lambda: bool(_new(place, before)), "the server writes the file")
    connection.close()
    screen.until(lambda: not _new(place, before), "the file is deleted")
    assert "Traceback" not in dashboard.log.read_text(encoding="utf-8")
