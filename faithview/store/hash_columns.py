"""Columns of content hashes: 64 hexadecimal digits to the program, 32 bytes in an SQLite file."""

from typing import Any

from sqlalchemy import Dialect, String
from sqlalchemy.types import TypeDecorator

_DIGITS = 64


class ContentHash(TypeDecorator[str]):
    """A hash of `domain.content_hashes`, or a text that stands in its place (`store/retention`).

    SQLite keeps the bytes of a hash, in half the space, and any other text as it is: a column there holds both. Hashes
    have the same order as bytes and as digits. PostgreSQL keeps all of them as texts.
    """

    impl = String(_DIGITS)
    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> Any:
        """Return what makes a parameter of a hash, or None where nothing is to be done."""
        return to_stored if dialect.name == "sqlite" else None

    def result_processor(self, dialect: Dialect, coltype: object) -> Any:
        """Return what makes a hash of a stored value, or None where nothing is to be done."""
        return to_digits if dialect.name == "sqlite" else None


def to_stored(value: str | None) -> bytes | str | None:
    """Return a hash as SQLite keeps it, and any other text as it is."""
    if value is None or len(value) != _DIGITS:
        return value
    try:
        stored = bytes.fromhex(value)
    except ValueError:
        return value
    return stored if stored.hex() == value else value


def to_digits(value: bytes | str | None) -> str | None:
    """Return a hash that SQLite kept in its digits, and any other text as it is."""
    return value.hex() if isinstance(value, bytes) else value
