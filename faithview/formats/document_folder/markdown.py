"""Markdown files: CommonMark's blocks say which lines are headings and which are code."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import accumulate, pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

from faithview.formats.document_folder.document import Document, Heading, build_document
from faithview.formats.document_folder.html import visible_text

# Static-site generators keep a page's title and tags in front of its text.
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_TITLE = re.compile(r"""^title:[ \t]*(["']?)(\S.*?)\1[ \t]*$""", re.MULTILINE)


def parse_markdown(name: str, text: str) -> Document:
    """Return a Markdown file as a document; front matter is left out."""
    title, body = _split_front_matter(text)
    return Document(
        name=name,
        text=body,
        headings=tuple(_find_headings(body)),
        front_title=title,
        plain=lambda: build_document(name, title, _blocks(_whole_parser().parse(body))),
    )


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
def _whole_parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("table")


@cache
def _block_parser() -> MarkdownIt:
    # Headings need no inline marks, which take two thirds of the time.
    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.disable("inline")
    return parser


def _blocks(tokens: list[Token]) -> Iterator[tuple[int, str]]:
    level = 0
    for token in tokens:
        if token.type == "heading_open":
            level = int(token.tag[1:]) if token.level == 0 else 0
        elif token.type == "heading_close":
            level = 0
        elif token.type in ("fence", "code_block"):
            yield 0, token.content.strip("\n")
        elif token.type == "html_block":
            if text := visible_text(token.content):
                yield 0, text
        elif token.type == "inline" and (text := _inline_text(token.children or ())).strip():
            yield level, text


def _inline_text(tokens: "list[Token] | tuple[Token, ...]") -> str:
    parts = []
    for token in tokens:
        if token.type in ("text", "code_inline"):
            parts.append(token.content)
        elif token.type == "softbreak":
            parts.append(" ")
        elif token.type == "hardbreak":
            parts.append("\n")
        elif token.type == "image":
            parts.append(token.content)
    return "".join(parts)
