"""A report as Markdown, made of its HTML: one template writes every sentence of both formats."""

import re
from collections.abc import Sequence
from html.parser import HTMLParser

from faithview.wording import numbers as fmt

_HEADINGS = {"h1": "# ", "h2": "## ", "h3": "### ", "summary": "### "}
_BLOCKS = frozenset({"p", "div", "section", "details", "footer", "ul", "li", "table", "svg", *_HEADINGS})
_EMPHASIS = {"strong": "**", "mark": "**", "span": "**", "ins": "**", "del": "~~"}
# What is not emphasised: in a page all claims are marked, in Markdown those that are wrong.
_PLAIN_MARKS = frozenset({"supported", "check_this"})
_CAUTION = "⚠ "
# What Markdown, HTML in it or a formula would take for its own.
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$&])")
_LINE_START = re.compile(r"^(\d+(?=[.)](?:\s|$))|(?=[-+=](?:\s|$|[-=])))")


def to_markdown(html: str) -> str:
    """Return a report that `rendering.render` returned, as Markdown."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.markdown()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self._blocks: list[str] = []
        self._inline: list[str] = []
        self._emphasised: list[tuple[str, int]] = []
        self._prefix = ""
        self._is_body = False
        self._is_text = False  # its lines are kept
        self._code: list[str] | None = None
        self._link: str | None = None
        self._row: list[str] | None = None
        self._rows: list[list[str]] = []
        self._bars: list[str] | None = None

    def markdown(self) -> str:
        self._end_block()
        return "\n\n".join(self._blocks) + "\n"

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        classes = (given.get("class") or "").split()
        if tag == "body":
            self._is_body = True
        elif tag in _BLOCKS:
            self._end_block()
            self._is_text = "text" in classes or "evidence" in classes
            self._prefix = _HEADINGS.get(tag, "- " if tag == "li" else _CAUTION if "caution" in classes else "")
            self._bars = [] if tag == "svg" else self._bars
        elif tag in _EMPHASIS:
            is_plain = _PLAIN_MARKS & set(classes) if tag == "mark" else tag == "span" and self._is_quiet(classes)
            self._emphasised.append(("" if is_plain else _EMPHASIS[tag], len(self._inline)))
        elif tag == "code":
            self._code = []
        elif tag == "a":
            self._link = (given.get("href") or "").replace("<", "%3C").replace(">", "%3E")
            self._inline.append("[")
        elif tag == "sup":
            self._inline.append(r"\[")
        elif tag == "tr":
            self._row = []
        elif tag in ("td", "th", "text"):
            self._inline.clear()

    def handle_endtag(self, tag: str) -> None:
        if tag == "svg":
            self._end_chart()
        elif tag == "table":
            self._end_table()
        elif tag in _BLOCKS:
            self._end_block()
        elif tag == "tr" and self._row is not None:
            self._rows.append(self._row)
            self._row = None
        elif tag in ("td", "th") and self._row is not None:
            self._row.append(self._taken_line())
        elif tag == "text" and self._bars is not None:
            self._bars.append(self._taken_line())
        else:
            self._end_inline(tag)

    def handle_data(self, data: str) -> None:
        if not self._is_body:
            return
        if self._code is not None:
            self._code.append(data)
        else:
            self._inline.append(_SPECIAL.sub(r"\\\1", data if self._is_text else re.sub(r"\s+", " ", data)))

    def _is_quiet(self, classes: Sequence[str]) -> bool:
        """Return whether a part of a line is not emphasised: only a claim's verdict is, in front of the claim."""
        return "verdict" not in classes or self._row is not None

    def _end_inline(self, tag: str) -> None:
        if tag in _EMPHASIS and self._emphasised:
            sign, start = self._emphasised.pop()
            self._inline[start:] = [_emphasise("".join(self._inline[start:]), sign)]
        elif tag == "code" and self._code is not None:
            self._inline.append(fmt.code("".join(self._code)))
            self._code = None
        elif tag == "a" and self._link is not None:
            self._inline.append(f"](<{self._link}>)")
            self._link = None
        elif tag == "sup":
            self._inline.append(r"\]")

    def _taken_line(self) -> str:
        line = " ".join("".join(self._inline).split()).replace("****", "")
        self._inline.clear()
        return line

    def _end_block(self) -> None:
        words = "".join(self._inline).replace("****", "")
        self._inline.clear()
        self._emphasised.clear()
        lines = [line for line in (part.strip() for part in words.splitlines()) if line]
        if self._is_text and lines:
            # Two spaces at the end keep a line apart from the next.
            self._blocks.append("  \n".join(f"> {_guard(line)}" for line in lines))
        elif lines:
            line = " ".join(" ".join(lines).split())
            self._blocks.append(f"{self._prefix}{_guard(line)}")
        self._is_text, self._prefix = False, ""

    def _end_table(self) -> None:
        if self._rows:
            head, *rows = self._rows
            lines = [head, ["---"] * len(head), *rows]
            self._blocks.append("\n".join(f"| {' | '.join(cells)} |" for cells in lines))
        self._rows = []
        self._inline.clear()

    def _end_chart(self) -> None:
        """List the bars of a chart; each has two texts, its label and its value."""
        bars = self._bars or []
        self._blocks.append(
            "\n".join(f"- {label}: {value}" for label, value in zip(bars[::2], bars[1::2], strict=True))
        )
        self._bars = None
        self._inline.clear()


def _emphasise(words: str, sign: str) -> str:
    """Put a sign around each line of the words, inside the spaces at its ends, where Markdown reads it."""
    return "\n".join(_signed(line, sign) for line in words.split("\n"))


def _signed(line: str, sign: str) -> str:
    core = line.strip()
    return line.replace(core, f"{sign}{core}{sign}", 1) if core else line


def _guard(line: str) -> str:
    r"""Return a line that Markdown takes for no list and no heading: "1\. May", "\- 5"."""
    return _LINE_START.sub(r"\1\\", line)
