"""The webhook: what it is sent, and that its address is in nothing that anybody reads."""

import logging
import socket
from collections.abc import Iterator

import pytest

from faithview.services import alerts
from tests import hook as hooks
from tests.hook import Hook


@pytest.fixture
def hook() -> Iterator[Hook]:
    with hooks.listening() as listening:
        yield listening


def test_a_document_arrives_as_json(hook: Hook) -> None:
    assert alerts.post_alerts(hook.url, {"text": "é <b>"}) is None
    assert hook.documents == [{"text": "é <b>"}]
    assert hook.headers[0]["Content-Type"] == "application/json; charset=utf-8"


def test_the_address_is_in_no_log(hook: Hook, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        assert alerts.post_alerts(hook.url, {}) is None
    assert hooks.SECRET not in caplog.text


def test_a_name_and_password_in_the_address_go_into_a_header(hook: Hook) -> None:
    address = hook.url.replace("http://", "http://me%40home:p%3Ass@")
    assert alerts.post_alerts(address, {}) is None
    assert hook.headers[0]["Authorization"] == "Basic bWVAaG9tZTpwOnNz"  # me@home:p:ss


@pytest.mark.parametrize("status", [302, 400, 404, 500])
def test_a_webhook_that_refuses_is_told_of_by_its_status(hook: Hook, status: int) -> None:
    hook.status = status
    hook.location = hook.url if status == 302 else None
    assert alerts.post_alerts(hook.url, {}) == f"The webhook answered with status {status}."
    assert len(hook.documents) == 1


def test_a_webhook_that_does_not_answer_is_given_up(hook: Hook) -> None:
    hook.delay_s = 0.5
    assert alerts.post_alerts(hook.url, {}, timeout_s=0.1) == "The webhook did not answer within 0.1 seconds."


def test_no_error_holds_any_part_of_the_address() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    addresses = [
        f"http://127.0.0.1:{port}/{hooks.SECRET}",
        f"http://127.0.0.1:{port}/{hooks.SECRET} with space",
        f"http://user:{hooks.SECRET}@127.0.0.1:{port}/x",
        f"http://127.0.0.1:{hooks.SECRET}/x",
        f"http://[{hooks.SECRET}/x",
        f"https://127.0.0.1:{port}/{hooks.SECRET}\n",
        f"ftp://127.0.0.1/{hooks.SECRET}",
        f"file:///{hooks.SECRET}",
        hooks.SECRET,
        "http://",
        f"http:///{hooks.SECRET}é",
    ]
    for address in addresses:
        error = alerts.post_alerts(address, {}, timeout_s=1)
        assert error is not None
        assert hooks.SECRET not in error
        assert "127.0.0.1" not in error
        assert error.startswith("The webhook")
