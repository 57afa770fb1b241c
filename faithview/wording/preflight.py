"""A preflight in words, for the command line and the dashboard."""

from collections.abc import Iterator

from faithview.domain.comparison import CauseShare
from faithview.wording import numbers as fmt
from faithview.wording.knowledge import INCOMPLETE

# What every preflight assumes.
ASSUMPTION = "Assumes the same answers and the same retrieval: each retrieved chunk is replaced with its new text."
UNAFFECTED = "No answer retrieved a chunk that changes, so no claim would break."


def finding_words(causes: tuple[CauseShare, ...]) -> str:
    """Write how many claims would break and be fixed, in one sentence."""
    broken, fixed = sum(cause.broken for cause in causes), sum(cause.fixed for cause in causes)
    breaks = f"{fmt.plural(broken, 'claim')} would break" if broken else "No claim would break"
    return f"{breaks}, and {fmt.count(fixed)} would be fixed." if fixed else f"{breaks}."


def caution_words(version: str, *, foreign: int, removed: int, others: int, is_complete: bool) -> Iterator[str]:
    """Yield the reasons to read a preflight with care.

    Args:
        version: the stored version that the run used.
        foreign: how many retrieved chunks it lacks.
        removed: how many of its documents the new version lacks.
        others: how many documents the new version has.
        is_complete: whether all documents were compared.
    """
    if removed > others:
        yield (
            f"Most documents of {version} are missing from the new version and count as removed. Check that it has all "
            "documents, not only the changed ones."
        )
    if foreign:
        chunks, are = fmt.plural(foreign, "retrieved chunk"), fmt.verb(foreign, "is", "are")
        yield f"{chunks} {are} missing from {version}, so it is unknown whether they change."
    if not is_complete:
        yield INCOMPLETE
