"""What a claim says of the fields of a record."""

from faithview.judges.lexical.scoring.claim_view import ClaimView
from faithview.judges.lexical.scoring.feature import Family, claim_feature


@claim_feature(cap=4)
def fields_agreed(claim: ClaimView) -> float:
    """How many fields it has right."""
    return claim.comparison.fields.agreed


@claim_feature(cap=4)
def fields_against(claim: ClaimView) -> float:
    """How many fields it has wrong."""
    return claim.comparison.fields.against


@claim_feature(cap=4)
def fields_untold(claim: ClaimView) -> float:
    """How many fields that it tells of are left open."""
    return claim.comparison.fields.untold


FAMILY = Family(
    name="fields",
    features=(
        fields_agreed,
        fields_against,
        fields_untold,
    ),
)
