"""What the service answers: the documents of the contract, and what it stores."""

import json
import time

import pytest
from starlette.testclient import TestClient

from faithview import check
from faithview.documents.answers import CheckDocument
from faithview.documents.guard import CorrectionDocument, GuardDocument, GuardedDocument
from faithview.documents.live import LogDocument
from faithview.domain.errors import StoreError
from faithview.domain.live import Appended
from faithview.domain.result import Result
from faithview.domain.sample import Sample
from faithview.services.container import Store
from faithview.store import live
from faithview.version import __version__
from tests.server.conftest import ANSWER, CONTEXT, Start
from tests.services.guard.scripted_answers import SentenceJudge

pytestmark = pytest.mark.process  # takes long


def test_check_answers_with_the_document_of_the_contract(client: TestClient) -> None:
    reply = client.post("/check", json={"answer": ANSWER, "context": CONTEXT, "question": "When?"})
    assert reply.status_code == 200
    expected = CheckDocument.of(check(answer=ANSWER, context=CONTEXT, question="When?", judge="lexical")).to_dict()
    assert reply.json() == json.loads(json.dumps(expected))
    assert [claim["verdict"] for claim in reply.json()["claims"]] == ["supported", "contradicted"]
    CheckDocument.model_validate(reply.json())


@pytest.mark.parametrize("answer", ["", "   ", "The context does not say who.", "Hm."])
@pytest.mark.parametrize("context", [[], "", "One text.", ["a", {"text": "b", "id": "x", "score": 1}]])
def test_every_state_of_an_answer_has_the_documents_shape(client: TestClient, answer: str, context: object) -> None:
    body = {"answer": answer, "context": context}
    CheckDocument.model_validate(client.post("/check", json=body).raise_for_status().json())
    GuardDocument.model_validate(client.post("/guard", json=body).raise_for_status().json())


def test_chunks_keep_their_own_ids(client: TestClient) -> None:
    context = [{"text": CONTEXT[0], "id": "kb-7", "score": 0.3, "metadata": {"page": [1]}}, CONTEXT[1]]
    reply = client.post("/check", json={"answer": ANSWER, "context": context}).json()
    assert [claim["supporting_chunk_ids"] for claim in reply["claims"]] == [["kb-7"], ["2"]]


def test_guard_blocks_and_says_why(client: TestClient) -> None:
    reply = client.post("/guard", json={"answer": "<b>Parking</b> costs 5 euros.", "context": CONTEXT}).json()
    assert reply["passed"] is False
    assert reply["score"] == 0.0
    assert "contradict" in reply["reason"]
    assert [issue["claim"]["verdict"] for issue in reply["issues"]] == ["contradicted"]
    assert "<b>" not in reply["highlighted"]
    assert "<mark" in reply["highlighted"]
    passed = client.post("/guard", json={"answer": CONTEXT[0], "context": CONTEXT}).json()
    assert (passed["passed"], passed["reason"], passed["issues"]) == (True, "", [])


def test_guard_corrects_where_that_is_asked_for(client: TestClient) -> None:
    body = {"answer": ANSWER, "context": CONTEXT, "correct": True}
    reply = client.post("/guard", json=body).raise_for_status().json()
    GuardedDocument.model_validate(reply)
    assert (reply["passed"], reply["changed"]) == (True, True)
    assert reply["answer"] == "The office opens at 9 am. Parking costs 7 euros."
    assert reply["before"]["passed"] is False
    assert reply["before"]["answer"] == ANSWER
    text = ANSWER
    for edit in reversed(reply["edits"]):
        text = text[: edit["start"]] + edit["replacement"] + text[edit["end"] :]
    assert text == reply["answer"]
    faithful = client.post("/guard", json={**body, "answer": CONTEXT[0]}).json()
    assert (faithful["passed"], faithful["changed"], faithful["edits"]) == (True, False, [])


def test_correct_says_what_it_changed_and_judges_nothing_again(client: TestClient) -> None:
    reply = client.post("/correct", json={"answer": ANSWER, "context": CONTEXT}).raise_for_status().json()
    CorrectionDocument.model_validate(reply)
    assert reply["answer"] == "The office opens at 9 am. Parking costs 7 euros."
    assert reply["changed"] is True
    assert [edit["claim_numbers"] for edit in reply["edits"]] == [[2]]
    nothing = client.post("/correct", json={"answer": ANSWER, "context": []}).raise_for_status().json()
    CorrectionDocument.model_validate(nothing)
    assert (nothing["answer"], nothing["changed"]) == (ANSWER, False)


def test_the_threshold_of_the_service_decides(start: Start) -> None:
    answer = "The office opens at 9 am. The office opens at 9 am on Mondays."
    body = {"answer": answer, "context": CONTEXT}
    assert start(threshold=1.0).post("/guard", json=body).json()["passed"] is False
    assert start(threshold=0.5).post("/guard", json=body).json()["passed"] is True


class _FailingJudge:
    name = "failing"
    fingerprint = "failing/1"

    async def judge(self, sample: Sample) -> Result:
        raise RuntimeError(f"no words of {sample.answer}")

    async def aclose(self) -> None:
        pass


def test_an_answer_that_cannot_be_judged_is_no_error_of_the_service(start: Start) -> None:
    client = start(_FailingJudge(), warms_up=False)
    reply = client.post("/check", json={"answer": ANSWER, "context": CONTEXT})
    assert reply.status_code == 200
    assert reply.json()["state"] == "failed"
    assert reply.json()["faithfulness"] is None
    guarded = client.post("/guard", json={"answer": ANSWER, "context": CONTEXT}).json()
    assert guarded["passed"] is False


def test_logged_answers_are_in_the_store_when_the_reply_comes(client: TestClient, services: Store) -> None:
    answers = [
        {"answer": "a", "context": "c", "id": "1", "at": "2026-05-06T12:00:00Z", "metadata": {"user": 7}},
        {"answer": "b", "context": [{"text": "d", "id": "x"}, "e"], "id": "2", "segment": "north", "question": "q"},
        {"answer": "c", "context": [], "id": "3", "at": "0001-01-01T00:00:00Z"},
    ]
    reply = client.post("/log", json={"application": "desk", "answers": answers})
    assert reply.status_code == 200
    assert reply.json()["accepted"] == 2
    (refused,) = reply.json()["refused"]
    assert (refused["index"], refused["id"]) == (2, "3")
    LogDocument.model_validate(reply.json())
    (backlog,) = live.list_backlogs(services.db)
    assert (backlog.application, backlog.waiting) == ("desk", 2)


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ({"answer": 5, "context": "c", "id": "bad"}, "answers.1.answer: "),
        ({"context": "c", "id": "bad"}, "answers.1.answer: "),
        ({"answer": "a", "id": "bad"}, "answers.1.context: "),
        ({"answer": "a", "context": [{"text": 5}], "id": "bad"}, "answers.1.context.0.text: "),
        ({"answer": "a", "context": "c", "id": "bad", "at": "yesterday"}, "answers.1: "),
        ({"answer": "a\x00", "context": "c", "id": "bad"}, "answers.1.answer: The text contains a NUL character"),
        ({"answer": "a", "context": "c", "id": "bad", "page": 7}, "answers.1.page: "),
        ({"answer": "SECRET", "context": "c", "id": "bad", "segment": 5}, "answers.1.segment: "),
        ({"answer": "a", "context": "c", "id": "bad", "at": "0001-01-01T00:00:00Z"}, ""),
        (None, "answers.1: "),
        ("SECRET", "answers.1: "),
        ([], "answers.1: "),
    ],
)
def test_one_bad_answer_keeps_no_good_one_out(client: TestClient, services: Store, bad: object, said: str) -> None:
    good = [{"answer": text, "context": "c", "id": text} for text in ("first", "second")]
    body = {"application": "desk", "answers": [good[0], bad, good[1], {"answer": 7, "context": "c"}]}
    reply = client.post("/log", json=body)
    assert reply.status_code == 200, reply.text
    assert reply.json()["accepted"] == 2
    refused, last = reply.json()["refused"]
    assert (refused["index"], last["index"], last["id"]) == (1, 3, None)
    assert refused["id"] == ("bad" if isinstance(bad, dict) else None)
    assert refused["message"].startswith(said)
    assert refused["message"].endswith(".")
    assert "SECRET" not in reply.text
    LogDocument.model_validate(reply.json())
    (backlog,) = live.list_backlogs(services.db)
    assert (backlog.application, backlog.waiting) == ("desk", 2)
    assert "faithview_logged_answers_total" in client.get("/metrics").text


def test_an_answer_that_is_logged_again_under_its_id_is_stored_once(client: TestClient, services: Store) -> None:
    body = {"answers": [{"answer": "a", "context": "c", "id": "1"}]}
    for _ in range(3):
        assert client.post("/log", json=body).json() == {"schema_version": 1, "accepted": 1, "refused": []}
    (backlog,) = live.list_backlogs(services.db)
    assert backlog.waiting == 1


def test_a_batch_without_a_usable_answer_is_an_error(client: TestClient) -> None:
    body = {"answers": [{"answer": "a", "context": "c", "at": "0001-01-01T00:00:00Z"}]}
    reply = client.post("/log", json=body)
    assert reply.status_code == 422
    assert reply.json()["error"]["field"] == "answers.0"


def test_the_probes_say_how_the_service_is(start: Start, services: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    client = start()
    assert client.get("/health").json() == {"schema_version": 1, "status": "ok", "version": __version__}
    for _ in range(100):
        ready = client.get("/ready")
        if ready.status_code == 200:
            break
    assert ready.json() == {"schema_version": 1, "ready": True, "judge": True, "store": True}
    monkeypatch.setattr(services, "is_reachable", lambda: False)
    other = start()
    assert other.get("/ready").status_code == 503
    assert other.get("/ready").json()["store"] is False


def test_a_judge_that_does_not_work_is_not_ready(start: Start) -> None:
    assert start(_FailingJudge()).get("/ready").json() == {
        "schema_version": 1,
        "ready": False,
        "judge": False,
        "store": True,
    }


def test_a_judge_that_works_later_makes_the_service_ready(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("faithview.server.app._RETRY_S", 0.0)
    client = start(SentenceJudge(fails_until=3))
    deadline = time.monotonic() + 30
    while client.get("/ready").status_code != 200 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert client.get("/ready").json() == {"schema_version": 1, "ready": True, "judge": True, "store": True}


def test_a_store_that_cannot_be_written_is_told_and_can_be_tried_again(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> Appended:
        raise StoreError("The database /secret/place cannot be used.")

    monkeypatch.setattr("faithview.server.endpoints.append_answers", fail)
    reply = start().post("/log", json={"answers": [{"answer": "a", "context": "c"}]})
    assert reply.status_code == 503
    assert reply.headers["retry-after"] == "2"
    assert "secret" not in reply.text
