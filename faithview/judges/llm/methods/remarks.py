"""Statements about the chunks themselves, which say nothing about the world and so are no claims.

The prompts tell a model to leave them out. A careless model lists them all the same and then calls them not mentioned
or demands a quote for what is absent. The rule is narrow: a statement that a policy or a manual does not cover
something is a claim about the world, for that is what policies and manuals are about.
"""

import re

_GIVEN = r"(?:provided|given|retrieved|supplied|available|above|cited)"
_CHUNKS = (
    rf"(?:(?:{_GIVEN}\s+)?(?:chunks?|passages?|context|excerpts?|snippets?|search\s+results?)"
    rf"|{_GIVEN}\s+(?:texts?|documents?|information|sources?|materials?|content|data|documentation)"
    rf"|(?:texts?|documents?|information|sources?|materials?)\s+{_GIVEN})"
)
_THE = r"(?:the|these|this|those|any\s+of\s+the|your|all)"
_TELL = (
    r"(?:mention|say|state|specify|contain|provide|include|give|address|discuss|tell|cover|explain|indicate|describe|"
    r"clarify|reveal|list|disclose|show|define)"
)
_DENIES = (
    rf"(?:(?:do(?:es)?\s+not|do(?:es)?n['’]t|did\s+not|didn['’]t|fails?\s+to|never)\s+(?:\w+ly\s+)?{_TELL}s?\b"
    r"|(?:contains?|gives?|provides?|has|have|includes?)\s+no\b|makes?\s+no\s+mention\b|says?\s+nothing\b|(?:is|are)\s+silent\b)"
)
_NOT_TOLD = rf"(?:is|are|was|were)(?:\s+not|n['’]t)\s+(?:\w+ly\s+)?{_TELL}e?d\b"
_LEAD = r"\W*(?:(?:however|unfortunately|but|and|also|additionally|note\s+that|the\s+answer\s+\w+\s+that)\W+)*"

_REMARK = re.compile(
    rf"{_LEAD}(?:"
    rf"none\s+of\s+(?:{_THE}\s+)?{_CHUNKS}\s+{_TELL}s?\b"
    rf"|(?:{_THE}\s+)?{_CHUNKS}(?:\s+(?:that\s+(?:was|were)\s+)?{_GIVEN})?\s+{_DENIES}"
    rf"|(?:there\s+is\s+|I\s+(?:found|see|have)\s+)?no\s+(?:\w+\s+){{0,2}}(?:information|mention|details?)\b.*\b(?:in|by|from)\s+"
    rf"(?:{_THE}\s+)?{_CHUNKS}"
    rf"|.*\b{_NOT_TOLD}\s+(?:\w+\s+)?(?:in|by|within)\s+(?:{_THE}\s+)?{_CHUNKS}"
    r").*",
    re.IGNORECASE | re.DOTALL,
)
# What goes on after one of these is a statement of its own.
_GOES_ON = re.compile(r"\b(?:but|however|although|though|yet|while|whereas|instead|so|therefore)\b|[;:]", re.IGNORECASE)

_LONGEST = 400


def is_remark(statement: str) -> bool:
    """Return whether a statement says only what the chunks do not tell ("The passages do not mention a price.")."""
    if len(statement) > _LONGEST or _REMARK.fullmatch(statement) is None:
        return False
    lead = re.match(_LEAD, statement, re.IGNORECASE)
    return _GOES_ON.search(statement, lead.end() if lead else 0) is None
