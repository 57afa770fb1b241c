"""Hostile clients of the real service: each is answered or refused, and the service's memory stays small."""

import gzip
import http.client
import json
import random
import socket
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.server.conftest import ANSWER, CONTEXT
from tests.service import Service, running_service

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform != "linux", reason="reads the memory of a process where Linux says it"),
]

_MOST_MB = 300
_GOOD = json.dumps({"answer": ANSWER, "context": CONTEXT}).encode()
_METADATA = b'{"answer":"a","context":[{"text":"b","metadata":{"a":'


def _post(service: Service, path: str, body: bytes, **headers: str) -> int:
    """Return the status of the reply; 0 if the service closed the connection before it was sent whole."""
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
    try:
        connection.request("POST", path, body, {"Content-Type": "application/json", **headers})
        return connection.getresponse().status
    except (ConnectionError, http.client.HTTPException):
        return 0
    finally:
        connection.close()


def _random_bodies(count: int) -> Iterator[tuple[str, bytes]]:
    source = random.Random(7)
    log = json.dumps({"answers": [{"answer": "a", "context": "c", "metadata": {"a": [1, None]}}]}).encode()
    for _ in range(count):
        path, body = source.choice([("/check", _GOOD), ("/guard", _GOOD), ("/correct", _GOOD), ("/log", log)])
        changed = bytearray(source.choice([body, source.randbytes(200)]))
        for _ in range(source.randint(0, 4)):
            changed[source.randrange(len(changed))] = source.randrange(256)
        yield path, bytes(changed)


def _leave(service: Service, body: bytes) -> None:
    """Announce a body, send a part of it, and close the connection."""
    head = (
        f"POST /check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    )
    with socket.create_connection(("127.0.0.1", service.port), timeout=60) as connection:
        connection.sendall(head.encode() + b"\r\n" + body[: len(body) // 2])


def _peak_mb(service: Service) -> int:
    status = Path(f"/proc/{service.process.pid}/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) // 1024


def test_every_hostile_body_is_answered_or_refused_in_little_memory(store_file: Path, tmp_path: Path) -> None:
    gz = {"Content-Encoding": "gzip"}
    with running_service("--judge", "lexical", database_url=f"sqlite:///{store_file}", log=tmp_path / "log") as service:
        seen = Counter(_post(service, path, body) for path, body in _random_bodies(600))
        assert set(seen) <= {200, 400, 415, 422}
        for body in (b" " * 20_000_000, b"[" * 20_000_000):
            assert _post(service, "/check", body) in (413, 0)
            assert _post(service, "/log", body) in (413, 0)
        for bomb in (gzip.compress(b"0" * 100_000_000), gzip.compress(gzip.compress(b"0" * 100_000_000) * 100)):
            assert _post(service, "/check", bomb, **gz) in (400, 413)
            assert _post(service, "/v1/traces", bomb, **gz) in (400, 413)
        for deep in (b"[" * 8_000_000, _METADATA + b"[" * 100_000, _METADATA + b'{"a":' * 100_000):
            assert _post(service, "/check", deep) in (400, 413)
        wide = (
            _METADATA + b"[" + b"[]," * 2_600_000 + b"[]]}}]}",
            _METADATA + b"[" + b"{}," * 240_000 + b"1]}}]}",
            _METADATA + b"[" + b'{"a":1},' * 240_000 + b"1]}}]}",
            b'{"answers":[' + b"{}," * 300_000 + b"{}]}",
            b"{" + b",".join(b'"f%d":1' % n for n in range(400_000)) + b"}",
        )
        assert {_post(service, path, body) for body in wide for path in ("/check", "/log")} <= {200, 413, 422}
        for body in (_GOOD, b" " * 1_000_000):
            _leave(service, body)
        with ThreadPoolExecutor(200) as pool:
            statuses = Counter(pool.map(lambda _: _post(service, "/check", _GOOD), range(400)))
        assert set(statuses) <= {200, 503}
        assert statuses[200] > 0
        assert _post(service, "/check", _GOOD) == 200
        assert _peak_mb(service) < _MOST_MB
        assert "Traceback" not in service.said()
