"""The parts of an answer that can be taken out whole: lines, list items, headings, rows of tables, and sentences.

Which lines are items, headings and tables is what the splitting into claims takes them for.
"""

import re
from dataclasses import dataclass, field
from enum import StrEnum

from faithview.judges.lexical.splitting.blocks import HEADING, LINE, MARKER, TABLE_RULE
from faithview.judges.text.sentences import Range, split_sentences, trim


class Kind(StrEnum):
    """What a block is."""

    PARAGRAPH = "paragraph"
    ITEM = "item"
    HEADING = "heading"
    TABLE_HEAD = "table head"
    TABLE_RULE = "table rule"
    TABLE_ROW = "table row"
    CODE = "code"


@dataclass(slots=True)
class Block:
    """Lines `[start, end)` of an answer that belong together, without the line breaks round them.

    `text` is where the words begin, after an item's marker. `depth` is how far it is indented. `sentences` are the
    places of its sentences; one for a row of a table and for code, which are not taken apart.
    """

    kind: Kind
    start: int
    text: int
    end: int
    depth: int = 0
    level: int = 0
    sentences: list[Range] = field(default_factory=list)


_FENCE = re.compile(r"[ \t]*(```+|~~~+)")
_HASHES = re.compile(r"[ \t]*(#{1,6})[ \t]")
# Bold words alone on a line are a heading below all others.
_LOWEST_LEVEL = 7
_TAB = 4
_ONE_BREAK = ("\n", "\r\n", "\r")
_END_MARKS = ".!?:;…。！？)*_|"
_WRAPPED = 50


def read_layout(answer: str) -> list[Block]:
    """Return the blocks of an answer in their order; every character but white space is in one."""
    blocks: list[Block] = []
    fence = ""
    for line in LINE.finditer(answer):
        start, end = trim(answer, *line.span())
        mark = _FENCE.match(answer, *line.span())
        if fence:
            blocks[-1].end = max(end, blocks[-1].end)
            fence = "" if mark and mark[1].startswith(fence) and end - start == len(mark[1]) else fence
        elif mark:
            fence = mark[1]
            blocks.append(Block(Kind.CODE, line.start(), start, end))
        elif start < end:
            _add(answer, blocks, line.start(), start, end)
    for block in blocks:
        block.sentences = _sentences(answer, block)
    return blocks


def _add(answer: str, blocks: list[Block], line: int, start: int, end: int) -> None:
    last = blocks[-1] if blocks else None
    depth = sum(_TAB if character == "\t" else 1 for character in answer[line:start])
    if TABLE_RULE.match(answer, start, end):
        if last is not None and "|" in answer[last.start : last.end]:
            last.kind = Kind.TABLE_HEAD
        blocks.append(Block(Kind.TABLE_RULE, line, start, end))
    elif HEADING.match(answer, line, end):
        hashes = _HASHES.match(answer, line, end)
        level = len(hashes[1]) if hashes else _LOWEST_LEVEL
        blocks.append(Block(Kind.HEADING, line, start, end, level=level))
    elif answer[start] == "|":
        blocks.append(Block(Kind.TABLE_ROW, line, start, end))
    elif (marker := MARKER.match(answer, line, end)) is not None and marker.end() < end:
        blocks.append(Block(Kind.ITEM, line, marker.end(), end, depth=depth))
    elif last is not None and _goes_on(answer, last, line, depth):
        last.end = end
    else:
        blocks.append(Block(Kind.PARAGRAPH, line, start, end, depth=depth))


def _goes_on(answer: str, last: Block, line: int, depth: int) -> bool:
    """Return whether the line is more of the block before it: one line break between, and no new beginning."""
    if last.kind not in (Kind.PARAGRAPH, Kind.ITEM) or answer[last.end : line].strip(" \t") not in _ONE_BREAK:
        return False
    if last.kind is Kind.ITEM and depth > last.depth:
        return True
    # Hard-wrapped text; short lines that end in no mark are lines of their own ("Price: 5").
    is_open = answer[last.end - 1] not in _END_MARKS
    last_line = answer[last.start : last.end].splitlines()[-1]
    return is_open and (answer[line:].lstrip(" \t")[:1].islower() or len(last_line) >= _WRAPPED)


def _sentences(answer: str, block: Block) -> list[Range]:
    if block.kind not in (Kind.PARAGRAPH, Kind.ITEM):
        return [(block.text, block.end)]
    sentences = split_sentences(answer, block.text, block.end) or [(block.text, block.end)]
    # A mark that the splitter leaves out belongs to the sentence before it.
    starts = [block.text, *(start for start, _ in sentences[1:])]
    ends = [*starts[1:], block.end]
    return [trim(answer, start, end) for start, end in zip(starts, ends, strict=True)]
