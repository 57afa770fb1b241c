"""The body of an HTTP reply, unpacked here and not by the client's library, which would hold all that comes."""

import re
import zlib
from collections.abc import Iterable
from typing import Any

# What to send as `Accept-Encoding`.
ACCEPTED = "gzip"

_GZIP = 16 + zlib.MAX_WBITS
# Strings, so that brackets in them do not count, and brackets.
_MARK = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[\[\]{}]', re.DOTALL)
_SHOWN_CHARACTERS = 40


class ReplyRefused(Exception):
    """A reply is not read because of what it is; its text goes on behind the name of a server: "… sent a reply …"."""


class ReplyDamaged(Exception):
    """The gzip of a reply is damaged or cut off; the next attempt may bring a whole one."""


class ReplyBody:
    """Takes the raw blocks of a reply and unpacks them.

    Args:
        encodings: the values of the reply's `Content-Encoding`.
        most: bytes that the body may have, packed and unpacked.

    Raises:
        ReplyRefused: it is packed in another way than gzip, or more than once.
    """

    def __init__(self, encodings: Iterable[str], *, most: int) -> None:
        names = [name.strip().lower() for value in encodings for name in value.split(",")]
        named = [name for name in names if name not in ("", "identity")]
        if named not in ([], ["gzip"], ["x-gzip"]):
            shown = ", ".join(named)[:_SHOWN_CHARACTERS]
            raise ReplyRefused(f"sent a reply that is packed as {shown!r}, and only gzip is asked for; it was not read")
        self._unpacker = zlib.decompressobj(_GZIP) if named else None
        self._most = most
        self._body = bytearray()
        self._taken = 0

    def take(self, block: bytes) -> None:
        """Take the next block; raises ReplyRefused where the body becomes too large, ReplyDamaged for broken gzip."""
        self._taken += len(block)
        if self._unpacker is not None:
            block = self._unpacked(self._unpacker, block)
        self._body += block
        if max(len(self._body), self._taken) > self._most:
            raise ReplyRefused(f"sent a reply of more than {self._most >> 20} MB; it was not read")

    def whole(self) -> bytes:
        """Return the body once its last block is taken; raises ReplyDamaged where gzip has no end."""
        if self._unpacker is not None and self._taken and not self._unpacker.eof:
            raise ReplyDamaged("its gzip is cut off")
        return bytes(self._body)

    def _unpacked(self, unpacker: Any, block: bytes) -> bytes:
        if unpacker.eof or not block:
            return b""
        try:
            # One byte more than there is room for says that there is more.
            found: bytes = unpacker.decompress(block, self._most - len(self._body) + 1)
        except zlib.error as error:
            raise ReplyDamaged("its gzip is damaged") from error
        return found


def refuse_deep(body: bytes, *, levels: int, parts: int) -> None:
    """Refuse JSON that nests too deep or has too many lists and objects; a parser takes memory for each of them.

    Raises:
        ReplyRefused: it does; what is no JSON is refused only if it begins as JSON does.
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
