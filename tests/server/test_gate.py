"""What every request passes: host, token, type and size; and the headers that every reply has."""

import gzip
import json
import zlib
from typing import Any

import pytest
from starlette.testclient import TestClient

from faithview.domain.errors import InvalidInput
from faithview.server.settings import Limits, ServerSettings, read_tokens
from tests.server.conftest import ANSWER, CONTEXT, Start

pytestmark = pytest.mark.process  # takes long

_TOKEN, _OTHER_TOKEN = "t" * 20, "u" * 20
_BODY = {"answer": ANSWER, "context": CONTEXT}


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def _error(reply: Any) -> str:
    """Return the type of an error, and check its shape on the way."""
    document = reply.json()
    assert list(document) == ["schema_version", "error"]
    assert set(document["error"]) <= {"type", "message", "field"}
    assert document["error"]["message"].endswith(".")
    return str(document["error"]["type"])


def test_a_token_is_wanted_where_there_is_one(start: Start) -> None:
    client = start(tokens=(_TOKEN, _OTHER_TOKEN))
    for token in (_TOKEN, _OTHER_TOKEN):
        assert client.post("/check", json=_BODY, headers=_bearer(token)).status_code == 200
        assert client.get("/metrics", headers=_bearer(token)).status_code == 200
    for headers in ({}, _bearer("wrong"), _bearer(_TOKEN + "x"), {"Authorization": _TOKEN}, _bearer("\xe9" * 9)):
        for method, path in (("POST", "/check"), ("GET", "/metrics"), ("POST", "/log"), ("GET", "/nowhere")):
            raw = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
            reply = client.request(method, path, headers=raw)
            assert (reply.status_code, _error(reply)) == (401, "unauthorized")
            assert reply.headers["www-authenticate"].startswith("Bearer")
            assert _TOKEN not in reply.text
    for path in ("/health", "/ready", "/openapi.json"):
        assert client.get(path).status_code in (200, 503)


def test_two_authorization_headers_are_none(start: Start) -> None:
    headers = [(b"authorization", f"Bearer {_TOKEN}".encode())] * 2
    assert start(tokens=(_TOKEN,)).get("/metrics", headers=headers).status_code == 401


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "faithview.example", "::", ""])
def test_without_a_token_only_this_machine_is_listened_on(host: str) -> None:
    with pytest.raises(InvalidInput, match="FAITHVIEW_TOKEN"):
        ServerSettings(host=host)
    assert ServerSettings(host=host, tokens=(_TOKEN,)).host == host


@pytest.mark.parametrize("token", ["short", "with space in the middle", "é" * 20, "tab\t" * 8])
def test_a_token_that_is_weak_or_cannot_be_sent_is_refused(token: str) -> None:
    with pytest.raises(InvalidInput, match="token needs") as refused:
        ServerSettings(tokens=(token,))
    assert token not in str(refused.value)


def test_tokens_are_read_from_one_variable_and_never_shown() -> None:
    assert read_tokens(None) == read_tokens("") == read_tokens(" , ") == ()
    assert read_tokens(f" {_TOKEN},{_OTHER_TOKEN} ") == (_TOKEN, _OTHER_TOKEN)
    assert _TOKEN not in repr(ServerSettings(tokens=(_TOKEN,)))


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "", "[::1"])
def test_a_request_to_another_name_is_refused(client: TestClient, host: str) -> None:
    reply = client.post("/check", json=_BODY, headers={"Host": host})
    assert (reply.status_code, _error(reply)) == (421, "wrong_host")


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8600", "127.0.0.1:1", "[::1]:8600", "[::1]"])
def test_every_name_of_this_machine_is_served(client: TestClient, host: str) -> None:
    assert client.post("/check", json=_BODY, headers={"Host": host}).status_code == 200


def test_other_names_are_served_where_that_is_wanted(start: Start) -> None:
    client = start(allowed_hosts=("Faithview.internal",))
    assert client.get("/metrics", headers={"Host": "faithview.internal:80"}).status_code == 200
    assert client.get("/metrics", headers={"Host": "other.internal"}).status_code == 421
    assert start(allowed_hosts=("*",)).get("/metrics", headers={"Host": "any.example"}).status_code == 200
    assert client.get("/health", headers={"Host": "10.0.0.7:8600"}).status_code == 200
    with pytest.raises(InvalidInput):
        ServerSettings(allowed_hosts=("https://faithview.internal/",))


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded", "application/jsonp", "json"])
def test_types_that_any_web_page_can_send_are_refused(client: TestClient, kind: str) -> None:
    reply = client.post("/check", content=json.dumps(_BODY), headers={"Content-Type": kind})
    assert (reply.status_code, _error(reply)) == (415, "unsupported_type")


def test_a_body_may_be_packed_with_gzip(client: TestClient) -> None:
    packed = gzip.compress(json.dumps(_BODY).encode())
    headers = {"Content-Type": "application/json; charset=utf-8", "Content-Encoding": "gzip"}
    assert client.post("/check", content=packed, headers=headers).json()["state"] == "judged"
    half = len(packed) // 2
    for broken in (b"", b"x", packed[:half], packed[:-1], zlib.compress(b"{}"), packed + b"x", packed + packed):
        reply = client.post("/check", content=broken, headers=headers)
        assert (reply.status_code, _error(reply)) == (400, "bad_request")
    reply = client.post("/check", content=packed, headers={**headers, "Content-Encoding": "br"})
    assert (reply.status_code, _error(reply)) == (415, "unsupported_type")


@pytest.mark.parametrize("around", ["\xa0", "\x85", "\x0c", "\x1f"])
def test_a_token_is_stripped_of_spaces_alone(start: Start, around: str) -> None:
    client = start(tokens=(_TOKEN,))

    def status(value: str) -> int:
        return client.get("/metrics", headers=[(b"authorization", value.encode("latin-1"))]).status_code

    assert [status(f"Bearer  {_TOKEN} "), status(f"Bearer {around}{_TOKEN}"), status(f"Bearer {_TOKEN}{around}")] == [
        200, 401, 401,
    ]  # fmt: skip


def test_a_long_body_is_refused_by_its_header_on_the_way_and_after_unpacking(start: Start) -> None:
    client = start(limits=Limits(body_bytes=1000))
    json_type = {"Content-Type": "application/json"}
    fits = json.dumps({"answer": "a" * 900, "context": "c"}).encode()
    assert client.post("/check", content=fits, headers=json_type).status_code == 200
    long = json.dumps({"answer": "a" * 2000, "context": "c"}).encode()
    bomb = gzip.compress(b"0" * 10_000_000)
    replies = [
        client.post("/check", content=long, headers=json_type),
        client.post("/check", content=iter([long[:600], long[600:]]), headers=json_type),
        client.post("/check", content=gzip.compress(long), headers={**json_type, "Content-Encoding": "gzip"}),
        client.post("/check", content=bomb, headers={**json_type, "Content-Encoding": "gzip"}),
    ]
    assert [(reply.status_code, _error(reply)) for reply in replies] == [(413, "too_large")] * 4


def test_every_reply_has_the_headers_that_keep_a_browser_from_doing_harm(client: TestClient) -> None:
    for reply in (
        client.get("/health"),
        client.get("/openapi.json"),
        client.get("/nowhere"),
        client.post("/check", content=b""),
    ):
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["cache-control"] == "no-store"
        assert reply.headers["content-security-policy"].startswith("default-src 'none'")
        assert reply.headers["x-frame-options"] == "DENY"
        assert "access-control-allow-origin" not in reply.headers
        assert "server" not in reply.headers


def test_web_pages_may_read_replies_only_where_that_is_wanted(start: Start) -> None:
    page = {"Origin": "https://app.example"}
    asked = {**page, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
    assert "access-control-allow-origin" not in start().post("/check", json=_BODY, headers=page).headers
    client = start(cors_origins=("https://app.example",), tokens=(_TOKEN,))
    reply = client.options("/check", headers=asked)
    assert reply.headers["access-control-allow-origin"] == "https://app.example"
    refused = client.post("/check", json=_BODY, headers=page)
    assert (refused.status_code, refused.headers["access-control-allow-origin"]) == (401, "https://app.example")
    other = client.options("/check", headers={**asked, "Origin": "https://evil.example"})
    assert "access-control-allow-origin" not in other.headers


def test_an_unexpected_error_has_the_same_shape_and_says_nothing_of_itself(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("SECRET")

    monkeypatch.setattr("faithview.server.endpoints.CheckDocument.of", broken)
    reply = start().post("/check", json=_BODY)
    assert (reply.status_code, _error(reply)) == (500, "internal_error")
    assert "SECRET" not in reply.text
    assert reply.headers["content-type"] == "application/json"


def test_unknown_addresses_and_methods_have_the_same_shape(client: TestClient) -> None:
    nowhere, method = client.get("/check/x?a=<script>"), client.get("/check")
    assert (nowhere.status_code, _error(nowhere)) == (404, "not_found")
    assert (method.status_code, _error(method)) == (405, "method_not_allowed")
    assert method.headers["allow"] == "POST"
    assert "script" not in nowhere.text
