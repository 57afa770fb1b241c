"""Split an answer into the statements that can be checked, each with its exact place."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from faithview.judges.lexical.splitting.refusals import (
    end_of_opener,
    is_advice,
    is_no_claim,
    is_refusal,
    may_refuse,
    says_something,
)
from faithview.judges.lexical.splitting.replies import Asked, read_question, read_reply, says_again
from faithview.judges.text.sentences import (
    EMOJI,
    FILE,
    SOURCE_WORDS,
    Range,
    plain_lines,
    plain_words,
    split_sentences,
    tidy,
    trim,
)


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
# Text with one of these verbs and an end mark is a sentence, not the name of a source.
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
            _add_block(answer, blocks, start, end)
    return blocks or headings


def _add_block(answer: str, blocks: list[Block], start: int, end: int) -> None:
    marker = MARKER.match(answer, start, end)
    if marker is not None and marker.end() < end:
        blocks.append(Block(start=marker.end(), end=end, is_item=True))
    elif blocks and _is_wrapped_line(answer, blocks[-1], start):
        blocks[-1] = Block(start=blocks[-1].start, end=end, is_item=blocks[-1].is_item)
    else:
        blocks.append(Block(start=start, end=end))


def _is_wrapped_line(answer: str, block: Block, start: int) -> bool:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A piece `[start, end)` of the answer that says something; `is_item` marks one that is in a list.

    `stated` is what a reply to the question states, "It does not support SSO." for "No.", and "" for other claims.
    """

    start: int
    end: int
    is_item: bool = False
    stated: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitAnswer:
    """The claims of an answer in their order, and the places of statements that the context does not tell.

    `reading` is the answer to read: with spaces instead of its marks, and followed by the statements of its replies.
    """

    claims: tuple[Statement, ...]
    refusals: tuple[Range, ...]
    reading: str

    def places(self) -> list[Range]:
        """Return where each claim is in `reading`."""
        places = []
        at = len(self.reading) - sum(len(claim.stated) + 1 for claim in self.claims if claim.stated)
        for claim in self.claims:
            if claim.stated:
                places.append((at + 1, at + 1 + len(claim.stated)))
                at += 1 + len(claim.stated)
            else:
                places.append((claim.start, claim.end))
        return places

    def text_of(self, claim: Statement) -> str:
        """Return a claim as it reads: without marks, and as a statement where it is a reply."""
        return claim.stated or tidy(self.reading[claim.start : claim.end])


def split_answer(answer: str, question: str | None = None) -> SplitAnswer:
    """Split an answer; greetings, headings, questions, offers of help, lists of sources and refusals are not claims.

    Args:
        answer: the answer.
        question: what it answers, without which "Yes." states nothing.
    """
    lines = plain_lines(answer)
    plain = plain_words(lines)
    pieces = _Pieces(plain, read_question(question))
    for block in find_blocks(lines):
        for start, end in split_sentences(plain, block.start, block.end):
            pieces.take(block, start, end)
    claims = pieces.claims()
    reading = "\n".join([plain, *(claim.stated for claim in claims if claim.stated)])
    return SplitAnswer(claims=claims, refusals=tuple(pieces.refusals), reading=reading)


class _Pieces:
    """The pieces of an answer, sorted one by one into claims, refusals and what states nothing."""

    def __init__(self, plain: str, asked: Asked | None) -> None:
        self._plain = plain
        self._asked = asked
        self._claims: list[Statement] = []
        self.refusals: list[Range] = []

    def claims(self) -> tuple[Statement, ...]:
        """Return the claims: with a refusal, advice on whom to ask is not among them."""
        claims = self._claims
        if self.refusals:
            claims = [c for c in claims if c.stated or not is_advice(self._plain[c.start : c.end])]
        return tuple(claims)

    def take(self, block: Block, start: int, end: int) -> None:
        """Sort a sentence."""
        start, end = _strip_marks(self._plain, start, end)
        opened = end_of_opener(self._plain, start, end)
        reply = read_reply(self._plain[start:end], self._asked, is_first=not self._claims)
        if reply is None and opened > start:
            reply = read_reply(self._plain[opened:end], self._asked, is_first=not self._claims)
            start = opened
        if reply is None:
            self._sort_pieces(block, start, end)
            return
        if reply.statement:
            stop = start + len(self._plain[start : start + reply.end].rstrip(" \t\n,;:—–-"))
            self._claims.append(Statement(start=start, end=stop, is_item=block.is_item, stated=reply.statement))
        count = len(self._claims) + len(self.refusals)
        self._sort_pieces(block, start + reply.end, end)
        if reply.statement and count == len(self._claims) + len(self.refusals):
            self._claims[-1] = replace(self._claims[-1], end=end)  # "Yes, it is included.": the rest says no more

    def _sort_pieces(self, block: Block, start: int, end: int) -> None:
        if start < end:
            for piece in _pieces(self._plain, start, end):
                self._sort(block, *piece)

    def _sort(self, block: Block, start: int, end: int) -> None:
        first, last = _strip_marks(self._plain, start, end)
        if is_refusal(self._plain[first:last]):
            self.refusals.append((first, last))
            return
        first = end_of_opener(self._plain, first, last)
        text = self._plain[first:last]
        if not says_something(text) or is_no_claim(text):
            return
        before = self._claims[-1] if self._claims else None
        if (
            before is not None
            and before.stated
            and self._asked is not None
            and says_again(text, before.stated, self._asked)
        ):
            self._claims.pop()  # "Yes. You can return sale items.": the sentence says what "yes" does
        self._claims.append(Statement(start=first, end=last, is_item=block.is_item))


# No real answer has this many; a long text of one-letter sentences has ten times as many.
_MOST_CLAIMS = 5_000


def first_claims(split: SplitAnswer) -> tuple[SplitAnswer, tuple[str, ...]]:
    """Return the claims to judge, and a sentence about those beyond the limit."""
    count = len(split.claims)
    if count <= _MOST_CLAIMS:
        return split, ()
    warning = f"The answer has {count:,} claims; it was not checked beyond the first {_MOST_CLAIMS:,}."
    return replace(split, claims=split.claims[:_MOST_CLAIMS]), (warning,)


_SUBJECT = (
    r"(?:it|they|he|she|we|you|I|this|that|these|those|there|its|their|his|her|the|an?|all|some|many|most|each|no|"
    r"(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b)[A-Z][\w’'-]*)\b"
)
_VERB = (
    r"(?:is|are|was|were|has|have|had|can|cannot|could|will|would|shall|should|may|might|must|do|does|did|"
    r"isn['’]t|aren['’]t|wasn['’]t|weren['’]t|can['’]t|won['’]t|doesn['’]t|don['’]t|didn['’]t|\w{3,}(?:ed|es)|[a-z]{3,}s)\b"
)
_CLAUSE = rf"(?={_SUBJECT}(?:[^\S\n]+[\w’'%$€£.,-]+){{0,5}}?[^\S\n]+{_VERB})"
_SPLIT = re.compile(
    rf""";\s+(?=\w)
      | ,\s+(?:and|but|while|whereas|yet|although|though)\s+{_CLAUSE}
      | \s+(?:but|whereas)\s+{_CLAUSE}
    """,
    re.VERBOSE,
)
_VALUED_SPLIT = re.compile(rf"\s+and\s+{_CLAUSE}")
_HAS_VERB = re.compile(_VERB)
_VALUE = re.compile(r"\d")

# A clause with fewer words is a fragment without meaning of its own.
_FEWEST_WORDS = 4


# "The passages do not give a time, so you may need a thermometer": what follows from a refusal is a claim.
_SO = re.compile(rf",\s+(?:so|therefore|thus|hence)\s+{_CLAUSE}")

# "..., so I cannot tell whether it can": the part after it claims no more than the part before.
_IS_UNSURE = re.compile(
    r"\b(?:can\s?not|can['’]t|could\s+not|couldn['’]t|unable|impossible|not\s+(?:possible|able|clear|known|certain))\b"
    r".{0,20}\b(?:tell|told|say|said|determined?|know|known|answer(?:ed)?|judged?|confirm(?:ed)?|whether)\b",
    re.IGNORECASE,
)


# "I do not know the fee, but the plan costs 5 euros" has a claim, on either side of such a turn.
_TURN = re.compile(
    r"\s*(?:[,;—–]|\s-)?\s+(?:but|however|though|although|yet|while|whereas|except(?:\s+that)?)\b\s*,?\s*|\s*[;—]\s*|\s+–\s+",
    re.IGNORECASE,
)
_THOUGH = re.compile(r"\W*(?:(?:even\s+)?though|although|while|whereas)\s+(?P<said>[^,]{4,200}),\s+", re.IGNORECASE)


def _pieces(answer: str, start: int, end: int) -> list[Range]:
    return [
        piece
        for clause in _split_clauses(answer, start, end)
        for piece in _beside_refusals(answer, clause[0], clause[1])
    ]


def _beside_refusals(answer: str, start: int, end: int) -> list[Range]:
    """Return a clause unchanged, or split into a refusal in it and the rest."""
    if not may_refuse(answer[start:end]):
        return [(start, end)]
    so = _SO.search(answer, start, end)
    if so is not None and is_refusal(answer[start : so.start()]) and not _IS_UNSURE.search(answer, so.end(), end):
        return [(start, so.start()), (so.end(), end)]
    though = _THOUGH.match(answer, start, end)
    if though is not None and is_refusal(though["said"]) and not is_refusal(answer[though.end() : end]):
        return [though.span("said"), (though.end(), end)]
    for turn in islice(_TURN.finditer(answer, start + 1, end), _MOST_TURNS):
        left, right = answer[start : turn.start()], answer[turn.end() : end]
        refuses = is_refusal(left)
        if refuses != is_refusal(right) and _states_something(right if refuses else left):
            return [(start, turn.start()), (turn.end(), end)]
    return [(start, end)]


def _states_something(clause: str) -> bool:
    return len(clause.split()) >= _FEWEST_BESIDE and (_HAS_VERB.search(clause) or _VALUE.search(clause)) is not None


# Sentences rarely have more, and each costs time.
_MOST_TURNS = 4

# Next to a refusal a shorter clause is also a statement: "it costs 5".
_FEWEST_BESIDE = 3


def _split_clauses(answer: str, start: int, end: int) -> list[Range]:
    """Split a sentence where a second clause brings its own subject and predicate."""
    pieces, at = [], start
    for mark in sorted(
        [*_SPLIT.finditer(answer, start, end), *_VALUED_SPLIT.finditer(answer, start, end)], key=lambda m: m.start()
    ):
        left, right = answer[at : mark.start()], answer[mark.end() : end]
        if mark.start() < at or not (_stands_alone(left) and _stands_alone(right)):
            continue
        if mark.re is _VALUED_SPLIT and not (_VALUE.search(left) and _VALUE.search(right)):
            continue
        pieces.append((at, mark.start()))
        at = mark.end()
    pieces.append((at, end))
    return pieces


def _stands_alone(clause: str) -> bool:
    return len(clause.split(None, _FEWEST_WORDS)) >= _FEWEST_WORDS and _HAS_VERB.search(clause) is not None


# Marks of emphasis and quotation marks belong to the answer's look, not to the claim.
_EDGE = frozenset("*_#>|~`")
_IS_EMOJI = re.compile(EMOJI)


def _strip_marks(answer: str, start: int, end: int) -> Range:
    while start < end and _is_edge(answer[start]):
        start += 1
    while end > start and _is_edge(answer[end - 1]):
        end -= 1
    return start, end


def _is_edge(character: str) -> bool:
    if character in _EDGE or character.isspace():
        return True
    return character > "\xff" and _IS_EMOJI.match(character) is not None


_CITATION = re.compile(
    r"""\b(?:passages?|chunks?|sources?|documents?|contexts?|articles?|texts?|refs?|references?)\s+
          \#?(?P<named>\d{1,2}(?:\s?(?:,|,?\s?and|&|-|–|to|or)\s?(?:passage\s)?\d{1,2})*)\b
      | \[(?P<marked>\d{1,2}(?:,\s?\d{1,2})*)\]""",
    re.IGNORECASE | re.VERBOSE,
)
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """A claim's citations: `own` are the numbers in it, `carried` those after it or of a claim before it.

    Numbers count the chunks from 1 and may be larger than there are. `ranges` are the places of its own citations.
    """

    own: tuple[int, ...]
    carried: tuple[int, ...]
    ranges: tuple[tuple[int, int], ...]


def find_citations(answer: str, claims: Sequence[Statement]) -> list[Cited]:
    """Return for each claim of an answer its citations, its own or its neighbours'.

    If a claim cites nothing, it has the citation between it and the next claim, or else those of the last claim.
    """
    places = [(m.start(), m.end(), _numbers(m)) for m in _CITATION.finditer(answer)]
    cited: list[Cited] = []
    last: tuple[int, ...] = ()
    at = 0
    for number, claim in enumerate(claims):
        while at < len(places) and places[at][1] <= claim.start:
            at += 1
        stop = claims[number + 1].start if number + 1 < len(claims) else len(answer)
        own, after, ranges = [], [], []
        for start, end, numbers in places[at:]:
            if start >= stop:
                break
            if start < claim.end:
                own += numbers
                ranges.append((start, end))
            else:
                after += numbers
        carried = tuple(own or after) or last
        last = tuple(own) or last
        cited.append(Cited(own=tuple(own), carried=carried, ranges=tuple(ranges)))
    return cited


def _numbers(match: re.Match[str]) -> list[int]:
    return [int(number) for number in _NUMBER.findall(match["named"] or match["marked"])]
