"""A webhook on this machine that keeps what it is sent."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.http_server import Handler, serving

SECRET = "T0KEN-s3cr3t"


@dataclass(slots=True)
class Hook:
    """Where it listens, what it answers with, and what it got."""

    url: str = ""
    status: int = 200
    delay_s: float = 0.0
    location: str | None = None
    documents: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)


@contextmanager
def listening() -> Iterator[Hook]:
    """Listen on a free port of this machine."""
    hook = Hook()

    class Taker(Handler):
        def answer(self, body: bytes) -> None:
            hook.documents.append(json.loads(body))
            hook.headers.append(dict(self.headers))
            time.sleep(hook.delay_s)
            self.reply(status=hook.status, headers={"Location": hook.location} if hook.location else None)

    with serving(Taker) as url:
        hook.url = f"{url}/services/{SECRET}"
        yield hook
