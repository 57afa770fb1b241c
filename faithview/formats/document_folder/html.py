"""HTML files: the text that a reader sees, with its headings."""

import re
from html.parser import HTMLParser

from faithview.formats.document_folder.document import Document, build_document

_SPACE = re.compile(r"\s+")
_HEADING = re.compile(r"h([1-6])")
# The text of these is not part of the page; `nav` and `head` are menus and the like, the same on every page.
_UNSEEN = frozenset({
    "script", "style", "template", "noscript", "svg", "math", "iframe", "object", "select", "textarea", "nav", "head",
})  # fmt: skip
# Tags inside a line of text; every other tag ends a block.
_INLINE = frozenset({
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "button", "cite", "code", "data", "del", "dfn", "em", "font", "i",
    "img", "input", "ins", "kbd", "label", "mark", "q", "rp", "rt", "ruby", "s", "samp", "small", "span", "strike",
    "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
})  # fmt: skip


def parse_html(name: str, text: str) -> Document:
    """Return an HTML page as a document: one block per paragraph, list item, cell or heading."""
    page = _Page(text)
    return build_document(name, page.title, page.blocks)


class _Page(HTMLParser):
    """The blocks of a page: each a heading's level and its text, level 0 for other text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.blocks: list[tuple[int, str]] = []
        self.title: str | None = None
        self._words: list[str] = []
        self._level = 0
        self._hidden: list[str] = []  # the open tags whose text is not part of the page
        self._in_title = False
        self._is_kept = False
        self.feed(html.replace("<![", "<!"))  # a broken comment of old browsers is an error to this parser
        self.close()
        self._end_block()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "body":
            self._hidden.clear()  # the end of the head may be missing
        if tag == "title":
            self._in_title = True
        elif tag in _UNSEEN:
            self._end_block()
            self._hidden.append(tag)
        elif tag == "br":
            self._words.append("\n")
        elif tag not in _INLINE and not self._hidden:
            self._end_block()
            self._is_kept = tag == "pre"
            heading = _HEADING.fullmatch(tag)
            self._level = int(heading[1]) if heading else 0

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False
        elif tag in self._hidden:
            self._hidden.remove(tag)
        elif tag not in _INLINE and tag != "br" and not self._hidden:
            self._end_block()

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title = self.title or " ".join(data.split()) or None
        elif not self._hidden:
            self._words.append(data if self._is_kept else _SPACE.sub(" ", data))

    def _end_block(self) -> None:
        text = "".join(self._words)
        if self._level:
            text = " ".join(text.split())
        elif not self._is_kept:
            text = "\n".join(" ".join(line.split()) for line in text.split("\n"))
        if text.strip():
            self.blocks.append((self._level, text.strip("\n")))
        self._words.clear()
        self._level = 0
        self._is_kept = False
