"""What is easily added to a claim: units, praise, and what people are said to think."""

from faithview.judges.lexical.scoring.claim_view import ClaimView
from faithview.judges.lexical.scoring.feature import Family, claim_feature
from faithview.judges.text.lexicon import word_set

# What is easily added to make a thing sound better; only where the chunks do not say it.
_PRAISE = word_set(
    """popular beloved renowned famous acclaimed cozy charming inviting welcoming warm friendly attentive
    knowledgeable talented skilled dedicated passionate exceptional outstanding impressive delightful wonderful
    fantastic amazing perfect ideal vibrant lively bustling unique authentic homemade fresh quality diverse wide
    variety range extensive generous convenient conveniently prime family owned locally prompt efficient courteous
    professional clean spacious comfortable relaxing relaxed memorable satisfying mouthwatering delicious
    flavorful tasty excellent stunning beautiful picturesque elegant stylish gem favorite prides known reputation
    commitment hidden must modern"""
)
_SUMS_UP = word_set(
    """overall feedback opinion opinions mixed varied vary varies positive negative favorable experience experiences
    impression impressions generally largely mostly satisfied dissatisfied summary consensus"""
)
_PEOPLE = word_set(
    """reviewer reviewers customer customers guest guests patron patrons diner diners visitor visitors another reviews
    review users user"""
)


@claim_feature(cap=3)
def added_units(claim: ClaimView) -> float:
    """How many values the chunks have only without the unit."""
    return claim.comparison.added_units


@claim_feature(cap=3)
def missing_praise(claim: ClaimView) -> float:
    """How many missing words make a thing sound better."""
    return sum([t.word.lower in _PRAISE for t in claim.missing])


@claim_feature(cap=3)
def sums_up(claim: ClaimView) -> float:
    """How many words sum up what several people think."""
    return len(claim.lowers & _SUMS_UP)


@claim_feature()
def tells_of_people(claim: ClaimView) -> float:
    """Whether it tells of guests, reviewers or users."""
    return not claim.lowers.isdisjoint(_PEOPLE)


FAMILY = Family(
    name="additions",
    features=(
        added_units,
        missing_praise,
        sums_up,
        tells_of_people,
    ),
)
