"""The body of an HTTP reply, unpacked here because the client's library would load it all, however large."""

import re
import zlib
from collections.abc import Iterable
from typing import Any

# The value of `Accept-Encoding`.
ACCEPTED = "gzip"

_GZIP = 16 + zlib.MAX_WBITS
# Matches strings and brackets; strings, so brackets in them are not counted.
_MARK = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[\[\]{}]', re.DOTALL)
_SHOWN_CHARACTERS = 40


class ReplyRefused(Exception):
    """A reply is not read because of its kind or size; its text follows the name of a server: "… sent a reply …"."""


class ReplyDamaged(Exception):
    """The gzip of a reply is damaged or cut off; the next attempt may succeed."""


class ReplyBody:
    """Takes the raw blocks of a reply and unpacks them.

    Args:
        encodings: the values of the reply's `Content-Encoding`.
        most: the limit of the body in bytes, packed and unpacked.

    Raises:
        ReplyRefused: it is not packed with gzip, or packed more than once.
    """

    def __init__(self, encodings: Iterable[str], *, most: int) -> None:
        names = [name.strip().lower() for value in encodings for name in value.split(",")]
        named = [name for name in names if name not in ("", "identity")]
        if named not in ([], ["gzip"], ["x-gzip"]):
            shown = ", ".join(named)[:_SHOWN_CHARACTERS]
            raise ReplyRefused(f"sent a reply compressed as {shown!r}, but only gzip was requested; it was not read")
        self._unpacker = zlib.decompressobj(_GZIP) if named else None
        self._most = most
        self._body = bytearray()
        self._taken = 0

    def take(self, block: bytes) -> None:
        """Take the next block; raises ReplyRefused if the body becomes too large, ReplyDamaged for broken gzip."""
        self._taken += len(block)
        if self._unpacker is not None:
            block = self._unpacked(self._unpacker, block)
        self._body += block
        if max(len(self._body), self._taken) > self._most:
            raise ReplyRefused(f"sent a reply of more than {self._most >> 20} MB; it was not read")

    def whole(self) -> bytes:
        """Return the body after its last block; raises ReplyDamaged if gzip has no end."""
        if self._unpacker is not None and self._taken and not self._unpacker.eof:
            raise ReplyDamaged("its gzip is truncated")
        return bytes(self._body)

    def _unpacked(self, unpacker: Any, block: bytes) -> bytes:
        if unpacker.eof or not block:
            return b""
        try:
            # Asking for one byte more than allowed shows whether the body is too large.
            found: bytes = unpacker.decompress(block, self._most - len(self._body) + 1)
        except zlib.error as error:
            raise ReplyDamaged("its gzip is damaged") from error
        return found


def refuse_deep(body: bytes, *, levels: int, parts: int) -> None:
    """Refuse JSON that nests too deep or has too many lists and objects; a parser takes memory for each of them.

    Raises:
        ReplyRefused: it does. A reply that is not JSON is refused only if it begins like JSON.
    """
    if body.lstrip()[:1] not in (b"{", b"[") or body.count(b"[") + body.count(b"{") <= min(levels, parts):
        return
    level = count = 0
    for mark in _MARK.finditer(body):
        if mark[0] in (b"[", b"{"):
            level, count = level + 1, count + 1
            if level > levels:
                raise ReplyRefused(f"sent a reply that nests more than {levels} levels deep; it was not read")
            if count > parts:
                raise ReplyRefused(f"sent a reply of more than {parts:,} lists and objects; it was not read")
        elif mark[0] in (b"]", b"}"):
            level -= 1
