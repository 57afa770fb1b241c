"""Names and values of a claim, and which of them the chunks miss."""

from faithview.judges.lexical.scoring.claim_view import ClaimView
from faithview.judges.lexical.scoring.feature import Family, claim_feature


@claim_feature(cap=4)
def names(claim: ClaimView) -> float:
    """How many names there are."""
    return len(claim.comparison.names)


@claim_feature(cap=4)
def missing_names(claim: ClaimView) -> float:
    """How many names no chunk holds."""
    return len(claim.comparison.missing_names)


@claim_feature(cap=3)
def names_not_in_window(claim: ClaimView) -> float:
    """How many names the best window does not hold."""
    return sum([not claim.window_stems.intersection(name.stems) for name in claim.comparison.names])


@claim_feature(cap=6)
def values(claim: ClaimView) -> float:
    """How many values there are."""
    return len(claim.comparison.values)


@claim_feature(cap=4)
def missing_values(claim: ClaimView) -> float:
    """How many values no chunk holds."""
    return len(claim.comparison.missing_values)


@claim_feature(cap=4)
def values_not_in_window(claim: ClaimView) -> float:
    """How many values the chunks hold, but not in the best window."""
    comparison = claim.comparison
    if not comparison.windows or not comparison.values:
        return 0
    window = comparison.windows[0]
    words = {t.word.stem for p in claim.context.passages[window.first : window.last + 1] for t in p.tokens}
    missing = {value.start for value in comparison.missing_values}
    stems = {t.start: t.word.stem for t in comparison.tokens}
    return sum([value.start not in missing and stems.get(value.start, "") not in words for value in comparison.values])


@claim_feature()
def has_conflict(claim: ClaimView) -> float:
    """Whether something in the chunks stands against it."""
    return claim.comparison.conflict is not None


FAMILY = Family(
    name="names_and_values",
    features=(
        names,
        missing_names,
        names_not_in_window,
        values,
        missing_values,
        values_not_in_window,
        has_conflict,
    ),
)
