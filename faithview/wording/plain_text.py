"""Texts without Markdown, and untrusted texts that can neither move nor hide anything in a log."""

import re

from faithview.domain.hidden_characters import OBEYED

# An escaped character, which is literal, or markup: an icon, the opening of a coloured or small part, emphasis.
_TOKEN = re.compile(r"\\(.)|:material/\w+:|:[a-z-]+\[|\*+|(\])|\u2060", re.DOTALL)


def plain_text(markdown: str) -> str:
    """Return the text of a finding on one line.

    It reads what FaithView writes: names escaped by `numbers.literal`, emphasis, icons, coloured and small parts.
    """
    is_open = ":" in markdown and re.search(r":[a-z-]+\[", markdown) is not None

    def text_of(token: re.Match[str]) -> str:
        return token[1] or ("" if is_open else token[2]) or ""

    return " ".join(_TOKEN.sub(text_of, markdown).split())


_UNSAFE = re.compile(rf"[{OBEYED}]|\r(?!\n)")
# What ends a line, too.
_NOT_ON_A_LINE = re.compile(rf"{_UNSAFE.pattern}|[\t\n\r\u2028\u2029]")
_LAST_OF_TWO_DIGITS = 0xFF
_SHORT = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}


def printable(text: str) -> str:
    """Escape characters that a terminal would obey, or that change the order of text; tabs and line ends stay."""
    return _UNSAFE.sub(_escape, text)


def one_line(text: str) -> str:
    """Escape the same and what ends a line, too."""
    return _NOT_ON_A_LINE.sub(lambda match: _SHORT.get(match[0]) or _escape(match), text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code <= _LAST_OF_TWO_DIGITS else f"\\u{code:04x}"
