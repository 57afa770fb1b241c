"""Recognise statements that the context does not tell: they claim nothing about the world."""

import re

_SOURCE = (
    r"(?:context|passages?|knowledge\s+base|help\s+cent(?:er|re)|documentation|snippets?|search\s+results?|reviews?|"
    r"documents?|texts?|articles?|sources?|chunks?|information|excerpts?|materials?|data|content|pages?|guides?|manuals?|"
    r"web\s?sites?|handbooks?|FAQs?|polic(?:y|ies)|listing)"
)
_TELLS = (
    r"(?:mention|contain|provide|say|specify|include|state|give|address|discuss|tell|offer|cover|explain|indicate|"
    r"answer|describe|clarify|reveal|list|disclose|show|note|detail|define|refer)(?:e?d|s|ing)?"
)
_NOT = r"(?:do(?:es)?\s+not|did\s+not|do(?:es)?n['’]t|didn['’]t|never|fails?\s+to)"

_REFUSAL = re.compile(
    rf"""
      \b(?:can\s*not|can['’]t|could\s+not|couldn['’]t)\s+(?:be\s+)?(?:answer(?:ed)?|determined?|find|found|
         provide|say|tell|
         give|respond|ascertain(?:ed)?|confirm(?:ed)?|verif(?:y|ied)|inferred)\b
         .{{0,80}}\b(?:{_SOURCE}|question|answer|this|that|based)\b
    | \b{_SOURCE}\b(?:\s+\d{{1,2}}(?:(?:\s*,\s*|\s+and\s+|\s*&\s*)\d{{1,2}})*)?
         (?:\s+(?:I\s+(?:have|was\s+given)
            |(?:that\s+)?(?:was\s+|were\s+|is\s+|are\s+)?(?:provided|given|above|available|retrieved)))?
         \s+{_NOT}\s+(?:\w+ly\s+|directly\s+|seem\s+to\s+|appear\s+to\s+)?{_TELLS}\b
    | \b(?:there\s+(?:is|was|are)|I\s+(?:have|found|see|could\s+find)|contains?|provides?|offers?|gives?|has|have)
         \s+(?:no|not\s+enough|insufficient|not\s+any|not\s+sufficient)\s+(?:\w+\s+){{0,2}}(?:information|mention|details?|data|
         answers?|evidence|context|specifics|indication|reference)\b
    | \b(?:no|insufficient|not\s+enough)\s+(?:\w+\s+)?(?:information|details?|context|mention|answer)\b.{{0,40}}
         \b(?:provided|available|given|found|is\s+made|in\s+the|about|on|regarding|to\s+(?:answer|determine))\b
    | \b(?:is|are|was|were)(?:\s+not|n['’]t)\s+(?:\w+ly\s+)?
         (?:mentioned|provided|specified|stated|available|included|given|
         addressed|found|discussed|described|covered|disclosed|listed)\b.{{0,40}}\b(?:in|by|within|from)\s+(?:the\s+|these\s+|this\s+|any\s+of\s+the\s+|your\s+)?(?:\w+\s+){{0,2}}{_SOURCE}\b
    | \b(?:it|they|this|these|which)\s+{_NOT}\s+(?:\w+ly\s+)?{_TELLS}\s+
         (?:(?:\w+\s+){{0,3}}(?:information|details?|guidance|instructions?|advice|answers?|guidelines?|specifics)
            |what|how|whether|which|when|where|why)\b
    | \A\W*(?:(?:however|note(?:\s+that)?|please\s+note\s+that|while|also|additionally)\W+)?(?:the\s+)?(?:\w+\s+){{0,2}}
         {_SOURCE}\b[^.]{{0,200}}\b(?:but|and|yet)\s+{_NOT}\s+(?:\w+ly\s+)?{_TELLS}\b
    | \bI\s+(?:do\s+not|don['’]t)\s+(?:have|know|see|find)\b
         .{{0,60}}\b(?:information|details?|data|context|answer|enough|access|know|{_SOURCE})\b
    | \A\W*(?:sorry\W+)?I\s+(?:do\s+not|don['’]t)\s+know\b
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)

# "Unable to find the price", "it is not possible to answer the question"; but not "if you are unable to find the PIN".
_UNABLE = re.compile(
    r"\b(?:unable|not\s+able|not\s+possible|impossible)\s+to\s+"
    r"(?:answer|determine|find|provide|say|tell|give|respond|ascertain|confirm|verify)\b",
    re.IGNORECASE,
)
_FROM_THE_START = re.compile(
    r"\W*(?:(?:sorry|unfortunately|however|therefore|so|thus|but|and|also|additionally)\W+){0,2}"
    r"(?:(?:I|we)(?:\s+am|\s+are|['’]m|['’]re)\s+|(?:it\s+is|it\s+was|it['’]s)\s+)?(?:currently\s+)?\Z",
    re.IGNORECASE,
)
_OF_THE_SOURCE = re.compile(rf"\b(?:{_SOURCE}|questions?|answer)\b", re.IGNORECASE)
_SUPPOSES = re.compile(r"\W*(?:if|when|in\s+case|should)\b", re.IGNORECASE)

# Each of the forms above has one of these in it; hardly any claim has, and to look for them takes little time.
_MAY_REFUSE = re.compile(r"no[t\s]|n['’]t|never|fa[iı]l|mposs|nsuff|unable")

# The pattern has a part that looks ahead 80 characters; a statement of a refusal is short.
_LONGEST_REFUSAL = 600


def is_refusal(statement: str) -> bool:
    """Return whether the statement says that the context does not tell ("The passages do not mention a price.")."""
    if len(statement) > _LONGEST_REFUSAL or _MAY_REFUSE.search(statement.casefold()) is None:
        return False
    return _REFUSAL.search(statement) is not None or _is_unable(statement)


def _is_unable(statement: str) -> bool:
    unable = _UNABLE.search(statement)
    if unable is None or _SUPPOSES.match(statement) is not None:
        return False
    before = statement[: unable.start()]
    return _FROM_THE_START.match(before) is not None or _OF_THE_SOURCE.search(statement) is not None
