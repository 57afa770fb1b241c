"""The dashboard's figures for Prometheus: served where they are asked for, and without a text in a label."""

import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.dashboard import Dashboard, free_port, start_server

pytestmark = pytest.mark.process

pytest.importorskip("prometheus_client")


def _get(url: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url, timeout=20) as reply:
            return reply.status, reply.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def _start(*options: str, store: Path, log: Path) -> Dashboard:
    port = free_port()
    command = [sys.executable, "-m", "faithview", "ui", "--no-browser", "--port", str(port), "--base-path", "/below"]
    environment = {"FAITHVIEW_DB": f"sqlite:///{store}"}
    return start_server([*command, *options], port=port, log=log, environment=environment, base_path="/below")


def test_requests_are_counted_by_kind_and_no_address_is_a_label(store_file: Path, tmp_path: Path) -> None:
    dashboard = _start("--metrics", store=store_file, log=tmp_path / "log")
    try:
        for path in ("/ready", "/ready", "/answers?run=zyzzyva", "/zyzzyva/zyzzyva.php"):
            _get(dashboard.url + path)
        refused = urllib.request.Request(f"{dashboard.url}/ready", headers={"Host": "evil.test"})
        with pytest.raises(urllib.error.HTTPError, match="421"):
            urllib.request.urlopen(refused, timeout=20)
        status, text = _get(f"{dashboard.url}/metrics")
    finally:
        dashboard.stop()
    assert status == 200
    lines = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert lines['faithview_requests_total{method="GET",route="/ready",status="200"}'] == "2.0"
    assert lines['faithview_requests_total{method="GET",route="/ready",status="421"}'] == "1.0"
    assert lines['faithview_requests_total{method="GET",route="page",status="200"}'] == "1.0"
    assert (lines["faithview_sessions"], lines["faithview_judging_runs"]) == ("0.0", "0.0")
    assert "zyzzyva" not in text


def test_without_the_option_there_are_no_figures(store_file: Path, tmp_path: Path) -> None:
    dashboard = _start(store=store_file, log=tmp_path / "log")
    try:
        assert "faithview_requests" not in _get(f"{dashboard.url}/metrics")[1]
    finally:
        dashboard.stop()
