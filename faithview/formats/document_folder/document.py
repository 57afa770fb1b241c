"""The documents of a folder: Markdown, HTML and plain text as texts with their headings."""

import re
from dataclasses import dataclass, replace
from functools import cache
from html.parser import HTMLParser
from itertools import accumulate, pairwise

from markdown_it import MarkdownIt

_BETWEEN_BLOCKS = "\n\n"
# Static-site generators keep a page's title and tags in front of its text.
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_TITLE = re.compile(r"""^title:[ \t]*(["']?)(\S.*?)\1[ \t]*$""", re.MULTILINE)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading: `[start, end)` of its line in the document's text, its level from 1, and its words."""

    start: int
    end: int
    level: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document. `name` is its path in the folder with "/" between the parts.

    `text` is the file's own text, for HTML the visible text. `front_title` is the title that it has outside its text.
    `is_markdown` is whether the text has Markdown's marks.
    """

    name: str
    text: str
    headings: tuple[Heading, ...] = ()
    front_title: str | None = None
    is_markdown: bool = False

    @property
    def title(self) -> str | None:
        """Its title, else its first heading of level 1; None without either."""
        return self.front_title or next((heading.text for heading in self.headings if heading.level == 1), None)

    def without_marks(self) -> "Document":
        """Return the document as a reader sees it; Markdown is rendered at each call."""
        if not self.is_markdown:
            return self
        page = MarkdownIt("commonmark").enable("table").render(self.text)
        return replace(parse_html(self.name, page), front_title=self.front_title)


def parse_markdown(name: str, text: str) -> Document:
    """Return a Markdown file as a document; front matter is left out."""
    title, body = _split_front_matter(text)
    headings = tuple(_find_headings(body))
    return Document(name=name, text=body, headings=headings, front_title=title, is_markdown=True)


def _find_headings(body: str) -> list[Heading]:
    starts = [0, *accumulate(len(line) + 1 for line in body.split("\n"))]
    tokens = _block_parser().parse(body)
    return [
        Heading(
            start=starts[token.map[0]],
            end=min(starts[token.map[1]] - 1, len(body)),
            level=int(token.tag[1:]),
            text=" ".join(inline.content.split()),
        )
        for token, inline in pairwise(tokens)
        if token.type == "heading_open" and token.map is not None and token.level == 0
    ]


def _split_front_matter(text: str) -> tuple[str | None, str]:
    front = _FRONT_MATTER.match(text)
    if front is None:
        return None, text
    title = _TITLE.search(front[1] or "")
    return (title[2] if title else None), text[front.end() :]


@cache
def _block_parser() -> MarkdownIt:
    # Headings need no inline marks, which take two thirds of the time.
    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.disable("inline")
    return parser


def parse_html(name: str, text: str) -> Document:
    """Return an HTML page as a document: one block per paragraph, list item, cell or heading."""
    page = _Page(text)
    headings = []
    at = 0
    for level, block in page.blocks:
        if level:
            headings.append(Heading(start=at, end=at + len(block), level=level, text=block))
        at += len(block) + len(_BETWEEN_BLOCKS)
    whole = _BETWEEN_BLOCKS.join(block for _, block in page.blocks)
    return Document(name=name, text=whole, headings=tuple(headings), front_title=page.title)


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
