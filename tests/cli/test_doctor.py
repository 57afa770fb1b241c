"""`faithview doctor` against a server in every state that users meet: what it says, what it sends, and no key in it."""

import json
import socket
import threading
from dataclasses import dataclass
from typing import Any

import pytest

from faithview.judges.registry import list_judges
from tests.cli.conftest import Command, Outcome
from tests.judges.llm.server import Answer, Hang, Raw, Request, Say, Script, Status, sensible, sensible_reply
from tests.judges.llm.users_servers import lm_studio
from tests.vendor import KEY, Vendor, running

MODELS = ("text-embed-3", "small-one", "large-one")


def _rules_contradicted(request: Request) -> Say:
    """The ruling that the test answer deserves."""
    reply = sensible_reply("SingleReply", request.user)
    reply["claims"][0] |= {"verdict": "contradicted"}
    return Say(text=json.dumps(reply))


def _with_models(chat: Script, *, names: tuple[str, ...] = MODELS) -> Script:
    def script(request: Request) -> Answer:
        if request.method == "GET":
            data = [{"id": name, "object": "model", "type": "model", "created": 1, "owned_by": "me"} for name in names]
            return {"object": "list", "data": data, "has_more": False}
        return chat(request)

    return script


def _always(answer: Answer) -> Script:
    return lambda request: answer


def _no_list(request: Request) -> Answer:
    return Status(code=404, message="Not Found") if request.method == "GET" else _rules_contradicted(request)


@dataclass(frozen=True, kw_only=True)
class State:
    """A server in some state: what it replies, what doctor says, and how many questions were asked."""

    script: Script
    says: tuple[str, ...]
    fault: str | None = None
    calls: int = 1
    arguments: tuple[str, ...] = ()


STATES = {
    "works": State(
        script=_with_models(_rules_contradicted),
        says=(
            "3 models: text-embed-3, small-one, large-one",
            "small-one: the test claim is contradicted, as it should be",
            "1,000 tokens in and 100 out · price unknown",
            "Everything that is set up works.",
        ),
    ),
    "wrong key": State(
        script=_always(Status(code=401, message=f"Incorrect API key provided: {KEY}")),
        says=("replied with status 401", "The key is wrong or was revoked: set OPENAI_API_KEY"),
        fault="wrong key",
        calls=0,
    ),
    "no access": State(
        script=_with_models(_always(Status(code=403, message="Your project may not use this."))),
        says=("replied with status 403", "The key is known but may not do this"),
        fault="no access",
    ),
    "no credit": State(
        script=_with_models(_always(Status(code=429, message="You exceeded it.", error_code="insufficient_quota"))),
        says=("has no credit or its quota is used up: add credit",),
        fault="no credit",
    ),
    "rate limit": State(
        script=_with_models(_always(Status(code=429, message="slow down", headers={"retry-after": "300"}))),
        says=("replied with status 429", "wait a minute and try again", "--concurrency 2"),
        fault="rate limit",
    ),
    "wrong model": State(
        script=_with_models(_always(Status(code=404, message='model "smal-one" not found, try pulling it first'))),
        says=("The server has no model with that name: name one that it lists, for example openai:small-one.",),
        fault="no such model",
        arguments=("--judge", "openai:smal-one"),
    ),
    "wrong address": State(
        script=_always(Status(code=404, message="Not Found")),
        says=("The address is wrong: check OPENAI_BASE_URL; it usually ends in /v1.",),
        fault="wrong address",
        calls=0,
    ),
    "a web page": State(
        script=_always(Raw(content=b"<html>Welcome!</html>", content_type="text/html")),
        says=(
            "sent no reply: the reply is not a list of models",
            "A server answers there, but not in this protocol: check OPENAI_BASE_URL",
        ),
        fault="no API",
        calls=0,
    ),
    "no models": State(
        script=_with_models(_rules_contradicted, names=()),
        says=("lists no model", "`ollama pull MODEL`"),
        fault="no models",
        calls=0,
    ),
    "too slow": State(
        script=_with_models(_always(Hang())),
        says=("gave no reply within 1 s", "it may still be loading the model", "--timeout 300"),
        fault="too slow",
        arguments=("--timeout", "1"),
    ),
    "server error": State(
        script=_with_models(_always(Status(code=500, message="CUDA out of memory"))),
        says=("CUDA out of memory", "The server itself failed: check its log"),
        fault="server error",
    ),
    "refusal": State(
        script=_with_models(_always(Say(text="I cannot help with that.", finish="refused"))),
        says=(
            "The model refused the question 'single' (once)",
            "The model refused to judge a harmless answer: use another model",
        ),
        fault="refusal",
    ),
    "no JSON": State(
        script=_with_models(_always(Say(text="Sure! The claim is supported."))),
        says=(
            "small-one: The question 'single' was asked once, and no reply could be used; the last: the reply has no",
            "did not reply in the requested form",
        ),
        fault="reply is not in the form",
    ),
    "cut off": State(
        script=_with_models(_always(Say(text='{"claims": [', finish="truncated"))),
        says=(
            "the last: the reply was cut off",
            "The reply was cut off: raise the model's context length",
        ),
        fault="reply cut off",
    ),
    "no JSON schemas": State(
        script=_with_models(lm_studio),
        says=(
            "The server does not accept JSON schemas. The form of a reply is described in the prompt.",
            "but should be",
        ),
        calls=2,  # the first was refused as unknown, at no cost
    ),
    "no list of models": State(
        script=_no_list,
        says=("No list of models", "mine: the test claim is contradicted, as it should be"),
        arguments=("--judge", "openai:mine"),
    ),
    "a wrong verdict": State(
        script=_with_models(sensible),
        says=("the test claim is supported, but should be contradicted: measure this judge",),
    ),
}


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for info in list_judges():
        for name in (*info.keys, info.base_url or "UNUSED"):
            monkeypatch.delenv(name, raising=False)


def _set_up(monkeypatch: pytest.MonkeyPatch, vendor: Vendor, name: str) -> None:
    for variable, value in vendor.environment.items():
        if variable.startswith(name):
            monkeypatch.setenv(variable, value)


def _text(done: Outcome) -> str:
    return done.out + done.err


@pytest.mark.parametrize("name", STATES)
def test_it_says_what_a_server_lacks_and_what_to_do(
    faithview: Command, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    state = STATES[name]
    with running(state.script) as vendor:
        _set_up(monkeypatch, vendor, "OPENAI")
        done = faithview("doctor", *state.arguments)
        assert vendor.calls == state.calls
        host = vendor.url.removeprefix("http://")
    assert done.status == (0 if state.fault is None else 1), _text(done)
    for words in state.says:
        assert words in done.out
    assert "OPENAI_API_KEY is set" in done.out
    assert KEY not in _text(done)
    assert f"Asking {host} for its models (no cost)." in done.err
    assert (f"at {host} one short question" in done.err) == (state.calls > 0)
    assert ("What to do: " in done.out) == (state.fault is not None)


@pytest.mark.parametrize("name", ["works", "wrong key", "refusal"])
def test_the_document_says_the_same(faithview: Command, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    state = STATES[name]
    with running(state.script) as vendor:
        _set_up(monkeypatch, vendor, "OPENAI")
        done = faithview("doctor", "--json")
    judge = _judge(done, "openai")
    assert _fault(judge) == state.fault
    assert done.document["works"] is (state.fault is None)
    assert dict(judge["variables"]) == {"OPENAI_API_KEY": True, "OPENAI_BASE_URL": True}
    assert done.document["embedded"]["verdict"] == "contradicted"
    assert KEY not in _text(done)


@pytest.mark.parametrize("name", ["works", "wrong key", "too slow"])
def test_the_other_vendors_protocol_is_tried_out_in_the_same_way(
    faithview: Command, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    state = STATES[name]
    with running(state.script) as vendor:
        _set_up(monkeypatch, vendor, "ANTHROPIC")
        done = faithview("doctor", "--json", *state.arguments)
        assert vendor.calls == state.calls
    assert (_fault(_judge(done, "anthropic")), done.status) == (state.fault, 1 if state.fault else 0)
    assert KEY not in _text(done)


def test_a_server_that_is_down_is_told(faithview: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{port}/v1")
    done = faithview("doctor")
    assert done.status == 1
    assert "No server answers at that address: start it, and check host and port in OPENAI_BASE_URL, http" in done.out
    assert KEY not in _text(done)


def test_a_password_in_an_address_is_not_shown(faithview: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://me:{KEY}@127.0.0.1:9/v1")
    done = faithview("doctor")
    assert done.status == 1
    assert "Host: 127.0.0.1:9." in done.out
    assert "Remove user name and password from OPENAI_BASE_URL" in done.out
    assert KEY not in _text(done)


def test_a_connection_that_cannot_be_secured_is_told(faithview: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def reply_in_plain_text() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n")

        thread = threading.Thread(target=reply_in_plain_text, daemon=True)
        thread.start()
        monkeypatch.setenv("OPENAI_BASE_URL", f"https://127.0.0.1:{listening.getsockname()[1]}/v1")
        done = faithview("doctor")
        thread.join(10)
    assert done.status == 1
    assert "http or https with its certificate (SSL_CERT_FILE)" in done.out


@pytest.mark.parametrize("url", [f"me:{KEY}@127.0.0.1:1/v1", f"http://me:{KEY}@h:x/v1", f"http://[{KEY}@h"])
def test_an_address_that_is_none_is_told_without_asking(
    faithview: Command, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    done = faithview("doctor")
    assert done.status == 1
    assert "OPENAI_BASE_URL is not an address: it must begin with http:// or https://" in done.out
    assert "Asking" not in done.err
    assert KEY not in _text(done)


def test_nothing_is_sent_where_nothing_is_set_up(faithview: Command) -> None:
    done = faithview("doctor")  # a test that reaches out of this machine fails
    assert done.status == 0
    assert "Asking" not in done.err
    for words in ("openai: not set up", "Needs a key: set OPENAI_API_KEY", "embedded: works", "store: works"):
        assert words in done.out


def test_no_call_sends_nothing(faithview: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    with running(_with_models(sensible)) as vendor:
        _set_up(monkeypatch, vendor, "OPENAI")
        done = faithview("doctor", "--no-call")
        assert vendor.server.requests == []
        assert f"Host: {vendor.url.removeprefix('http://')}." in done.out
    assert done.status == 0
    assert "openai: not asked" in done.out
    assert "question" not in done.err


def test_a_named_judge_that_is_not_set_up_fails(faithview: Command) -> None:
    done = faithview("doctor", "--judge", "openai:m")
    assert done.status == 1
    assert "openai: fails" in done.out
    assert "Needs a key: set OPENAI_API_KEY" in done.out


@pytest.mark.parametrize(("name", "words"), [("opnai:m", "No judge named"), ("nli", "does not call a server")])
def test_a_name_that_cannot_be_asked_is_bad_input(faithview: Command, name: str, words: str) -> None:
    done = faithview("doctor", "--judge", name)
    assert done.status == 2
    assert words in done.err


def test_a_store_that_cannot_be_used_fails_and_its_password_is_not_shown(faithview: Command) -> None:
    done = faithview("doctor", "--db", f"mysql://me:{KEY}@h/name?password={KEY}")
    assert done.status == 1
    assert "store: fails" in done.out
    assert KEY not in _text(done)


def _judge(done: Outcome, name: str) -> dict[str, Any]:
    judges: list[dict[str, Any]] = done.document["judges"]
    return next(judge for judge in judges if judge["name"] == name)


def _fault(judge: dict[str, Any]) -> str | None:
    fault: str | None = judge["list_fault"] if judge["tested"] is None else judge["tested"]["fault"]
    return fault
