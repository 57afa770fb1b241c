"""Evidence and claims that could not be found where the judge says that they stand, and what a wrong claim is."""

from faithview.domain.claim import Claim

QUOTE_NOT_FOUND = "The judge quotes words that do not stand in this chunk:"
NO_QUOTE = "named by the judge, without a quote"
NOT_ANCHORED = "Its words were not found in the answer."


def mistake_words(claim: Claim) -> str:
    """Write what the judge says of a claim that is not supported: "contradiction, high severity"; "" if nothing."""
    kind = claim.hallucination_type.value if claim.hallucination_type else ""
    severity = f"{claim.severity.value} severity" if claim.severity else ""
    return ", ".join(part for part in (kind, severity) if part)
