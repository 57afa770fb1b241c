"""A text without its marks: Markdown, HTML and citations become spaces, so every offset remains valid.

A reader of a rendered answer sees none of them, and none of them is a part of what the answer states. `plain_lines`
takes away what shapes lines, and `plain_words` what is left within them.
"""

import re
from html import unescape

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
# What is left of "([source](https://…))".
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
