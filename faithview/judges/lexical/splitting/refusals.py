"""Parts of an answer that claim nothing about the world: abstentions, greetings, offers of help, labels."""

import re

from faithview.judges.text.lexicon import FUNCTION_WORDS
from faithview.judges.text.sentences import FILE, SOURCE_WORDS

_LETTER_OR_DIGIT = re.compile(r"[^\W_]")


def says_something(text: str) -> bool:
    """Return whether a text has a letter or a digit."""
    return _LETTER_OR_DIGIT.search(text) is not None


# Names of the context in answers.
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

# Answers that are not statements: "N/A", "TBD", "C", "Option B", "True".
_PLACEHOLDER = re.compile(
    rf"""\W*(?:(?:{_LABEL})\s*[:=-]\s*|the\s+(?:correct\s+)?answer\s+is\W+)?(?:
        n\W?/?a|n\.\s?a\.|not\s+applicable|t\.?b\.?[dac]|to\s+be\s+(?:determined|decided|announced|confirmed|defined|added)|todo|none|null|nil|nan|
        undefined|empty|blank|test|true|false|correct|incorrect|right|wrong|agree|disagree|pass|fail|error|
        (?:(?:option|choice|answer|letter|alternative)s?\s+)?\(?[a-z]\)?(?:\s*(?:,|and|&|or|/)\s*\(?[a-z]\)?){{0,4}}|
        (?:option|choice|alternative)\s+\d{{1,2}}|all\s+of\s+the\s+above|none\s+of\s+the\s+above|(?:both\s+)?[a-z]\s+and\s+[a-z]
    )\W*\Z""",
    re.IGNORECASE | re.VERBOSE,
)

# "(Passage 2)", "[1]" on a line of its own: the source of the sentence before.
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

# A text this short without a content word only refers to something said elsewhere.
_LONGEST_REPLY = 40
_LETTERS = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)*")


def is_no_claim(text: str) -> bool:
    """Return whether a piece of an answer states nothing: a greeting, a question, a placeholder, a citation."""
    if text.endswith(("?", "？", "؟")):
        return True
    if text.endswith((":", "：")) and len(text) <= _LONGEST_ANNOUNCEMENT:
        return True
    if len(text) <= _LONGEST_REPLY and all(word in FUNCTION_WORDS for word in _LETTERS.findall(text.lower())):
        return True  # "Yes, you can." to an unknown question
    if len(text) > _LONGEST_ANNOUNCEMENT:
        return False
    return any(pattern.match(text) is not None for pattern in (_TALK, _PLACEHOLDER, CITATION_ALONE))


# After "the context does not say", naming whom to ask is not a claim; a number or an address is.
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


# Names of an answer's sources. The names in `_WORKS` also name things in the world, which cover and include.
_GIVEN_TEXT = r"(?:provided|given|available|retrieved|supplied|above|shared|attached|cited|listed)"
_CONTEXTS = (
    r"(?:context|passages?|knowledge\s+base|help\s+cent(?:er|re)|documentation|docs|snippets?|search\s+results?|reviews?|"
    r"documents?|texts?|articles?|sources?|chunks?|excerpts?|FAQs?)"
)
_WORKS = (
    r"(?:information|materials?|data|content|pages?|guides?|manuals?|web\s?sites?|handbooks?|polic(?:y|ies)|"
    r"listing|details|files?|records?)"
)
_CONTEXT_WORDS = (
    rf"(?:{_CONTEXTS}|{_GIVEN_TEXT}\s+{_WORKS}|{_WORKS}\s+(?:(?:that\s+)?(?:was\s+|were\s+|is\s+|"
    rf"are\s+)?{_GIVEN_TEXT}|I\s+(?:have|was\s+given)|you\s+\w+))"
)
_ANY_SOURCE = rf"(?:{_CONTEXTS}|{_WORKS})"
_THE = r"(?:the\s+|these\s+|this\s+|those\s+|any\s+of\s+the\s+|any\s+|your\s+|our\s+|my\s+|what\s+)?(?:\w+\s+){0,2}"
_SUPPLIED = (
    r"(?:\s+(?:(?:that\s+)?(?:I|you)(?:\s+have|['’]ve)?(?:\s+(?:was|were))?(?:\s+(?:have|given|provided|shared))?"
    rf"|(?:that\s+)?(?:was\s+|were\s+|is\s+|are\s+)?{_GIVEN_TEXT}))?"
)
_NUMBERS = r"(?:\s+\d{1,2}(?:(?:\s*,\s*|\s+and\s+|\s*&\s*)\d{1,2})*)?"

# Verbs whose subject is always a text, and those that also fit plans and shops.
_ONLY_TOLD = (
    r"(?:mention|say|specify|state|address|discuss|tell|explain|indicate|answer|describe|clarify|reveal|disclose|detail|define|refer|"
    r"elaborate|speak|touch|shed|talk)"
)
_TELLS = rf"(?:{_ONLY_TOLD}|contain|provide|include|give|offer|cover|list|show|note|have)(?:e?d|s|ing)?"
_TOLD = (
    r"(?:mentioned|provided|specified|stated|available|included|given|addressed|found|discussed|described|covered|disclosed|listed|"
    r"contained|present|explained|answered|indicated|clear|part\s+of|in|there|known|explicit)"
)
_NOT = r"(?:do(?:es)?\s+not|did\s+not|do(?:es)?n['’]t|didn['’]t|never|fails?\s+to)"
_SLIGHTLY = r"(?:\w+ly\s+|really\s+|seem\s+to\s+|appear\s+to\s+|even\s+|actually\s+|yet\s+|anywhere\s+)*"
_INFORMATION = (
    r"(?:information|info|mention|details?|data|answers?|context|specifics|indication|references?|guidance|facts|knowledge|records?|"
    r"instructions?|guidelines?|evidence)"
)
# "no information" is followed by what about, and "no information desk" is a desk that is not there.
_ABOUT = (
    r"(?=\W*\Z|\s*[,;]|\s+(?:about|on|regarding|concerning|for|in|within|of|that|available|to\s+(?:answer|say|tell|determine|"
    r"support|confirm|give|provide|share|suggest|indicate|judge|verify|that|this|it|your|my|the\s+question)|provided|given|here|there|relating|"
    r"related|as\s+to|whether|how|what|when|where|why|who|which|from|at\s+hand|was|is|were|are|and|or|beyond|whatsoever)\b)"
)
_NONE = r"(?:no|not\s+enough|insufficient|not\s+any|not\s+sufficient|too\s+little|limited|any|little)"
_CANNOT = (
    r"(?:can\s*not|can['’]?t|could\s+not|couldn['’]t|wouldn['’]t\s+be\s+able\s+to|won['’]t\s+be\s+able\s+to|"
    r"(?:am|was|were|are|['’]m|['’]re)\s+(?:currently\s+)?(?:unable|not\s+able)\s+to|(?:was|were|am|are)n['’]t\s+able\s+to|"
    r"(?:have\s+not|haven['’]t)\s+been\s+able\s+to|failed\s+to)"
)
_LEARN = r"(?:answer|determine|say|tell|ascertain|confirm|verify|infer|conclude|establish|deduce|judge|assess)"
_LEARNT = (
    r"(?:answered|determined|inferred|ascertained|confirmed|verified|established|concluded|deduced|derived|"
    r"found|told|said|known|located)"
)
_ASKED = (
    r"(?:(?:this|that|it|the\s+answer(?:\s+to\s+(?:this|that|your|the)(?:\s+question)?)?|the\s+question|your\s+(?:question|query)|"
    r"this\s+(?:question|information)|that\s+(?:question|information)|the\s+(?:requested\s+|specific\s+|relevant\s+)?information)"
    r"(?:\s+you\s+\w+(?:\s+for)?)?)"
)

_REFUSAL = re.compile(
    rf"""
      (?<!you\s)(?<!we\s)(?<!they\s)\b(?:can\s*not|can['’]t|could\s+not|couldn['’]t)\s+(?:be\s+)?(?:{_LEARNT}|{_LEARN}|find|provide|give|respond)\b
         .{{0,80}}\b(?:in|from|by|within|on|using|with)\s+{_THE}{_CONTEXT_WORDS}\b
    | \b{_CONTEXT_WORDS}\b{_NUMBERS}{_SUPPLIED}\s+{_NOT}\s+{_SLIGHTLY}{_TELLS}\b
    | \b{_ANY_SOURCE}\b{_NUMBERS}{_SUPPLIED}\s+{_NOT}\s+{_SLIGHTLY}{_ONLY_TOLD}\b
    | \b(?:none|neither|nothing|not\s+one)\b(?:\s+(?:of|in|within|
      from))?\s+{_THE}{_CONTEXT_WORDS}\b.{{0,40}}\b(?:{_TELLS}|about|on|that|answers)\b
    | \b(?:no|neither)\s+(?:\w+\s+)?{_CONTEXT_WORDS}\b.{{0,20}}\b{_TELLS}\b
    | \bnothing\b.{{0,60}}\b(?:in|within|from)\s+{_THE}{_CONTEXT_WORDS}\b
    | \b{_CONTEXT_WORDS}\b{_NUMBERS}{_SUPPLIED}\s+(?:(?:is|are|remains?|stays?)\s+silent|lacks?|omits?|makes?\s+no|
      says?\s+nothing|tells?\s+\w*\s*nothing
         |(?:has|have|contains?|includes?|provides?|gives?|offers?)\s+(?:nothing|{_NONE}\s+(?:\w+\s+){{0,2}}{_INFORMATION}))\b
    | \b(?:there\s+(?:is|was|are|were|seems\s+to\s+be|appears\s+to\s+be)|there['’]s|I\s+(?:have|had|found|see|
      could\s+find|have\s+found|do\s+not\s+have|don['’]t\s+have)
         |it\s+(?:contains?|provides?|offers?|gives?|has|includes?)|they\s+(?:contain|provide|offer|give|have|include))
         \s+{_NONE}\s+(?:\w+\s+){{0,2}}(?:information|info|mention|details?|data|answers?|specifics|indication|guidance){_ABOUT}
    | \bthere\s+(?:isn['’]t|is\s+not|wasn['’]t|aren['’]t|are\s+not)\s+(?:any|enough|sufficient|a\s+clear|an|
      much)\s+(?:\w+\s+){{0,2}}{_INFORMATION}{_ABOUT}
    | \b(?:we|you)\s+(?:have\s+no|(?:do\s+not|don['’]t)\s+have(?:\s+any|\s+enough)?)\s+(?:information|details|
      data)\s+(?:about|on|regarding|concerning)\b
    | \A\W*(?:no|insufficient|not\s+enough)\s+(?:\w+\s+)?(?:information|info|details?|context|mention|answers?|
      data|documents?|passages?|results?)\s+
         (?:(?:of|about|on|regarding|concerning|for|to|as\s+to|whether|in\s+the)\b
           |(?:(?:is|was|are|were|could\s+be|can\s+be)\s+)?(?:available|provided|given|found|made|mentioned|stated)\b)
    | \b(?:is|are|was|were)(?:\s+not|n['’]t|\s+nowhere)\s+(?:\w+ly\s+)?{_TOLD}\b.{{0,40}}\b(?:in|by|within|from|
      of)\s+{_THE}{_CONTEXT_WORDS}\b
    | \b(?:is|are|was|were)(?:\s+not|n['’]t|\s+nowhere)\s+(?:\w+ly\s+)?(?:mentioned|stated|specified|discussed|
      addressed|described)\b
         (?:.{{0,40}}\b(?:in|by|within|from)\s+{_THE}{_ANY_SOURCE}\b|(?:\s+(?:anywhere|here|there|explicitly|directly|at\s+all))?\W*\Z)
    | \b(?:it|they|this|these|which)\s+{_NOT}\s+{_SLIGHTLY}{_TELLS}\s+
         (?:(?:\w+\s+){{0,3}}(?:information|details?|guidance|instructions?|advice|answers?|guidelines?|specifics)
            |what|how|whether|which|when|where|why|if)\b
    | \A\W*(?:(?:however|note(?:\s+that)?|please\s+note\s+that|while|also|additionally)\W+)?(?:the\s+)?(?:\w+\s+){{0,2}}
         (?:{_CONTEXT_WORDS}\b[^.]{{0,200}}\b(?:but|and|yet)\s+{_NOT}\s+{_SLIGHTLY}{_TELLS}
           |{_ANY_SOURCE}\b[^.]{{0,200}}\b(?:but|and|yet)\s+{_NOT}\s+{_SLIGHTLY}{_ONLY_TOLD})\b
    | \bI\s+(?:do\s+not|don['’]t|did\s+not|didn['’]t)\s+(?:\w+ly\s+|really\s+|yet\s+)?(?:have|know|see|find)\b
         .{{0,60}}\b(?:information|info|details?|data|context|answers?|enough|access|know|mention|anything|way|{_ANY_SOURCE})\b
    | \b(?:more|additional|further)\s+(?:information|context|details?)\s+(?:(?:is|would\s+be|are)\s+)?(?:needed|
      required|necessary)\b
    | \b{_CONTEXT_WORDS}\b{_NUMBERS}{_SUPPLIED}\s+(?:is|are|seems?|appears?)\s+(?:not\s+(?:sufficient|enough|relevant)|
      insufficient|inadequate|irrelevant)\b
    | \b(?:information|answer|details?|data|it|this|that)\b.{{0,40}}\s(?:is|are|seems?)\s+(?:missing|
      absent)\s+(?:from|in)\s+{_THE}{_CONTEXT_WORDS}\b
    | \b(?:is|are|was|were)(?:\s+not|n['’]t)\s+(?:\w+ly\s+)?(?:in|within|among|part\s+of)\s+{_THE}{_CONTEXT_WORDS}\b
    | \bnot\s+(?:possible|able|clear|certain)\b.{{0,40}}\bfrom\s+{_THE}{_CONTEXT_WORDS}\b
    | \b(?:beyond|outside)\s+(?:of\s+)?(?:(?:the\s+)?scope\s+of\s+)?(?:my\s+(?:knowledge|scope|information|
      expertise)|{_THE}{_CONTEXT_WORDS})\b
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)

# Remarks of an answer on itself or the question, from its first word on (openers such as "I'm sorry, but" are off).
_BY_ITSELF = re.compile(
    rf"""\W*(?:(?:honestly|frankly|actually|currently|really|well|hmm+|oh|no|at\s+(?:this|the)\s+(?:time|moment|point)|right\s+now|as\s+of\s+now|
        to\s+be\s+honest|it\s+(?:seems|appears|looks\s+like)(?:\s+that)?|(?:as|so)\s+far\s+as\s+I\s+(?:can\s+(?:tell|see)|know)|on\s+this\s+point|
        for\s+(?:this|that)(?:\s+question)?|from\s+(?:this|that)(?:\s+alone)?|(?:this\s+is\s+)?because|since|that)\W+){{0,3}}(?:
      I\s+(?:(?:really|simply|just|honestly|currently|actually|also|truly|certainly|still)\s+)*(?:do\s+not|don['’]?t|did\s+not|didn['’]t)\s+
         (?:(?:really|actually|currently|exactly|yet|even)\s+)*(?:know|have\s+(?:an?\s+|the\s+|any\s+|enough\s+|sufficient\s+)?(?:\w+\s+)?(?:answer|idea|clue|information|info|data|details|knowledge|access|way)\b|
            see\s+(?:any|that|it|this|an?|where|anything)\b|find\s+(?:any|that|it|this|an?|the|where|anything)\b|recall\b|understand\s+(?:the|your)\s+question)
    | we\s+(?:(?:really|simply|just|currently)\s+)*(?:do\s+not|don['’]t)\s+(?:(?:really|actually|currently)\s+)*know
         (?:\s+(?:the\s+answer|that|this|it|yet|for\s+(?:sure|certain)|(?:whether|if|about|the\s+answer)\b.*))?\W*\Z
    | (?:I|we)\s+(?:have|had|found|see|saw)\s+(?:absolutely\s+|really\s+)?(?:no|nothing|not\s+found\s+any|
      zero)\s*(?:\w+\s+)?(?:idea|clue|information|info|knowledge|answer|data|details|
         mention|way\s+(?:of\s+knowing|to\s+(?:know|tell|say|verify|check))|access\s+to|about|on|regarding){_ABOUT}
    | I\s+(?:have|found|see|saw)\s+nothing\b
    | (?:I|we)\s+(?:do\s+not|don['’]t)\s+(?:have|possess|hold)\s+(?:that|this|the|such|any|enough|
      sufficient)\s+(?:\w+\s+){{0,2}}(?:information|info|details?|answer|knowledge)\b
    | I\s+(?:have\s+not|haven['’]t|was\s+not|wasn['’]t|am\s+not|['’]m\s+not)\s+(?:been\s+)?(?:given|provided|told|
      shown|supplied)\b
    | I(?:\s+would|['’]d)\s+(?:only\s+|just\s+)?(?:have\s+to\s+guess|be\s+guessing|need\s+to\s+guess)\b
    | I\s+(?:will\s+not|won['’]t)\s+(?:answer|guess|speculate)\b
    | I(?:['’]m|\s+am)\s+drawing\s+a\s+blank\b
    | I['’]ve\s+(?:\w+ly\s+)?(?:no|not\s+found|found\s+no|seen\s+no|nothing)\b
    | (?:do\s+not|don['’]?t)\s+know(?:\s+(?:that|this|it|yet|sorry|the\s+answer|exactly|for\s+sure))?\W*\Z
    | not\s+(?:that\s+I(?:['’]m|\s+am)?\s+(?:know\s+of|aware\s+of|can\s+see)|to\s+my\s+knowledge|
      as\s+far\s+as\s+I\s+know)\b
    | (?:the\s+|any\s+)?(?:\w+\s+)?(?:information|info|answer|data|details?)\s+(?:is\s+|
      was\s+)?not\s+(?:available|found|provided|given|mentioned|stated|present|in\s+(?:the\s+)?context)
         (?:\s+(?:in|by|from|within)\s+.{{1,60}})?\W*\Z
    | I\s+lack\b | I\s+(?:would\s+)?(?:need|require)\s+(?:some\s+)?(?:more|additional|further)\b |
       I['’]d\s+need\s+(?:some\s+)?(?:more|additional|further)\b
    | I\s+wish\s+I\s+(?:knew|could)\b
    | I(?:\s+am|['’]m)\s+(?:(?:really|honestly|still|just|currently|also|simply)\s+)*(?:not\s+(?:(?:entirely|
      quite|completely|really|so|too|very|totally|\w+ly)\s+)?(?:sure|certain|aware|familiar|clear|confident|in\s+a\s+position)|
         unsure|uncertain|unaware|unfamiliar|clueless|at\s+a\s+loss)\b
    | I\s+(?:\w+ly\s+)?{_CANNOT}\s+(?:\w+ly\s+|really\s+|even\s+)?(?:{_LEARN}|find|locate|help|assist|respond|
      comment|identify|speak|see|know|do\s+that|be\s+(?:sure|certain)|
         (?:provide|give|offer|share|supply)\s+(?:you\s+)?(?:with\s+)?(?:an?\s+|the\s+|any\s+|that\s+|this\s+|more\s+|such\s+|further\s+|specific\s+|exact\s+)*(?:\w+\s+){{0,2}}(?:answers?|information|info|details?|response|recommendation|figures?|advice|price|date|number|estimate))\b
    | I(?:['’]m|\s+am|\s+was)\s+(?:currently\s+)?(?:unable|not\s+able)\s+to\s+(?:{_LEARN}|find|locate|help|assist|
      respond|comment|identify|see|
         (?:provide|give|offer|share|retrieve|access)\b)
    | (?:we|you|one)\s+{_CANNOT}\s+(?:\w+ly\s+)?{_LEARN}\s+(?:(?:this|that|it|your\s+question|the\s+question)\b|
      (?:from|based\s+on|if|whether)\b|(?:with|for)\s+certain)
    | (?:we|you|one)\s+(?:were|was|are)\s+(?:unable|not\s+able)\s+to\s+(?:{_LEARN}|find|
      locate)\b.{{0,60}}\b{_ANY_SOURCE}\b
    | {_ASKED}\s+(?:\w+ly\s+)?(?:can\s*not|can['’]t|could\s+not|couldn['’]t)\s+(?:\w+ly\s+)?be\s+(?:{_LEARNT}|
      provided|given)\b
    | {_ASKED}\s*(?:is|was|['’]s|seems|remains)\s+(?:(?:just|simply|currently|still|really|
      also)\s+)*(?:not\s+(?:(?:\w+ly|really)\s+)?(?:clear|known\s+to\s+me|stated|specified|mentioned|said|told|something\s+(?:I|that\s+I|the)|possible\s+to\s+(?:{_LEARN}|know|find)|
            in\s+(?:the|my|any|these|this)\b|answerable)|unclear|uncertain|unanswerable|(?:unknown|unclear|not\s+known)\s+to\s+me|impossible\s+(?:for\s+me\s+)?to\s+(?:{_LEARN}|know|find)|
            (?:hard|difficult)\s+(?:for\s+me\s+)?to\s+(?:say|tell|know|judge)|(?:unknown|not\s+known)\W*\Z|beyond\s+(?:me|my)\b|above\s+my\b|anyone['’]s\s+guess)
    | {_ASKED}\s*(?:is\s+not|isn['’]t|was\s+not|wasn['’]t)\s+(?:\w+ly\s+)?(?:clear|something\s+(?:I|that\s+I|the)|
      stated|specified|mentioned|said|explained|addressed|discussed|described|answered|known\s+to\s+me|possible\s+to\s+{_LEARN})\b
    | (?:that|this|the|such)\s+(?:\w+\s+){{0,2}}(?:information|info|detail|details|data|answer)(?:\s+(?:about|on|
      regarding|you)\b.{{0,60}})?\s+(?:is|are|was|were)(?:\s+not|n['’]t)\s+(?:\w+ly\s+)?{_TOLD}\b(?!\s+to\b)
    | (?:information|details|data)\s+(?:about|on|regarding|concerning)\b.{{0,80}}\s(?:is|are|was|were)(?:\s+not|
      n['’]t)\s+(?:\w+ly\s+)?{_TOLD}\b(?!\s+to\b)
    | (?:nothing|no\s+(?:information|info|mention|details?|answer|data))\s+(?:(?:is|was|are|were)\s+|(?:could|
      can)\s+be\s+)?(?:\w+ly\s+)?(?:said|stated|mentioned|told|found|made|given|provided|specified|available)\b
    | (?:no|not)\s+(?:answer|information|info|mention|details?|data|idea|clue)(?:\s+(?:found|available|provided|
      given|here|there|sorry|to\s+share))?\W*\Z
    | (?:not\s+(?:\w+ly\s+)?(?:sure|certain|stated|mentioned|specified|known|answerable|clear|disclosed|found|
      provided|given|available|addressed|discussed|covered|determinable|enough\s+(?:information|info|context|data|details))
         |unknown|unclear|undetermined|unanswerable|unspecified|unstated|insufficient\s+(?:information|info|context|data|details|evidence)|inconclusive|indeterminate|idk|i\s?d\s?k|dunno|
         beats\s+me|who\s+knows|no\s+(?:idea|clue)|search\s+me|(?:can\s*not|can['’]t|could\s+not|couldn['’]t)\s+(?:say|tell|answer|know|determine|be\s+(?:{_LEARNT}))|(?:hard|difficult|impossible|tough)\s+to\s+(?:say|tell|know|judge|answer)|
         (?:unable|not\s+able|not\s+possible|impossible)\s+to\s+(?:{_LEARN}|find|help)|good\s+question|pass|your\s+guess\s+is\s+as\s+good\s+as\s+mine)
         (?:\W*(?:,\s*)?(?:sorry|to\s+(?:answer|say|tell|determine|know)|(?:from|in|by|within|based\s+on|on|about|for|regarding|with|without|to\s+me|to\s+answer|here|at\s+all|though|yet|if|whether|what|how|when|where|why|who|which|that|this|it|exactly)\b).{{0,100}})?\W*\Z
    | my\s+(?:knowledge|information|data|sources?|documents?|context|training(?:\s+data)?)\s+(?:{_NOT}|
      is\s+limited|has\s+no|have\s+no|cannot|can['’]t)\b
    | (?:this|that|it|your\s+(?:question|query)|the\s+(?:question|answer))\s+(?:is|falls|goes|
      lies)\s+(?:well\s+)?(?:beyond|outside)\s+(?:of\s+)?(?:my|me|the\s+scope|what\s+(?:I|the)|{_THE}{_CONTEXT_WORDS})\b
    | the\s+answer\s+(?:to\s+(?:this|that|your)(?:\s+question)?\s+)?(?:is|was|does)\s*(?:not|n['’]t|unknown|
      unclear|nowhere)\b
    )""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)

# "Unable to find the price", "it is not possible to answer the question"; but not "if you are unable to find the PIN".
_UNABLE = re.compile(
    r"\b(?:unable|not\s+able|not\s+possible|impossible)\s+to\s+"
    r"(?:answer|determine|find|provide|say|tell|give|respond|ascertain|confirm|verify|locate)\b",
    re.IGNORECASE,
)
_FROM_THE_START = re.compile(
    r"\W*(?:(?:sorry|unfortunately|however|therefore|so|thus|but|and|also|additionally)\W+){0,2}"
    r"(?:I(?:\s+am|['’]m|\s+was)\s+|(?:it\s+is|it\s+was|it['’]s)\s+)?(?:currently\s+)?\Z",
    re.IGNORECASE,
)
_OF_THE_SOURCE = re.compile(rf"\b(?:{_CONTEXT_WORDS}|questions?)\b", re.IGNORECASE)
_SUPPOSES = re.compile(
    r"\W*(?:(?:please\s+)?(?:contact|call|ask|email)\b.{0,40}\b)?(?:if|when|whenever|in\s+case|should|unless|once|people|customers|users|anyone)\b",
    re.IGNORECASE,
)
_SUPPOSES_YOU = re.compile(
    r"\b(?:if|when|in\s+case|unless)\s+(?:you|your|the\s+\w+|a\s+\w+|an\s+\w+|it|they)\b", re.IGNORECASE
)

# A cheap first test: each of the forms above contains one of these, and hardly any claim does.
_MAY_REFUSE = re.compile(
    r"no[t\s]|n['’]?t\b|never|fa[iı]l|mposs|nsuff|unable|un(?:cl|kn|sur|cert|det|ans|aw|sp|st|fam)|nothing|neither|none|silent|lack|omit|"
    r"beyond|outside|wish|(?:hard|difficult|tough) to|dunno|idk|i d k|beats|who knows|indet|inconcl|need|requir|"
    r"search me|guess|limited|little|clueless|loss|pass|"
    r"missing|absent|blank|inadeq|irrel|won['’]t"
)

# The pattern has a part that looks ahead 80 characters; a statement of a refusal is short.
_LONGEST_REFUSAL = 600


def may_refuse(statement: str) -> bool:
    """Return whether a closer look is worth its time: each refusal has one of some word forms in it."""
    return _MAY_REFUSE.search(statement.casefold()) is not None


def is_refusal(statement: str) -> bool:
    """Return whether the statement says that the context does not tell ("The passages do not mention a price.")."""
    if len(statement) > _LONGEST_REFUSAL or not may_refuse(statement):
        return False
    if _SUPPOSES.match(statement) is not None:
        return False
    start = end_of_opener(statement, 0, len(statement))
    if _BY_ITSELF.match(statement, start) is not None:
        return True
    found = _REFUSAL.search(statement)
    if found is not None and _SUPPOSES_YOU.search(statement, 0, found.start()) is None:
        return True
    return _is_unable(statement)


def _is_unable(statement: str) -> bool:
    unable = _UNABLE.search(statement)
    if unable is None:
        return False
    before = statement[: unable.start()]
    return _FROM_THE_START.match(before) is not None or _OF_THE_SOURCE.search(statement, unable.end()) is not None
