"""Markdown files: CommonMark's blocks say which lines are headings and which are code."""

import re
from dataclasses import replace
from functools import cache
from itertools import accumulate, pairwise

from markdown_it import MarkdownIt

from faithview.formats.document_folder.document import Document, Heading
from faithview.formats.document_folder.html import parse_html

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
        plain=lambda: replace(parse_html(name, _whole_parser().render(body)), front_title=title),
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
