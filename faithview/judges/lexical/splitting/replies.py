"""Short answers to a yes-or-no question, as the statements that they make."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from faithview.judges.text.lexicon import NEGATIONS, word_set
from faithview.judges.text.sentences import plain_lines, plain_words, split_sentences_quickly
from faithview.judges.text.tokens import read_word_sets, tokenize

_LISTS = read_word_sets(__package__, "questions.toml")
_VERBS, _ALSO_NOUNS = _LISTS["verbs"], _LISTS["verbs_or_nouns"]
_PARTICIPLES, _ADJECTIVES = _LISTS["participles"], _LISTS["adjectives"]

_AUXILIARIES = "do|does|did|is|are|was|were|am|can|could|will|would|should|shall|may|might|must|has|have|had"
_OF_DOING, _OF_BEING = word_set("do does did"), word_set("is are was were am")
_OF_HAVING = word_set("has have had")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question's parts: "does", "the Basic plan", "support SSO", and a condition that came before ("if I pay")."""

    auxiliary: str
    subject: str
    predicate: str
    condition: str = ""

    def statement(self, *, is_denied: bool, subject: str = "", auxiliary: str = "", added: str = "") -> str:
        """Return what "yes" states, or "no" where it is denied.

        Args:
            is_denied: the answer says no.
            subject: what the answer names in the question's place: "they" for "the shops".
            auxiliary: the same for "does".
            added: what the answer adds: "only on weekdays".
        """
        subject, auxiliary = subject or self.subject, (auxiliary or self.auxiliary).lower()
        auxiliary = _agreeing(auxiliary, subject)
        predicate = self.predicate
        counted = _COUNTED.match(predicate) if subject.lower() == "there" else None
        if counted is not None:
            predicate = f"{'no ' if is_denied else counted['article']}{predicate[counted.end() :]}"
        if is_denied and counted is None:
            said = f"{_DENIED.get(auxiliary, f'{auxiliary} not')} {predicate}"
        elif auxiliary == "do":
            said = predicate
        elif auxiliary == "does":
            said = _inflected(predicate)
        else:
            said = f"{auxiliary} {predicate}"
        joined = " ".join(part for part in (subject, said, added, self.condition) if part).rstrip(" .!?")
        return f"{joined[:1].upper()}{joined[1:]}.".replace(" ,", ",")


# "There is no fee", "you do not have to pay".
_COUNTED = re.compile(r"(?:any|(?P<article>an?\s|some\s|))\s*", re.IGNORECASE)
_DENIED = {"can": "cannot", "must": "do not have to"}

_COURTESY = re.compile(
    r"\W*(?:(?:hi|hello|hey|hey\s+there|please|so|and|also|ok(?:ay)?|well|then|now|sorry|thanks|quick\s+question|just\s+wondering|question|q|"
    r"excuse\s+me|good\s+(?:morning|afternoon|evening))\b\W*)+",
    re.IGNORECASE,
)
# "Can you tell me whether the plan includes SSO?": the statement follows.
_INDIRECT = re.compile(
    r"""(?:(?:(?:can|could|would|will)\s+you\s+|please\s+|kindly\s+)*(?:tell|inform|let|advise|confirm(?:\s+(?:to|for))?|clarify|check|verify|say|explain|see)
              (?:\s+(?:me|us))?(?:\s+know)?(?:\s+please)?
          |(?:do|would)\s+you\s+(?:happen\s+to\s+)?know
          |(?:I|we)(?:\s+(?:want|need|would\s+like|am\s+trying)|['’]d\s+like)\s+to\s+(?:know|find\s+out|check|ask|confirm)|(?:I|we)(?:['’]m|\s+am|\s+are|['’]re|\s+was)?\s+wonder(?:ing)?
          |(?:any\s+idea|wondering|not\s+sure|I(?:['’]m|\s+am)\s+not\s+sure)
          |(?:may|can|could)\s+I\s+(?:ask|know|check))\W+(?:if|whether)\s+
       | is\s+it\s+(?:true|correct|right|the\s+case|a\s+fact)\s+that\s+
       | (?:true\s+or\s+false|yes\s+or\s+no|t/f|y/n)\W+(?:is\s+it\s+true\s+that\s+)?
       | (?:am\s+I\s+right|are\s+you\s+sure|can\s+you\s+confirm|please\s+confirm|confirm|does\s+(?:this|that|
         it)\s+mean)\s+(?:that\s+)?""",
    re.IGNORECASE | re.VERBOSE,
)
_TAG = re.compile(
    rf"""\s*[,;—–-]?\s*\b(?:right|correct|yes|no|true|true\s+or\s+false|yes\s+or\s+no|okay|is\s+(?:that|this|it)\s+(?:right|correct|true|so)|
        (?:{_AUXILIARIES})(?:n['’]t)?\s+(?:it|they|he|she|we|you|I|there|that|this)(?:\s+not)?|won['’]t\s+(?:it|they|you|we|I)|can['’]t\s+(?:it|they|you|we|I)|or\s+not)\s*\?*\Z""",
    re.IGNORECASE | re.VERBOSE,
)
_OPEN = re.compile(
    r"\W*(?:(?:in|on|at|for|to|from|by|with|of|about|under|after|before|until|since)\s+)?"
    r"(?:what|which|who|whom|whose|when|where|why|how)\b",
    re.IGNORECASE,
)
# "Can you summarise the text?" asks for a text, and so does "do you know what it costs?".
_REQUEST = re.compile(
    r"""(?:can|could|would|will)\s+(?:you|someone|anyone|somebody)\s+(?:(?:please|kindly|also|briefly)\s+)*(?:tell|explain|give|list|summari[sz]e|describe|help|show|provide|
          write|name|find|share|clarify|recommend|suggest|translate|compare|outline|elaborate|define|remind|walk|say|answer|look|point|advise|
          make|create|draft|generate|rephrase|rewrite|quote|identify|assist|guide|teach|detail|extract|present|state|break|expand|go\s+over)\b
      | (?:can|could|may)\s+I\s+(?:ask|have\s+(?:some|more)\s+information|get\s+(?:some|more)\s+information)\b
      | (?:do|does|would|did|can|could)\s+(?:you|anyone|somebody|someone|we)\s+(?:happen\s+to\s+)?(?:know|
        have\s+any\s+idea|tell|say|remember)\b.{0,60}\b(?:what|which|who|when|where|why|how)\b
      | (?:would|do)\s+you\s+(?:like|mind|want)\b | is\s+there\s+anything\b""",
    re.IGNORECASE | re.VERBOSE,
)
_CLOSED = re.compile(
    rf"(?P<auxiliary>{_AUXILIARIES}|wo|ca)(?:n['’]?t|\s+not)?\s+(?P<rest>\S.*)", re.IGNORECASE | re.DOTALL
)
_CONDITION = re.compile(
    rf"(?P<condition>(?:if|when|once|after|before|while|during|for|on|in|with|without|as|at|unless|because|since)\s[^?]{{2,120}}?),\s*(?=(?:{_AUXILIARIES})\b)"
    rf"|[^?,]{{2,120}}[,:.;—–]\s*(?=(?:{_AUXILIARIES})(?:n['’]t)?\s+(?:I|you|it|they|we|he|she|there|the|this|my|your|an?)\b)",
    re.IGNORECASE,
)
_STATED = re.compile(
    rf"(?P<subject>.{{1,120}}?)\s+(?P<auxiliary>{_AUXILIARIES}|cannot)\b(?:\s+not\b|n['’]t\b)?\s+(?P<predicate>.+)",
    re.IGNORECASE | re.DOTALL,
)
# "Can I add a message, and how long may it be?": "yes" answers the first half.
_ALSO_ASKED = re.compile(
    r",?\s+(?:and|or)\s+(?:if\s+so\b|for\s+how|in\s+which|what|which|who|when|where|why|how)\b.*", re.I | re.DOTALL
)
_LONGEST_QUESTION = 1_000

# In a chat a sentence may begin in lower case: "that's cool! do you know ireland?"
_LOWER_CASE_START = re.compile(r"(?<=[!?])\s+|(?<=\w{4}\.)\s+(?=[a-z])")


def read_question(question: str | None) -> Asked | None:
    """Return the parts of the last question that "yes" or "no" answers, None if there is none."""
    text = plain_words(plain_lines((question or "")[-_LONGEST_QUESTION:]))
    sentences = [
        sentence
        for a, b in split_sentences_quickly(text, 0, len(text))
        for sentence in _LOWER_CASE_START.split(" ".join(text[a:b].split()))
    ]
    asking = [sentence for sentence in sentences if sentence.endswith("?")] or sentences[-1:]
    for sentence in reversed(asking):
        asked = _read_question(sentence)
        if asked is not None:
            return asked
    return None


def _read_question(sentence: str) -> Asked | None:
    courtesy = _COURTESY.match(sentence)
    text = sentence[courtesy.end() :] if courtesy is not None else sentence
    indirect = _INDIRECT.match(text)
    if indirect is not None:
        text = text[indirect.end() :]
    elif _REQUEST.match(text):
        return None
    if _OPEN.match(text):
        return None
    is_tagged = (tag := _TAG.search(text)) is not None and tag.start() > 0
    text = (text[: tag.start()] if tag is not None and is_tagged else text).rstrip(" ?.!")
    text = _ALSO_ASKED.sub("", text)
    before = _CONDITION.match(text)
    condition = _turned(_small(before["condition"] or "")) if before is not None else ""
    closed = _CLOSED.match(text, before.end() if before is not None else 0)
    if closed is not None:
        return _of_closed(closed["auxiliary"].lower(), closed["rest"], condition)
    is_plain = sentence.endswith("?") and "," not in text
    return _of_statement(text) if indirect is not None or is_tagged or is_plain else None


def _of_closed(auxiliary: str, rest: str, condition: str) -> Asked | None:
    auxiliary = {"wo": "will", "ca": "can"}.get(auxiliary, auxiliary)
    words = rest.split()
    cut = _end_of_subject(words, auxiliary)
    if not 0 < cut < len(words):
        return None
    predicate = words[cut + 1 :] if words[cut].lower() == "not" else words[cut:]
    is_of_company = words[0].lower() == "you" and cut == 1 and auxiliary not in _GENERIC
    subject = "we" if is_of_company else _turned(" ".join(words[:cut]))
    return Asked(auxiliary, subject, _turned(" ".join(predicate)), condition) if predicate else None


# "Do you ship to Rome?" is about the company; "can you return it?" is about anyone.
_GENERIC = word_set("can could may might must should shall")


def _of_statement(text: str) -> Asked | None:
    """Return the parts of a statement that is asked about: "It supports SSO, right?"."""
    stated = _STATED.match(text)
    if stated is not None and stated["auxiliary"].islower():  # "in May"
        auxiliary = stated["auxiliary"].lower()
        return Asked(
            "can" if auxiliary == "cannot" else auxiliary, _turned(stated["subject"]), _turned(stated["predicate"])
        )
    words = text.split()
    for number, word in enumerate(words[1:], start=1):
        base = _base(word)
        if base is not None and number < len(words) - 1:
            auxiliary = "does" if base != word.lower() else "do"
            predicate = " ".join([base, *words[number + 1 :]])
            return Asked(auxiliary, _turned(" ".join(words[:number])), _turned(predicate))
    return None


def _base(word: str) -> str | None:
    lower = word.lower()
    if lower == "has":
        return "have"
    for ending, other in (("", ""), ("ies", "y"), ("es", ""), ("s", "")):
        base = lower.removesuffix(ending) + other if lower.endswith(ending) else ""
        if base in _VERBS or (base in _ALSO_NOUNS and ending):
            return base
    return None


_PRONOUNS = word_set(
    "it they he she we you i there one anyone everyone someone anybody everybody nobody anything everything"
)
_POINTING = word_set("this that these those all both each any some")
_DETERMINERS = word_set("a an the my your our their his her its this that these those any all some no each every both")
_PREPOSITIONS = word_set(
    """in on at for with without under over by to from until through during after before between within into against per
    via as than like about"""
)
_BEGINS_PREDICATE = word_set(
    "a an the my your our any only also still always ever already not included part more less just even"
)


def _end_of_subject(words: Sequence[str], auxiliary: str) -> int:
    """Return how many of the words after the auxiliary are the subject; 0 if that cannot be told."""
    lowers = [word.lower().strip(",;") for word in words]
    if lowers[0] in _PRONOUNS:
        return 1
    fewest = 2 if lowers[0] in _DETERMINERS else 1
    finds = _verb_at if auxiliary not in _OF_BEING | _OF_HAVING else _complement_at
    found = finds(lowers, 1 if lowers[0] in _POINTING else fewest)
    return found if found is not None else min(fewest, len(words) - 1)


def _verb_at(lowers: Sequence[str], fewest: int) -> int | None:
    places = range(fewest, len(lowers))
    sure = [at for at in places if _is_verb(lowers[at])]
    maybe = [at for at in places if lowers[at] in _ALSO_NOUNS and at < len(lowers) - 1]
    stop = next((at for at in places if lowers[at] in _PREPOSITIONS), len(lowers))
    near = [at for at in sure if at < stop] or [at for at in maybe if at < stop]
    if near:
        return near[0] if near[0] in sure else near[-1]
    last = [at for at in places if lowers[at] in _ALSO_NOUNS and at < stop]
    return next(iter(sure), None) if not last else last[-1]


def _is_verb(lower: str) -> bool:
    """Return whether a word is a verb and hardly ever a noun: "keep", "restart"."""
    if lower in _VERBS or lower in ("be", "do"):
        return True
    return lower[:2] in ("re", "un") and (lower[2:] in _VERBS or lower[2:] in _ALSO_NOUNS or lower == "undo")


def _complement_at(lowers: Sequence[str], fewest: int) -> int | None:
    places = range(fewest, len(lowers))
    if not places:
        return None
    first = _first(places, lambda at: _is_quality(lowers[at]))
    last = len(lowers) - 1
    # "Are items bought on sale refundable?": the last word says it.
    is_late = first is not None and first < last and lowers[first + 1] in _PREPOSITIONS
    if first is not None and is_late and _is_adjective(lowers[last]):
        return last
    after = [at for at in places if lowers[at - 1] not in _PREPOSITIONS]
    other = _first(after, lambda at: lowers[at] in _BEGINS_PREDICATE or lowers[at][0].isdigit())
    if first is not None and other is not None and other < first:
        return other
    if first is None and other is None:
        other = _first(places, lambda at: lowers[at] in _PREPOSITIONS)
    found = first if first is not None else other
    return found if found is not None else last


def _first(places: Sequence[int], holds: Callable[[int], bool]) -> int | None:
    return next((at for at in places if holds(at)), None)


def _is_adjective(lower: str) -> bool:
    return lower in _ADJECTIVES or lower.endswith(("able", "ible", "less", "ful", "wide"))


def _is_quality(lower: str) -> bool:
    return _is_adjective(lower) or lower in _PARTICIPLES or (lower.endswith(("ed", "ing")) and len(lower) > _SHORTEST)


# "bed" and "king" end like participles.
_SHORTEST = 4


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]


_TURNS = {
    "i": "you",
    "me": "you",
    "my": "your",
    "mine": "yours",
    "myself": "yourself",
    "we": "you",
    "us": "you",
    "our": "your",
}


def _turned(text: str) -> str:
    """Return a text with the asker's words for themselves turned: "my order" is "your order" in an answer."""
    return " ".join(_TURNS.get(word.lower(), word) for word in text.split())


def _agreeing(auxiliary: str, subject: str) -> str:
    lower = subject.lower()
    if auxiliary in _OF_BEING and lower in ("you", "we", "they"):
        return "were" if auxiliary in ("was", "were") else "are"
    if auxiliary == "am" and lower != "i":
        return "are"
    return "do" if auxiliary == "does" and lower in ("you", "we", "they", "i") else auxiliary


def _inflected(predicate: str) -> str:
    words = predicate.split()
    for number, word in enumerate(words[:3]):
        lower = word.lower()
        if _is_verb(lower) or lower in _ALSO_NOUNS:
            return " ".join([*words[:number], _with_s(lower), *words[number + 1 :]])
    return f"does {predicate}"


def _with_s(verb: str) -> str:
    if verb == "have":
        return "has"
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if verb.endswith("y") and verb[-2] not in "aeou" else f"{verb}s"


_NO = (
    r"(?:(?:absolutely|definitely|certainly|of\s+course|unfortunately|sadly|probably|I['’]m\s+afraid|I\s+am\s+afraid|sorry)\W+(?:not|no)|"
    r"not\s+(?:at\s+all|really|yet|currently|any\s?more|at\s+(?:this|the)\s+(?:time|moment)|right\s+now|anymore|exactly|quite|necessarily|ever|so)|"
    r"no(?:pe|\s+way)?|nah|never(?:\s+ever)?|negative|by\s+no\s+means|in\s+no\s+case|under\s+no\s+circumstances|"
    r"(?:that|this|it)(?:['’]s|\s+is)\s+(?:incorrect|wrong|false|untrue|not\s+(?:correct|right|true|so|the\s+case|possible|allowed))|"
    r"(?:that|this|it)\s+(?:isn['’]t|is\s+not)\s+(?:correct|right|true|so|the\s+case|possible|allowed)|"
    r"incorrect|wrong|untrue|I\s+(?:do\s+not|don['’]t)\s+(?:think|believe)\s+so|hardly|far\s+from\s+it|on\s+the\s+contrary)"
)
_YES = (
    r"(?:yes|yeah|yep|yup|yea|ye[sp]\s+indeed|aye|sure(?:ly|\s+thing)?|of\s+course|absolutely|definitely|certainly|indeed|exactly|correct|right|"
    r"affirmative|precisely|totally|always|by\s+all\s+means|without\s+(?:a\s+)?doubt|no\s+doubt|"
    r"(?:that|this|it)(?:['’]s|\s+is)\s+(?:absolutely\s+|indeed\s+|quite\s+)?(?:correct|right|true|so|the\s+case|possible|allowed|accurate)|you\s+bet|"
    r"you(?:['’]re|\s+are)\s+(?:right|correct)|I\s+(?:think|believe)\s+so)"
)
_AUXILIARY = r"do|does|did|is|are|was|were|am|can|could|will|would|should|shall|may|might|must|has|have|had"
_PRONOUN = r"it|they|he|she|we|you|I|there|that|this|these|those|one"
# "it does not", "you can't", "we're not", "there isn't".
_SHORT = (
    rf"(?:(?P<subject>{_PRONOUN})\s+(?:(?:also|indeed|unfortunately|certainly|definitely|really|currently|still)\s+)?"
    rf"(?:(?P<auxiliary>{_AUXILIARY})(?P<denied>\s*n['’]?t|\s+not)?|(?P<cannot>cannot|ca\s?n['’]?t)|(?P<will_not>wo\s?n['’]?t))"
    r"|(?P<contracted>it|they|we|you|I|there|that|he|she)['’](?:s|re|m)\s+not)"
)
_POLITE = (
    r"(?:unfortunately|sorry|I['’]m\s+(?:sorry|afraid)|I\s+am\s+(?:sorry|afraid)|fortunately|luckily|sadly|"
    r"happily|thankfully|actually|well|oh|but|and|so|then|please|sir|madam|that|(?:the|my)\s+(?:short\s+)?answer\s+is|as\s+far\s+as\s+I\s+know)"
)
_WORDS = re.compile(rf"\W*(?:(?P<no>{_NO})|(?P<yes>{_YES})|{_SHORT}|(?P<polite>{_POLITE}))(?:\W+|\Z)", re.IGNORECASE)

# Text without its own verb, or with one after "if" and the like, belongs to the question's predicate.
_FRAGMENT = re.compile(
    r"""(?:but\s+|and\s+|though\s+|although\s+)?
        (?P<limit>(?:only|just|solely|exclusively|except|unless|not)\s+)?
        (?:(?:only|just|even|always|usually|mostly|directly|currently)\s+)?
        (?:in|on|at|for|with|without|under|over|by|to|from|until|till|through|during|after|before|between|within|into|against|per|via|as|up\s+to|
           if|when|whenever|where|unless|because|since|due\s+to|except|once|while|provided|starting|beginning|throughout|anywhere|anytime|any\s+time|
           every|each|always|sometimes|never|free\s+of\s+charge|at\s+no|once|twice|daily|weekly|monthly|yearly|annually|weekdays|weekends)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_LIMITED = re.compile(r"(?:but\s+)?(?P<how>only|just|solely|exclusively)\s+", re.IGNORECASE)
_NOT_SO = re.compile(r"(?:but\s+)?not\s+(?=\S)", re.IGNORECASE)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|cannot|could|will|would|should|may|might|must|do|does|did|\w+n['’]t)\b",
    re.IGNORECASE,
)
_SUBORDINATE = re.compile(
    r"\b(?:if|when|whenever|unless|until|till|who|that|which|where|because|since|as|after|before|once|while|provided)\b",
    re.IGNORECASE,
)
_LONGEST_FRAGMENT = 160

# "Yes, you can return sale items" says by itself what "yes" says.
_RESTATED = 0.5


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply at the beginning of a sentence: `statement` is "" if the question is not known.

    `end` is where its words end; what follows in the sentence speaks for itself.
    """

    statement: str
    end: int


@dataclass(frozen=True, slots=True)
class _Words:
    """The words at the beginning of a sentence that say yes or no, up to `end`; `said` is where the last of them ends.

    `is_denied` is None if none of them says either.
    """

    is_denied: bool | None = None
    subject: str = ""
    auxiliary: str = ""
    end: int = 0
    said: int = 0

    def with_next(self, match: re.Match[str]) -> "_Words":
        """Return the words with those that follow."""
        if match["polite"] is not None:
            return replace(self, end=match.end())
        if match["no"] is not None or match["yes"] is not None:
            return replace(self, is_denied=match["no"] is not None, end=match.end(), said=match.end())
        denies = any(match[name] is not None for name in ("denied", "cannot", "will_not", "contracted"))
        subject = match["subject"] or match["contracted"]
        auxiliary = (
            match["auxiliary"] or ("is" if match["contracted"] else "can" if match["cannot"] else "will")
        ).lower()
        return _Words(is_denied=denies, subject=subject, auxiliary=auxiliary, end=match.end(), said=match.end())


def read_reply(text: str, asked: Asked | None, *, is_first: bool) -> Reply | None:
    """Return the reply of a sentence to a question; None if it is a statement by itself.

    Args:
        text: the sentence, without marks.
        asked: the question, None if "yes" and "no" do not answer it.
        is_first: nothing was claimed before it, so a fragment such as "Not on weekends." goes with the question.
    """
    words = before = _Words()
    while words.end < len(text) and (match := _WORDS.match(text, words.end)) is not None:
        before, words = words, words.with_next(match)
    rest = _bare(text[words.end :])
    last = _AT_END.search(rest)
    if last is not None:
        rest = rest[: last.start()]
        words = words if words.is_denied is not None else replace(words, is_denied=last["no"] is not None)
    if not rest:
        is_reply = words.is_denied is not None and asked is not None
        return Reply(_stated(words, asked), len(text)) if is_reply and asked is not None else None
    may_be_fragment = is_first or words.is_denied is not None
    if asked is not None and may_be_fragment and (not words.subject or _is_same_verb(words.auxiliary, asked.auxiliary)):
        fragment = _with_fragment(words, asked, rest)
        if fragment:
            return Reply(fragment, len(text))
    if words.subject and not before.subject:
        words, rest = before, _bare(text[before.end :])  # "it does not support SSO" goes on
    if words.is_denied is None:
        return _with_noun(text, asked) if is_first and asked is not None else None
    if not _is_apart(text, words.said):
        return None
    if asked is None or _says_again(rest, asked):
        return Reply("", words.end)
    return Reply(_stated(words, asked), words.end)


# "Within 30 days, yes."
_AT_END = re.compile(r"\s*[,;–—-]\s*(?:(?P<no>no|nope)|yes|yeah)\Z", re.IGNORECASE)
_SAME_VERBS = [set(verbs.split()) for verbs in ("do does did", "is are was were am", "has have had")]


def _is_same_verb(one: str, other: str) -> bool:
    """Return whether two auxiliaries are one verb: "you have until Monday" does not answer "can I return it?"."""
    return one == other or any({one, other} <= verbs for verbs in _SAME_VERBS)


def _bare(text: str) -> str:
    return text.strip(" \t\n.!,;:—–-()\"'“”*")


def says_again(text: str, reply: str, asked: Asked) -> bool:
    """Return whether a sentence says what the reply before it does, and with the same sign."""
    return _says_again(text, asked) and _denies(text) == _denies(reply)


def _denies(text: str) -> bool:
    return any(token.word.lower in NEGATIONS for token in tokenize(text))


def _is_apart(text: str, end: int) -> bool:
    """Return whether a mark follows the words: "No" in "No parking is allowed." belongs to its sentence."""
    return _APART.search(text, max(0, end - 4), end) is not None


_APART = re.compile(r"[,.;:!—–]|\s-\s")


def _stated(words: _Words, asked: Asked, added: str = "") -> str:
    subject = words.subject.lower() if words.subject.lower() in ("we", "you") else ""
    subject = subject if asked.subject.lower() in ("i", "you", "we") else ""
    return asked.statement(is_denied=bool(words.is_denied), subject=subject, added=added)


def _with_fragment(words: _Words, asked: Asked, rest: str) -> str:
    if len(rest) > _LONGEST_FRAGMENT:
        return ""
    if _FRAGMENT.match(rest) or _LIMITED.match(rest) or _NOT_SO.match(rest):
        rest = rest[:1].lower() + rest[1:]
    denied = _NOT_SO.match(rest)
    if denied is not None and words.is_denied is not False:
        rest = rest[denied.end() :]
        # "Not included." to "Is SSO included?" denies what was asked.
        if set(rest.lower().split()) <= set(asked.predicate.lower().split()):
            return asked.statement(is_denied=True)
    if not (_FRAGMENT.match(rest) or (denied is None and _LIMITED.match(rest))) or not _is_fragment(
        rest, is_bare=words.is_denied is None
    ):
        return ""
    if denied is not None and words.is_denied is not False:
        return asked.statement(is_denied=True, added=rest)
    # "No, only on weekdays" denies what was asked, and says what is so.
    is_instead = words.is_denied is True and _LIMITED.match(rest) is not None
    return _stated(words, asked, f", {rest}" if is_instead else rest)


def _is_fragment(rest: str, *, is_bare: bool) -> bool:
    """Return whether words have no main clause of their own; bare ones have no yes or no before them.

    "In Rome, you can" and "when you open it you can see it" are sentences.
    """
    if any(_FRAGMENT.match(part) is None for part in re.split(r",\s+", rest)[1:]):
        return False
    if is_bare and (len(rest.split()) > _MOST_WORDS or _MODAL.search(rest)):
        return False
    finite = _FINITE.search(rest)
    return finite is None or _SUBORDINATE.search(rest, 0, finite.start()) is not None


_MODAL = re.compile(r"\b(?:can|cannot|could|will|would|should|may|might|must)\b", re.IGNORECASE)
_MOST_WORDS = 14


_NOUN = re.compile(
    rf"\W*(?P<subject>[^,;:.!?]{{2,60}}?)\s+(?:(?P<auxiliary>{_AUXILIARY})(?P<denied>\s*n['’]?t|\s+not)?|(?P<cannot>cannot|ca\s?n['’]?t)|(?P<will_not>wo\s?n['’]?t))\W*\Z",
    re.IGNORECASE,
)


def _with_noun(text: str, asked: Asked) -> Reply | None:
    """Return what "The Basic plan does not." states."""
    named = _NOUN.match(text)
    if named is None:
        return None
    auxiliary = named["auxiliary"] or ("can" if named["cannot"] else "will")
    is_denied = any(named[name] is not None for name in ("denied", "cannot", "will_not"))
    return Reply(asked.statement(is_denied=is_denied, subject=named["subject"], auxiliary=auxiliary), len(text))


def _says_again(text: str, asked: Asked) -> bool:
    wanted = {t.word.stem: t.word.weight for t in tokenize(f"{asked.subject} {asked.predicate}") if t.word.is_content}
    said = {token.word.stem for token in tokenize(text)}
    total = sum(wanted.values())
    return total > 0 and sum(weight for stem, weight in wanted.items() if stem in said) >= _RESTATED * total
