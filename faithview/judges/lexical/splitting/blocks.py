"""The paragraphs, list items and rows of an answer; headings and lists of sources are not among them."""

import re
from dataclasses import dataclass

from faithview.judges.text.plain import FILE, SOURCE_WORDS
from faithview.judges.text.sentences import trim


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Lines `[start, end)` of an answer that belong together; `is_item` marks one that is in a list."""

    start: int
    end: int
    is_item: bool = False


LINE = re.compile(r"[^\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")
MARKER = re.compile(
    r"[ \t>]*(?:[-*+•‣◦▪·–—]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])[ \t]+(?:\[[ xX]\][ \t]+)?|[ \t>]*(?:#{1,6}|>)[ \t]+"
)
# Bold words alone on a line are a heading; a bold sentence is not.
HEADING = re.compile(
    r"[ \t]*#{1,6}[ \t]|[ \t]*(?:\*\*|__)[^*_\n]{0,79}[^*_\n.!](?:\*\*|__):?[ \t]*\Z|[ \t]*[|:\-=_*~]+[ \t]*\Z"
)
TABLE_RULE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)+\Z")
_UNDERLINE = re.compile(r"={3,}\Z")

# "**Sources:**", "References: returns.md, faq.md".
_SOURCES = re.compile(
    r"""[\W_]*(?:\d{1,2}[.)]\s+)?(?:(?:sources?|references?|citations?)(?:\s+(?:used|cited|consulted|list))?
         |(?:source\s+)?documents?\s+(?:used|cited|consulted|referenced)|source\s+(?:documents?|files?)|bibliography
         |works\s+cited|foot\s?notes?|further\s+reading|(?:related|useful)\s+(?:links|articles|documents|reading|pages)
         |links|sources\s+and\s+references|references\s+and\s+sources)
        (?:[\s*_]*[:：][\s*_]*(?P<listed>.*)|[\s*_]*)\Z""",
    re.IGNORECASE | re.VERBOSE,
)
# An entry of such a list: "[^1]: returns.md", "[2] Returns policy", "¹ faq.md", "https://…".
_DEFINITION = re.compile(r"[ \t>]*\[\^?[\w-]{1,30}\]:")
_NUMBERED_ENTRY = re.compile(r"[ \t>]*(?:\[\d{1,3}\]|[¹²³⁰⁴-⁹]+|【[^】\n]{1,40}】)\s*(?!\Z)")
_ENTRY = re.compile(
    rf"""[ \t>]*(?:[-*+•–—]|\(?\d{{1,3}}[.)]|\[\^?[\w-]{{1,30}}\]:?)?\s*[*_`"“(\[<]*
        (?:{FILE}|https?://|www\.|(?:{SOURCE_WORDS})\s?[\#:._-]?\s?\d)""",
    re.IGNORECASE | re.VERBOSE,
)
# What has one of these verbs and an end mark is a sentence and not the name of a source.
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can(?:not)?|could|will|would|should|may|might|must|do|does|did|costs?|takes?|\w+n['’]t)\b",
    re.IGNORECASE,
)


def find_blocks(answer: str) -> list[Block]:
    """Return paragraphs and list items without their markers; a line that goes on in the next is joined with it.

    Where nothing but bold lines is in the answer, they are its text.

    Args:
        answer: the answer without HTML (see `plain_lines`).
    """
    lines = [(start, end) for start, end in (trim(answer, *m.span()) for m in LINE.finditer(answer)) if start < end]
    sources = _in_lists_of_sources(answer, lines)
    blocks: list[Block] = []
    headings: list[Block] = []
    for number, (start, end) in enumerate(lines):
        if number in sources:
            continue
        if TABLE_RULE.match(answer, start, end):
            if blocks and answer[blocks[-1].start] == "|":
                blocks.pop()  # the table's head
        elif _UNDERLINE.match(answer, start, end) and blocks and blocks[-1].end == lines[number - 1][1]:
            blocks.pop()
        elif HEADING.match(answer, start, end):
            if answer[start] in "*_":
                headings.append(Block(start=start, end=end))
        else:
            _add(answer, blocks, start, end)
    return blocks or headings


def _add(answer: str, blocks: list[Block], start: int, end: int) -> None:
    marker = MARKER.match(answer, start, end)
    if marker is not None and marker.end() < end:
        blocks.append(Block(start=marker.end(), end=end, is_item=True))
    elif blocks and _goes_on(answer, blocks[-1], start):
        blocks[-1] = Block(start=blocks[-1].start, end=end, is_item=blocks[-1].is_item)
    else:
        blocks.append(Block(start=start, end=end))


def _goes_on(answer: str, block: Block, start: int) -> bool:
    # Hard-wrapped text: the next line, one break away, begins with a small letter and the last one ended in none.
    return answer[start].islower() and start - block.end <= 2 and answer[block.end - 1] not in ".!?:;…。！？"


def _in_lists_of_sources(answer: str, lines: list[tuple[int, int]]) -> set[int]:
    """Return the numbers of the lines that only name sources: below "Sources:", or as footnotes do."""
    found: set[int] = set()
    is_inside = is_open = False
    for number, (start, end) in enumerate(lines):
        text = answer[start:end]
        named = _SOURCES.match(text)
        if named is not None and not _is_sentence(named["listed"] or ""):
            found.add(number)
            is_inside, is_open = True, not named["listed"]
            continue
        is_near = number > 0 and len(answer[lines[number - 1][1] : start].splitlines()) <= _ONE_BREAK
        is_item = MARKER.match(answer, start, end) is not None
        is_inside = is_inside and not HEADING.match(answer, start, end)
        # Below "Sources:" all items are sources, and names of documents that follow each other without an empty line.
        is_inside = is_inside and (
            _ENTRY.match(text) is not None or (is_open and (is_item or (is_near and not _is_sentence(text))))
        )
        is_footnote = _DEFINITION.match(text) or (_NUMBERED_ENTRY.match(text) and not _FINITE.search(text))
        if is_inside or is_footnote:
            found.add(number)
    return found


_ONE_BREAK = 2


def _is_sentence(text: str) -> bool:
    return text.rstrip('*_"”) \t').endswith((".", "!", "。")) and _FINITE.search(text) is not None
