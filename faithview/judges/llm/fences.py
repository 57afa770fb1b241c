"""The data to judge stands between marks that it cannot know, so that no text can end its own fence.

A mark comes from a secret of this process. The chunks' mark also depends on the chunks, so that the same chunks give
the same prompt and the vendor's prompt cache works; every other mark is new for each question. If a text contains a
mark all the same (a model may have been made to repeat one), it gets another mark.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Callable, Sequence

from faithview.domain.sample import Chunk, Json

_SECRET = secrets.token_bytes(32)
_MARK_CHARACTERS = 12  # 48 bits; nobody can try more than one, and each costs tokens with every text


def fence_chunks(chunks: Sequence[Chunk]) -> str:
    """Return the chunks, numbered from 1 in their order, each between fences. The source's own ids are not sent."""
    texts = [chunk.text for chunk in chunks]
    digest = hmac.new(_SECRET, json.dumps(texts).encode(), hashlib.sha256)

    def mark(attempt: int) -> str:
        again = digest.copy()
        again.update(str(attempt).encode())
        return again.hexdigest()[:_MARK_CHARACTERS]

    chosen = _unused(mark, texts)
    return "\n".join(_fence(f"chunk {number}", text, chosen) for number, text in enumerate(texts, start=1))


def fence_text(name: str, text: str) -> str:
    """Return a text between fences of its own."""
    return _fence(name, text, _unused(lambda _: secrets.token_hex(_MARK_CHARACTERS // 2), [text]))


def fence_items(name: str, items: Sequence[dict[str, Json]]) -> str:
    """Return a list as one JSON object a line between fences; escapes keep a text within its own line."""
    return fence_text(name, "\n".join(json.dumps(item, ensure_ascii=False) for item in items))


def _fence(name: str, text: str, mark: str) -> str:
    return f"<<<begin {name} {mark}>>>\n{text}\n<<<end {name} {mark}>>>"


def _unused(mark: Callable[[int], str], texts: Sequence[str]) -> str:
    attempt = 0
    chosen = mark(attempt)
    while any(chosen in text for text in texts):
        attempt += 1
        chosen = mark(attempt)
    return chosen
