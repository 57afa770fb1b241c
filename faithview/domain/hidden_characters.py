"""Invisible characters, which can control terminals or reorder the text around them."""

import re

# A class for `re`: characters that control a terminal or change the direction of text, without tab and line ends.
OBEYED = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff"
# The same and characters that hide or join words. The joiner of emoji (U+200D) and the marks of right-to-left writing
# (U+200E, U+200F) belong to ordinary text. `ui/reader/reader.js` has the same list for the browser.
HIDDEN = rf"{OBEYED}\u00ad\u200b\u2060\ufeff"

_OBEYED = re.compile(f"[{OBEYED}]")
_HIDDEN = re.compile(f"[{HIDDEN}]")
_CONTROL_PICTURES = 0x2400
_FIRST_PRINTABLE = 0x20
_DELETE = 0x7F


def escape_in_json(document: str) -> str:
    r"""Return a JSON document with control characters replaced by their escapes (\u202e).

    Programs read the same texts; people who print it in a terminal see all of it.
    """
    return _OBEYED.sub(lambda match: f"\\u{ord(match[0]):04x}", document)


def make_visible(text: str) -> str:
    """Return the text with the pictures of control characters, and the numbers of other hidden ones: "⟨U+202E⟩"."""
    return _HIDDEN.sub(lambda match: _sign(ord(match[0])), text)


def _sign(code: int) -> str:
    if code < _FIRST_PRINTABLE:
        return chr(_CONTROL_PICTURES + code)
    return "\u2421" if code == _DELETE else f"⟨U+{code:04X}⟩"
