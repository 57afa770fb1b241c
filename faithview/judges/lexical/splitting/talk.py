"""Words of an answer that state nothing about the world: greetings, openers, offers of help, labels, sources.

An opener such as "Sure!" or "Based on the provided context," is taken off the statement that follows it.
"""

import re

from faithview.judges.text.lexicon import FUNCTION_WORDS
from faithview.judges.text.plain import FILE, SOURCE_WORDS

_LETTER_OR_DIGIT = re.compile(r"[^\W_]")


def says_something(text: str) -> bool:
    """Return whether a text has a letter or a digit."""
    return _LETTER_OR_DIGIT.search(text) is not None


# The context by the names that people and models give it.
_GIVEN = r"(?:provided|given|available|retrieved|supplied|above|following|attached|relevant|cited|shared|listed)"
_CONTEXT = (
    r"(?:context|passages?|knowledge\s+base|documentation|docs|snippets?|search\s+results?|documents?|texts?|articles?|"
    r"sources?|chunks?|excerpts?|information|materials?|content|data|details|files?|facts|references?|context\s+(?:documents?|"
    r"information|passages?))"
)
_THE_CONTEXT = (
    rf"(?:(?:the|your|these|this|those|my|our|all(?:\s+the)?)\s+)?(?:{_GIVEN}\s+)?{_CONTEXT}"
    rf"(?:\s+(?:(?:that\s+)?(?:you|I|we)(?:['’]ve|\s+have|\s+were|\s+was)?\s+)?(?:(?:that\s+)?(?:is|are|was|were)\s+)?{_GIVEN}"
    r"(?:\s+to\s+me)?)?"
)
_BASED = (
    r"(?:based\s+(?:solely\s+|only\s+|purely\s+|strictly\s+)?(?:on|upon)|according\s+to|as\s+per|going\s+by|"
    r"looking\s+at|judging\s+(?:by|from)|with\s+reference\s+to|referring\s+to|drawing\s+on|after\s+(?:reviewing|reading|checking)|"
    r"as\s+(?:stated|mentioned|described|noted|outlined|explained|indicated|specified|seen|shown)\s+(?:in|by)|"
    r"in\s+accordance\s+with|in\s+line\s+with)"
)
_FROM = r"(?:per|from|given|in)"  # only with a comma after the context: "in the documents folder"
_GREETING = (
    r"(?:sure(?:\s+thing)?|hello|hi|hey|dear\s\w+|greetings|good\s+(?:morning|afternoon|evening|day)|thanks?(?:\s+you)?|certainly|"
    r"absolutely|of\s+course|definitely|(?:great|good|excellent|interesting)\s+question|(?:that|this)(?:['’]s|\s+is)\s+an?\s+"
    r"(?:great|good|excellent|interesting)\s+(?:question|one)|you(?:['’]re|\s+are)\s+(?:very\s+)?welcome|no\s+problem|"
    r"(?:happy|glad)\s+to\s+help|okay|ok|alright|got\s+it|understood|no\s+worries|my\s+pleasure|gladly|welcome|here\s+(?:you\s+(?:go|are)|it\s+(?:is|goes)))"
    r"(?:\s+(?:there|thing|again|everyone|for\s+(?:asking|(?:your|the)\s+(?:question|message|patience)|reaching\s+out|contacting\s+us)|"
    r"you|so\s+much|very\s+much|to\s+help))*"
)
_SORRY = (
    r"(?:(?:I\s+am|I['’]m|we\s+are|we['’]re)\s+(?:(?:very|so|really|truly|terribly|deeply)\s+)?(?:sorry|afraid)(?:\s+to\s+say)?|"
    r"sorry|(?:please\s+accept\s+)?(?:my|our)\s+(?:sincere\s+)?apologies|apologies|(?:I|we)\s+(?:do\s+)?(?:sincerely\s+)?apologi[sz]e|"
    r"unfortunately|regrettably|sadly|alas|(?:I|we)\s+(?:deeply\s+)?regret(?:\s+to\s+(?:say|inform\s+you|tell\s+you))?)"
    r"(?:\s+(?:about|for)\s+(?:that|this|(?:the|any|this)\s+(?:inconvenience|confusion|trouble)|not\s+being\s+able\s+to\s+help))?"
)
_SAYS = (
    r"(?:(?:I|we)\s+(?:can|could|would\s+like\s+to|want\s+to|must|have\s+to|should|am\s+(?:able|happy|glad|pleased)\s+to|am\s+going\s+to|will|"
    r"do|did)\s+(?:only\s+|also\s+|happily\s+)?(?:tell|inform|assure|confirm|say|report|share|point\s+out|note|see|find|know|add|mention|admit)"
    r"|I['’](?:m\s+(?:able|happy|glad|pleased)\s+to|d\s+like\s+to|ll)\s+(?:tell|inform|assure|confirm|say|report|share)"
    r"|(?:please\s+)?(?:note|be\s+(?:aware|advised|informed)|keep\s+in\s+mind|remember)"
    r"|it(?:['’]s|\s+is)\s+(?:worth\s+(?:noting|mentioning|pointing\s+out)|important\s+to\s+(?:note|know|remember|mention)|clear|stated|"
    r"mentioned|noted)"
    rf"|(?:{_THE_CONTEXT})\s+(?:clearly\s+|explicitly\s+|specifically\s+|also\s+)?(?:says?|states?|mentions?|indicates?|shows?|explains?|notes?|"
    r"specif(?:y|ies)|suggests?|confirms?|tells?(?:\s+us)?|reveals?))(?:\s+(?:you|us))?\s+that"
)
_LABEL = (
    r"(?:(?:(?:the|my|final|short|quick|brief|direct|correct|full|long)\s+){0,2}(?:answer|response|reply)(?:\s+is(?=:))?|a|tl;?dr|"
    r"in\s+(?:short|brief|summary|conclusion|a\s+nutshell)|to\s+(?:summari[sz]e|sum\s+up|answer\s+your\s+question)|summary|conclusion|note|nb|"
    r"important|assistant|bot|ai)"
)
_KINDS = r"(?:AI|large|artificial\s+intelligence|virtual|helpful|digital)"
_ASSISTANT = (
    r"(?:as|being|since\s+I(?:\s+am|['’]m)|I(?:\s+am|['’]m)\s+(?:just\s+|only\s+)?)\s*(?:an?\s+)?"
    rf"(?:(?:{_KINDS}\s+)+(?:model|assistant)|(?:{_KINDS}\s+)*(?:language\s+model|chat\s?bot|AI|bot))\b"
    r"(?:\s+(?:developed|trained|created|made)\s+by\s+\w+)?"
)
_NOT_MORE = r"(?!(?:of|in|on|for|from|and|or|to|that|which|with|by|at|is|are|was|were|about|you|I|we|\d)\b)"
_OPENER = re.compile(
    rf"""\W*(?:
        (?:{_GREETING}|{_LABEL})\s*(?:[,!.:;—–]+|\s-)\s*
      | (?:{_SORRY})(?:[\s,.!:;—–-]+(?:but|however)\b[\s,]*|[\s,.!:;—–]+(?:that\s+)?)
      | {_ASSISTANT}(?:\s*[,.:;—–]\s*|\s+)(?:and\s+|but\s+|so\s+)?
      | {_BASED}\s+{_THE_CONTEXT}(?:\s*[,:]\s*|\s+{_NOT_MORE})
      | {_FROM}\s+{_THE_CONTEXT}\s*[,:]\s*
      | {_SAYS}\s*[,:]?\s+
      | (?:(?:well|so|now|then|however|also|additionally|but|and)\s*,\s+|(?:but|and)\s+)(?=(?:{_SORRY}|{_BASED}|
        {_ASSISTANT}|{_SAYS})\b)
    )(?=\S)""",
    re.IGNORECASE | re.VERBOSE,
)
_MOST_OPENERS = 5


def end_of_opener(text: str, start: int, end: int) -> int:
    """Return where a statement begins after its openers: "Sure! Based on the provided context, the fee is 5 euros."."""
    for _ in range(_MOST_OPENERS):
        opener = _OPENER.match(text, start, end)
        if opener is None or opener.end() >= end:
            break
        start = opener.end()
    return start


_TALK = re.compile(
    rf"""\A\W*(?:
        (?:{_GREETING}|{_SORRY}|{_LABEL}|yes|no|note)\W*\Z
      | {_ASSISTANT}\W*\Z
      | (?:please\s+)?(?:let\s+(?:me|us)\s+know|feel\s+free|do\s+not\s+hesitate|don['’]t\s+hesitate)\b
      | (?:I\s+|we\s+)?(?:really\s+|sincerely\s+)?hope\s+(?:this|that|it|these|those|you|I)\b
      | (?:if\s+you\s+(?:have|need|want|would\s+like|['’]d\s+like)\b.{{0,80}})
           (?:let\s+(?:me|us)\s+know|feel\s+free|happy\s+to|glad\s+to|(?:just|please)\s+ask|(?<=,\s)ask|contact\s+me)
      | (?:have\s+a\s+(?:great|nice|good|wonderful|lovely)|enjoy\s+your|good\s+luck|take\s+care|best\s+(?:regards|
        wishes)|kind\s+regards|cheers|
           all\s+the\s+best|happy\s+\w+ing)\b.{{0,30}}\Z
      | (?:thank\s+you|thanks)\s+(?:for|so|very)\b.{{0,80}}\Z
      | (?:sure|certainly|of\s+course|absolutely|yes)\W+(?:I\s+can|I['’](?:d|ll)|let\s+me)\b.{{0,80}}\Z
      | I\s+can\s+help\s+(?:you\s+)?with\s+that\W*\Z
      | (?:I['’](?:d|ll|m)|(?:I|we)\s+(?:would|will|can|am|are))\s+(?:be\s+|always\s+)?(?:more\s+than\s+|
        very\s+)?(?:happy|glad|pleased|here)
           \s+(?:to\s+(?:help|assist|answer)|if\b|for\s+you)
      | (?:always\s+)?(?:happy|glad)\s+to\s+(?:help|assist|answer|look|check|explain)\b.{{0,60}}\Z
      | I['’]d\s+be\s+(?:happy|glad|pleased)\b | I\s+(?:would|will)\s+be\s+(?:happy|glad|pleased)\b
      | (?:is\s+there\s+anything|would\s+you\s+like|do\s+you\s+(?:want|need))\b
      | let\s+(?:me|us|['’]s)\s+(?:see|check|explain|look|break\s+(?:it|this)\s+down|help)\b.{{0,60}}\Z
      | (?:for|to\s+(?:get|learn|find(?:\s+out)?|know|read))\s+(?:more|further|additional)\b(?:\s+\w+){{0,5}}\W+
           (?:please\s+|you\s+can\s+|kindly\s+)?(?:see|visit|refer|check|read|consult|contact|go\s+to|look\s+at|reach\s+out|ask)\b[^\d@]{{0,120}}\Z
      | (?:(?:please\s+)?(?:see|visit|read|learn\s+more(?:\s+at)?|more\s+(?:info(?:rmation)?|details)(?:\s+at)?|
        link|details)\s*:?\s+)?
           <?(?:https?://|www\.)\S+\W*\Z
      | (?:sure[,!.]?\s+|certainly[,!.]?\s+|of\s+course[,!.]?\s+)?
           (?:here(?:['’]s|\s+is|\s+are)|below\s+(?:is|are)|(?:the\s+)?following\s+(?:is|are))
           \b[^.!?]*(?:summary|answers?|steps|list|overview|response|breakdown|information|guide|instructions|explanation)
           [^.!?]*[:.]?\Z
      )""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)

# What an answer holds in place of a statement: "N/A", "TBD", "C", "Option B", "True".
_PLACEHOLDER = re.compile(
    rf"""\W*(?:(?:{_LABEL})\s*[:=-]\s*|the\s+(?:correct\s+)?answer\s+is\W+)?(?:
        n\W?/?a|n\.\s?a\.|not\s+applicable|t\.?b\.?[dac]|to\s+be\s+(?:determined|decided|announced|confirmed|defined|added)|todo|none|null|nil|nan|
        undefined|empty|blank|test|true|false|correct|incorrect|right|wrong|agree|disagree|pass|fail|error|
        (?:(?:option|choice|answer|letter|alternative)s?\s+)?\(?[a-z]\)?(?:\s*(?:,|and|&|or|/)\s*\(?[a-z]\)?){{0,4}}|
        (?:option|choice|alternative)\s+\d{{1,2}}|all\s+of\s+the\s+above|none\s+of\s+the\s+above|(?:both\s+)?[a-z]\s+and\s+[a-z]
    )\W*\Z""",
    re.IGNORECASE | re.VERBOSE,
)

# "(Passage 2)", "[1]" on a line of its own: where the sentence before has it from.
CITATION_ALONE = re.compile(
    rf"""\W*(?:(?:see|from|sources?|references?|citations?|refs?|according\s+to)\W+)?
        (?:(?:{SOURCE_WORDS})\s?\#?|\[)
        \d{{1,2}}(?:(?:\s?(?:,|and|&|-|–|to|or)\s?)+(?:passage\s)?\d{{1,2}})*\W*\Z
      | \W*(?:sources?|references?|citations?|refs?)\s?:(?!.{{0,200}}\b(?:is|are|was|were|can|cannot|must|
        costs?)\b).{{0,200}}\Z
      | \W*(?:(?:see|from|in)\W+)?{FILE}(?:\s?,\s?(?:and\s+)?{FILE})*\W*\Z""",
    re.IGNORECASE | re.VERBOSE,
)

# "To reset it, follow these steps:" and "Passage 2:" announce what follows.
_LONGEST_ANNOUNCEMENT = 300

# What has no word with meaning in so many characters only points at something said elsewhere.
_LONGEST_REPLY = 40
_LETTERS = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)*")


def is_no_claim(text: str) -> bool:
    """Return whether a piece of an answer states nothing: a greeting, a question, a placeholder, a citation."""
    if text.endswith(("?", "？", "؟")):
        return True
    if text.endswith((":", "：")) and len(text) <= _LONGEST_ANNOUNCEMENT:
        return True
    if len(text) <= _LONGEST_REPLY and all(word in FUNCTION_WORDS for word in _LETTERS.findall(text.lower())):
        return True  # "Yes, you can." to a question that nobody knows
    if len(text) > _LONGEST_ANNOUNCEMENT:
        return False
    return any(pattern.match(text) is not None for pattern in (_TALK, _PLACEHOLDER, CITATION_ALONE))


# Beside a statement that the context does not tell, to say whom to ask claims nothing; a number or an address does.
_ADVICE = re.compile(
    r"""\W*(?:(?:for\s+(?:more|further|additional|specific|this|that|accurate|the\s+most)\b[^,.]{0,60}|if\s+(?:you|this|possible|so)\b[^,.]{0,80}|
            to\s+(?:find|get|confirm|learn|check|be)\b[^,.]{0,60}|in\s+(?:that|this)\s+case|instead|perhaps|maybe|otherwise|therefore|so|and),?\s+)?
        (?:(?:I|we)(?:['’]d|\s+would)?\s+(?:recommend|suggest|advise|encourage)|
           (?:please|kindly)|you\s+(?:may|might|could|can|should|would)(?:\s+(?:want|wish|need|like|have|try|also|consider))*(?:\s+to)?|
           try|consider|it\s+(?:may|might|would|could)\s+be\s+(?:best|helpful|useful|better|worth)\b|
           (?:could|can)\s+you|my\s+(?:advice|suggestion)\s+is)?\s*
        (?:that\s+you\s+|to\s+)?(?:please\s+|directly\s+)?
        (?:(?:contact|contacting|reach(?:ing)?\s+out|consult|consulting|refer|referring|visit|visiting|get(?:ting)?\s+in\s+touch|rephrase|rephrasing|
              clarify|clarifying|give\s+me|let\s+me|speak(?:ing)?\s+(?:to|with)|talk(?:ing)?\s+(?:to|with)|ask|asking|call|calling|e-?mail|e-?mailing)\b
           |(?:check|checking|see|try|trying|look|looking|review|reviewing|provide|providing|share|sharing|verify|verifying|read|reading|send|
              search|searching|confirm|confirming)\b[^\d@]{0,60}\b(?:support|service|team|staff|(?:web)?site|pages?|documentation|docs|manual|
              provider|seller|manufacturer|store|official|company|agent|sources?|polic(?:y|ies)|help|questions?|details?|information|context|
              documents?|faqs?|guide|again|elsewhere|online|department|office|representative)\b)[^\d@]{0,160}\Z""",
    re.IGNORECASE | re.VERBOSE,
)


def is_advice(text: str) -> bool:
    """Return whether a statement only says where else to ask or what to send: "Please contact our support team."."""
    return "://" not in text and _ADVICE.match(text) is not None
