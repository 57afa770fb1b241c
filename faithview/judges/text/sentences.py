"""Sentences with exact code-point offsets, and a text without its marks.

Markdown, HTML and citations become spaces, so every offset stays. Takes time linear in the text.
"""

import re
from html import unescape

from pysbd import Segmenter

# [start, end) of a piece of text.
Range = tuple[int, int]

# A sentence longer than this is cut at whitespace: no reader would see it as one claim, and matching stays linear.
LONGEST_SENTENCE = 800

# pysbd's expressions are not linear; paragraphs are hardly ever longer than this.
_LONGEST_FOR_PYSBD = 2_000

# Marks that point at a source belong to the sentence before them: "30 days.[1]", "30 days.¹".
_CITES = r"(?:[ ]?\[\^?[\w:-]{1,12}\]|【[^】\n]{1,40}】|[¹²³⁰⁴-⁹]+)*"

# One class of characters to begin with lets the search leap to the next mark.
_END = re.compile(
    rf"""[.!?…。！？؟۔।](?:(?<=[.!?…])[.!?…]*(?:
          ["'”’»)\]*_]*{_CITES}(?=\s+["'“‘«(\[*_]*[^\W_a-z])  # an end mark, and what follows is not a small letter
         |["'”’»)\]]*{_CITES}\s*\Z)
      |(?<=[。！？؟۔।])[。！？؟۔।]*["'”’»)\]」』]*)         # these never occur inside a word
    """,
    re.VERBOSE,
)
_STOP = re.compile(r"\.(?=\s)")
# An abbreviation up to its full stop, where the text is cut.
_ABBREVIATION = re.compile(
    r"""\b(?:[A-Za-z]|[A-Z]\.[A-Z]|Mr|Mrs|Ms|Dr|Prof|Rev|Hon|Sen|Rep|Gov|Gen|Col|Sgt|Capt|Lt|St|Mt|Ft|Jr|Sr|Inc|Ltd|Co|
        Corp|Bros|vs|etc|al|approx|dept|est|fig|Figs?|No|Nos|vol|pp?|ed|eds|cf|e\.g|i\.e|a\.m|p\.m|Jan|Feb|Mar|Apr|Jun|Jul|
        Aug|Sept?|Oct|Nov|Dec|Ave|Blvd|Rd|min|max|hrs?|tsp|tbsp|oz|lbs?|ft|in|U\.S|U\.K)\.\Z""",
    re.VERBOSE,
)
_LONGEST_ABBREVIATION = 7
_PIECE = re.compile(rf"\S(?:.{{0,{LONGEST_SENTENCE - 2}}}\S)?(?!\S)|\S{{{LONGEST_SENTENCE}}}|\S+", re.DOTALL)


# An emoji before a capital letter ends a sentence: "Within 30 days 🎉 Sale items are final." Stars and ticks are not
# among them, because they state something.
EMOJI = (
    r"[\U0001F000-\U0001FAFF\u2600-\u2604\u2607-\u2712\u2715\u2719-\u27BF\u2B00-\u2BFF\u23E9-\u23FF\uFE0F\u200D\u20E3]"
)
_EMOJI_END = re.compile(rf"(?<!{EMOJI})(?:{EMOJI})+\s+(?=[\"'“‘«(]?[^\W_a-z])")
# Fewer words before an emoji are not a sentence: "I ❤️ Rome".
_FEWEST_BEFORE_EMOJI = 2


def split_sentences(text: str, start: int, end: int) -> list[Range]:
    """Return the sentences of a paragraph of an answer; every character except whitespace is in one."""
    if text.isascii():
        return _split_paragraph(text, start, end)
    ranges: list[Range] = []
    at = start
    for mark in _EMOJI_END.finditer(text, start, end):
        if len(text[at : mark.start()].split()) >= _FEWEST_BEFORE_EMOJI:
            ranges += _split_paragraph(text, at, mark.end())
            at = mark.end()
    return ranges + _split_paragraph(text, at, end)


def _split_paragraph(text: str, start: int, end: int) -> list[Range]:
    if end - start <= _LONGEST_FOR_PYSBD and _has_abbreviation(text, start, end):
        ranges = _split_with_pysbd(text[start:end]) or _split_with_marks(text[start:end])
    else:
        ranges = _split_with_marks(text[start:end])
    return _cut_long(text, _joined([(start + a, start + b) for a, b in ranges], text))


# "closing at 9 p.m. Sunday through Thursday": the day belongs to the time before it.
_TIME = re.compile(r"\b[ap]\.m\.\Z", re.IGNORECASE)
_DAY = re.compile(r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b")


def _joined(ranges: list[Range], text: str) -> list[Range]:
    joined: list[Range] = []
    for start, end in ranges:
        if joined and _DAY.match(text, start) and _TIME.search(text, joined[-1][0], joined[-1][1]):
            joined[-1] = joined[-1][0], end
        else:
            joined.append((start, end))
    return joined


def split_sentences_quickly(text: str, start: int, end: int) -> list[Range]:
    """Return the sentences of a piece of a chunk by their end marks alone, abbreviations respected."""
    return _cut_long(text, [(start + a, start + b) for a, b in _split_with_marks(text[start:end])])


def trim(text: str, start: int, end: int) -> Range:
    """Return the range without whitespace at its ends; start == end if nothing is left."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _split_with_marks(text: str) -> list[Range]:
    ranges, start, stop = [], 0, len(text)
    for mark in _END.finditer(text):
        end = mark.end()
        if end < stop and text[end - 1] == "." and _ends_abbreviation(text, 0, end):
            continue
        ranges.append(trim(text, start, end))
        start = end
    ranges.append(trim(text, start, len(text)))
    return [(a, b) for a, b in ranges if a < b]


def _has_abbreviation(text: str, start: int, end: int) -> bool:
    """Return whether a full stop within the range, with whitespace after it, ends an abbreviation."""
    return any(_ends_abbreviation(text, start, stop.end()) for stop in _STOP.finditer(text, start, end))


def _ends_abbreviation(text: str, start: int, end: int) -> bool:
    """Return whether an abbreviation that begins at `start` or later ends with the full stop right before `end`."""
    return _ABBREVIATION.search(text, max(start, end - _LONGEST_ABBREVIATION), end) is not None


def _split_with_pysbd(text: str) -> list[Range] | None:
    """Return pysbd's sentences if they cover the text without gaps, else None."""
    try:
        # A segmenter keeps the text it works on in itself, so each call has its own.
        spans = Segmenter(language="en", clean=False, char_span=True).segment(text)
    except (re.error, IndexError, TypeError, ValueError):
        return None  # its expressions stumble over some texts; the end marks then decide
    ranges, at = [], 0
    for span in spans:
        if span.start < at or text[at : span.start].strip() or not at <= span.end <= len(text):
            return None
        ranges.append(trim(text, span.start, span.end))
        at = span.end
    if text[at:].strip():
        return None
    return [(a, b) for a, b in ranges if a < b]


def _cut_long(text: str, ranges: list[Range]) -> list[Range]:
    cut: list[Range] = []
    for start, end in ranges:
        if end - start <= LONGEST_SENTENCE:
            cut.append((start, end))
        else:
            cut += [m.span() for m in _PIECE.finditer(text, start, end)]
    return cut


_NAMES_OF_BLOCKS = (
    "address|article|aside|blockquote|br|details|div|dd|dl|dt|figure|footer|h[1-6]|header|hr|li|main|nav|ol|p|pre|"
    "section|summary|table|tbody|td|tfoot|th|thead|tr|ul"
)
_NAMES_IN_LINES = (
    "a|abbr|b|big|cite|code|del|em|font|i|img|ins|kbd|mark|q|s|samp|small|span|strike|strong|sub|sup|u|var"
)
_HTML = re.compile(
    rf"""<!--.{{0,2000}}?-->
      | <(?P<heading>h[1-6])(?:\s[^<>\n]{{0,200}})?>[^<>\n]{{0,200}}</(?P=heading)>
      | <(?P<cites>sup|cite|ref)>[\s\[(]*\d{{1,3}}[\s\])]*</(?P=cites)>
      | </?(?P<block>{_NAMES_OF_BLOCKS})(?:\s[^<>\n]{{0,500}})?/?>
      | </?(?:{_NAMES_IN_LINES})(?:\s[^<>\n]{{0,500}})?/?>
      | &(?P<entity>[a-zA-Z]{{2,8}}|\#\d{{2,6}});
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
_FENCE = re.compile(r"^[ \t>]*(?:`{3,}|~{3,})[^`\n]*$", re.MULTILINE)

# A word that a citation begins with where it names its source by a number: "[doc1]", "(Passage 2)".
SOURCE_WORDS = (
    r"docs?|documents?|sources?|src|passages?|chunks?|contexts?|refs?|references?|cit(?:e|es|ation|ations)|articles?|texts?|"
    r"notes?|fn|footnotes?|snippets?|excerpts?|results?|pages?|pp?|kb|web|turn\d+\w*"
)
_NUMBERS = r"\d{1,3}(?:\s?(?:[,;&–-]|and|to)\s?\d{1,3})*"
_NUMBERED = rf"(?:{SOURCE_WORDS})\s?[\#:._-]?\s?(?:\d[^\[\](){{}}\n]{{0,60}}|[a-z]?\d+)"
# "returns.md", "Returns policy.pdf, page 3".
FILE = r"[\w./-][\w ./-]{0,80}\.(?:md|mdx|pdf|txt|rst|html?|docx?|csv|tsv|jsonl?|xlsx?|pptx?|ya?ml|xml)\b"
_FILES = rf"{FILE}[^\[\](){{}}\n]{{0,60}}"
_URL = r"<?(?:https?://|www\.)[^\s()<>\]]+>?"
_CITED = rf"(?:(?:see|cf\.?|from|via|per|as\ per|in|sources?|refs?)\s?:?\s)?(?:{_NUMBERED}|{_FILES}|{_URL})"

_MARK = re.compile(
    rf"""(?P<ticks>`+)(?P<code>[^`\n]+)(?P=ticks)                        # code is kept as it is
      | \\(?P<escaped>[\\`*_{{}}\[\]()\#+.!$|>~-])
      | !\[[^\[\]\n]*\]\((?:[^()\n]|\([^()\n]*\))*\)                     # an image
      | \[\^[^\[\]\n]{{1,40}}\]:?
      | \^?\[\s?{_NUMBERS}\s?\](?:\s?,\s?\[\s?{_NUMBERS}\s?\])*\^?(?:\((?:[^()\n]|\([^()\n]*\))*\))?
      | \{{\d{{1,2}}\}} | [0-9]\uFE0F?\u20E3
      | \[\[\s?{_NUMBERS}\s?\](?:\((?:[^()\n]|\([^()\n]*\))*\))?\](?:\((?:[^()\n]|\([^()\n]*\))*\))?
      | 【[^】\n]{{0,80}}】
      | \[(?:{_CITED}|(?:{SOURCE_WORDS})\s?(?::[^\[\]\n]{{1,120}})?|citation\ needed|[A-Z]\d{{1,2}})\]
         (?:\((?:[^()\n]|\([^()\n]*\))*\))?
      | \((?:{_CITED}|(?:see|sources?\s?:|refs?\s?:|references?\s?:|citations?\s?:)\s?[^()\n]{{1,120}})\)
      | \[(?P<linked>[^\[\]\n]*)\](?:\((?:[^()\n]|\([^()\n]*\))*\)|\[[^\[\]\n]{{0,40}}\])
      | (?P<number>\(\d{{1,2}}(?:,\s?\d{{1,2}})*\))(?=\s*(?:[.!?]?\s*$|[.!?]\s)|(?<=[.!?]\(\d\))\s)
      | (?P<after_stop>(?<=[.!?]\s)\(\d{{1,2}}\)(?=\s|$))
      | (?P<raised>[¹²³⁰⁴-⁹]+(?:[,˒⁻–-][¹²³⁰⁴-⁹]+)*|[†‡]+|[①-⑳])
      | <(?P<address>https?://[^\s<>]+)>
      | (?<![\d*])\*{{2,3}}(?![\s*]) | (?<=[^\s*])\*{{2,3}}(?![\d*])
      | (?<![\w*])\*(?=[^\s*]) | (?<=[^\s*])\*(?![\w*])
      | (?<!\w)_{{1,3}}(?=\S) | (?<=\S)_{{1,3}}(?!\w)
      | ~~[^~\n]+~~ | ~~                                               # struck out, it is not stated
      | `+
    """,
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)
# The rest of "([source](https://…))".
_EMPTY = re.compile(r"\([ \t]+\)|\[[ \t]+\]")
_MAY_BE_MARKED = re.compile(r"[*_`~\[({<\\【\u20E3¹²³⁰⁴-⁹†‡①-⑳]")

# "two (2) bags" and "section 3 (2)" have a number of their own; "days (2)." cites.
_COUNTS = re.compile(
    r"(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|sixty|ninety|article|chapter|"
    r"class|figure|grade|item|level|option|phase|question|section|step|table|tier|type|version))\s*\Z",
    re.IGNORECASE,
)
# "m²", "60 feet²": a power and not a citation.
_POWER = re.compile(
    r"(?:(?<![^\W\d_])[^\W\d_]{1,2}|\d|\b(?:feet|foot|inch(?:es)?|met(?:er|re)s?|miles?|yards?))\Z", re.IGNORECASE
)
_LONGEST_LEAD = 20

_SPACES = re.compile(r"[ \t]{2,}")
_SPACE_BEFORE_MARK = re.compile(r"[ \t]+(?=[.,;:!?…](?:\s|\Z))")


def plain_lines(text: str) -> str:
    """Return a text of the same length without HTML and code fences; a tag such as <br> becomes a line break."""
    if "<" in text or "&" in text:
        text = _HTML.sub(_without_tag, text)
    return _FENCE.sub(_blank, text) if "```" in text or "~~~" in text else text


def plain_words(text: str) -> str:
    """Return a text of the same length without emphasis, code marks, link targets and citations.

    Example:
        >>> plain_words("Within **30 days**.[1]")
        'Within   30 days  .   '
    """
    if _MAY_BE_MARKED.search(text) is None:
        return text
    plain = _MARK.sub(_without_mark, text)
    return _EMPTY.sub(_blank, plain) if plain != text else plain


def tidy(plain: str) -> str:
    """Return a piece of a plain text as it reads: single spaces, and none before a full stop."""
    return _SPACE_BEFORE_MARK.sub("", _SPACES.sub(" ", plain)).strip()


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _kept(match: re.Match[str], group: str, text: str) -> str:
    """Return the match with spaces for everything but a group, in whose place is a text of the same length."""
    start, end = match.span(group)
    return " " * (start - match.start()) + text + " " * (match.end() - end)


def _without_tag(match: re.Match[str]) -> str:
    if match["entity"] is not None:
        character = unescape(match[0])
        is_known = len(character) == 1 and character.isprintable()
        return character.ljust(len(match[0])) if is_known else _blank(match) if character.isspace() else match[0]
    is_break = match["block"] is not None or match["heading"] is not None
    return "\n".ljust(len(match[0])) if is_break else _blank(match)


def _without_mark(match: re.Match[str]) -> str:
    group = match.lastgroup
    if match["code"] is not None:
        return _kept(match, "code", match["code"])
    if match["linked"] is not None:
        return _kept(match, "linked", plain_words(match["linked"]))
    if group in ("escaped", "address"):
        return _kept(match, group, match[group])
    before = match.string[max(0, match.start() - _LONGEST_LEAD) : match.start()]
    if group == "number" and _COUNTS.search(before) is not None:
        return match[0]
    if group == "raised" and _POWER.search(before) is not None:
        return match[0]
    return _blank(match)
