"""Claims that were checked against several texts, each by entailment: what that amounts to for the claim."""

from collections.abc import Sequence

from faithview.domain.claim import Verdict
from faithview.formats.files.aliases import fold_name
from faithview.formats.files.report import preview_of
from faithview.formats.reading.values import text_of
from faithview.formats.rows.cells import BadCell

_WORDS = {
    "entailment": Verdict.SUPPORTED,
    "neutral": Verdict.NOT_MENTIONED,
    "contradiction": Verdict.CONTRADICTED,
    # RefChecker, where there was nothing to check against.
    "abstain": Verdict.NOT_MENTIONED,
}


def verdict_over_texts(found: Sequence[object]) -> tuple[Verdict, tuple[int, ...]]:
    """Return the verdict on a claim, and which texts (from 0) decide it.

    One text that entails the claim supports it, even where others contradict it; else one that contradicts it decides.

    Raises:
        BadCell: something was found that is no word for entailment.
    """
    verdicts = [_verdict(item) for item in found]
    for verdict in (Verdict.SUPPORTED, Verdict.CONTRADICTED):
        if deciding := tuple(number for number, item in enumerate(verdicts) if item is verdict):
            return verdict, deciding
    return Verdict.NOT_MENTIONED, ()


def claim_text(claim: object) -> str:
    """Return a claim's text; subject, relation and object of a triplet are put together as the tools do."""
    if isinstance(claim, list | tuple):
        return " ".join(text_of(part) for part in claim)
    if isinstance(claim, dict):
        return claim_text(claim.get("content", claim.get("triplet", claim.get("text"))))
    return text_of(claim)


def _verdict(word: object) -> Verdict:
    verdict = _WORDS.get(fold_name(str(word)))
    if verdict is None:
        raise BadCell(f"{preview_of(word)!r} is no word for entailment")
    return verdict
