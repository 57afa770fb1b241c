"""Findings are written in Streamlit's Markdown; this is their text, for the clipboard and other programs."""

import re

# An escaped character, which stands for itself, or markup: an icon, the opening of a coloured or small part, emphasis.
_TOKEN = re.compile(r"\\(.)|:material/\w+:|:[a-z-]+\[|(\*+)|(\])|\u2060", re.DOTALL)


def plain_text(markdown: str) -> str:
    """Return the text of a finding on one line.

    It reads what FaithView writes: names escaped by `numbers.literal`, emphasis, icons, coloured and small parts.
    """
    is_open = ":" in markdown and re.search(r":[a-z-]+\[", markdown) is not None

    def text_of(token: re.Match[str]) -> str:
        if token[1] is not None:
            return token[1]
        if token[3] is not None and not is_open:
            return token[3]
        return ""

    return " ".join(_TOKEN.sub(text_of, markdown).split())
