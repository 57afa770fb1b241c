"""Names in a claim: which stand in no chunk, which took another's place, and which changed roles."""

from collections.abc import Sequence, Set

from faithview.judges.lexical.comparison.name import Name
from faithview.judges.lexical.retrieval.index import Context
from faithview.judges.lexical.retrieval.passage import Passage
from faithview.judges.text.lexicon import word_set
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
        known_lower: words that stand in small letters elsewhere; at the start of a sentence such a word names nothing.
        known_names: words, in small letters, that stand capitalised within a sentence elsewhere: such a word is a name.
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
    """Return the names of which no word that matters stands in a chunk or in the question."""
    return [name for name in names if not _is_known(name, context)]


def name_in_its_place(
    name: Name, claim_tokens: Sequence[Token], context: Context, passage: Passage, claim_stems: set[str]
) -> Name | None:
    """Return the name that stands in the passage where the claim has another, or None.

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
    # The full stop after "Dr" or an initial ends no sentence.
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
