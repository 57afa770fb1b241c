"""The dashboard behind a real nginx, with the configuration that docs/deployment.md shows."""

import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from faithview.services.container import Store
from faithview.services.results import list_runs
from tests.dashboard import ROOT, Dashboard, free_port, is_healthy, start_dashboard
from tests.ui.browser.files import csv_of
from tests.ui.browser.screen import Screen

NGINX = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(NGINX is None, reason="nginx is not installed (Debian: nginx-light)"),
]

_BASE = "/faithview"


def _configuration(folder: Path, *, port: int, behind: int) -> str:
    """The server of the docs, without a certificate, on ports of this test."""
    text = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
    (server,) = re.findall(r"```nginx\n(.*?)```", text, re.DOTALL)
    server = re.sub(r"\n *ssl_certificate[^\n]*", "", server)
    server = server.replace("listen 443 ssl;", f"listen 127.0.0.1:{port};").replace("tools.example.com", "localhost")
    server = server.replace("127.0.0.1:8501", f"127.0.0.1:{behind}")
    # A port that is not the usual one belongs to the host's name.
    server = server.replace("proxy_set_header Host $host;", "proxy_set_header Host $http_host;")
    places = "".join(
        f"{kind}_temp_path {folder / kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    # Workers of a root's nginx become another user, who may not enter the folders of tests; a large reply that the
    # browser does not take at once then ends in the middle.
    user = "user root;\n" if os.geteuid() == 0 else ""
    return (
        f"{user}daemon off;\npid {folder / 'nginx.pid'};\nerror_log {folder / 'error.log'};\nevents {{}}\n"
        f"http {{\naccess_log off;\n{places}{server}}}\n"
    )


@pytest.fixture(scope="module")
def dashboard(database: str, folder: Path) -> Iterator[Dashboard]:
    """The module's dashboard, as it is reached through nginx."""
    assert NGINX is not None
    environment = {"FAITHVIEW_ALLOWED_HOSTS": "localhost"}
    running = start_dashboard(database, log=folder / "dashboard.log", environment=environment, base_path=_BASE)
    port = free_port()
    file = folder / "nginx.conf"
    file.write_text(_configuration(folder, port=port, behind=running.port), encoding="utf-8")
    nginx = subprocess.Popen([NGINX, "-c", file, "-p", folder], stderr=subprocess.DEVNULL)
    try:
        while not is_healthy(port, base_path=_BASE):
            assert nginx.poll() is None, (folder / "error.log").read_text(encoding="utf-8")
            time.sleep(0.1)
        yield replace(running, url=f"http://localhost:{port}{_BASE}", port=port)
    finally:
        nginx.terminate()
        nginx.wait()
        running.stop()


def test_the_websocket_the_pages_and_a_file_of_several_megabytes_pass(screen: Screen, services: Store) -> None:
    screen.open("/answers", run=list_runs(services)[0].run_id)
    screen.select_claim(1)
    rows = [{"question": f"q{n}", "answer": "It is 330 m.", "contexts": "It is 330 m. " * 200} for n in range(1500)]
    content = csv_of(rows)
    assert len(content) > 2_000_000
    screen.open("/upload")
    screen.upload("large.csv", content)
    screen.sees("1,500 answers")


def test_the_address_without_the_last_slash_leads_there(screen: Screen) -> None:
    screen.page.goto(screen.url)
    screen.until_page(f"{_BASE}/")
