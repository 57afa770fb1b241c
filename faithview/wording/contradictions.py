"""Findings in a knowledge base in words: what two passages differ in, and what a new word may be another name for."""

from collections.abc import Mapping
from types import MappingProxyType

from faithview.domain.contradiction import Contradiction, ContradictionKind, NewTerm, StatedPassage
from faithview.wording import numbers as fmt
from faithview.wording.knowledge import chunk_name

KIND_NAMES: Mapping[ContradictionKind, str] = MappingProxyType(
    {
        ContradictionKind.NUMBER: "Another number",
        ContradictionKind.PERIOD: "Another period",
        ContradictionKind.PRICE: "Another price",
        ContradictionKind.DATE: "Another date or time",
        ContradictionKind.RULE: "A rule and its opposite",
        ContradictionKind.NAME: "Two names in the same place",
    }
)

NO_OLDER = "No older version is stored, so new words for known things were not looked for."


def passage_name(passage: StatedPassage) -> str:
    """Return what a passage is called: its id, with its title if it has one."""
    name = chunk_name(passage.chunk_id, passage.text)
    return f"{name} ({passage.title})" if passage.title and passage.title != name else name


def asked_sentence(found: Contradiction, run: str) -> str:
    """Write how many questions of a run retrieved either passage; "" if none did."""
    if not found.asked:
        return ""
    return f"{fmt.plural(found.asked, 'question')} of {run} retrieved at least one of the two passages."


def counts_sentence(*, contradictions: int, new: int | None, terms: int | None) -> str:
    """Write how much was found: "2 contradictions (1 new), 3 new words that may rename known things".

    Args:
        contradictions: how many contradictions.
        new: how many of them the older version does not have; None without an older version.
        terms: how many new words; None if they were not looked for.
    """
    first = fmt.plural(contradictions, "contradiction") if contradictions else "no contradiction"
    if contradictions and new is not None:
        first += f" ({fmt.count(new) if new else 'none'} new)"
    if terms is None:
        return first
    if not terms:
        return f"{first}, no new name for a known thing"
    things = fmt.verb(terms, "a known thing", "known things")
    return f"{first}, {fmt.plural(terms, 'new word')} that may rename {things}"


def known_words(term: NewTerm) -> str:
    """Write the known words that a new one may replace: "transfer, inbox"."""
    return ", ".join(one.word for one in term.known)
