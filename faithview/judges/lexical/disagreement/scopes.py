"""Whether two statements are about different plans, regions, versions, people or documents."""

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise, takewhile

from faithview.judges.lexical.disagreement.documents import Clause, Statement
from faithview.judges.lexical.disagreement.vocabulary import Vocabulary, find_codes
from faithview.judges.text.lexicon import word_set
from faithview.judges.text.tokens import Token, read_word_sets, tokenize

# The number of a section: "4.1".
_SECTION = re.compile(r"\d+(?:\.\d+)+\.?")
_NUMBER = re.compile(r"v?\d[\d.]*")
_OF_THE_PAST = re.compile(r"\b(?:before|until|up to|withdrawn|deprecated|older)\b", re.IGNORECASE)
_PATH = re.compile(r"`[^`]+`|\S*/\S+")
_HEADING_PARTS = re.compile(r" (?:/|>) ")
_SUBTITLE = re.compile(r"[:(–—]")
_DENIALS = word_set("without not no")

# Headings with more than this share of their words alike, in order, are of one pattern.
_ONE_PATTERN = 0.5

_STRONG = "strong"


@lru_cache(maxsize=1)
def _scope_words() -> Mapping[str, frozenset[str]]:
    return read_word_sets(__package__, "scopes.toml")


def are_about_others(
    one: Statement,
    other: Statement,
    clauses: tuple[Clause, Clause],
    vocabulary: Vocabulary,
    *,
    is_strict: bool = True,
    are_repeated: bool = False,
) -> bool:
    """Return whether two statements are about different things.

    Args:
        one: a statement.
        other: another one.
        clauses: the clause of each that is compared.
        vocabulary: the words of all documents.
        is_strict: whether a word or a name that limits only one of them is enough; otherwise each needs its own.
        are_repeated: whether the clauses are nearly the same; then different kinds in the headings do not count.
    """
    return (
        _differ_in_labels(one, other)
        or _differ_in_names(one, other, clauses, vocabulary, is_strict=is_strict)
        or _differ_in_words(one, other, clauses, is_strict=is_strict, are_repeated=are_repeated)
        or _differ_in_numbers(one, other, vocabulary)
        or (is_strict and _begins_with_limit(one, other))
        or (is_strict and _begins_with_limit(other, one))
        or _are_of_parallel_documents(one, other, vocabulary)
    )


def _differ_in_labels(one: Statement, other: Statement) -> bool:
    mine, theirs = one.source.labels, other.source.labels
    return any(name in theirs and theirs[name] != value for name, value in mine.items())


def _differ_in_names(
    one: Statement, other: Statement, clauses: tuple[Clause, Clause], vocabulary: Vocabulary, *, is_strict: bool
) -> bool:
    mine, theirs = (
        {t.word.stem: t for t in _names_of(statement, clause.words, vocabulary)}
        for statement, clause in zip((one, other), clauses, strict=True)
    )
    alone = {stem: token for stem, token in mine.items() if stem not in other.around}
    alone_there = {stem: token for stem, token in theirs.items() if stem not in one.around}
    if alone and alone_there:
        return True
    # "Port Ellery" is among "Port Ellery and Sandmere".
    if not is_strict or any(vocabulary.is_one_of_several(stem) for stem in mine.keys() & theirs.keys()):
        return False
    return any(
        vocabulary.limits(token) and stem not in against.source.stems
        for names, against in ((alone, other), (alone_there, one))
        for stem, token in names.items()
    )


def _names_of(statement: Statement, words: Sequence[Token], vocabulary: Vocabulary) -> list[Token]:
    said = [token for token in words if statement.is_telling(token)]
    return [token for token in (*said, *statement.title_tokens) if vocabulary.is_name(token)]


def _differ_in_words(
    one: Statement, other: Statement, clauses: tuple[Clause, Clause], *, is_strict: bool, are_repeated: bool
) -> bool:
    sides = ((one, other, clauses[0]), (other, one, clauses[1]))
    for name, words in _scope_words().items():
        mine, theirs = (
            {
                t.word.stem
                for t in (*clause.words, *(() if are_repeated and name != _STRONG else statement.title_tokens))
                if t.word.lower in words and t.word.stem not in against.around
            }
            for statement, against, clause in sides
        )
        if mine and theirs:
            return True
        if name == _STRONG and is_strict and (mine - other.source.stems or theirs - one.source.stems):
            return True
    return False


def _begins_with_limit(one: Statement, other: Statement) -> bool:
    """Return whether a statement begins with what limits it, and the other has no word of that: "With a class card"."""
    tokens = one.tokens
    if one.place.is_cell or len(tokens) < _FEWEST_AFTER_LIMIT or tokens[0].word.lower not in _BEFORE_LIMITS:
        return False
    limit: list[Token] = []
    for before, token in pairwise(tokens):
        if limit and (
            one.between(before, token).strip() or token.word.lower in _BEGIN_SUBJECTS or token.word.is_number
        ):
            break
        if one.is_telling(token):
            limit.append(token)
    else:
        return False
    return any(
        not other.source.stem_set.has(token.word.stem) and token.word.lower not in _NO_LIMITS
        for token in limit[:_LONGEST_LIMIT]
    )


_BEFORE_LIMITS = word_set("in at on for with during")
# "For your safety", "in general".
_NO_LIMITS = word_set("safety security example instance addition general principle practice case cases fact")
_BEGIN_SUBJECTS = word_set(
    "and or a an the you we they it he she each every all no your our their this that these those its any"
)
_LONGEST_LIMIT = 3
_FEWEST_AFTER_LIMIT = 5


def _differ_in_numbers(one: Statement, other: Statement, vocabulary: Vocabulary) -> bool:
    """Return whether the headings name different models, versions or years, or the statements different models."""
    mine, theirs = (
        {code for code in _codes_of(statement.heading) if not vocabulary.is_id(code)} for statement in (one, other)
    )
    if mine and theirs and mine.isdisjoint(theirs):
        return True
    for codes, statement, against in ((mine, one, other), (theirs, other, one)):
        numbers = {code for code in codes if _NUMBER.fullmatch(code)}
        if numbers and _OF_THE_PAST.search(statement.heading) and numbers.isdisjoint(_codes_of(against.text)):
            return True
    models, others = _models_of(one), _models_of(other)
    return any(name in others and numbers.isdisjoint(others[name]) for name, numbers in models.items())


def _codes_of(text: str) -> set[str]:
    return {code for code in find_codes(_PATH.sub(" ", text)) if not _SECTION.fullmatch(code)}


def _models_of(statement: Statement) -> dict[str, set[str]]:
    """Return the numbers after each name: "Nook 2 and Nook 3"."""
    models: dict[str, set[str]] = {}
    for tokens, text in ((statement.tokens, statement.text), (statement.heading_tokens, statement.heading)):
        for name, number in pairwise(tokens):
            if name.word.is_capitalised and number.word.is_number and text[name.end : number.start] == " ":
                models.setdefault(name.word.stem, set()).add(number.word.lower)
    return models


def _are_of_parallel_documents(one: Statement, other: Statement, vocabulary: Vocabulary) -> bool:
    """Return whether the headings are of one pattern and differ: "Guests (Team plan)" and "Guests (Business plan)"."""
    shared = find_codes(one.heading) & find_codes(other.heading)
    headings = _without_common_part(
        vocabulary.without_codes(one.heading, shared), vocabulary.without_codes(other.heading, shared)
    )
    here, there = (tokenize(heading) for heading in headings)
    mine, theirs = (
        frozenset(t.word.stem for t in tokens if t.word.is_content and not t.word.is_acronym)
        for tokens in (here, there)
    )
    denied, denied_there = _denied_in(here), _denied_in(there)
    if (denied - denied_there) & theirs or (denied_there - denied) & mine:
        return True
    paths = [frozenset(_PATH.findall(heading)) for heading in headings]
    if all(paths) and paths[0] != paths[1]:
        return True
    if _is_variant_of(one, mine, there, theirs) or _is_variant_of(other, theirs, here, mine):
        return True
    if not mine - theirs or not theirs - mine:
        return False
    return _are_of_one_pattern((here, there), (mine, theirs), (one, other)) or _differ_after_topic(headings)


def _without_common_part(one: str, other: str) -> tuple[str, str]:
    """Return two headings without the titles above both of them: "Billing > Refunds" and "Billing > Invoices"."""
    mine, theirs = _HEADING_PARTS.split(one), _HEADING_PARTS.split(other)
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(mine, theirs, strict=False)))
    return " / ".join(mine[common:]), " / ".join(theirs[common:])


def _denied_in(tokens: Sequence[Token]) -> frozenset[str]:
    """Return the words that a heading denies: "MRI scan without contrast"."""
    return frozenset(after.word.stem for before, after in pairwise(tokens) if before.word.lower in _DENIALS)


def _is_variant_of(one: Statement, mine: frozenset[str], there: Sequence[Token], theirs: frozenset[str]) -> bool:
    """Return whether the other's heading adds a name to this one's: "Roadside" and "Roadside Complete"."""
    return (
        bool(mine)
        and mine < theirs
        and any(
            token.word.is_capitalised and token.word.stem in theirs - mine and token.word.stem not in one.source.stems
            for token in there[1:]
        )
    )


def _are_of_one_pattern(
    headings: tuple[Sequence[Token], Sequence[Token]],
    stems: tuple[frozenset[str], frozenset[str]],
    statements: tuple[Statement, Statement],
) -> bool:
    mine, theirs = stems
    here, there = ([t for t in tokens if not t.word.is_number] for tokens in headings)
    words, others = [t.word.stem for t in here], [t.word.stem for t in there]
    has_common_end = words[0] == others[0] or words[-1] == others[-1]
    if mine & theirs and has_common_end and SequenceMatcher(None, words, others, autojunk=False).ratio() > _ONE_PATTERN:
        return True
    # "Working from home" and "Working from abroad", where neither passage is about the other's subject.
    alone = mine - theirs - statements[1].source.stems, theirs - mine - statements[0].source.stems
    if words[0] == others[0] and here[0].word.is_content and all(alone):
        return True
    # "Gym contracts" and "Gas contracts".
    is_long = min(len(words), len(others)) > 1
    return is_long and words[-1] == others[-1] and words[-2] in mine - theirs and others[-2] in theirs - mine


def _differ_after_topic(headings: tuple[str, str]) -> bool:
    """Return whether two headings have one topic and differ after it: "Punctuality: trams", "Punctuality: ferry"."""
    topics = [_SUBTITLE.split(heading, maxsplit=1) for heading in headings]
    return all(len(topic) > 1 for topic in topics) and topics[0][0].strip() == topics[1][0].strip()
