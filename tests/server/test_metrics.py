"""What is counted, and that no label says anything about a client or a text."""

import re

import pytest
from starlette.testclient import TestClient

from tests.server.conftest import ANSWER, CONTEXT, Start

pytestmark = pytest.mark.process  # takes long

_SAMPLE = re.compile(r"^(\w+)(?:\{(.*)\})? (\S+)$")


def _figures(client: TestClient) -> dict[str, float]:
    figures = {}
    for line in client.get("/metrics").text.splitlines():
        if not line.startswith("#"):
            match = _SAMPLE.match(line)
            assert match, line
            figures[f"{match[1]}{{{match[2] or ''}}}"] = float(match[3])
    return figures


def test_requests_verdicts_and_outcomes_are_counted(start: Start) -> None:
    client = start(warms_up=False)
    body = {"answer": ANSWER, "context": CONTEXT}
    client.post("/check", json=body)
    client.post("/guard", json=body)
    client.post("/guard", json={"answer": CONTEXT[0], "context": CONTEXT})
    client.post("/check", json={"answer": "a", "context": []})
    client.post("/check", content=b"{", headers={"Content-Type": "application/json"})
    client.post("/log", json={"answers": [{"answer": "a", "context": "c"}]})
    figures = _figures(client)
    assert figures['faithview_requests_total{method="POST",route="/check",status="200"}'] == 2
    assert figures['faithview_requests_total{method="POST",route="/check",status="400"}'] == 1
    assert figures['faithview_request_seconds_count{route="/guard"}'] == 2
    assert figures['faithview_judge_seconds_count{task="check"}'] == 2
    assert figures['faithview_verdicts_total{verdict="contradicted"}'] == 2
    assert figures['faithview_verdicts_total{verdict="supported"}'] == 3
    assert figures['faithview_answers_total{faithful="no",state="judged"}'] == 2
    assert figures['faithview_answers_total{faithful="",state="empty_context"}'] == 1
    assert figures['faithview_guarded_total{outcome="blocked"}'] == 1
    assert figures['faithview_guarded_total{outcome="passed"}'] == 1
    assert figures['faithview_logged_answers_total{outcome="accepted"}'] == 1
    assert figures["faithview_log_queue{}"] == 0
    assert figures["faithview_waiting_for_judge{}"] == 0


def test_no_label_holds_anything_of_a_client(start: Start) -> None:
    token = "secret-token-of-a-client"
    client = start(tokens=(token,))
    headers = {"Authorization": f"Bearer {token}"}
    client.post("/check", json={"answer": "SECRET-ANSWER", "context": ["SECRET-CHUNK"]}, headers=headers)
    client.get("/SECRET-PATH?SECRET-QUERY", headers=headers)
    client.request("SECRETVERB", "/check", headers=headers)
    text = client.get("/metrics", headers=headers).text
    assert "secret" not in text.lower()
    assert 'route="other",status="404"' in text
    assert 'method="other"' in text
