"""A marked-up text as plain text."""

import re

MARK = re.compile(r"\A\s*(?:#+|[-*•>+](?=\s)|\d+[.)](?=\s))\s*")
INLINE = re.compile(r"\*\*|__|`|(?<!\w)\*|\*(?!\w)")
RULE = re.compile(r"[\s|:-]+\Z")


def without_markup(text: str) -> str:
    """Return a text without headings' and lists' marks, bold, backticks and the bars of tables."""
    lines = []
    for line in text.split("\n"):
        if line.strip() and RULE.match(line):
            continue
        if line.lstrip().startswith("|"):
            line = ", ".join(cell for cell in cells(line) if cell)
        lines.append(without_marks(line))
    return "\n".join(lines)


def without_marks(line: str) -> str:
    """Return a line without its list's or heading's mark, bold and backticks."""
    return INLINE.sub("", MARK.sub("", line))


def cells(line: str) -> list[str]:
    """Return the cells of a table's row."""
    return [cell.strip() for cell in line.strip().strip("|").split("|")]
