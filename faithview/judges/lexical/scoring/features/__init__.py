"""The figures that models ask for, one family a module.

A new figure is a function in one of these modules, or in a new one, and its name in a family: models that do not know
it do not ask for it, and the next fit does.
"""

from faithview.judges.lexical.scoring.feature import by_name
from faithview.judges.lexical.scoring.features import (
    additions,
    answer,
    citations,
    fields,
    gaps,
    names_and_values,
    neighbours,
    style,
    support,
    word_order,
    words,
)

__all__ = ["CLAIM_FEATURES", "FAMILIES", "FEATURES"]

# In the order in which a fit reads them: a draw by chance takes columns by their place.
FAMILIES = (
    words.FAMILY,
    word_order.FAMILY,
    names_and_values.FAMILY,
    style.FAMILY,
    gaps.FAMILY,
    citations.FAMILY,
    fields.FAMILY,
    additions.FAMILY,
    answer.FAMILY,
    neighbours.FAMILY,
    support.FAMILY,
)

FEATURES = by_name(FAMILIES)

# Those that a claim by itself tells, which a model's straight line is made of.
CLAIM_FEATURES = tuple(name for name, feature in FEATURES.items() if feature.is_of_claim)
