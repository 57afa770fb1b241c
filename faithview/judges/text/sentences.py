"""Where sentences begin and end, as exact code-point offsets, in time linear in the text.

pysbd knows abbreviations, initials and quotations, and costs about 3 ms for an answer of 130 words: ten times what the
rest of splitting costs, and more than the whole budget of an answer. So it is asked only about paragraphs of an answer
that hold a full stop which may not end a sentence ("Dr. Who", "e.g. this", "J. Smith"); what it returns is checked
against the text, because its spans are wrong at times (repeated sentences, odd white space); everything else goes by
one regular expression, which also splits the chunks.
"""

import re

from pysbd import Segmenter

# [start, end) of a piece of text.
Range = tuple[int, int]

# A sentence longer than this is cut at white space: no reader would look at it as one claim, and matching stays linear.
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
      |(?<=[。！？؟۔।])[。！？؟۔।]*["'”’»)\]」』]*)         # these never stand inside a word
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
    """Return the sentences of a paragraph of an answer; every character but white space lies in one."""
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
    """Return the range without white space at its ends; start == end where nothing is left."""
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
    """Return whether a full stop within the range, with white space after it, ends an abbreviation."""
    return any(_ends_abbreviation(text, start, stop.end()) for stop in _STOP.finditer(text, start, end))


def _ends_abbreviation(text: str, start: int, end: int) -> bool:
    """Return whether an abbreviation that begins at `start` or later ends with the full stop right before `end`."""
    return _ABBREVIATION.search(text, max(start, end - _LONGEST_ABBREVIATION), end) is not None


def _split_with_pysbd(text: str) -> list[Range] | None:
    """Return pysbd's sentences where they cover the text, one after the other, and None where they do not."""
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
