"""Words of closed classes that change what a sentence means when one stands for another."""

from collections.abc import Iterable, Sequence

from faithview.judges.text.lexicon import NEARLY_NEGATIONS, NEGATIONS, OPPOSITES
from faithview.judges.text.tokens import Token

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
