"""All figures that a model can ask for, by family.

A new figure is a function in `wording_features` or `answer_features` and a name in a family: models that do not know
it do not ask for it, and the next fit does.
"""

from faithview.judges.lexical.scoring import answer_features, wording_features
from faithview.judges.lexical.scoring.claim_view import by_name

# In the order in which a fit reads them: a draw by chance takes columns by their place.
FAMILIES = (
    wording_features.WORDS,
    wording_features.WORD_ORDER,
    answer_features.NAMES_AND_VALUES,
    wording_features.STYLE,
    wording_features.GAPS,
    answer_features.CITATIONS,
    answer_features.FIELDS,
    wording_features.ADDITIONS,
    answer_features.ANSWER,
    answer_features.NEIGHBOURS,
    answer_features.SUPPORT,
)

FEATURES = by_name(FAMILIES)

# Those that a claim by itself tells, which a model's straight line is made of.
CLAIM_FEATURES = tuple(name for name, feature in FEATURES.items() if feature.is_of_claim)
