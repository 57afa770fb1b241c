"""The requests on docs/service.md are answered as the page says, and errors have the shape that it shows."""

import json
import re

import pytest
from starlette.testclient import TestClient

from tests.docs.pages import read_blocks

_BLOCKS = [block for block in read_blocks("docs/service.md") if block.tested_by]
_REQUEST = re.compile(r"127\.0\.0\.1:8600(?P<address>/\S+) .* -d '(?P<body>\{.*\})'", re.DOTALL)
_REQUESTS = {found["address"]: json.loads(found["body"]) for block in _BLOCKS if (found := _REQUEST.search(block.text))}


def test_the_page_shows_a_check_and_a_log() -> None:
    assert list(_REQUESTS) == ["/check", "/log"]


@pytest.mark.parametrize("address", _REQUESTS)
def test_a_request_is_answered(client: TestClient, address: str) -> None:
    reply = client.post(address, json=_REQUESTS[address])
    assert reply.status_code == 200, reply.text


def test_an_error_has_the_shape_of_the_page(client: TestClient) -> None:
    (shown,) = (json.loads(block.text) for block in _BLOCKS if "error" in block.text)
    refused = client.post("/check", json={**_REQUESTS["/check"], "answer": "x" * 20_001})
    assert refused.status_code == 422
    assert refused.json() == shown
