"""The knowledge base in words: what a chunk is called, which documents changed, and their claims."""

from collections.abc import Mapping
from types import MappingProxyType

from faithview.domain.pairing import is_own_id
from faithview.wording import numbers as fmt

SEEN_ONLY = (
    "Seen in answers only: at least one of the two versions is not stored, so these are the chunks that answers "
    "retrieved. Documents that no question retrieved are missing. `faithview kb add VERSION FILE` stores a "
    "version."
)
# What became of a claim, by `services.knowledge.changes.Outcome`.
OUTCOME_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "broke": "Broke",
        "new_unsupported": "Broke: a new claim that is not supported",
        "fixed": "Fixed",
        "dropped": "Fixed: a claim that was not supported is gone",
        "unsupported": "Not supported before or now",
        "gone": "No longer claimed",
        "new": "New claim, supported",
        "supported": "Supported before and now",
    }
)
INCOMPLETE = "Too many texts differ to match renamed or edited documents. They are listed as removed and added."
_WORDS = 8
_CHARACTERS = 64


def chunk_name(chunk_id: str, text: str | None) -> str:
    """Return a chunk's own id; where it came without one, the first words of its text."""
    return chunk_id if is_own_id(chunk_id) or not text else first_words(text)


def first_words(text: str) -> str:
    """Return the first eight words of a text on one line, at most 64 characters, with "…" where there is more."""
    words = text.split(maxsplit=_WORDS)
    start = " ".join(words[:_WORDS])
    if len(words) <= _WORDS and len(start) <= _CHARACTERS:
        return start
    return start[:_CHARACTERS].rstrip(" .,;:") + "…"


def document_counts(*, added: int, edited: int, removed: int, unchanged: int) -> str:
    """Write how many documents changed: "8 documents added, none edited, none removed; 53 unchanged"."""
    if not added and not edited and not removed:
        return f"no document changed ({fmt.count(unchanged)} unchanged)"
    counts = {"added": added, "edited": edited, "removed": removed}
    first = next(name for name, count in counts.items() if count)
    parts = [
        f"{fmt.plural(count, 'document') if name == first else fmt.count(count) if count else 'none'} {name}"
        for name, count in sorted(counts.items(), key=lambda item: item[0] != first)
    ]
    return f"{', '.join(parts)}; {fmt.count(unchanged)} unchanged"


def broken_sentence(*, touching: int, resting: int | None, all_broken: int) -> str:
    """Write how many of the broken claims touch a changed document: one number for the event, on every page.

    Args:
        touching: claims that are based on changed text, or are in an answer that retrieved a changed document.
        resting: those of them that rest on changed text; None to leave them out.
        all_broken: all claims that broke.
    """
    if not all_broken:
        return "No claim broke."
    is_firm = bool(touching) and resting == touching
    if all_broken == 1:
        how = "is based on" if is_firm else "touches" if touching else "does not touch"
        return f"The only broken claim {how} a changed document."
    claims = fmt.plural(all_broken, "broken claim")
    if not touching:
        return f"None of the {claims} touches a changed document."
    if is_firm:
        return f"{fmt.count(touching)} of {claims} {fmt.verb(touching, 'is', 'are')} based on a changed document."
    firm = "" if resting is None else f" ({_number(resting)} {_is_based(resting)} on one)"
    return f"{fmt.count(touching)} of {claims} {fmt.verb(touching, 'touches', 'touch')} a changed document{firm}."


def fixed_sentence(*, fixed: int, all_fixed: int) -> str:
    """Write how many of the fixed claims are based on a changed document; "" if none was fixed."""
    if not all_fixed:
        return ""
    if all_fixed == 1:
        return f"The only fixed claim is {'' if fixed else 'not '}based on a changed document."
    claims = fmt.plural(all_fixed, "fixed claim")
    return f"{fmt.count(fixed)} of {claims} {fmt.verb(fixed, 'is', 'are')} based on a changed document."


def counted_on(pairs: int) -> str:
    """Write on which answers claims are counted."""
    return f"Claims are counted on the {fmt.plural(pairs, 'answer')} with a score in both runs."


def _number(count: int) -> str:
    return fmt.count(count) if count else "none"


def _is_based(count: int) -> str:
    return fmt.verb(count, "is based", "are based") if count else "is based"
