"""Where the dashboard may listen, under which path, and what its probes say."""

import http.client
import json
from pathlib import Path

import pytest

from faithview.domain.errors import InvalidInput
from faithview.hosts import read_hosts
from faithview.ui.serving.dashboard_server import dashboard_url
from tests.dashboard import Dashboard, start_dashboard


@pytest.mark.parametrize(
    ("host", "base_path", "allowed", "url"),
    [
        ("127.0.0.1", "", "", "http://127.0.0.1:8501"),
        ("127.0.0.1", "faithview", "", "http://127.0.0.1:8501/faithview"),
        ("::1", "", "", "http://[::1]:8501"),
        ("0.0.0.0", "a/b", "*, eval.example.com", "http://eval.example.com:8501/a/b"),
        ("0.0.0.0", "", "*", "http://127.0.0.1:8501"),
        ("10.0.0.7", "", "*", "http://10.0.0.7:8501"),
    ],
)
def test_the_address_is_the_one_to_open(host: str, base_path: str, allowed: str, url: str) -> None:
    assert dashboard_url(host, 8501, base_path, read_hosts(allowed)) == url


@pytest.mark.parametrize("base_path", ["a b", "../x", "a//b", "a?b", "\u00e4", "<b>", ".hidden"])
def test_what_is_no_path_is_refused(base_path: str) -> None:
    with pytest.raises(InvalidInput, match="is not a valid path for --base-path"):
        dashboard_url("127.0.0.1", 1, base_path, read_hosts(""))


def test_other_machines_are_served_only_under_names_that_are_allowed() -> None:
    with pytest.raises(InvalidInput, match="Set FAITHVIEW_ALLOWED_HOSTS"):
        dashboard_url("0.0.0.0", 1, "", read_hosts(""))


def _ask(dashboard: Dashboard, path: str) -> tuple[int, dict[str, object]]:
    connection = http.client.HTTPConnection("127.0.0.1", dashboard.port, timeout=30)
    connection.request("GET", path)
    response = connection.getresponse()
    found = json.loads(response.read())
    connection.close()
    return response.status, found


@pytest.mark.process
def test_the_probes_say_whether_the_store_answers(tmp_path: Path, store_file: Path) -> None:
    dashboard = start_dashboard(f"sqlite:///{store_file}", log=tmp_path / "log", base_path="/f")
    try:
        assert _ask(dashboard, "/f/ready") == (200, {"ready": True, "store": True})
    finally:
        dashboard.stop()
    assert f"FaithView is at {dashboard.url} (Ctrl-C stops it)." in dashboard.log.read_text(encoding="utf-8")


@pytest.mark.process
def test_a_store_that_is_gone_is_not_ready(tmp_path: Path, store_file: Path) -> None:
    dashboard = start_dashboard(f"sqlite:///{store_file}", log=tmp_path / "log")
    try:
        store_file.unlink()
        assert _ask(dashboard, "/ready") == (503, {"ready": False, "store": False})
    finally:
        dashboard.stop()
