"""Bodies that cannot be used: each gets one sentence, and never a 5xx."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from faithview.server import settings
from faithview.server.app import create_app
from faithview.server.settings import ServerSettings
from faithview.services.guard.guard import FaithfulnessGuard
from tests.factories import open_services
from tests.server.conftest import CONTEXT

pytestmark = pytest.mark.process  # takes long


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory, empty_file: Path) -> Iterator[TestClient]:
    """One service for all bodies: none of them may leave a trace in it."""
    store = shutil.copy(empty_file, tmp_path_factory.mktemp("bad") / "store.db")
    with (
        open_services(store) as services,
        FaithfulnessGuard("lexical", 0.8) as guard,
        TestClient(create_app(ServerSettings(), guard, services), base_url="http://127.0.0.1") as started,
    ):
        yield started


_JSON = {"Content-Type": "application/json"}
_UNREADABLE = {
    "no JSON": b"answer=1",
    "cut off": b'{"answer": "a", "context": ',
    "Latin-1": b'{"answer": "caf\xe9", "context": "b"}',
    "NaN": b'{"answer": NaN, "context": [}',
    "deep list": b"[" * 100_000,
    "deep metadata": b'{"answer":"a","context":[{"text":"b","metadata":' + b'{"a":' * 50_000,
    "number of 9,000 digits": b'{"answer":"a","context":[{"text":"b","metadata":{"a":' + b"9" * 9_000 + b"}}]}",
    "two documents": b'{"answer":"a","context":"b"}{}',
}


@pytest.mark.parametrize("body", _UNREADABLE.values(), ids=list(_UNREADABLE))
def test_a_body_that_cannot_be_read_is_a_bad_request(client: TestClient, body: bytes) -> None:
    reply = client.post("/check", content=body, headers=_JSON)
    assert reply.status_code == 400
    assert reply.json()["error"]["type"] == "bad_request"
    assert "\n" not in reply.json()["error"]["message"]


def _chunk(**fields: Any) -> dict[str, Any]:
    return {"answer": "a", "context": [{"text": "b", **fields}]}


_UNUSABLE: dict[str, tuple[object, str]] = {
    "list": ([], ""),
    "text": ("answer", ""),
    "empty": ({}, "answer"),
    "half a character": ({"answer": "\ud800", "context": "b"}, "answer"),
    "no context": ({"answer": "a"}, "context"),
    "number as answer": ({"answer": 5, "context": "c"}, "answer"),
    "null as answer": ({"answer": None, "context": "c"}, "answer"),
    "NUL": ({"answer": "a\x00b", "context": "c"}, "answer"),
    "NUL in a chunk": ({"answer": "a", "context": ["b", "c\x00"]}, "context.1"),
    "NUL in a chunk's text": (_chunk(text="\x00"), "context.0.text"),
    "NUL in metadata": (_chunk(metadata={"a": [{"b\x00": 1}]}), "context.0.metadata"),
    "number as context": ({"answer": "a", "context": 5}, "context"),
    "null as chunk": ({"answer": "a", "context": [None]}, "context.0"),
    "chunk without text": ({"answer": "a", "context": [{"id": "x"}]}, "context.0.text"),
    "score as text": (_chunk(score="0.5"), "context.0.score"),
    "score as truth": (_chunk(score=True), "context.0.score"),
    "huge score": (_chunk(score=10**400), "context.0.score"),
    "unknown field": ({"answer": "a", "context": "c", "contexts": "d"}, "contexts"),
    "unknown field of a chunk": (_chunk(page=5), "context.0.page"),
    "long answer": ({"answer": "a" * (settings.MOST_ANSWER_CHARACTERS + 1), "context": "c"}, "answer"),
    "long question": ({"answer": "a", "context": "c", "question": "q" * 10_001}, "question"),
    "long chunk": ({"answer": "a", "context": "c" * (settings.MOST_CHUNK_CHARACTERS + 1)}, "context"),
    "many chunks": ({"answer": "a", "context": ["c"] * (settings.MOST_CHUNKS + 1)}, "context"),
    "long context": ({"answer": "a", "context": ["c" * 60_000] * 10}, "context"),
    "long id": (_chunk(id="x" * 501), "context.0.id"),
}


@pytest.mark.parametrize(("body", "field"), _UNUSABLE.values(), ids=list(_UNUSABLE))
def test_a_field_that_cannot_be_used_is_named(client: TestClient, body: object, field: str) -> None:
    reply = client.post("/check", content=json.dumps(body), headers=_JSON)
    assert reply.status_code == 422, reply.text
    error = reply.json()["error"]
    assert error["type"] == "invalid_request"
    assert error.get("field", "") == field
    assert error["message"].endswith(".")
    assert len(error["message"]) < 200


def test_infinity_in_metadata_is_refused(client: TestClient) -> None:
    for number in (b"NaN", b"Infinity", b"-Infinity", b"1e999"):
        body = b'{"answers":[{"answer":"a","context":"c","metadata":{"x":[' + number + b"]}}]}"
        reply = client.post("/log", content=body, headers=_JSON)
        assert (reply.status_code, reply.json()["error"]["field"]) == (422, "answers.0.metadata")


def test_a_body_of_nothing_but_values_is_refused_before_they_are_read(client: TestClient) -> None:
    body = b'{"answer":"a","context":[{"text":"b","metadata":{"a":[' + b"[]," * 600_000 + b"[]]}}]}"
    reply = client.post("/check", content=body, headers=_JSON)
    assert (reply.status_code, reply.json()["error"]["type"]) == (413, "too_large")


def test_what_is_wrong_in_metadata_is_named_without_its_keys(client: TestClient) -> None:
    body = b'{"answer":"a","context":[{"text":"b","metadata":{"SECRET":[1e999]}}]}'
    reply = client.post("/check", content=body, headers=_JSON)
    assert (reply.status_code, reply.json()["error"]["field"]) == (422, "context.0.metadata")
    assert "SECRET" not in reply.text


@pytest.mark.parametrize(
    "answers",
    [
        [],
        [{"answer": "a", "context": "c"}] * (settings.MOST_LOGGED_AT_ONCE + 1),
        [{"answer": "a"}],
        [{"answer": "a", "context": "c", "at": "yesterday"}],
        [{"answer": "a", "context": "c", "at": "2026-05-06T12:00:00"}],
        [{"answer": "a", "context": "c", "id": 5}],
    ],
)
def test_a_batch_to_log_of_another_shape_is_refused(client: TestClient, answers: object) -> None:
    reply = client.post("/log", json={"answers": answers})
    assert reply.status_code == 422
    assert reply.json()["error"]["field"].startswith("answers")


def test_a_body_of_nothing_but_mistakes_is_refused_without_naming_them(client: TestClient) -> None:
    fields = {f"field {number}": 1 for number in range(30_000)}
    reply = client.post("/check", json={"answer": "a", "context": "c", **fields})
    error = reply.json()["error"]
    assert (reply.status_code, error["type"]) == (422, "invalid_request")
    assert len(error["message"]) < 100


@pytest.mark.parametrize("name", ["", "  "])
def test_a_blank_application_is_named(client: TestClient, name: str) -> None:
    reply = client.post("/log", json={"application": name, "answers": [{"answer": "a", "context": "c"}]})
    assert (reply.status_code, reply.json()["error"]["field"]) == (422, "application")


def test_an_error_says_nothing_of_the_texts(client: TestClient) -> None:
    secret = "SECRET-WORDS"
    for body in ({"answer": secret + "\x00", "context": secret}, {"answer": [secret], "context": [{"text": [secret]}]}):
        reply = client.post("/check", json=body)
        assert reply.status_code == 422
        assert secret not in reply.text
    assert CONTEXT  # the texts of other tests' requests are in no reply either
