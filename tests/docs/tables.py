"""The tables of pages, and the tables that scripts have printed into the READMEs of tests."""

import re

from tests.docs.pages import ROOT


def page_table(page: str, heading: str) -> list[list[str]]:
    """Return the rows of the first table below a heading of a page, without its header."""
    rows = []
    for line in section(page, heading).splitlines():
        if line.startswith("| "):
            rows.append([cell.strip() for cell in line.strip().strip("|").split("|")])
        elif rows:
            break
    return rows[2:]


def printed_rows(page: str, heading: str) -> list[list[str]]:
    """Return the rows of all tables that a script printed below a heading: indented, with gaps between columns."""
    lines = section(page, heading).splitlines()
    return [re.split(r" {2,}", line.strip()) for line in lines if re.match(r" {4,}\S", line)]


def section(page: str, heading: str) -> str:
    """Return the text between a heading of a page and the next one of its level."""
    text = "\n" + (ROOT / page).read_text(encoding="utf-8")
    level = heading.partition(" ")[0]
    return text.split(f"\n{heading}\n", 1)[1].split(f"\n{level} ", 1)[0]
