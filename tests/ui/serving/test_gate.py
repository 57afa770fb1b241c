"""The running dashboard under forged names, from strangers' pages, in hostile folders and with broken secrets."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.dashboard import Dashboard, free_port, start_dashboard, start_server

pytestmark = pytest.mark.process

_WEBSOCKET = (
    "GET /_stcore/stream HTTP/1.1\r\n{headers}Connection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
_ALLOWED = "faithview.example.com"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("gate")


@pytest.fixture(scope="module")
def dashboard(folder: Path, empty_file: Path) -> Iterator[Dashboard]:
    environment = {"FAITHVIEW_ALLOWED_HOSTS": f"localhost,{_ALLOWED}", "HOME": str(folder), "USERPROFILE": str(folder)}
    running = start_dashboard(f"sqlite:///{empty_file}", log=folder / "log", environment=environment)
    yield running
    running.stop()


def _send(dashboard: Dashboard, request: str) -> tuple[int, str]:
    """Send the very bytes, for no client sends two hosts; return the status and all that came back."""
    with socket.create_connection(("127.0.0.1", dashboard.port), timeout=20) as connection:
        connection.sendall(request.replace("PORT", str(dashboard.port)).encode("latin-1"))
        connection.settimeout(20)
        received = b""
        while b"\r\n\r\n" not in received and (part := connection.recv(65536)):
            received += part
    text = received.decode("latin-1")
    return int(text.split(" ", 2)[1]), text


def _get(dashboard: Dashboard, headers: str, path: str = "/") -> tuple[int, str]:
    return _send(dashboard, f"GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ("Host: 127.0.0.1:PORT\r\n", 200),
        (f"Host: {_ALLOWED}\r\nOrigin: https://{_ALLOWED}\r\n", 200),
        ("Host: evil.test:PORT\r\n", 421),
        ("Host: evil.test:PORT\r\nX-Forwarded-Host: 127.0.0.1:PORT\r\n", 421),
        ("Host: 127.0.0.1:PORT\r\nOrigin: http://evil.test\r\n", 403),
        ("Host: 127.0.0.1:PORT\r\nOrigin: null\r\n", 403),
        ("Host: localhost:PORT\r\nOrigin: http://localhost:3000\r\n", 403),
        ("Host: 127.0.0.1:PORT\r\nOrigin: http://127.0.0.1:PORT\r\nOrigin: http://evil.test\r\n", 403),
    ],
)
def test_a_stranger_gets_nothing(dashboard: Dashboard, headers: str, status: int) -> None:
    found, text = _get(dashboard, headers)
    assert found == status
    if status != 200:
        assert "access-control-allow-origin" not in text.lower()
    if headers.count("Origin") == 1:
        assert _send(dashboard, _WEBSOCKET.format(headers=headers))[0] == (101 if status == 200 else 403)


def test_no_other_site_can_show_the_dashboard_in_a_frame(dashboard: Dashboard) -> None:
    _, text = _get(dashboard, "Host: 127.0.0.1:PORT\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in text.split("\r\n")[1:])}
    assert "frame-ancestors 'self'" in headers["content-security-policy"]
    assert headers["x-frame-options"] == "SAMEORIGIN"
    assert headers["x-content-type-options"] == "nosniff"


def test_streamlit_s_figures_are_not_shown(dashboard: Dashboard) -> None:
    status, text = _get(dashboard, "Host: 127.0.0.1:PORT\r\n", "/_stcore/metrics")
    assert status == 404
    assert "cache_memory_bytes" not in text


@pytest.mark.parametrize("method", ["PUT", "POST", "DELETE"])
def test_a_file_is_taken_only_from_a_session_that_may_upload(dashboard: Dashboard, method: str) -> None:
    request = (
        f"{method} /_stcore/upload_file/somebody/file HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 0\r\n\r\n"
    )
    assert _send(dashboard, request)[0] == 403


_HOSTILE_MODULES = ("streamlit", "faithview", "json", "starlette", "alembic")


def test_nothing_in_the_current_folder_is_trusted(tmp_path: Path, empty_file: Path) -> None:
    here = tmp_path / "here"
    (here / ".streamlit").mkdir(parents=True)
    for name in _HOSTILE_MODULES:
        (here / f"{name}.py").write_text(f"open({str(tmp_path / 'executed')!r}, 'w').write({name!r})\n", "utf-8")
    other = tmp_path / "other.db"
    (here / ".streamlit" / "secrets.toml").write_text(
        f'FAITHVIEW_DB = "sqlite:///{other}"\nOPENAI_BASE_URL = "http://evil.test/v1"\n', encoding="utf-8"
    )
    (here / ".streamlit" / "config.toml").write_text(
        '[server]\nenableCORS = false\nenableXsrfProtection = false\n[client]\ntoolbarMode = "developer"\n', "utf-8"
    )
    port = free_port()
    program = "from faithview.cli.main import main; main()"
    command = [sys.executable, "-P", "-c", program, "ui", "--no-browser"]
    command += ["--port", str(port), "--db", f"sqlite:///{empty_file}"]
    environment = {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path)}
    running = start_server(command, port=port, log=tmp_path / "log", environment=environment, cwd=here)
    try:
        status, text = _get(running, "Host: 127.0.0.1:PORT\r\n", "/_stcore/host-config")
        assert status == 200
        assert "access-control-allow-origin: *" not in text.lower()
        if Path("/proc").is_dir():
            assert "evil.test" not in Path(f"/proc/{running.process.pid}/environ").read_text(encoding="utf-8")
            assert Path(f"/proc/{running.process.pid}/cwd").resolve() == here.resolve()
    finally:
        running.stop()
    assert not (tmp_path / "executed").exists()
    assert not other.exists()


@pytest.mark.parametrize(
    ("secrets", "said"),
    [
        (b"[auth\nclient_secret = 'do-not-print'\n", "cannot be read"),
        (b"[auth]\nclient_secret = \xff\xfe\n", "cannot be read"),
        (b"auth = 'do-not-print'\n", "`auth` is not a table"),
        (b"[faithview.roles]\nadmin = ['ada@example.com']\n", "defines roles but has no [auth]"),
    ],
)
def test_the_dashboard_does_not_start_with_secrets_that_it_cannot_read(
    tmp_path: Path, empty_file: Path, secrets: bytes, said: str
) -> None:
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit" / "secrets.toml").write_bytes(secrets)
    done = _start(empty_file, home=tmp_path)
    assert (done.returncode, said in done.stderr, "Traceback" in done.stderr) == (2, True, False)
    assert "do-not-print" not in done.stderr


@pytest.mark.parametrize("command", ["ui", "demo", "serve"])
def test_a_port_that_is_taken_is_said_before_anything_is_stored(tmp_path: Path, command: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        options = ("--port", str(port), *(() if command == "serve" else ("--no-browser",)))
        done = _start(tmp_path / "new.db", home=tmp_path, command=command, options=options)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr
    assert f"port {port} (another program does" in done.stderr
    assert command != "demo" or not (tmp_path / "new.db").exists()


def test_a_setting_that_is_no_host_name_is_refused_at_the_start(tmp_path: Path, empty_file: Path) -> None:
    done = _start(empty_file, home=tmp_path, hosts="http://faithview.example.com")
    assert (done.returncode, "is not a host name" in done.stderr) == (2, True)


@pytest.mark.parametrize("command", ["ui", "demo"])
def test_a_dashboard_that_requires_a_log_in_does_not_start_without_one(tmp_path: Path, command: str) -> None:
    done = _start(tmp_path / "new.db", home=tmp_path, command=command, environment={"FAITHVIEW_LOGIN": "required"})
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1), done.stderr
    assert "configure log-in in [auth]" in done.stderr
    assert not list(tmp_path.glob("*.db"))  # nothing was opened


def _start(
    store: Path,
    *,
    home: Path,
    command: str = "ui",
    options: tuple[str, ...] | None = None,
    hosts: str = "",
    environment: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    options = ("--no-browser", "--port", str(free_port())) if options is None else options
    words = [sys.executable, "-m", "faithview", command, *options]
    variables = {
        **os.environ, "HOME": str(home), "USERPROFILE": str(home), "FAITHVIEW_DB": f"sqlite:///{store}",
        "FAITHVIEW_ALLOWED_HOSTS": hosts, **(environment or {}),
    }  # fmt: skip
    return subprocess.run(words, env=variables, capture_output=True, text=True, timeout=120, check=False)
