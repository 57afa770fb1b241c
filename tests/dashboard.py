"""The real dashboard in a process of its own, for tests that look at it through HTTP or a browser."""

import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
_PYTHONPATH = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
_START_TIMEOUT_S = 60
_STOP_TIMEOUT_S = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Dashboard:
    """A running dashboard. `url` has no slash at its end; `log` is where its output goes."""

    url: str
    port: int
    log: Path
    process: subprocess.Popen[bytes]

    def stop(self) -> None:
        """Ask the process to end, and end it where it does not."""
        self.process.terminate()
        try:
            self.process.wait(_STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def free_port() -> int:
    """Return a port of the loopback interface that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def start_dashboard(
    database_url: str | None, *, log: Path, environment: Mapping[str, str] | None = None, base_path: str = ""
) -> Dashboard:
    """Start `faithview ui` on that database, or on the projects of its secrets, and wait until it serves.

    Raises:
        RuntimeError: it ended or does not serve; the text ends with its output.
    """
    port = free_port()
    command = [sys.executable, "-m", "faithview", "ui", "--no-browser", "--port", str(port), "--base-path", base_path]
    # Files that other work in the checkout changes must not reload the page under a test.
    settings = {"STREAMLIT_SERVER_FILE_WATCHER_TYPE": "none"} | ({"FAITHVIEW_DB": database_url} if database_url else {})
    environment = {**settings, **(environment or {})}
    return start_server(command, port=port, log=log, environment=environment, base_path=base_path)


def start_server(
    command: Sequence[str],
    *,
    port: int,
    log: Path,
    environment: Mapping[str, str],
    cwd: Path = ROOT,
    base_path: str = "",
) -> Dashboard:
    """Run a command that serves a dashboard on that port of 127.0.0.1 and wait until it answers.

    Raises:
        RuntimeError: it ended or does not serve; the text ends with its output.
    """
    with log.open("wb") as output:
        process = _spawn(command, output, environment=environment, cwd=cwd)
    dashboard = Dashboard(url=f"http://127.0.0.1:{port}{base_path}", port=port, log=log, process=process)
    deadline = time.monotonic() + _START_TIMEOUT_S
    while process.poll() is None and time.monotonic() < deadline:
        if is_healthy(port, base_path=base_path):
            return dashboard
        time.sleep(0.1)
    dashboard.stop()
    text = log.read_text(encoding="utf-8", errors="replace")[-4000:]
    raise RuntimeError(f"The dashboard did not serve on port {port} within {_START_TIMEOUT_S} s; it said:\n{text}")


def is_healthy(port: int, *, base_path: str = "") -> bool:
    """Return whether a Streamlit server on that port of 127.0.0.1 says that it is well."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", f"{base_path}/_stcore/health")
        response = connection.getresponse()
        return response.status == 200 and response.read() == b"ok"
    except (OSError, http.client.HTTPException):  # not listening yet
        return False
    finally:
        connection.close()


def _spawn(
    command: Sequence[str], output: IO[bytes], *, environment: Mapping[str, str], cwd: Path
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        cwd=cwd,
        # A process that is started in safe mode does not look for this checkout in its current folder.
        env={**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONPATH": _PYTHONPATH, **environment},
    )
