"""Numbers that stand for verdicts, types and label states in `inbox_claim`, whose rows and indexes are narrow."""

from collections.abc import Mapping

from faithview.domain.claim import HallucinationType, Verdict
from faithview.domain.inbox import NONE, Facet, LabelOutcome
from faithview.domain.label import NOT_A_CLAIM

# Claims that are not fully supported have numbers above 0; partial indexes rest on that.
VERDICT_CODES: Mapping[str, int] = {
    NOT_A_CLAIM: -1,
    Verdict.SUPPORTED: 0,
    Verdict.PARTIALLY_SUPPORTED: 1,
    Verdict.NOT_MENTIONED: 2,
    Verdict.CONTRADICTED: 3,
}
TYPE_CODES: Mapping[str, int] = {
    NONE: 0,
    HallucinationType.FABRICATION: 1,
    HallucinationType.CONTRADICTION: 2,
    HallucinationType.EXTRAPOLATION: 3,
    HallucinationType.CONFLATION: 4,
}
LABEL_CODES: Mapping[str, int] = {
    LabelOutcome.UNLABELLED: 0,
    LabelOutcome.CONFIRMED: 1,
    LabelOutcome.OVERRULED: 2,
    LabelOutcome.DISPUTED: 3,
    LabelOutcome.OUTDATED: 4,
}
CODES: Mapping[Facet, Mapping[str, int]] = {
    Facet.VERDICT: VERDICT_CODES,
    Facet.TYPE: TYPE_CODES,
    Facet.LABEL: LABEL_CODES,
}
VALUES: Mapping[Facet, Mapping[int, str]] = {
    facet: {code: str(value) for value, code in codes.items()} for facet, codes in CODES.items()
}


def verdict_of(code: int) -> Verdict | None:
    """Return the verdict of a code; None for "not a claim"."""
    value = VALUES[Facet.VERDICT][code]
    return None if value == NOT_A_CLAIM else Verdict(value)
