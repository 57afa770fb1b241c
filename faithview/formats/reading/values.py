"""Parses tools' values for scores, verdicts and lists of claims."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from decimal import Decimal
from types import MappingProxyType
from typing import TypeVar

from faithview.domain.claim import VERDICT_WORDS, Claim, Verdict
from faithview.domain.spans import find_quote
from faithview.formats.files.aliases import fold_name
from faithview.formats.files.report import preview_of
from faithview.formats.rows.cells import BadCell, as_number, as_text, is_missing, parsed
from faithview.formats.rows.timestamps import parse_timestamp

# ruff: noqa: SIM905 - lists of words are read as words


# Words for a good answer, independent of the score's name. Spelled as by `fold_name`, so "1.0" is "1_0".
GOOD = frozenset("pass passed ok good correct faithful grounded supported factual consistent relevant".split())
BAD = frozenset(
    "fail failed bad incorrect unfaithful ungrounded unsupported hallucinated hallucination inconsistent irrelevant "
    "not_supported not_grounded".split()
)
_YES_WORDS = frozenset("yes y true t ja wahr oui vrai si verdadero".split())
_NO_WORDS = frozenset("no n false f nein falsch non faux falso".split())
_YES = GOOD | _YES_WORDS | frozenset(("1", "1_0"))
_NO = BAD | _NO_WORDS | frozenset(("0", "0_0"))
_NUMBER = re.compile(r"[-+]?(?:\d+(?:[.,]\d+)?|[.,]\d+)(?:[eE][-+]?\d+)?")
_MINUS = ("-", "\N{MINUS SIGN}")
_NOTHING = frozenset({"nan", "none", "null", "n/a", "na", "<na>", "-"})
_NO_ERROR = _NOTHING | frozenset({"false", "no", "0", "0.0"})
# A sum of thirds may be slightly above 1.
_SLACK = 1e-6

VERDICTS: Mapping[str, Verdict] = MappingProxyType(
    {
        **VERDICT_WORDS,
        **dict.fromkeys("1 1_0 yes true pass".split(), Verdict.SUPPORTED),
        **dict.fromkeys("0 0_0 no false fail".split(), Verdict.NOT_MENTIONED),
    }
)
_CLAIM_KEYS = ("claim", "statement", "text", "claim_text", "sentence", "content")
_VERDICT_KEYS = ("verdict", "label", "status", "support", "assignment", "score", "value", "prediction")
_REASON_KEYS = ("reason", "explanation", "rationale", "justification", "comment")


def as_score(value: object, *, low: float = 0.0, high: float = 1.0) -> float | None:
    """Return a score in [0, 1]; None if the cell is empty or NaN, which tools write for a missing score.

    Numbers may have a decimal comma or a percent sign; yes, pass and true are 1, no, fail and false 0. A number between
    `low` and `high` is rescaled to [0, 1]. A list of one score is that score.

    Raises:
        BadCell: it is something else, or outside the range.
    """
    value = _unwrapped(value)
    text = value.strip() if isinstance(value, str) else ""
    if is_missing(value) or text.lower() in _NOTHING:
        return None
    if text.endswith("%"):
        value, low, high = text.rstrip("% "), 0.0, 100.0
    number = written_number(value)
    if number is None:
        flag = as_flag(value)
        if flag is None:
            raise BadCell(f"the score is {preview_of(text or value)}, which is not a number")
        return float(flag)
    share = (number - low) / (high - low)
    if not -_SLACK <= share <= 1 + _SLACK:
        raise BadCell(f"the score is {preview_of(text or value)}, which is not between {low:g} and {high:g}")
    return min(1.0, max(0.0, share))


def as_metric(value: object, *, low: float = 0.0, high: float = 1.0) -> float | None:
    """Return a further score as `as_score` does, but None for an invalid score or another scale.

    Such a value stays an extra column, unchanged.
    """
    try:
        return as_score(value, low=low, high=high)
    except BadCell:
        return None


def written_number(value: object) -> float | None:
    """Return the number that a score is written as, before it is rescaled to [0, 1]; None for words and percentages."""
    value = _unwrapped(value)
    if isinstance(value, bool) or is_missing(value):
        return None
    if isinstance(value, str):
        return float(value.strip().replace(",", ".")) if _NUMBER.fullmatch(value.strip()) else None
    return as_number(value) if isinstance(value, int | float | Decimal) else None


def as_verdict(value: object, *, words: Mapping[str, Verdict] = VERDICTS) -> Verdict:
    """Return the verdict for a tool's word or number.

    Raises:
        BadCell: the word is unknown; a reader with other words passes its own `words`.
    """
    written = str(int(value)) if isinstance(value, bool) else str(value).strip()
    # `fold_name` would drop a minus and make -1 a 1.
    verdict = None if written[:1] in _MINUS else words.get(fold_name(written).strip("_."))
    if verdict is None:
        raise BadCell(f"the verdict {preview_of(value)!r} is not known")
    return verdict


def share_verdict(share: float) -> Verdict:
    """Return the verdict for a claim's score in [0, 1]: supported, not mentioned, or partially supported."""
    if share >= 1 - _SLACK:
        return Verdict.SUPPORTED
    return Verdict.NOT_MENTIONED if share <= _SLACK else Verdict.PARTIALLY_SUPPORTED


def as_flag(value: object) -> bool | None:
    """Return yes or no, in any spelling; None if the cell is empty or something else."""
    if isinstance(value, bool):
        return value
    text = fold_name(str(value)) if not is_missing(value) else ""
    return True if text in _YES else False if text in _NO else None


def is_yes_or_no(value: object) -> bool:
    """Return whether a value is a flag, or a word for yes or no."""
    return isinstance(value, bool) or (isinstance(value, str) and fold_name(value) in _YES_WORDS | _NO_WORDS)


def as_list(value: object) -> list[object]:
    """Return the items of a list, also of one in text (JSON or Python's); a single value is a list of one."""
    value = parsed(value.tolist() if hasattr(value, "tolist") else value)
    if is_missing(value):
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def as_object(value: object) -> Mapping[str, object]:
    """Return an object, also one in text; empty for anything else."""
    value = parsed(value)
    return value if isinstance(value, Mapping) else {}


def as_time(value: object) -> datetime | None:
    """Return a point in time; None if there is none or it is ambiguous."""
    moment = parse_timestamp(value)
    return moment.at if moment else None


def text_of(value: object) -> str:
    """Return a value as text, "" if there is none; a list, or an object without text, is written as JSON."""
    try:
        return as_text(value, what="text") or ""
    except BadCell:
        return json.dumps(value, ensure_ascii=False, default=str)


def error_in(value: object) -> str:
    """Return the error that a cell names; "" if it says that there is none, such as "None", "nan", false and 0."""
    text = text_of(value).strip()
    return "" if text.lower() in _NO_ERROR else text


def unquoted(value: object) -> object:
    """Return a text in quotation marks, as in JSON, without them; anything else unchanged."""
    if isinstance(value, str) and value.startswith('"'):
        inner = parsed(f"[{value}]")
        return inner[0] if isinstance(inner, list) and len(inner) == 1 else value
    return value


def make_claim(text: str, verdict: Verdict, *, answer: str, reason: str = "") -> Claim:
    """Return a claim with its place in the answer if its words are verbatim in it."""
    found = find_quote(answer, text.strip()) if text.strip() else None
    return Claim(text=text, verdict=verdict, spans=(found,) if found is not None else (), explanation=reason)


def read_claims(items: object, *, answer: str) -> tuple[tuple[Claim, ...], tuple[str, ...]]:
    """Return the claims in a list of objects with a text and a verdict, under any of their known names.

    Otherwise as `all_claims`.
    """
    return all_claims(as_list(items), lambda item: _claim(item, answer))


Item = TypeVar("Item")


def all_claims(items: Iterable[Item], make: Callable[[Item], Claim]) -> tuple[tuple[Claim, ...], tuple[str, ...]]:
    """Return the claims made of the items, or none of them if one cannot be read.

    Faithfulness is computed from all of an answer's claims, so it would be wrong without one of them. The second value
    says which cannot be read.
    """
    claims: list[Claim] = []
    for item in items:
        try:
            claims.append(make(item))
        except BadCell as error:
            number = len(claims) + 1
            return (), (f"The claims were left out because not all of them can be read (claim {number}: {error}).",)
    return tuple(claims), ()


def _claim(item: object, answer: str) -> Claim:
    item = parsed(item)
    if not isinstance(item, Mapping):
        raise BadCell(f"it is {preview_of(item)!r}, not an object")
    named = {fold_name(str(key)): value for key, value in item.items() if not is_missing(value)}
    text, verdict, reason = (
        next((named[key] for key in keys if key in named), None) for keys in (_CLAIM_KEYS, _VERDICT_KEYS, _REASON_KEYS)
    )
    if not text_of(text).strip():
        raise BadCell("it has no text")
    if verdict is None:
        raise BadCell("it has no verdict")
    return make_claim(text_of(text), as_verdict(verdict), answer=answer, reason=text_of(reason))


def _unwrapped(value: object) -> object:
    """Return the value of a one-item list or of an object with a score, also of one in text; None for an empty list."""
    inner = parsed(value)
    if isinstance(inner, list | tuple) and len(inner) < 2:
        inner = inner[0] if inner else None
    if isinstance(inner, Mapping):
        return next((inner[key] for key in ("score", "value") if key in inner), value)
    return value if isinstance(inner, list | tuple) else inner
