"""Decide which parts of an answer to remove with unsupported claims so that the rest still reads well.

The smallest clean part with only unsupported claims is removed: a clause, a sentence, a list item or a row, then a
heading or a lead-in without remaining content. A part with a supported claim is kept. Items, headings and tables are
recognised as in the splitting into claims.

"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise

from faithview.domain.claim import Claim, Verdict
from faithview.judges.lexical.splitting.claims import HEADING, LINE, MARKER, TABLE_RULE
from faithview.judges.lexical.splitting.refusals import CITATION_ALONE, says_something
from faithview.judges.text.lexicon import FUNCTION_WORDS, word_set
from faithview.judges.text.sentences import Range, split_sentences, trim
from faithview.judges.text.tokens import tokenize
from faithview.services.guard.edits import Edit


class Kind(StrEnum):
    """The kind of a block."""

    PARAGRAPH = "paragraph"
    ITEM = "item"
    HEADING = "heading"
    TABLE_HEAD = "table head"
    TABLE_RULE = "table rule"
    TABLE_ROW = "table row"
    CODE = "code"


@dataclass(slots=True)
class Block:
    """Lines `[start, end)` of an answer that belong together, without the surrounding line breaks.

    `text` is where the words begin, after an item's marker. `depth` is its indentation. `sentences` are the places of
    its sentences; a table row and code count as one.
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
# A line with only bold words is a heading of the lowest level.
_LOWEST_LEVEL = 7
_TAB = 4
_ONE_BREAK = ("\n", "\r\n", "\r")
_END_MARKS = ".!?:;…。！？)*_|"
_WRAPPED = 50


def read_layout(answer: str) -> list[Block]:
    """Return the blocks of an answer in their order; every character except whitespace is in one."""
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
            _add_line(answer, blocks, line.start(), start, end)
    for block in blocks:
        block.sentences = _sentences(answer, block)
    return blocks


def _add_line(answer: str, blocks: list[Block], line: int, start: int, end: int) -> None:
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
    elif last is not None and _continues_block(answer, last, line, depth):
        last.end = end
    else:
        blocks.append(Block(Kind.PARAGRAPH, line, start, end, depth=depth))


def _continues_block(answer: str, last: Block, line: int, depth: int) -> bool:
    """Return whether the line continues the block before it: after one line break, without starting a new block."""
    if last.kind not in (Kind.PARAGRAPH, Kind.ITEM) or answer[last.end : line].strip(" \t") not in _ONE_BREAK:
        return False
    if last.kind is Kind.ITEM and depth > last.depth:
        return True
    # Hard-wrapped text; short lines without an end mark are separate lines ("Price: 5").
    is_open = answer[last.end - 1] not in _END_MARKS
    last_line = answer[last.start : last.end].splitlines()[-1]
    return is_open and (answer[line:].lstrip(" \t")[:1].islower() or len(last_line) >= _WRAPPED)


def _sentences(answer: str, block: Block) -> list[Range]:
    if block.kind not in (Kind.PARAGRAPH, Kind.ITEM):
        return [(block.text, block.end)]
    sentences = split_sentences(answer, block.text, block.end) or [(block.text, block.end)]
    # A mark that the splitter skips belongs to the sentence before it.
    starts = [block.text, *(start for start, _ in sentences[1:])]
    ends = [*starts[1:], block.end]
    return [trim(answer, start, end) for start, end in zip(starts, ends, strict=True)]


class Why(StrEnum):
    """Reasons for removing words that do not make an unsupported claim themselves."""

    FAULT = ""
    EMPTY_LIST = "Everything that this introduces was removed."
    EMPTY_SECTION = "Nothing is left in this section."
    BELONGS = "It belongs to a removed sentence."


@dataclass(frozen=True, slots=True)
class Place:
    """Words `[start, end)` of the answer that make a claim; `number` is the claim's."""

    start: int
    end: int
    number: int


def places_of(claims: Sequence[Claim]) -> list[Place]:
    """Return where the answer makes its supported claims."""
    return [
        Place(span.start, span.end, number)
        for number, claim in enumerate(claims, start=1)
        if claim.verdict is Verdict.SUPPORTED
        for span in claim.spans
    ]


@dataclass(slots=True)
class Sentence:
    """A sentence `[start, end)` with the places to remove (`faults`) and to keep (`kept`)."""

    start: int
    end: int
    faults: list[Place]
    kept: list[Place]
    is_gone: bool = False
    why: Why = Why.FAULT


@dataclass(slots=True)
class Part:
    """A block with its sentences."""

    block: Block
    sentences: list[Sentence]

    @property
    def is_gone(self) -> bool:
        """Whether all of it is removed."""
        return all(sentence.is_gone for sentence in self.sentences)

    @property
    def has_kept(self) -> bool:
        """Whether it contains a supported place."""
        return any(sentence.kept for sentence in self.sentences)

    @property
    def has_faults(self) -> bool:
        """Whether it contains an unsupported place."""
        return any(sentence.faults for sentence in self.sentences)

    def go(self, why: Why = Why.FAULT) -> None:
        """Remove all of it; `why` is the reason for sentences without a fault."""
        for sentence in self.sentences:
            if not sentence.is_gone:
                sentence.is_gone, sentence.why = True, Why.FAULT if sentence.faults else why

    def stay(self) -> None:
        """Keep all of it."""
        for sentence in self.sentences:
            sentence.is_gone = False


def part_of(block: Block, faults: Sequence[Place], kept: Sequence[Place]) -> Part:
    """Return a block with its sentences and the places in them."""
    sentences = []
    for number, (start, end) in enumerate(block.sentences):
        first = start if number else block.start  # an item's marker is removed with its first sentence
        sentences.append(
            Sentence(
                start,
                end,
                faults=[place for place in faults if overlaps(place, first, end)],
                kept=[place for place in kept if overlaps(place, first, end)],
            )
        )
    return Part(block, sentences)


def overlaps(place: Place, start: int, end: int) -> bool:
    """Return whether a place has words in `[start, end)`."""
    return place.start < end and start < place.end


def removed(start: int, end: int, numbers: tuple[int, ...], why: Why = Why.FAULT) -> Edit:
    """Return the edit that removes `[start, end)`."""
    return Edit(start=start, end=end, replacement="", claim_numbers=numbers, reason=why.value)


_PAIRS = {"(": ")", "[": "]", "{": "}", "“": "”", "«": "»"}
_EVEN = ('"', "**", "__", "`", "~~")


def imbalance(text: str) -> Counter[str]:
    """Return how many brackets and marks of a text have no partner."""
    found: Counter[str] = Counter()
    for opening, closing in _PAIRS.items():
        found[opening] = text.count(opening) - text.count(closing)
    for mark in _EVEN:
        found[mark] = text.count(mark) % 2
    return Counter({mark: count for mark, count in found.items() if count})


def mark_items(parts: Sequence[Part]) -> None:
    """Remove a list item with everything indented under it, or keep all of it."""
    for number, part in reversed(list(enumerate(parts))):
        if part.block.kind is not Kind.ITEM or not part.is_gone:
            continue
        under = _under(parts, number)
        if any(child.has_kept or (not child.is_gone and child.has_faults) for child in under):
            part.stay()
        else:
            for child in under:
                child.go(Why.BELONGS)


def _under(parts: Sequence[Part], number: int) -> list[Part]:
    own = parts[number].block
    under = []
    for part in parts[number + 1 :]:
        if part.block.depth <= own.depth:
            break
        under.append(part)
    return under


def mark_tables(parts: Sequence[Part]) -> None:
    """Remove the head of a table with its last row."""
    for number, part in enumerate(parts):
        if part.block.kind is not Kind.TABLE_RULE:
            continue
        rows = []
        for row in parts[number + 1 :]:
            if row.block.kind is not Kind.TABLE_ROW:
                break
            rows.append(row)
        head = parts[number - 1 : number] if number and parts[number - 1].block.kind is Kind.TABLE_HEAD else []
        if rows and all(row.is_gone for row in rows) and not any(part.has_kept for part in head):
            for empty in (*head, part):
                empty.go(Why.EMPTY_LIST)


def mark_announcements(answer: str, parts: Sequence[Part]) -> list[str]:
    """Remove headings and lead-ins ("There are three options:") if nothing that they announce is left.

    Return the lead-ins that count a list which is now shorter.
    """
    miscounted: list[str] = []
    for number, part in reversed(list(enumerate(parts))):
        if part.block.kind is Kind.HEADING:
            content = _section(parts, number)
            if content and all(item.is_gone for item in content) and not part.has_kept:
                part.go(Why.EMPTY_SECTION)
            continue
        last = part.sentences[-1] if part.sentences else None
        if last is None or last.is_gone or not answer[last.start : last.end].rstrip("*_ ").endswith((":", "：")):
            continue
        listed = _announced_items(parts, number)
        if listed and all(item.is_gone for item in listed) and not last.kept:
            last.is_gone, last.why = True, Why.FAULT if last.faults else Why.EMPTY_LIST
        elif any(item.is_gone for item in listed) and _states_count(answer, last):
            miscounted.append(answer[last.start : last.end])
    return miscounted


def _section(parts: Sequence[Part], number: int) -> list[Part]:
    content = []
    for part in parts[number + 1 :]:
        if part.block.kind is Kind.HEADING and part.block.level <= parts[number].block.level:
            break
        content.append(part)
    return content


def _announced_items(parts: Sequence[Part], number: int) -> list[Part]:
    own = parts[number].block
    content: list[Part] = []
    for part in parts[number + 1 :]:
        block = part.block
        is_under = block.kind is not Kind.HEADING and (own.kind is not Kind.ITEM or block.depth > own.depth)
        is_item = block.kind is not Kind.PARAGRAPH or block.depth > own.depth
        if not is_under or not is_item:
            break
        content.append(part)
    return content


def _states_count(answer: str, sentence: Sentence) -> bool:
    return any(
        token.word.is_number or token.word.may_be_value for token in tokenize(answer, sentence.start, sentence.end)
    )


# Conjunctions that join an independent clause to the one before.
_JOINT = re.compile(r";\s+|,?\s+(?:and|but|while|whereas|yet|although|though)\s+", re.IGNORECASE)
_END = re.compile(r"[.!?…。！？\s\"'”’)\]*_]*\Z")
_BEGINNING = re.compile(r"[\s\"'“‘(\[*_]*\Z")
# A clause with such a beginning refers to the clause before.
_POINTS_BACK = word_set(
    "it its they their them he his him she her this that these those such both neither one ones so then there which"
)


def cut_clauses(answer: str, sentence: Sentence) -> list[Edit]:
    """Return the edits that remove the unsupported clauses of a sentence; empty if they cannot be separated."""
    is_fault = {(p.start, p.end): True for p in sentence.faults} | {(p.start, p.end): False for p in sentence.kept}
    numbers = {(p.start, p.end): p.number for p in (*sentence.kept, *sentence.faults)}
    places = sorted(is_fault)
    if len({(p.start, p.end) for p in (*sentence.faults, *sentence.kept)}) < len(sentence.faults) + len(sentence.kept):
        return []
    if not _is_made_of_clauses(answer, sentence, places):
        return []
    first = next(number for number, place in enumerate(places) if not is_fault[place])
    edits: list[Edit] = []
    if first:
        edits += _without_beginning(answer, places[: first + 1], [numbers[place] for place in places[:first]])
        if not edits:
            return []
    for number, place in enumerate(places[first + 1 :], start=first + 1):
        if is_fault[place]:
            end = place[1] if number < len(places) - 1 else place[1] - len(_end_mark(answer, *place))
            edits.append(removed(places[number - 1][1], end, (numbers[place],)))
    rest, at = "", sentence.start
    for edit in edits:
        rest, at = rest + answer[at : edit.start] + edit.replacement, edit.end
    rest += answer[at : sentence.end]
    return edits if not imbalance(rest) else []


def _is_made_of_clauses(answer: str, sentence: Sentence, places: Sequence[Range]) -> bool:
    inside = [place for place in places if sentence.start <= place[0] and place[1] <= sentence.end]
    if len(inside) != len(places):
        return False
    joints = all(one[1] <= other[0] and _JOINT.fullmatch(answer, one[1], other[0]) for one, other in pairwise(places))
    begins = _BEGINNING.match(answer[sentence.start : places[0][0]])
    ends = _END.match(answer[places[-1][1] : sentence.end])
    return joints and begins is not None and ends is not None


def _without_beginning(answer: str, places: Sequence[Range], numbers: Sequence[int]) -> list[Edit]:
    """Return the edits that let a sentence begin with the last of these clauses; empty if it needs the others."""
    start = places[-1][0]
    word = tokenize(answer, start, places[-1][1])
    if not word or word[0].word.lower in _POINTS_BACK:
        return []
    letter = answer[start]
    first = removed(places[0][0], start, tuple(numbers))
    if not letter.islower():
        return [first]
    capital = Edit(
        start=places[0][0],
        end=start + 1,
        replacement=letter.upper(),
        claim_numbers=tuple(numbers),
        reason="",
    )
    return [capital]


def _end_mark(answer: str, start: int, end: int) -> str:
    match = re.search(r"[.!?…。！？]*[\"'”’)\]*_]*\Z", answer[start:end])
    return match[0] if match else ""


@dataclass(slots=True)
class Removal:
    """The edits that remove unsupported claims, and the claims that could not be removed."""

    edits: list[Edit] = field(default_factory=list)
    stuck: set[int] = field(default_factory=set)
    # Counts of a list that is now shorter.
    miscounted: list[str] = field(default_factory=list)


def remove(answer: str, faults: Sequence[Place], kept: Sequence[Place]) -> Removal:
    """Return how to remove the faults from the answer, without changing a place that is kept.

    Args:
        answer: the answer.
        faults: the places of claims to remove.
        kept: the places of claims to keep; at most the case of their first letter changes.
    """
    removal = Removal()
    parts = [part_of(block, faults, kept) for block in read_layout(answer)]
    for part in parts:
        _mark_sentences(answer, part, removal)
    mark_items(parts)
    mark_tables(parts)
    removal.miscounted = mark_announcements(answer, parts)
    left = [place for part in parts for s in part.sentences if not s.is_gone for place in s.faults]
    removal.stuck = {place.number for place in left if not _is_cut(place, removal.edits)}
    removal.edits += _edits(answer, parts)
    return removal


def _is_cut(place: Place, edits: Sequence[Edit]) -> bool:
    return any(place.number in edit.claim_numbers and overlaps(place, edit.start, edit.end) for edit in edits)


def _mark_sentences(answer: str, part: Part, removal: Removal) -> None:
    sentences = part.sentences
    for number, sentence in enumerate(sentences):
        if not sentence.faults or sentence.is_gone:
            continue
        if sentence.kept:
            removal.edits += cut_clauses(answer, sentence)
            continue
        sentence.is_gone = True
        for beside in _belonging_to(answer, sentences, number):
            beside.is_gone, beside.why = True, Why.BELONGS
    rest = [s for s in sentences if not s.is_gone]
    if len(rest) == len(sentences):
        return
    says_nothing = not part.has_kept and not any(says_something(answer[s.start : s.end]) for s in rest)
    if says_nothing or not _is_balanced(answer, part):  # "**A. B.**" cannot lose one of the two
        if part.has_kept:
            part.stay()
        else:
            part.go(Why.BELONGS)


def _belonging_to(answer: str, sentences: Sequence[Sentence], number: int) -> Iterator[Sentence]:
    """Yield the claimless sentences that depend on that one: the reply before it, the citations after it."""
    before = sentences[number - 1] if number else None
    if before is not None and not before.faults and not before.kept and _is_short_reply(answer, before):
        yield before
    for after in sentences[number + 1 :]:
        if after.faults or after.kept or not CITATION_ALONE.match(answer[after.start : after.end]):
            return
        yield after


def _is_short_reply(answer: str, sentence: Sentence) -> bool:
    """Return whether a sentence is only a yes or no before the next one: "Yes, you can."."""
    tokens = tokenize(answer, sentence.start, sentence.end)
    return len(tokens) <= _LONGEST_REPLY and all(t.word.lower in _REPLY_WORDS for t in tokens)


_LONGEST_REPLY = 6
_REPLY_WORDS = FUNCTION_WORDS | word_set("yes no not correct right sure certainly absolutely")


def _is_balanced(answer: str, part: Part) -> bool:
    """Return whether brackets and marks are still balanced in the rest of a block."""
    whole = answer[part.block.start : part.block.end]
    rest = "".join(answer[s.start : s.end] for s in part.sentences if not s.is_gone)
    return imbalance(rest) == imbalance(whole) or not imbalance(rest)


def _edits(answer: str, parts: Sequence[Part]) -> list[Edit]:
    edits: list[Edit] = []
    number = 0
    while number < len(parts):
        if not parts[number].is_gone:
            edits += _sentence_edits(answer, parts[number])
            number += 1
            continue
        last = number
        while last + 1 < len(parts) and parts[last + 1].is_gone:
            last += 1
        edits += _block_edits(answer, parts, number, last)
        number = last + 1
    return edits


def _block_edits(answer: str, parts: Sequence[Part], first: int, last: int) -> list[Edit]:
    """Remove whole blocks with the whitespace on one side; the wider gap remains."""
    start, end = parts[first].block.start, parts[last].block.end
    before = parts[first - 1].block.end if first else 0
    after = parts[last + 1].block.start if last + 1 < len(parts) else len(answer)
    if not first:
        start, end = 0, after if last + 1 < len(parts) else len(answer)
    elif last + 1 == len(parts):
        start = before
    elif answer.count("\n", before, start) > answer.count("\n", end, after):
        end = after
    else:
        start = before
    return [_remove_run(start, end, [s for part in parts[first : last + 1] for s in part.sentences])]


def _sentence_edits(answer: str, part: Part) -> list[Edit]:
    sentences = part.sentences
    edits: list[Edit] = []
    number = 0
    while number < len(sentences):
        if not sentences[number].is_gone:
            number += 1
            continue
        last = number
        while last + 1 < len(sentences) and sentences[last + 1].is_gone:
            last += 1
        run = sentences[number : last + 1]
        if last + 1 < len(sentences):
            edits.append(_remove_run(run[0].start, sentences[last + 1].start, run))
        else:
            edits.append(_remove_run(sentences[number - 1].end, run[-1].end, run))
        number = last + 1
    return edits


def _remove_run(start: int, end: int, sentences: Sequence[Sentence]) -> Edit:
    numbers = sorted({place.number for sentence in sentences for place in sentence.faults})
    why = next((s.why for s in sentences if s.why is not Why.FAULT and not numbers), Why.FAULT)
    return removed(start, end, tuple(numbers), why)
