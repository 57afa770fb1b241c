"""`faithview serve` as a process: how it starts, what it says, how it stops, and that it answers under load."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from faithview.store import live
from tests.dashboard import ROOT
from tests.factories import open_services
from tests.server.conftest import ANSWER, CONTEXT
from tests.service import Service, running_service

pytestmark = pytest.mark.process

_JSON = {"Content-Type": "application/json"}
_BODY = json.dumps({"answer": ANSWER, "context": CONTEXT}).encode()
# Takes the rules about a second.
_LONG_BODY = json.dumps({"answer": "The office opens at 9 am. " * 120, "context": ["Parking is 7 euros. " * 900] * 5})


def _post(service: Service, path: str, body: str | bytes, **headers: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
    try:
        connection.request("POST", path, body, {**_JSON, **headers})
        reply = connection.getresponse()
        return reply.status, reply.read()
    finally:
        connection.close()


def _waiting(url: str) -> int:
    with open_services(url) as services:
        return sum(backlog.waiting for backlog in live.list_backlogs(services.db))


def test_what_is_under_way_is_answered_and_stored_before_the_service_stops(store_file: Path, tmp_path: Path) -> None:
    url = f"sqlite:///{store_file}"
    span = {"traceId": "ab" * 16, "spanId": "cd" * 8, "attributes": _attributes({
        "openinference.span.kind": "RETRIEVER", "retrieval.documents.0.document.content": CONTEXT[0],
    })}  # fmt: skip
    reply = {**span, "spanId": "ef" * 8, "attributes": _attributes({
        "openinference.span.kind": "LLM", "output.value": "It opens at 9 am.",
    })}  # fmt: skip
    with running_service("--judge", "lexical", database_url=url, log=tmp_path / "log") as service:
        spans = json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [span, reply]}]}]})
        assert _post(service, "/v1/traces", spans)[0] == 200
        with ThreadPoolExecutor(4) as pool:
            judged = [pool.submit(_post, service, "/check", _LONG_BODY) for _ in range(2)]
            while not _is_judging(service):
                time.sleep(0.02)
            service.process.send_signal(signal.SIGTERM)
            assert [future.result()[0] for future in judged] == [200, 200]
        assert service.process.wait(40) == 0
        assert "Traceback" not in service.said()
    assert _waiting(url) == 1


def test_a_second_of_load_is_answered_without_an_error(store_file: Path, tmp_path: Path) -> None:
    url = f"sqlite:///{store_file}"
    statuses: list[int] = []
    with running_service("--judge", "lexical", database_url=url, log=tmp_path / "log") as service:
        end = time.monotonic() + 1
        number = iter(range(1_000_000))

        def ask() -> None:
            while time.monotonic() < end:
                statuses.append(_post(service, "/check", _BODY)[0])
                body = json.dumps({"answers": [{"answer": "a", "context": "c", "id": str(next(number))}]})
                statuses.append(_post(service, "/log", body)[0])

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert set(statuses) == {200}
        assert len(statuses) >= 16
        assert service.stop(signal.SIGINT) == 0
        assert "Traceback" not in service.said()
    assert _waiting(url) == len(statuses) // 2


def test_the_service_says_nothing_of_texts_and_tokens(store_file: Path, tmp_path: Path) -> None:
    token = "a-token-that-nobody-may-see"
    options = ("--judge", "lexical")
    environment = {"FAITHVIEW_TOKEN": token}
    url = f"sqlite:///{store_file}"
    with running_service(*options, database_url=url, log=tmp_path / "log", environment=environment) as service:
        assert _post(service, "/check", _BODY)[0] == 401
        assert _post(service, "/check", _BODY, Authorization=f"Bearer {token}")[0] == 200
        assert _post(service, "/check?SECRET", b"{SECRET", Authorization=f"Bearer {token}")[0] == 400
        assert _post(service, "/log", json.dumps({"answers": [{"answer": "SECRET", "context": "SECRET"}]}),
                     Authorization=f"Bearer {token}")[0] == 200  # fmt: skip
        assert service.stop() == 0
        assert not [word for word in ("SECRET", token, ANSWER) if word in service.said()]
        assert f":{service.port}" in service.said()


def _run(*options: str, **environment: str) -> tuple[int, str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    command = [sys.executable, "-m", "faithview", "serve", *options]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == ""
    return done.returncode, done.stderr


def test_without_a_token_the_service_does_not_listen_to_other_machines(store_file: Path) -> None:
    status, said = _run("--host", "0.0.0.0", "--db", f"sqlite:///{store_file}")
    assert status == 2
    assert said.count("\n") == 1
    assert "FAITHVIEW_TOKEN" in said


def test_a_port_in_use_is_one_clear_line(store_file: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        status, said = _run("--port", str(port), "--judge", "lexical", "--db", f"sqlite:///{store_file}")
    assert status == 2
    assert str(port) in said
    assert "Traceback" not in said


def test_a_judge_that_does_not_exist_is_one_clear_line(store_file: Path) -> None:
    status, said = _run("--judge", "lexicle", "--db", f"sqlite:///{store_file}")
    assert (status, said.count("\n")) == (2, 1)
    assert "lexical" in said


def test_without_the_extra_one_line_says_what_to_install(store_file: Path, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['fastapi'] = None\n", encoding="utf-8")
    status, said = _run("--db", f"sqlite:///{store_file}", PYTHONPATH=f"{tmp_path}{os.pathsep}{ROOT}")
    assert (status, said.count("\n")) == (2, 1)
    assert "pip install 'faithview[serve]'" in said


def _attributes(values: dict[str, str]) -> list[dict[str, object]]:
    return [{"key": key, "value": {"stringValue": value}} for key, value in values.items()]


def _is_judging(service: Service) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    connection.close()
    return "faithview_judging 2.0" in text
