"""Names in a claim: which are in no chunk, which took another's place, and which changed roles."""

import itertools
from collections.abc import Sequence, Set
from dataclasses import dataclass

from faithview.judges.lexical.comparing.comparison import Comparison, Conflict, ConflictKind, Name
from faithview.judges.lexical.passages.index import Context, Passage
from faithview.judges.text.lexicon import NEGATIONS, word_set
from faithview.judges.text.tokens import Token
from faithview.judges.text.units import UNITS

# Capitalised words that begin sentences or headings and name nothing.
_NO_NAME = word_set(
    """step note tip tips however additionally overall finally first second third next then passage passages summary
    answer question context document documents chapter section table figure part mr mrs ms dr prof sir lady lord
    president monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays
    saturdays sundays amenities diners patrons reviewers january february march april may june july august september
    october november december am pm ok faq pros cons method option warning important"""
)


_UNIT_NAMES = word_set("fahrenheit celsius")


def find_names(
    text: str, tokens: Sequence[Token], *, known_lower: Set[str] = frozenset(), known_names: Set[str] = frozenset()
) -> list[Name]:
    """Return the names among the tokens of a text.

    Args:
        text: what the tokens' offsets point into.
        tokens: the words of one sentence.
        known_lower: words that occur in lower case elsewhere; at the start of a sentence such a word is not a name.
        known_names: words, in lower case, that are capitalised within a sentence elsewhere: such a word is a name.
    """
    names: list[Name] = []
    run: list[Token] = []
    for position, token in enumerate(tokens):
        if _is_name_word(text, tokens, position, known_lower, known_names):
            if run and text[run[-1].end : token.start].strip(" \t’'-&.") != "":
                _close(names, run)
                run = []
            run.append(token)
        elif run and not _joins(text, run[-1], token, tokens, position):
            _close(names, run)
            run = []
    _close(names, run)
    return names


def missing_names(names: Sequence[Name], context: Context) -> list[Name]:
    """Return the names whose significant words are in no chunk and not in the question."""
    return [name for name in names if not _is_known(name, context)]


def name_in_its_place(
    name: Name, claim_tokens: Sequence[Token], context: Context, passage: Passage, claim_stems: set[str]
) -> Name | None:
    """Return the name that the passage has where the claim has another, or None.

    The place is the same where the words right before and right after agree: one of them, if it is a word with meaning.
    """
    before, after = _neighbours(claim_tokens, name)
    text = context.texts[passage.chunk]
    joined = "".join(token.word.lower for token in name.tokens)
    for other in find_names(text, passage.tokens, known_lower=context.lowers):
        if any(stem in claim_stems for stem in other.stems) or other.tokens[0] is passage.tokens[0]:
            continue
        other_joined = "".join(token.word.lower for token in other.tokens)
        if joined.startswith(other_joined) or other_joined.startswith(joined):
            continue  # "New Files" and "NewFiles", "PhD" and "Ph.D."
        other_before, other_after = _neighbours(passage.tokens, other)
        if (before and before == other_before) or (after and after == other_after):
            return other
        # "Directed by A" against "B directed".
        if after and after == other_before and _follows_by(passage.tokens, other):
            return other
        if before and before == other_after and _follows_by(claim_tokens, name):
            return other
    return None


def _is_name_word(
    text: str, tokens: Sequence[Token], position: int, known_lower: Set[str], known_names: Set[str]
) -> bool:
    word = tokens[position].word
    if (
        not word.is_capitalised
        or word.lower in _NO_NAME
        or word.lower in _UNIT_NAMES
        or (word.is_acronym and word.lower in UNITS)
    ):
        return False
    if word.is_acronym:
        return word.is_content
    if not word.is_content:
        return False
    if _begins_sentence(text, tokens, position):
        following = tokens[position + 1].word if position + 1 < len(tokens) else None
        if word.lower in known_names and word.lower not in known_lower:
            return True
        if word.lower in known_lower or word.weight < _COMMON:
            return False
        # A sentence's first word is capitalised anyway; a second capital or a rare word makes it a name.
        return word.weight > _RARE or (following is not None and following.is_capitalised and following.is_content)
    return True


# Inverse document frequencies: below, a first word is an ordinary one; above, it is hardly in a dictionary.
_COMMON = 5.0
_RARE = 7.2


def _begins_sentence(text: str, tokens: Sequence[Token], position: int) -> bool:
    if position == 0:
        return True
    before = tokens[position - 1]
    between = text[before.end : tokens[position].start]
    # The full stop after "Dr" or an initial does not end a sentence.
    return any(mark in between for mark in ':!?*>|“"') or (
        "." in between and before.end - before.start > _LONGEST_TITLE
    )


_LONGEST_TITLE = 3


def _joins(text: str, last: Token, token: Token, tokens: Sequence[Token], position: int) -> bool:
    # "Bank of England", "Leonardo da Vinci".
    if token.word.lower not in ("of", "de", "da", "von", "van", "der", "la", "le", "al", "bin", "the", "del"):
        return False
    return position + 1 < len(tokens) and tokens[position + 1].word.is_capitalised and token.start - last.end <= 1


def _close(names: list[Name], run: list[Token]) -> None:
    if run:
        names.append(Name(start=run[0].start, end=run[-1].end, tokens=tuple(run)))


def _is_known(name: Name, context: Context) -> bool:
    missing = [t for t in name.tokens if not (context.knows(t.word.stem) or context.resembles(t.word.stem))]
    if not missing:
        return True
    if all(t.word.is_acronym and _is_initials(t.word.lower, context) for t in missing):
        return True
    return len(name.tokens) > 1 and all(t.word.lower + "s" in context.lowers for t in missing)


def _is_initials(acronym: str, context: Context) -> bool:
    """Return whether words that follow each other in a chunk begin with the acronym's letters."""
    for passage in context.passages:
        letters = "".join(token.word.lower[0] for token in passage.tokens if token.word.is_content)
        if acronym in letters:
            return True
    return False


def _follows_by(tokens: Sequence[Token], name: Name) -> bool:
    last = next((token for token in reversed(tokens) if token.end <= name.start), None)
    return last is not None and last.word.lower == "by"


def _neighbours(tokens: Sequence[Token], name: Name) -> tuple[str, str]:
    before = after = ""
    for token in tokens:
        if token.end <= name.start:
            if token.word.is_content or token.word.is_number:
                before = token.word.stem
        elif token.start >= name.end and (token.word.is_content or token.word.is_number):
            after = token.word.stem
            break
    return before, after


# Symmetric relations, and words that name no role.
MUTUAL = word_set("marri meet merg partner join compet talk speak agre divorc date team pair play vs and with")

# With more words between them, two names are rarely subject and object of one verb.
_LONGEST_GAP = 6
_PASSIVE_BE = word_set("is are was were be been being got")


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap:
    """Where the claim and the passage say it, from the first name to the second."""

    claim_span: tuple[int, int]
    passage_span: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Link:
    verb: str
    is_passive: bool


def find_swap(
    claim_text: str, tokens: Sequence[Token], names: Sequence[Name], passage_text: str, passage_tokens: Sequence[Token]
) -> Swap | None:
    """Return two names with exchanged roles around the same verb in the claim and in the passage."""
    for first, second in itertools.pairwise(names):
        link = _link(claim_text, tokens, first.end, second.start)
        if link is None or set(first.stems) & set(second.stems):
            continue
        here = _find_name(first, passage_tokens)
        there = _find_name(second, passage_tokens)
        if here is None or there is None:
            continue
        is_reversed = there[0] < here[0]
        low, high = (there, here) if is_reversed else (here, there)
        other = _link(passage_text, passage_tokens, low[1], high[0])
        if other is None or other.verb != link.verb:
            continue
        if is_reversed != (other.is_passive != link.is_passive):
            return Swap(claim_span=(first.start, second.end), passage_span=(low[0], high[1]))
    return None


def _link(text: str, tokens: Sequence[Token], start: int, end: int) -> _Link | None:
    between = [t for t in tokens if start <= t.start and t.end <= end]
    if not between or len(between) > _LONGEST_GAP or any(mark in text[start:end] for mark in ",;:.()"):
        return None
    verbs = [t.word.stem for t in between if t.word.is_content and not t.word.is_capitalised]
    lowers = [t.word.lower for t in between]
    if len(verbs) != 1 or verbs[0] in MUTUAL or any(lower in NEGATIONS or lower in ("and", "with") for lower in lowers):
        return None
    return _Link(verb=verbs[0], is_passive="by" in lowers and any(lower in _PASSIVE_BE for lower in lowers))


def _find_name(name: Name, tokens: Sequence[Token]) -> tuple[int, int] | None:
    """Return the place of the name's words in the passage, if they occur together exactly once."""
    wanted = name.stems
    places = [
        (tokens[at].start, tokens[at + len(wanted) - 1].end)
        for at in range(len(tokens) - len(wanted) + 1)
        if all(tokens[at + k].word.stem == stem for k, stem in enumerate(wanted))
    ]
    return places[0] if len(places) == 1 else None


_VERBS = word_set("is are means refers")

# A subject is short; a longer one contains a clause.
_LONGEST_SUBJECT = 5
_FEWEST_PREDICATE_WORDS = 2

# The subject's own sentence must contain less than this share of the claim's predicate.
_SAYS_OTHERWISE = 0.7


@dataclass(frozen=True, slots=True, kw_only=True)
class _Definition:
    start: int
    end: int
    subject: frozenset[str]
    predicate: frozenset[str]


def find_subject_conflict(comparison: Comparison, context: Context) -> Conflict | None:
    """Return the conflict with a sentence that says the claim's predicate of another subject, or None.

    The claim's own subject must be defined in a sentence too.
    """
    claim = _definition(comparison.tokens)
    if claim is None or len(claim.predicate) < _FEWEST_PREDICATE_WORDS:
        return None
    if any(t.word.is_acronym for t in comparison.tokens if t.start < claim.end):
        return None  # the acronym may stand for the other subject
    owner: Conflict | None = None
    has_other_definition = False
    places = {place for stem in claim.predicate | claim.subject for place in context.postings.get(stem, ())}
    for place in sorted(places):
        passage = context.passages[place]
        other = _definition(passage.tokens)
        if other is None:
            if claim.subject | claim.predicate <= {t.word.stem for t in passage.tokens}:
                return None
            continue
        shared = len(claim.predicate & other.predicate) / len(claim.predicate)
        if other.subject == claim.subject:
            if shared >= _SAYS_OTHERWISE:
                return None
            has_other_definition = True
        elif claim.predicate <= other.predicate and not claim.subject & (other.subject | other.predicate):
            owner = owner or Conflict(
                kind=ConflictKind.SUBJECT,
                passage=passage,
                claim_span=(claim.start, claim.end),
                passage_span=(other.start, other.end),
            )
    return owner if has_other_definition else None


def _definition(tokens: Sequence[Token]) -> _Definition | None:
    """Return subject and predicate of "A merchant is a person who sells goods", or None."""
    at = next((n for n, t in enumerate(tokens[: _LONGEST_SUBJECT + 1]) if t.word.lower in _VERBS), 0)
    if at == 0 or any(t.word.lower in NEGATIONS for t in tokens):
        return None
    subject = frozenset(t.word.stem for t in tokens[:at] if t.word.is_content)
    predicate = frozenset(t.word.stem for t in tokens[at + 1 :] if t.word.is_content or t.word.is_number)
    if not subject or not predicate:
        return None
    return _Definition(start=tokens[0].start, end=tokens[at - 1].end, subject=subject, predicate=predicate)
