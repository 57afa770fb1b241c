"""The real service in a process of its own: `faithview serve` on a free port of this machine."""

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.dashboard import ROOT, free_port

_START_TIMEOUT_S = 90
_STOP_TIMEOUT_S = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A running service; `log` is where its output goes."""

    port: int
    log: Path
    process: subprocess.Popen[bytes]

    @property
    def url(self) -> str:
        """Its address, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send the signal and return the exit status."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(_STOP_TIMEOUT_S)

    def said(self) -> str:
        """Return what it has printed."""
        return self.log.read_text(encoding="utf-8", errors="replace")


@contextmanager
def running_service(
    *options: str,
    database_url: str,
    log: Path,
    environment: Mapping[str, str] | None = None,
) -> Iterator[Service]:
    """Start the service, wait until it is ready, and kill it at the end if it still runs.

    Raises:
        RuntimeError: it ended or is not ready in time; the text ends with its output.
    """
    port = free_port()
    command = [sys.executable, "-m", "faithview", "serve", "--port", str(port), *options]
    env = {**os.environ, "FAITHVIEW_DB": database_url, "PYTHONPATH": str(ROOT), **(environment or {})}
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
    service = Service(port=port, log=log, process=process)
    try:
        _wait(service)
        yield service
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def _wait(service: Service) -> None:
    deadline = time.monotonic() + _START_TIMEOUT_S
    while service.process.poll() is None and time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"{service.url}/ready", timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError(f"The service is not ready within {_START_TIMEOUT_S} s; it said:\n{service.said()[-4000:]}")
