"""The running dashboard under forged names, from strangers' pages, in hostile folders and with broken secrets."""

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.dashboard import Dashboard, free_port, start_dashboard, start_server

_WEBSOCKET = (
    "GET /_stcore/stream HTTP/1.1\r\n{headers}Connection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
_ALLOWED = "faithview.example.com"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("gate")


# As it is started on its own, in the container, and behind a proxy.
@pytest.fixture(scope="module", params=["", "localhost", f"localhost,{_ALLOWED}"])
def allowed(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def dashboard(folder: Path, empty_file: Path, allowed: str) -> Iterator[Dashboard]:
    environment = {"FAITHVIEW_ALLOWED_HOSTS": allowed, "HOME": str(folder), "USERPROFILE": str(folder)}
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
        ("Host: localhost:PORT\r\n", 200),
        (f"Host: {_ALLOWED}\r\n", 200),
        ("Host: 127.0.0.1:PORT\r\nOrigin: http://127.0.0.1:PORT\r\n", 200),
        (f"Host: 127.0.0.1:PORT\r\nOrigin: https://{_ALLOWED}\r\n", 200),
        ("Host: evil.test:PORT\r\n", 421),
        ("Host: 127.0.0.1.evil.test\r\n", 421),
        ("Host: 0.0.0.0:PORT\r\n", 421),
        ("Host: evil.test:PORT\r\nX-Forwarded-Host: 127.0.0.1:PORT\r\n", 421),
        ("Host: evil.test:PORT\r\nOrigin: http://evil.test:PORT\r\n", 421),
        ("Host: 127.0.0.1:PORT\r\nOrigin: http://evil.test\r\n", 403),
        ("Host: 127.0.0.1:PORT\r\nOrigin: null\r\n", 403),
        ("Host: 127.0.0.1:PORT\r\nOrigin: http://localhost:3000\r\n", 403),
        ("Host: localhost:PORT\r\nOrigin: http://localhost:3000\r\n", 403),
        ("Host: localhost:PORT\r\nOrigin: http://localhost\r\n", 403),
        (f"Host: localhost:PORT\r\nOrigin: https://{_ALLOWED}:8443\r\n", 403),
        ("Host: 127.0.0.1:PORT\r\nOrigin: http://127.0.0.1:PORT\r\nOrigin: http://evil.test\r\n", 403),
    ],
)
@pytest.mark.parametrize("path", ["/", "/answers?run=1", "/_stcore/health", "/_stcore/host-config", "/media/x.csv"])
def test_a_stranger_gets_nothing(dashboard: Dashboard, allowed: str, headers: str, status: int, path: str) -> None:
    if _ALLOWED in headers and _ALLOWED not in allowed:
        status = 403 if "Origin" in headers else 421
    found, text = _get(dashboard, headers, path)
    assert found == (404 if status == 200 and path.startswith("/media") else status)
    if status != 200:
        assert "access-control-allow-origin" not in text.lower()


def test_two_hosts_in_one_request_are_refused(dashboard: Dashboard) -> None:
    status, _ = _get(dashboard, "Host: 127.0.0.1:PORT\r\nHost: evil.test\r\n")
    assert status in (400, 421)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ("Host: 127.0.0.1:PORT\r\nOrigin: http://127.0.0.1:PORT\r\n", 101),
        (f"Host: {_ALLOWED}\r\nOrigin: https://{_ALLOWED}\r\n", 101),
        ("Host: evil.test:PORT\r\nOrigin: http://evil.test:PORT\r\n", 403),
        ("Host: 127.0.0.1:PORT\r\nOrigin: http://evil.test\r\n", 403),
        ("Host: 127.0.0.1:PORT\r\nOrigin: http://localhost:3000\r\n", 403),
        ("Host: localhost:PORT\r\nOrigin: http://localhost:3000\r\n", 403),
        ("Host: 127.0.0.1:PORT\r\nOrigin: null\r\n", 403),
    ],
)
def test_the_websocket_opens_for_our_own_pages_only(
    dashboard: Dashboard, allowed: str, headers: str, status: int
) -> None:
    if _ALLOWED in headers and _ALLOWED not in allowed:
        status = 403
    found, _ = _send(dashboard, _WEBSOCKET.format(headers=headers))
    assert found == status


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


def test_a_stranger_causes_no_look_up_of_the_external_address(tmp_path: Path, empty_file: Path) -> None:
    # Streamlit asks a public address for its own before it refuses an origin; the look-up is noted here.
    noted = tmp_path / "looked-up"
    (tmp_path / "sitecustomize.py").write_text(
        "import socket\nfind = socket.getaddrinfo\n"
        "def noting(host, *rest, **more):\n"
        f"    open({str(noted)!r}, 'a').write(f'{{host}}\\n')\n"
        "    return find(host, *rest, **more)\n"
        "socket.getaddrinfo = noting\n",
        encoding="utf-8",
    )
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    running = start_dashboard(f"sqlite:///{empty_file}", log=tmp_path / "log", environment={"PYTHONPATH": path})
    try:
        for address in ("/_stcore/health", "/_stcore/host-config", "/"):
            _get(running, "Host: 127.0.0.1:PORT\r\nOrigin: http://evil.test\r\n", address)
        _send(running, _WEBSOCKET.format(headers="Host: 127.0.0.1:PORT\r\nOrigin: http://evil.test\r\n"))
    finally:
        running.stop()
    hosts = noted.read_text(encoding="utf-8").split() if noted.exists() else []
    assert {host for host in hosts if host not in ("127.0.0.1", "localhost", "None")} == set()


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
        (b"[auth\nclient_secret = 'do-not-print'\n", "is not TOML"),
        (b"[auth]\nclient_secret = \xff\xfe\n", "is not UTF-8"),
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


@pytest.mark.parametrize("where", ["home", "named"])
def test_the_dashboard_does_not_start_with_secrets_that_are_a_folder(
    tmp_path: Path, empty_file: Path, where: str
) -> None:
    path = tmp_path / ".streamlit" / "secrets.toml"
    path.mkdir(parents=True)
    done = _start(empty_file, home=tmp_path, arguments=("--secrets", str(path)) if where == "named" else ())
    assert (done.returncode, "cannot be read" in done.stderr) == (2, True)


@pytest.mark.parametrize("name", ["missing.toml", "secrets.txt"])
def test_a_named_secrets_file_must_be_there(tmp_path: Path, empty_file: Path, name: str) -> None:
    (tmp_path / "secrets.txt").touch()
    done = _start(empty_file, home=tmp_path, arguments=("--secrets", str(tmp_path / name)))
    assert (done.returncode, name in done.stderr) == (2, True)


@pytest.mark.parametrize("command", ["ui", "demo", "serve", "server"])
def test_a_port_that_is_taken_is_said_before_anything_is_stored(tmp_path: Path, command: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        if command == "server":
            words = [sys.executable, "-m", "faithview.ui.serving.dashboard_server", "--port", str(port)]
            environment = {**os.environ, "HOME": str(tmp_path), "USERPROFILE": str(tmp_path)}
            done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=120, check=False)
        else:
            options = ("--port", str(port), *(() if command == "serve" else ("--no-browser",)))
            done = _start(tmp_path / "new.db", home=tmp_path, command=command, options=options)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr
    assert f"port {port}, because another program does" in done.stderr
    assert "choose another port, --port " in done.stderr
    assert command != "demo" or not (tmp_path / "new.db").exists()


def test_a_setting_that_is_no_host_name_is_refused_at_the_start(tmp_path: Path, empty_file: Path) -> None:
    done = _start(empty_file, home=tmp_path, hosts="http://faithview.example.com")
    assert (done.returncode, "is not a host name" in done.stderr) == (2, True)


# What the secrets file holds where FAITHVIEW_LOGIN requires a log-in that it does not describe; None is no file.
_WITHOUT_LOGIN = {
    "no file": None,
    "no auth": 'OPENAI_API_KEY = "do-not-print"\n',
    "empty auth": "[auth]\n",
    "projects": '[faithview.projects.support]\ndb = "sqlite:////FOLDER/support.db"\n',
    "asked for in the file": 'FAITHVIEW_LOGIN = "required"\n',
}


@pytest.mark.parametrize("command", ["ui", "demo"])
@pytest.mark.parametrize("setup", _WITHOUT_LOGIN)
def test_a_dashboard_that_requires_a_log_in_does_not_start_without_one(
    tmp_path: Path, setup: str, command: str
) -> None:
    text = _WITHOUT_LOGIN[setup]
    if text is not None:
        (tmp_path / ".streamlit").mkdir()
        path = tmp_path / ".streamlit" / "secrets.toml"
        path.write_text(text.replace("/FOLDER", tmp_path.as_posix()), encoding="utf-8")
    login = {} if setup.startswith("asked") else {"FAITHVIEW_LOGIN": "required"}
    project = ("--project", "support") if (setup, command) == ("projects", "demo") else ()
    done = _start(tmp_path / "new.db", home=tmp_path, command=command, arguments=project, environment=login)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1), done.stderr
    where = "there is no secrets file" if text is None else "secrets.toml' has no [auth]"
    assert done.stderr.startswith("faithview: FAITHVIEW_LOGIN requires a log-in, but ")
    assert where in done.stderr
    assert "configure log-in in [auth]" in done.stderr
    assert "do-not-print" not in done.stderr
    assert not list(tmp_path.glob("*.db"))  # nothing was opened


def test_the_server_alone_requires_the_log_in_too(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "faithview.ui.serving.dashboard_server", "--port", str(free_port())]
    environment = {**os.environ, "HOME": str(tmp_path), "USERPROFILE": str(tmp_path), "FAITHVIEW_LOGIN": "required"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, "configure log-in in [auth]" in done.stderr) == (2, True)


@pytest.mark.parametrize("value", ["", " ", "true", "1", "yes", "require"])
def test_a_log_in_that_is_asked_for_in_other_words_is_not_ignored(tmp_path: Path, empty_file: Path, value: str) -> None:
    done = _start(empty_file, home=tmp_path, environment={"FAITHVIEW_LOGIN": value})
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "set it to 'required', or unset it" in done.stderr


def _start(
    store: Path,
    *,
    home: Path,
    command: str = "ui",
    arguments: tuple[str, ...] = (),
    options: tuple[str, ...] | None = None,
    hosts: str = "",
    environment: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    options = ("--no-browser", "--port", str(free_port())) if options is None else options
    words = [sys.executable, "-m", "faithview", command, *options, *arguments]
    variables = {
        **os.environ, "HOME": str(home), "USERPROFILE": str(home), "FAITHVIEW_DB": f"sqlite:///{store}",
        "FAITHVIEW_ALLOWED_HOSTS": hosts, **(environment or {}),
    }  # fmt: skip
    if "--project" in arguments:
        del variables["FAITHVIEW_DB"]
    return subprocess.run(words, env=variables, capture_output=True, text=True, timeout=120, check=False)


def test_what_was_set_for_the_process_counts_over_the_secrets(tmp_path: Path, empty_file: Path) -> None:
    (tmp_path / ".streamlit").mkdir()
    other = tmp_path / "other.db"
    text = f"FAITHVIEW_DB = {json.dumps(f'sqlite:///{other}')}\n"
    (tmp_path / ".streamlit" / "secrets.toml").write_text(text, encoding="utf-8")
    environment = {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path)}
    running = start_dashboard(f"sqlite:///{empty_file}", log=tmp_path / "log", environment=environment)
    try:
        assert _get(running, "Host: 127.0.0.1:PORT\r\n")[0] == 200
    finally:
        running.stop()
    log = (tmp_path / "log").read_text(encoding="utf-8")
    assert re.search("error|Traceback", log) is None
    assert not other.exists()
