"""The service judges with a cascade: replies say who decided, and an answer that cannot be decided does not pass."""

import pytest

from tests.judges.cascade.test_asking_a_model import SAMPLE
from tests.judges.llm.server import Say
from tests.server.conftest import Start
from tests.services.llm_runs import point_at
from tests.vendor import running

pytestmark = pytest.mark.process  # takes long

_BODY = {"answer": SAMPLE.answer, "context": [SAMPLE.chunks[0].text]}


def test_a_reply_says_who_decided_each_claim(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    with running() as vendor:
        point_at(vendor, monkeypatch)
        client = start("cascade:openai:m")
        found = client.post("/check", json=_BODY).json()
        assert client.post("/guard", json=_BODY).json()["passed"] is True
    assert (found["judge"], found["llm_calls"]) == ("cascade:openai:m", 1)
    assert [claim["decided_by"] for claim in found["claims"]] == ["openai:m", "openai:m", "embedded"]


def test_what_the_model_cannot_decide_does_not_pass(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    with running(lambda _: Say(text="no JSON")) as vendor:
        point_at(vendor, monkeypatch)
        client = start("cascade:openai:m")
        found = client.post("/check", json=_BODY).json()
        guarded = client.post("/guard", json=_BODY).json()
    assert (found["state"], found["claims"]) == ("failed", [])
    assert "openai:m was asked about 2 of 3 claims" in found["error"]
    assert guarded["passed"] is False
