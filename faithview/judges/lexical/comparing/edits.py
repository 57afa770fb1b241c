"""A claim that nearly repeats a sentence: which words it swaps, adds or leaves out, and whether that matters."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import Match, SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

from faithview.judges.lexical.comparing.comparison import Comparison, EditKind, FoundEdit, aligned_passages
from faithview.judges.lexical.comparing.value_conflicts import says_whose
from faithview.judges.lexical.passages.equality import can_differ, is_same
from faithview.judges.lexical.passages.index import Context, Passage
from faithview.judges.lexical.passages.values import Value
from faithview.judges.text.lexicon import NEARLY_NEGATIONS, NEGATIONS, OPPOSITES, word_set
from faithview.judges.text.tokens import Token
from faithview.judges.text.units import SMALL_NUMBERS, TENS

_NUMBERS = {word: f"{number:.0f}" for word, number in (SMALL_NUMBERS | TENS).items()}

# A single one of these words between two edits does not count as a match.
_LINKS = word_set(
    "a an the of to in on at by for with and or is are be was were has have had it you your we our this that"
)

# Maximum pairs of equal words. Two long sentences of prose have 500; one word repeated a thousand times would take a
# minute to align.
_MOST_PAIRS = 20_000

# Words that begin another clause, and marks that end one: an edit at the end of a claim stops there.
_TURNS = word_set("and or but while whereas")
_CLAUSE_MARKS = frozenset(",;:.()!?–—\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """The claim's words (`mine`) and the sentence's other words (`theirs`); one of the two may be empty.

    `before` and `after` are how many words in a row claim and sentence have alike on each side, 0 at the claim's ends.
    `at` is the number of the claim's word where the edit begins, `there` that of the sentence's.
    """

    mine: Sequence[Token]
    theirs: Sequence[Token]
    before: int
    after: int
    at: int
    there: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """The edits that turn a sentence into the claim, in order, and the number of equal words (`matched`)."""

    matched: int
    edits: tuple[Edit, ...]


def align(tokens: Sequence[Token], sentence: Sequence[Token], text: str) -> Alignment:
    """Align a claim with a sentence.

    What the sentence says before and after that part of it which the claim repeats is not an edit. If the claim itself
    begins or ends with its own words, their counterpart ends at the next punctuation mark.

    Args:
        tokens: the claim's words.
        sentence: the sentence's words.
        text: what the sentence's words point into.
    """
    mine, theirs = [_key(token) for token in tokens], [_key(token) for token in sentence]
    if len(mine) > 1 and mine == theirs:
        return Alignment(matched=len(mine), edits=())
    if _pairs(mine, theirs) > _MOST_PAIRS:
        return Alignment(matched=0, edits=())
    blocks = _joined(SequenceMatcher(None, mine, theirs, autojunk=False).get_matching_blocks(), tokens)
    if not blocks:
        return Alignment(matched=0, edits=())
    edits = []
    first, last = blocks[0], blocks[-1]
    if first.a > 0:
        start = _clause_start(sentence, first.b, text)
        edits.append(_edit(tokens[: first.a], sentence[start : first.b], (0, first.size), (0, start)))
    for one, other in pairwise(blocks):
        at, there = one.a + one.size, one.b + one.size
        edits.append(_edit(tokens[at : other.a], sentence[there : other.b], (one.size, other.size), (at, there)))
    at, there = last.a + last.size, last.b + last.size
    if at < len(tokens):
        end = _clause_end(sentence, there, text)
        edits.append(_edit(tokens[at:], sentence[there:end], (last.size, 0), (at, there)))
    return Alignment(matched=sum(block.size for block in blocks), edits=tuple(edits))


def _pairs(mine: Sequence[str], theirs: Sequence[str]) -> int:
    """Return how many pairs of a word here and a word there are alike."""
    there = Counter(theirs)
    return sum(count * there[word] for word, count in Counter(mine).items())


def _edit(mine: Sequence[Token], theirs: Sequence[Token], alike: tuple[int, int], at: tuple[int, int]) -> Edit:
    return Edit(mine=mine, theirs=theirs, before=alike[0], after=alike[1], at=at[0], there=at[1])


def is_count(token: Token) -> bool:
    """Return whether a word is a whole number, in digits or written out: "three"."""
    return token.word.is_number or token.word.lower in _NUMBERS


def _key(token: Token) -> str:
    return _NUMBERS.get(token.word.lower, token.word.stem)


def _joined(blocks: Sequence[Match], tokens: Sequence[Token]) -> list[Match]:
    """Leave out single matching words between words that differ: "of" in two other phrases."""
    return [block for block in blocks if block.size > 1 or (block.size and tokens[block.a].word.lower not in _LINKS)]


def _clause_start(sentence: Sequence[Token], end: int, text: str) -> int:
    start = end
    while start > 0 and not _is_marked(text, sentence[start - 1], sentence[min(start, len(sentence) - 1)]):
        start -= 1
    return start


def _clause_end(sentence: Sequence[Token], start: int, text: str) -> int:
    end = start
    while end < len(sentence):
        if end > 0 and _is_marked(text, sentence[end - 1], sentence[end]):
            break
        if end > start and sentence[end].word.lower in _TURNS:
            break
        end += 1
    return end


def _is_marked(text: str, before: Token, after: Token) -> bool:
    return not _CLAUSE_MARKS.isdisjoint(text[before.end : after.start])


# Each group: words that exclude each other in the same place, those that say the same in one string.
_GROUPS = (
    ("all every each everyone everybody everything any anyone whole entire both", "one single",
     "some several few part", "most", "half", "no none nobody nothing"),
    ("always", "often usually mostly generally", "sometimes occasionally", "rarely seldom", "never"),
    ("once", "twice", "thrice"),
    ("can may could might", "must shall required obliged"),
    ("before", "after", "during"),
    ("until", "from since"),
    ("second seconds", "minute minutes", "hour hours hourly", "day days daily", "week weeks weekly",
     "fortnight fortnightly", "month months monthly",
     "quarter quarters quarterly", "year years yearly annual annually"),
    ("working business weekday weekdays", "calendar consecutive"),
    ("kb", "mb", "gb", "tb"),
    ("gross", "net"),
    ("you your yours yourself", "we us our ours ourselves"),
    ("first", "second", "third", "fourth", "last final"),
    ("oldest earliest", "newest latest youngest"),
    ("older", "newer younger"),
    ("old", "new"),
    ("earlier sooner", "later"),
    ("major", "minor"),
    ("longer", "shorter"),
    ("lengthened extended prolonged", "shortened"),
    ("higher", "lower"),
    ("highest", "lowest"),
    ("included including inclusive", "excluded excluding exclusive excepted except"),
    ("more", "fewer less"),
    ("larger bigger", "smaller"),
    ("upper", "lower"),
    ("increase increases increased rise rises raised", "decrease decreases decreased fall falls lowered reduced"),
    ("read", "write"),
    ("incoming inbound", "outgoing outbound"),
    ("sender", "recipient"),
    ("administrator administrators admin admins", "operator operators", "auditor auditors", "member members",
     "owner owners", "viewer viewers", "editor editors", "guest guests", "developer developers", "manager managers",
     "agent agents", "heir heirs", "landlord landlords", "tenant tenants", "employer employers", "employee employees",
     "buyer buyers", "seller sellers", "teacher teachers", "lecturer lecturers", "student students",
     "parent parents", "child children", "grandparent grandparents", "doctor doctors", "nurse nurses",
     "patient patients", "pharmacist pharmacists", "insurer insurers", "driver drivers", "passenger passengers",
     "lawyer lawyers", "judge judges", "dealer dealers", "reseller resellers", "supplier suppliers"),
    ("internal internally", "external externally"),
    ("valid", "invalid"),
    ("same", "other another different separate"),
    ("left", "right"),
    ("north", "south", "east", "west"),
    ("on", "off"),
    ("public", "private"),
    ("weekday weekdays", "weekend weekends"),
    ("morning", "afternoon", "evening", "night"),
    ("lost", "stolen"),
    ("minimum", "maximum"),
    ("early", "late"),
    ("clockwise", "counterclockwise anticlockwise"),
    ("red", "green", "blue", "yellow", "orange amber", "white", "black", "purple violet", "brown", "pink", "grey gray",
     "silver", "gold"),
    ("rented rent rents renting leased lease", "bought buy buys buying purchased", "sold sell sells selling"),
    ("lent lend lends loaned", "donated donate donates gave", "sold sell sells"),
    ("postponed postpone delayed", "cancelled canceled cancel"),
    ("suspended", "expelled dismissed"),
    ("warned", "banned", "fined"),
    ("doubled double", "tripled triple", "halved"),
    ("swiss", "us american", "canadian", "australian"),
    ("odd", "even"),
    ("horizontal horizontally", "vertical vertically"),
    ("summer", "winter", "spring", "autumn"),
    ("captain", "coach"),
    ("senior", "junior"),
)  # fmt: skip

# word -> the groups that it is in, each with the number of its place there
_PLACES: dict[str, list[tuple[int, int]]] = {}
for _group, _alternatives in enumerate(_GROUPS):
    for _number, _words in enumerate(_alternatives):
        for _word in _words.split():
            _PLACES.setdefault(_word, []).append((_group, _number))

_OPPOSITE: dict[str, list[tuple[int, int]]] = {}
for _group, _sides in enumerate(OPPOSITES):
    for _number, _words in enumerate(_sides):
        for _word in _words.split():
            _OPPOSITE.setdefault(_word, []).append((_group, _number))

_DENYING = NEGATIONS | {"forbidden", "prohibited", "excluded", "impossible", "unable"}


def is_of_class(token: Token) -> bool:
    """Return whether a word belongs to a class, or is the opposite of another one."""
    return token.word.lower in _PLACES or token.word.stem in _OPPOSITE


def differs_in_class(mine: Sequence[Token], theirs: Sequence[Token]) -> bool:
    """Return whether the two hold words of one class that exclude each other: "weeks" and "months"."""
    here = _places(_PLACES, [t.word.lower for t in mine])
    there = _places(_PLACES, [t.word.lower for t in theirs])
    return _exclude(here, there)


def are_opposites(mine: Sequence[Token], theirs: Sequence[Token]) -> bool:
    """Return whether the two hold opposites: "shortened" and "extended"."""
    return _exclude(_places(_OPPOSITE, [t.word.stem for t in mine]), _places(_OPPOSITE, [t.word.stem for t in theirs]))


def _places(index: dict[str, list[tuple[int, int]]], words: Iterable[str]) -> dict[int, set[int]]:
    places: dict[int, set[int]] = {}
    for word in words:
        for group, number in index.get(word, ()):
            places.setdefault(group, set()).add(number)
    return places


def _exclude(here: dict[int, set[int]], there: dict[int, set[int]]) -> bool:
    return any(group in there and numbers.isdisjoint(there[group]) for group, numbers in here.items())


def bound_of(tokens: Sequence[Token]) -> int:
    """Return 1 for words that set a lower limit ("at least"), -1 for an upper one ("up to"), 0 for neither or both."""
    words = ["", *(t.word.lower for t in tokens), ""]
    signs = set()
    for before, word, after in zip(words, words[1:], words[2:], strict=False):
        sign = _ALONE.get(word) or (_BEFORE_THAN.get(word) if after == "than" else 0) or 0
        if word in ("least", "most") and before in ("at", ""):
            sign = 1 if word == "least" else -1
        elif word == "up" and after == "to":
            sign = -1
        if sign:
            signs.add(-sign if before in NEGATIONS else sign)
    return signs.pop() if len(signs) == 1 else 0


_ALONE = {
    **dict.fromkeys(("over", "above", "exceeding", "minimum"), 1),
    **dict.fromkeys(("under", "below", "within", "maximum", "max"), -1),
}
_BEFORE_THAN = {
    **dict.fromkeys(("more", "longer", "later", "older", "greater", "larger"), 1),
    **dict.fromkeys(("less", "fewer", "earlier", "shorter", "younger", "smaller"), -1),
}


def has_negation(tokens: Sequence[Token]) -> bool:
    """Return whether a "not" or the like is among the words."""
    return any(t.word.lower in NEGATIONS for t in tokens)


def nearly_denies(tokens: Sequence[Token]) -> bool:
    """Return whether a word among them denies in its own way: "instead of copying"."""
    return any(t.word.lower in NEARLY_NEGATIONS for t in tokens)


def denies(tokens: Sequence[Token]) -> bool:
    """Return whether the words deny an odd number of times."""
    words = [t.word.lower for t in tokens]
    return sum(word in _DENYING for word in words) % 2 == 1


# How many passages to compare, those that share most words first: a repeated one is among them.
_LOOKED_AT = 3

# A claim that shares a smaller part of its words with a sentence does not repeat it, so skip the slow comparison.
_LEAST_SHARED = 0.6


class _Need(NamedTuple):
    """The conditions for a sure edit.

    `repeated` is the share of the claim's other words that are the sentence's, in its order, and `beside` how many of
    them are directly next to the edit; `mine` and `theirs` are how many words it has on each side at most.
    """

    repeated: float
    beside: int
    mine: int
    theirs: int


# Set on the parts `fit` and `tune` of the help-desk answers, where nine of ten sure edits are errors.
_NEEDS = {
    EditKind.VALUE: _Need(0.6, 6, 3, 3),
    EditKind.LIMIT: _Need(0.6, 4, 3, 3),
    EditKind.NEGATION: _Need(0.8, 5, 3, 3),
    EditKind.CLASS: _Need(0.8, 4, 2, 2),
    EditKind.NAME: _Need(0.8, 5, 2, 2),
    EditKind.DROPPED: _Need(0.7, 5, 0, 2),
}
# A word of a class among plain ones ("at least one of the", "both") needs more matching words next to it.
_LONGER = {EditKind.CLASS: _Need(0.7, 9, 5, 5)}

# Words whose presence or absence changes nothing.
_PLAIN = word_set(
    """a an the this that these those is are was were be been being do does did has have had to of it its they their
    them he she his her which who there here so then also too very just will would shall i as such"""
)

_JOINS = word_set("and or nor")
_BESIDE_OF_JOINS = 12

# If the sentence also has the claim's value, more neighbouring words must agree before another value counts.
_BESIDE_OF_SAME_VALUE = 8

# Leaving one of these out changes the quantity or frequency.
_COUNT = word_set("half single never not")


def find_edit(comparison: Comparison, context: Context) -> FoundEdit | None:
    """Return the edit that matters most in a claim that nearly repeats a passage, or None.

    A claim that a passage says word for word has no edit, regardless of other passages. Fields of records and rows of
    tables are not sentences.
    """
    best = _nearest(comparison, context)
    if best is None:
        return None
    alignment, passage = best
    found = [
        edit for edit in (_as_found(edit, alignment, comparison, context, passage) for edit in alignment.edits) if edit
    ]
    return max(found, key=lambda edit: (edit.is_sure, edit.beside), default=None)


def _nearest(comparison: Comparison, context: Context) -> tuple[Alignment, Passage] | None:
    claimed = {t.word.stem for t in comparison.tokens if t.word.is_content}
    whose = [value for value in comparison.values if says_whose(value, comparison)]
    best: tuple[Alignment, Passage] | None = None
    for aligned in aligned_passages(comparison, context)[:_LOOKED_AT]:
        passage = aligned.passage
        if passage.field is not None or passage.path:
            continue
        if len(claimed & aligned.stems) < _LEAST_SHARED * len(claimed):
            break  # sorted by shared words, most first
        text = context.texts[passage.chunk]
        if text[passage.start : passage.end].rstrip().endswith("?"):
            continue
        there = context.values_of(passage) if whose else []
        if not all(any(is_same(value, other) for other in there) for value in whose):
            continue  # it is about other people: eight-year-olds
        alignment = align(comparison.tokens, passage.tokens, text)
        if best is None or alignment.matched > best[0].matched:
            best = alignment, passage
    return best


def _as_found(
    edit: Edit, alignment: Alignment, comparison: Comparison, context: Context, passage: Passage
) -> FoundEdit | None:
    if edit.before == 0:
        return None  # how a claim begins depends on the text before it
    kind = _kind_of(edit, comparison, context, passage)
    if kind is None:
        return None
    repeated = alignment.matched / max(1, len(comparison.tokens) - len(edit.mine))
    needs = [needs[kind] for needs in (_NEEDS, _LONGER) if kind in needs]
    return FoundEdit(
        kind=kind,
        passage=passage,
        claim_span=_place_of_words(edit.mine, edit.at, comparison.tokens),
        passage_span=_place_of_words(edit.theirs, edit.there, passage.tokens),
        is_sure=any(_meets(edit, repeated, need) for need in needs)
        and not _is_said_there_too(edit, kind, comparison, context, passage),
        beside=edit.before + edit.after,
    )


def _meets(edit: Edit, repeated: float, need: _Need) -> bool:
    return (
        repeated >= need.repeated
        and edit.before + edit.after >= need.beside
        and len(edit.mine) <= need.mine
        and len(edit.theirs) <= need.theirs
    )


def _is_said_there_too(edit: Edit, kind: EditKind, comparison: Comparison, context: Context, passage: Passage) -> bool:
    """Return whether the sentence has the claim's value as well, in another place: "every 12 months (with pets 8)"."""
    if kind is not EditKind.VALUE or edit.before + edit.after >= _BESIDE_OF_SAME_VALUE:
        return False
    mine = _within(comparison.values, edit.mine)
    return any(is_same(value, other) for value in mine for other in context.values_of(passage))


def _kind_of(edit: Edit, comparison: Comparison, context: Context, passage: Passage) -> EditKind | None:
    """Return how the two sides differ; None if they say the same or the difference means nothing."""
    shared = {t.word.stem for t in edit.mine} & {t.word.stem for t in edit.theirs}
    mine = [t for t in edit.mine if t.word.stem not in shared and t.word.lower not in _PLAIN]
    theirs = [t for t in edit.theirs if t.word.stem not in shared and t.word.lower not in _PLAIN]
    if _letters(mine) == _letters(theirs):
        return None  # no difference, or one word written as two
    if not edit.theirs:
        return EditKind.ADDED if edit.mine[0].word.lower in _JOINS and any(map(_is_telling, mine)) else None
    if not edit.mine:
        return EditKind.DROPPED if theirs and all(t.word.lower in _COUNT for t in theirs) else None
    values = _within(comparison.values, edit.mine)
    others = _within(context.values_of(passage), edit.theirs)
    if any(is_same(value, other) for value in values for other in others):
        return None
    if _are_numbers(mine) and _are_numbers(theirs):
        return EditKind.VALUE
    if values and others and any(can_differ(value, other) for value in values for other in others):
        return EditKind.VALUE if _covers(values, mine) and _covers(others, theirs) else EditKind.WORDS
    following = comparison.tokens[edit.at + len(edit.mine) :][:1]
    following_there = passage.tokens[edit.there + len(edit.theirs) :][:1]
    limits = bound_of([*edit.mine, *following]), bound_of([*edit.theirs, *following_there])
    if all(limits):
        return EditKind.LIMIT if limits[0] != limits[1] else None
    has_values = bool(values or others)
    return _kind_of_words(edit, mine, theirs, comparison, context, passage, has_values=has_values)


def _kind_of_words(
    edit: Edit,
    mine: Sequence[Token],
    theirs: Sequence[Token],
    comparison: Comparison,
    context: Context,
    passage: Passage,
    *,
    has_values: bool,
) -> EditKind | None:
    """Return in what two sides differ that name no other value and no other limit.

    `mine` and `theirs` are the words of each side that the other lacks; `has_values` says that a value is among them.
    """
    telling, told = [t for t in mine if _is_telling(t)], [t for t in theirs if _is_telling(t)]
    if denies(edit.mine) != denies(edit.theirs) and not telling and not told:
        return None if nearly_denies(edit.mine) or nearly_denies(edit.theirs) else EditKind.NEGATION
    if {t.word.lower for t in (*edit.mine, *edit.theirs)} == {"and", "or"}:
        return EditKind.CLASS if edit.before + edit.after >= _BESIDE_OF_JOINS else None
    if not has_values and (differs_in_class(mine, theirs) or are_opposites(mine, theirs)):
        if not _is_denied_alike(edit, comparison.tokens, passage.tokens):
            return None
        if edit.before > 1 and all(is_of_class(token) for token in (*telling, *told)):
            return EditKind.CLASS
    if _are_names(mine, context) and _are_names(theirs, context):
        return EditKind.NAME
    return EditKind.WORDS if telling and told else None


def _is_denied_alike(edit: Edit, claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Return whether no "not" makes the two say the same: "not allowed" is "forbidden"."""
    if has_negation(edit.mine) or has_negation(edit.theirs):
        return False
    here = _around(claim, edit.at, len(edit.mine))
    return has_negation(here) == has_negation(_around(sentence, edit.there, len(edit.theirs)))


def _around(tokens: Sequence[Token], at: int, size: int) -> Sequence[Token]:
    return tokens[max(0, at - _AROUND) : at + size + _AROUND]


_AROUND = 6


def _letters(tokens: Sequence[Token]) -> str:
    return "".join(token.word.lower for token in tokens)


def _are_names(tokens: Sequence[Token], context: Context) -> bool:
    """Return whether all words are capitalised here and always so within the sentences of the chunks."""
    return bool(tokens) and all(
        t.word.is_capitalised and t.word.lower in context.names and t.word.lower not in context.lowers for t in tokens
    )


def _is_telling(token: Token) -> bool:
    return token.word.is_content or token.word.is_number


def _are_numbers(tokens: Sequence[Token]) -> bool:
    return bool(tokens) and all(is_count(token) and not token.word.is_number for token in tokens)


def _covers(values: Sequence[Value], tokens: Sequence[Token]) -> bool:
    """Return whether all words belong to the values or to what limits and counts them."""
    return all(
        any(value.start <= token.start < value.end for value in values) or not _is_telling(token) for token in tokens
    )


def _within(values: Sequence[Value], tokens: Sequence[Token]) -> list[Value]:
    if not tokens:
        return []
    start, end = tokens[0].start, tokens[-1].end
    return [value for value in values if value.start < end and value.end > start]


def _place_of_words(words: Sequence[Token], at: int, tokens: Sequence[Token]) -> tuple[int, int]:
    """Return the place of the words; if there are none, the two words between which they are missing."""
    if words:
        return words[0].start, words[-1].end
    return tokens[max(0, at - 1)].start, tokens[min(at, len(tokens) - 1)].end
