"""Small edits of a statement: some make it wrong, and some say the same in other words."""

import random
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tests.training.contrasts.words import ADDED, COMMON, CONDITIONS, LEADS, NUMBERS, REASONS, RIGHT, WRONG, Swap

CONTRADICTED, NEUTRAL, NOT_ENTAILED = "contradicted", "neutral", "not_entailed"


class Edit(NamedTuple):
    """A statement after an edit. `wrong` is the range of the changed words, None where words were only left out.

    `reversible` edits may be made in the document instead: then the original statement is the wrong one, unless the
    edit only added to it (`label` is neutral).
    """

    text: str
    wrong: tuple[int, int] | None
    label: str
    reversible: bool


_DIGITS = re.compile(r"(?<![\w.,:#/-])\d+(?:,\d{3})*(?:\.\d+)?(?![\w/:-])")
# An amount by itself: before none of these words, nor within a range, a time or a version.
_BOUNDS = (
    *(
        "up to",
        "at least",
        "at most",
        "than",
        "within",
        "from",
        "over",
        "under",
        "above",
        "below",
        "first",
        "last",
        "to",
    ),
    *("every", "about", "until", "and", "or", "after", "of", "minimum", "maximum", "between", "exactly", "no"),
)
_AMOUNT = re.compile(
    "".join(f"(?<!{word} )" for word in _BOUNDS)
    + r"(?<![\w.,:/–€£$-])(?P<mark>[€£$]?)(?P<number>\d+(?:,\d{3})*)"
    + r"(?P<unit> (?:%|[a-z]{3,}|GB|MB|km|kg)(?![\w-])|(?=[ ,;)]|\.(?!\d)))"
    + r"(?! or (?:more|fewer|less))"
)
_MONTHLY = re.compile(r"([€£$])(\d{1,4}) (?:a|per) month\b")
_YEARLY_SHARE = 0.5
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(NUMBERS[1:])})\b", re.IGNORECASE)
_LIST = re.compile(r"(?P<items>[\w'-]+(?: [\w'-]+)?(?:, [\w'-]+(?: [\w'-]+)?)+),? (?P<link>and|or) (?P<last>[\w'-]+)")
_COUPLE = re.compile(r"(?<=\b(?:for|not|the) )([\w'-]{4,}) (and|or) ([\w'-]{4,})(?=[,.;:)]|\Z)")
_NAME = re.compile(r"(?<=[a-z,;:] )[A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})?\b")
_TAIL = re.compile(rf",? (?:{'|'.join(CONDITIONS)})\b[^,.;:]*(?=[,.;:]|\Z)")
_HEAD = re.compile(r"\A(?:If|When|Unless|Once|Except|After|Before|For|On|With|In)\b[^,.;:]{4,70}, (?=\w)")
_IF_FIRST = re.compile(r"\A(If|When|Unless) ([^,.;:]+), (\w[^.;:]*)([.]?)\Z")
_IF_LAST = re.compile(r"\A([A-Z][^,.;:]*) (if|when|unless) ([^,.;:]+?)([.]?)\Z")
_LIMIT = re.compile(r"\b(?:only|just|solely) ", re.IGNORECASE)
_ONLY_HERE = re.compile(r"(?<=[a-z]) (?=(?:on|in|for|by|with|at|to|from|after|until|during|through|within)\b)")
_AFTER_MODAL = re.compile(r"\b(?:can|may|must|will|are|is)(?= (?!not\b|no\b|only\b|never\b|always\b)[a-z])")
_VAGUE = re.compile(r"\b(?:up to|about|around|at least|usually|normally|mostly|typically|generally|nearly) ")
_LEAD_SHARE = 0.12
_END = re.compile(r"[.!;:]?\s*\Z")


def wrong_edits(text: str, names: Sequence[str], words: Sequence[str], rng: random.Random) -> dict[str, Edit]:
    """Return edits that make a statement wrong, at most one of each family.

    `names` and `words` are of the same document: others are put in the place of those that the statement has.
    """
    found = {family: _swapped(text, swaps, rng) for family, swaps in WRONG.items()}
    makers: dict[str, Callable[[], Edit | None]] = {
        "number": lambda: _number(text, rng),
        "number word": lambda: _number_word(text, rng),
        "name": lambda: _other_name(text, names, rng),
        "couple": lambda: _swapped_names(text, rng),
        "condition": lambda: _left_out(text, (_TAIL, _HEAD), rng),
        "only left out": lambda: _left_out(text, (_LIMIT,), rng),
        "limit left out": lambda: _left_out(text, (_VAGUE,), rng),
        "only": lambda: _put_in(text, _ONLY_HERE, (" only ",), rng),
        "always": lambda: _put_in(text, _AFTER_MODAL, (" only", " never", " always", " not"), rng),
        "list": lambda: _longer_list(text, words, rng),
        "comparison": lambda: _compared(text, rng, right=False),
        "reason": lambda: _at_the_end(text, REASONS, rng, reversible=True),
        "added": lambda: _at_the_end(text, ADDED, rng, reversible=True),
    }
    found |= {family: make() for family, make in makers.items()}
    return {family: edit for family, edit in found.items() if edit is not None and _differs(edit.text, text)}


def paraphrase(text: str, rng: random.Random) -> str:
    """Return the statement in slightly other words, which mean the same; the statement itself where there are none."""
    ways: list[Callable[[str], str]] = [
        *(lambda given: _other_words(given, rng) for _ in range(3)),
        _digits_as_words if rng.random() < 0.5 else _words_as_digits,
        _turned_round,
        lambda given: getattr(_compared(given, rng, right=True), "text", given),
        lambda given: _reordered(given, rng),
        _shorter,
    ]
    rng.shuffle(ways)
    changed, most = 0, rng.randint(1, 3)
    for way in ways:
        after = way(text)
        changed += after != text
        text = after
        if changed == most:
            break
    if rng.random() < _LEAD_SHARE:
        text = rng.choice(LEADS) + _lowered(text)
    return text


def _differs(one: str, other: str) -> bool:
    return " ".join(one.lower().split()) != " ".join(other.lower().split())


def _replaced(text: str, start: int, end: int, becomes: str, *, label: str = CONTRADICTED, reversible: bool) -> Edit:
    if text[start : start + 1].isupper() and becomes[:1].islower():
        becomes = becomes[0].upper() + becomes[1:]
    place = (start, start + len(becomes)) if becomes.strip() else None
    return Edit(text[:start] + becomes + text[end:], place, label, reversible)


def _swapped(text: str, swaps: Sequence[Swap], rng: random.Random) -> Edit | None:
    hits = [(match, swap) for swap in swaps for match in swap.pattern.finditer(text)]
    if not hits:
        return None
    match, swap = rng.choice(hits)
    becomes = match.expand(rng.choice(swap.becomes).replace("?", ""))
    return _replaced(text, match.start(), match.end(), becomes, reversible=True)


def _number(text: str, rng: random.Random) -> Edit | None:
    hits = list(_DIGITS.finditer(text))
    if not hits:
        return None
    match = rng.choice(hits)
    written = match[0]
    value = float(written.replace(",", ""))
    if "." in written:
        becomes = f"{value * rng.choice((10, 2, 0.5)) + rng.choice((0, 0.1)):.{len(written.rpartition('.')[2])}f}"
    else:
        whole = int(value)
        near = [whole + 1, whole - 1, whole + 5, whole + 10, whole * 2, whole * 10, whole // 2, whole + whole // 5]
        if whole % 100 == 0:
            near = [whole * 10, whole * 2, whole // 2, whole + 100, whole // 10, whole + whole // 2]
        becomes = str(rng.choice([number for number in near if number > 0 and number != whole] or [whole + 1]))
        if "," in written or (len(becomes) > 4 and len(written) > 3):
            becomes = f"{int(becomes):,}"
    return _replaced(text, *match.span(), becomes, reversible=True)


def _compared(text: str, rng: random.Random, *, right: bool) -> Edit | None:
    """Return the statement with an amount compared to another one, or a monthly amount as that of a year."""
    if (match := _MONTHLY.search(text)) and rng.random() < _YEARLY_SHARE:
        months = 12 if right else rng.choice((10, 11, 13, 24))
        return _replaced(text, *match.span(), f"{match[1]}{int(match[2]) * months:,} a year", reversible=False)
    hits = [match for match in _AMOUNT.finditer(text) if match["mark"] or match["unit"]]
    if not hits:
        return None
    match = rng.choice(hits)
    value = int(match["number"].replace(",", ""))
    if value < 2:
        return None
    is_above = rng.random() < 0.5
    gap = max(1, round(value * rng.choice((0.1, 0.25, 0.5))))
    bound = value + gap if is_above else max(1, value - gap)
    says = "less than" if is_above == right else "more than"
    becomes = f"{says} {match['mark']}{bound:,}{match['unit']}"
    return _replaced(text, *match.span(), becomes, reversible=False)


def _number_word(text: str, rng: random.Random) -> Edit | None:
    hits = list(_NUMBER_WORD.finditer(text))
    if not hits:
        return None
    match = rng.choice(hits)
    at = NUMBERS.index(match[0].lower())
    others = [number for number in range(max(1, at - 2), min(12, at + 4)) if number != at]
    return _replaced(text, *match.span(), NUMBERS[rng.choice(others)], reversible=True)


def _other_name(text: str, names: Sequence[str], rng: random.Random) -> Edit | None:
    here = [(match.start(), name) for name in names for match in re.finditer(rf"\b{re.escape(name)}\b", text)]
    others = [name for name in names if name not in text]
    if not here or not others:
        return None
    start, name = rng.choice(here)
    return _replaced(text, start, start + len(name), rng.choice(others), reversible=True)


def _swapped_names(text: str, rng: random.Random) -> Edit | None:
    hits = list({match[0]: match for match in _NAME.finditer(text)}.values())
    numbers = list(_DIGITS.finditer(text))
    kinds = [found for found in (hits, numbers) if len({match[0] for match in found}) > 1]
    if not kinds:
        return None
    first, second = sorted(rng.sample(rng.choice(kinds), 2), key=lambda match: match.start())
    if first[0] == second[0]:
        return None
    changed = text[: first.start()] + second[0] + text[first.end() : second.start()] + first[0] + text[second.end() :]
    return Edit(changed, (first.start(), second.end()), CONTRADICTED, reversible=True)


def _left_out(text: str, patterns: Sequence[re.Pattern[str]], rng: random.Random) -> Edit | None:
    hits = [match for pattern in patterns for match in pattern.finditer(text)]
    if not hits:
        return None
    match = rng.choice(hits)
    rest = (text[: match.start()] + text[match.end() :]).strip()
    if len(rest) < 15:
        return None
    return Edit(rest[0].upper() + rest[1:] if text[0].isupper() else rest, None, NOT_ENTAILED, reversible=False)


def _put_in(text: str, place: re.Pattern[str], choices: Sequence[str], rng: random.Random) -> Edit | None:
    hits = list(place.finditer(text))
    if not hits or "only" in text.lower():
        return None
    match = rng.choice(hits)
    put = rng.choice(choices)
    if match[0].isspace():
        return _replaced(text, *match.span(), put, label=NOT_ENTAILED, reversible=False)
    return _replaced(text, match.end(), match.end(), put, label=NOT_ENTAILED, reversible=False)


def _longer_list(text: str, words: Sequence[str], rng: random.Random) -> Edit | None:
    match = _LIST.search(text)
    others = [word for word in words if word.lower() not in text.lower()]
    if not match or not others:
        return None
    if rng.random() < 0.5:
        place = match.span("last")
        return _replaced(text, *place, rng.choice(others), label=NEUTRAL, reversible=False)
    at = match.end("items")
    return _replaced(text, at, at, f", {rng.choice(others)}", label=NEUTRAL, reversible=False)


def _at_the_end(text: str, choices: Sequence[str], rng: random.Random, *, reversible: bool) -> Edit | None:
    match = _END.search(text)
    put = rng.choice(choices)
    if match is None or put in text or "because" in text:
        return None
    return _replaced(text, match.start(), match.start(), f" {put}", label=NEUTRAL, reversible=reversible)


def _other_words(text: str, rng: random.Random) -> str:
    hits = [(match, swap) for swap in RIGHT for match in swap.pattern.finditer(text)]
    if not hits:
        return text
    match, swap = rng.choice(hits)
    return _replaced(text, *match.span(), match.expand(rng.choice(swap.becomes)), reversible=False).text


def _digits_as_words(text: str) -> str:
    return re.sub(
        r"(?<![\w€£$.,:/-])(\d{1,2})(?= [a-z]{3,})",
        lambda match: NUMBERS[int(match[1])] if 0 < int(match[1]) < len(NUMBERS) else match[0],
        text,
    )


def _words_as_digits(text: str) -> str:
    return _NUMBER_WORD.sub(
        lambda match: match[0] if match[0].lower() == "one" else str(NUMBERS.index(match[0].lower())), text
    )


def _turned_round(text: str) -> str:
    if match := _IF_FIRST.match(text):
        link, condition, rest, end = match.groups()
        return f"{rest[0].upper()}{rest[1:]} {link.lower()} {condition}{end}"
    if match := _IF_LAST.match(text):
        rest, link, condition, end = match.groups()
        return f"{link.capitalize()} {condition}, {_lowered(rest)}{end}"
    return text


def _lowered(text: str) -> str:
    """Return the text as it goes on after a comma; a word that may be a name keeps its capital."""
    first = text.partition(" ")[0]
    return first.lower() + text[len(first) :] if first.lower() in COMMON else text


def _reordered(text: str, rng: random.Random) -> str:
    if match := _LIST.search(text):
        lead, _, first = match["items"].partition(", ")[0].rpartition(" ")
        items = [first, *match["items"].split(", ")[1:], match["last"]]
        if match.start() + len(lead) and all(len(item.split()) == 1 for item in items):
            rng.shuffle(items)
            listed = f"{lead} " * bool(lead) + f"{', '.join(items[:-1])} {match['link']} {items[-1]}"
            return text[: match.start()] + listed + text[match.end() :]
        return text
    if (match := _COUPLE.search(text)) and match.start() and match[1][0].islower() == match[3][0].islower():
        return text[: match.start()] + f"{match[3]} {match[2]} {match[1]}" + text[match.end() :]
    return text


def _shorter(text: str) -> str:
    """Return the first of the statements that a semicolon joins: leaving out the other leaves what is said right."""
    parts = text.split("; ")
    if len(parts) < 2 or len(parts[0]) < 25 or re.search(r"\b(except|unless|but|not|only)\b", text):
        return text
    return f"{parts[0]}."
