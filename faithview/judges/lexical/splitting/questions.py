"""A question that "yes" or "no" answers, as the statement that such an answer makes.

"No" to "Does the Basic plan support SSO?" states "The Basic plan does not support SSO." To write that, the question is
taken apart into its auxiliary, its subject and its predicate. Word lists tell where the subject ends
(`questions.toml`); after a wrong guess the statement has the same words in an odd order.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from faithview.judges.text.lexicon import word_set
from faithview.judges.text.plain import plain_lines, plain_words
from faithview.judges.text.sentences import split_sentences_quickly
from faithview.judges.text.vocabulary import read_word_sets

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
        asked = _read(sentence)
        if asked is not None:
            return asked
    return None


def _read(sentence: str) -> Asked | None:
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


# "Do you ship to Rome?" asks a company; "can you return it?" asks what anybody can.
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
