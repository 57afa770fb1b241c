"""The OpenAPI document: true of the service, and complete."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from starlette.testclient import TestClient

from faithview.documents.diagnosis import ErrorDocument
from tests.server.conftest import Start
from tests.service import Service, running_service

pytestmark = pytest.mark.process  # takes long


def _document(client: TestClient) -> dict[str, Any]:
    document: dict[str, Any] = client.get("/openapi.json").json()
    return document


def test_every_reference_leads_somewhere_and_every_schema_is_used(client: TestClient) -> None:
    document = _document(client)
    text = json.dumps(document)
    used = set(re.findall(r'"#/components/schemas/(\w+)"', text))
    assert used == set(document["components"]["schemas"])


@pytest.mark.parametrize("tokens", [(), ("t" * 20,)])
def test_every_error_of_every_address_is_described(start: Start, tokens: tuple[str, ...]) -> None:
    document = _document(start(tokens=tokens))
    assert list(document["paths"]) == [
        "/check",
        "/guard",
        "/correct",
        "/log",
        "/v1/traces",
        "/health",
        "/ready",
        "/metrics",
    ]
    for path, methods in document["paths"].items():
        for operation in methods.values():
            errors = {status for status in operation["responses"] if status not in ("200", "503")}
            assert "500" in errors
            if path not in ("/health", "/ready"):
                assert {"401", "421"} <= errors
                assert operation.get("security") == ([{"token": []}] if tokens else None)
            if "requestBody" in operation:
                assert {"400", "413", "415"} <= errors
                assert "503" in operation["responses"]
            for status in errors:
                schema = operation["responses"][status]["content"]["application/json"]["schema"]
                assert schema == {"$ref": f"#/components/schemas/{ErrorDocument.__name__}"}


_EXAMPLES = 25


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory, empty_file: Path) -> Iterator[Service]:
    """The real service, in a process of its own."""
    folder = tmp_path_factory.mktemp("asked")
    store = shutil.copy(empty_file, folder / "store.db")
    options = ("--judge", "lexical")
    with running_service(*options, database_url=f"sqlite:///{store}", log=folder / "log.txt") as service:
        yield service


def _allowed_bodies(operation: Any, url: str) -> Callable[[object], bool]:
    """Return what says whether the document allows a body for this operation."""
    document = httpx.get(f"{url}/openapi.json").json()
    method = document["paths"][operation.path][operation.method.lower()]
    content = method.get("requestBody", {}).get("content", {}).get("application/json")
    if content is None:
        return lambda _body: False
    import jsonschema_rs

    validator = jsonschema_rs.validator_for({**content["schema"], "components": document["components"]})
    return lambda body: isinstance(body, dict) and validator.is_valid(body)


@pytest.mark.process
@pytest.mark.parametrize("mode", ["positive", "negative"])
@pytest.mark.parametrize("path", ["/check", "/log", "/guard", "/correct", "/v1/traces"])
def test_nothing_that_the_document_allows_or_forbids_makes_the_service_fail(
    asked: Service, path: str, mode: str
) -> None:
    import schemathesis
    from schemathesis import checks
    from schemathesis.specs.openapi import checks as openapi

    schema = schemathesis.openapi.from_url(f"{asked.url}/openapi.json")
    (found,) = schema.include(path=path).get_all_operations()
    operation: Any = found.ok()  # type: ignore[union-attr]  # an operation that cannot be read fails here
    allows = _allowed_bodies(operation, asked.url)
    wanted = [
        checks.not_a_server_error,
        openapi.status_code_conformance,
        openapi.content_type_conformance,
        openapi.response_schema_conformance,
        openapi.response_headers_conformance,
    ]

    @settings(
        max_examples=_EXAMPLES,
        derandomize=True,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=schemathesis.GenerationMode(mode)))
    def ask(case: Any) -> None:
        response = case.call()
        # A change that breaks one of two alternatives can leave a body that the other one allows. And a body that is
        # too large is refused before it is read; schemathesis does not count that as refused.
        refused_or_allowed = response.status_code == 413 or allows(case.body)
        more = [] if refused_or_allowed else [openapi.negative_data_rejection]
        case.validate_response(response, checks=[*wanted, *more])

    ask()
    assert asked.process.poll() is None
    assert "Traceback" not in asked.said()
