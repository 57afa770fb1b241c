"""Split an answer into the statements that can be checked, each with its exact place."""

import re
from dataclasses import dataclass, replace

from faithview.judges.lexical.splitting.refusals import is_refusal
from faithview.judges.text.lexicon import FUNCTION_WORDS
from faithview.judges.text.sentences import Range, split_sentences, trim


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A piece `[start, end)` of the answer that says something; `is_item` marks one that stands in a list."""

    start: int
    end: int
    is_item: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitAnswer:
    """The claims of an answer in their order, and the places of statements that the context does not tell."""

    claims: tuple[Statement, ...]
    refusals: tuple[Range, ...]


def split_answer(answer: str) -> SplitAnswer:
    """Split an answer; greetings, headings, questions, offers of help and refusals are no claims."""
    claims: list[Statement] = []
    refusals: list[Range] = []
    for block in _blocks(answer):
        for start, end in split_sentences(answer, block.start, block.end):
            for piece in _pieces(answer, start, end):
                first, last = _strip_marks(answer, *piece)
                text = answer[first:last]
                if not says_something(text):
                    continue
                if is_refusal(text):
                    refusals.append((first, last))
                elif not _is_no_claim(text):
                    claims.append(Statement(start=first, end=last, is_item=block.is_item))
    return SplitAnswer(claims=tuple(claims), refusals=tuple(refusals))


# No real answer has so many; a long text of one-letter sentences has ten times as many.
_MOST_CLAIMS = 5_000


def first_claims(split: SplitAnswer) -> tuple[SplitAnswer, tuple[str, ...]]:
    """Return the claims that are looked at, and a sentence on those that are not."""
    count = len(split.claims)
    if count <= _MOST_CLAIMS:
        return split, ()
    warning = f"The answer has {count:,} claims; it was not looked at beyond the first {_MOST_CLAIMS:,}."
    return replace(split, claims=split.claims[:_MOST_CLAIMS]), (warning,)


LINE = re.compile(r"[^\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")
MARKER = re.compile(r"[ \t>]*(?:[-*+•‣◦▪·–—]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])[ \t]+|[ \t>]*(?:#{1,6}|>)[ \t]+")
HEADING = re.compile(r"[ \t]*#{1,6}[ \t]|[ \t]*(?:\*\*|__)[^*_\n]{1,80}(?:\*\*|__):?[ \t]*\Z|[ \t]*[|:\-=_*~]+[ \t]*\Z")


TABLE_RULE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)+\Z")


def _blocks(answer: str) -> list[Statement]:
    """Return paragraphs and list items without their markers; a line that goes on in the next is joined with it."""
    blocks: list[Statement] = []
    for line in LINE.finditer(answer):
        start, end = trim(answer, *line.span())
        if start == end:
            continue
        if TABLE_RULE.match(answer, start, end):
            if blocks and answer[blocks[-1].start] == "|":
                blocks.pop()  # the table's head
            continue
        if HEADING.match(answer, start, end):
            continue
        marker = MARKER.match(answer, start, end)
        if marker is not None and marker.end() < end:
            blocks.append(Statement(start=marker.end(), end=end, is_item=True))
        elif blocks and _goes_on(answer, blocks[-1], start):
            blocks[-1] = Statement(start=blocks[-1].start, end=end, is_item=blocks[-1].is_item)
        else:
            blocks.append(Statement(start=start, end=end))
    return blocks


def _goes_on(answer: str, block: Statement, start: int) -> bool:
    # Hard-wrapped text: the next line, one break away, begins with a small letter and the last one ended in none.
    return answer[start].islower() and start - block.end <= 2 and answer[block.end - 1] not in ".!?:;…。！？"


_SUBJECT = (
    r"(?:it|they|he|she|we|you|I|this|that|these|those|there|its|their|his|her|the|an?|all|some|many|most|each|no|"
    r"(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b)[A-Z][\w’'-]*)\b"
)
_VERB = (
    r"(?:is|are|was|were|has|have|had|can|cannot|could|will|would|shall|should|may|might|must|do|does|did|"
    r"isn['’]t|aren['’]t|wasn['’]t|weren['’]t|can['’]t|won['’]t|doesn['’]t|don['’]t|didn['’]t|\w{3,}(?:ed|es)|[a-z]{3,}s)\b"
)
_CLAUSE = rf"(?={_SUBJECT}(?:[^\S\n][\w’'%$€£.,-]+){{0,5}}?[^\S\n]+{_VERB})"
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

# A clause of fewer words is a fragment that tells nothing alone.
_FEWEST_WORDS = 4


# "The passages do not give a time, so you may need a thermometer": what follows from a refusal is a claim.
_SO = re.compile(rf",\s+(?:so|therefore|thus|hence)\s+{_CLAUSE}")

# "..., so I cannot tell whether it can": what follows claims no more than what it follows from.
_IS_UNSURE = re.compile(
    r"\b(?:can\s?not|can['’]t|could\s+not|couldn['’]t|unable|impossible|not\s+(?:possible|able|clear|known|certain))\b"
    r".{0,20}\b(?:tell|told|say|said|determined?|know|known|answer(?:ed)?|judged?|confirm(?:ed)?|whether)\b",
    re.IGNORECASE,
)


def _pieces(answer: str, start: int, end: int) -> list[Range]:
    pieces = []
    for first, last in _split_clauses(answer, start, end):
        so = _SO.search(answer, first, last)
        if so is not None and is_refusal(answer[first : so.start()]) and not _IS_UNSURE.search(answer, so.end(), last):
            pieces += [(first, so.start()), (so.end(), last)]
        else:
            pieces.append((first, last))
    return pieces


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


# Marks of emphasis and of quotation belong to the answer's look, not to the claim.
_EDGE = " \t\r\n*_#>|~`"


def _strip_marks(answer: str, start: int, end: int) -> Range:
    while start < end and (answer[start] in _EDGE or answer[start].isspace()):
        start += 1
    while end > start and (answer[end - 1] in _EDGE or answer[end - 1].isspace()):
        end -= 1
    return start, end


_LETTER_OR_DIGIT = re.compile(r"[^\W_]")


def says_something(text: str) -> bool:
    """Return whether a text has a letter or a digit."""
    return _LETTER_OR_DIGIT.search(text) is not None


_TALK = re.compile(
    r"""\A\W*(?:
        (?:sure|hello|hi|hey|dear\s\w+|greetings|thanks?(?:\s+you)?|certainly|absolutely|of\s+course|great\s+question|
           good\s+question|you(?:['’]re|\s+are)\s+welcome|no\s+problem|happy\s+to\s+help|okay|ok|yes|no|sorry|note)\b
           (?:\s+(?:there|thing|again|for\s+(?:asking|your\s+question|reaching\s+out)|you|so\s+much|to\s+help))*\W*\Z
      | (?:please\s+)?(?:let\s+me\s+know|feel\s+free|do\s+not\s+hesitate|don['’]t\s+hesitate)\b
      | I\s+hope\s+(?:this|that|it|you)\b
      | (?:if\s+you\s+(?:have|need|want|would\s+like)\b.{0,80})
           (?:let\s+me\s+know|feel\s+free|happy\s+to|ask|contact\s+me)
      | (?:sure|certainly|of\s+course|absolutely|yes)\W+(?:I\s+can|I['’](?:d|ll)|let\s+me)\b.{0,80}\Z
      | I\s+can\s+help\s+you\s+with\s+that\W*\Z
      | (?:I['’](?:d|ll)|I\s+(?:would|will|can))\s+(?:be\s+)?(?:happy|glad|pleased)\b
      | (?:is\s+there\s+anything|would\s+you\s+like|do\s+you\s+(?:want|need))\b
      | (?:sure[,!.]?\s+|certainly[,!.]?\s+|of\s+course[,!.]?\s+)?
           (?:here(?:['’]s|\s+is|\s+are)|below\s+(?:is|are)|(?:the\s+)?following\s+(?:is|are))
           \b[^.!?]*(?:summary|answers?|steps|list|overview|response|breakdown|information|guide|instructions|explanation)
           [^.!?]*[:.]?\Z
      )""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)

# "(Passage 2)", "[1]" on a line of its own: where the sentence before has it from.
CITATION_ALONE = re.compile(
    r"""\W*(?:(?:see|from|source|sources|according\s+to)\W+)?
        (?:(?:passages?|chunks?|sources?|documents?|contexts?|articles?|refs?|references?)\s+\#?|\[)
        \d{1,2}(?:(?:\s?(?:,|and|&|-|–|to|or)\s?)+(?:passage\s)?\d{1,2})*\W*\Z""",
    re.IGNORECASE | re.VERBOSE,
)

# "To reset it, follow these steps:" and "Passage 2:" announce what follows.
_LONGEST_ANNOUNCEMENT = 300

# What has no word with meaning in so many characters only points at something said elsewhere.
_LONGEST_REPLY = 40
_LETTERS = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)*")


def _is_no_claim(text: str) -> bool:
    if text.endswith(("?", "？", "؟")):
        return True
    if text.endswith((":", "：")) and len(text) <= _LONGEST_ANNOUNCEMENT:
        return True
    if len(text) <= _LONGEST_REPLY and all(word in FUNCTION_WORDS for word in _LETTERS.findall(text.lower())):
        return True  # "Yes, you can."
    if len(text) > _LONGEST_ANNOUNCEMENT:
        return False
    return _TALK.match(text) is not None or CITATION_ALONE.match(text) is not None
