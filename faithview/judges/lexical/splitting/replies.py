"""Answers of a word or two to a question that "yes" or "no" answers, as the statements that they make.

"No, it does not.", "Not on the Basic plan.", "Never." and "Yes, you can, but only on weekdays." state something only
together with their question.
"""

import re
from dataclasses import dataclass, replace

from faithview.judges.lexical.splitting.questions import Asked
from faithview.judges.text.lexicon import NEGATIONS
from faithview.judges.text.tokens import tokenize

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

# What follows without a verb of its own, or with one after "if" and the like, goes with the question's predicate.
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
    """What the beginning of a sentence answers: `statement` is "" where nothing is known to be asked.

    `end` is where its words end; what follows in the sentence speaks for itself.
    """

    statement: str
    end: int


@dataclass(frozen=True, slots=True)
class _Words:
    """The words at the beginning of a sentence that say yes or no, up to `end`; `said` is where the last of them ends.

    `is_denied` is None where none of them says either.
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
    """Return what a sentence of an answer replies to a question; None where it speaks for itself.

    Args:
        text: the sentence, without marks.
        asked: the question, None where "yes" and "no" do not answer it.
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
