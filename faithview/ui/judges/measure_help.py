"""The tooltips for what people's labels say about a judge."""

_WEIGHTED = (
    " A figure of a spot-check is weighted by how many claims each label stands for, so it can differ from the counts "
    "below it."
)
_RANDOM = " Known from a spot-check only: labels on claims that were picked by their verdict say nothing of it."
ACCURACY_HELP = (
    "Share of claims on which judge and people give the same verdict of the four, with a 95 % interval (Wilson's, for "
    "the effective number of labels: it allows for answers to the same question and for the weights)." + _WEIGHTED
)
SENSITIVITY_HELP = (
    "Recall: of the claims that people call not supported, the share that the judge does not call supported. Claims "
    "that people added because the judge missed them count as not found." + _RANDOM + _WEIGHTED
)
SPECIFICITY_HELP = (
    "Specificity: of the claims that people call supported, the share that the judge calls supported."
    + _RANDOM
    + _WEIGHTED
)
PRECISION_HELP = (
    "Precision: of the claims that the judge does not call supported, the share that people call not supported."
    + _WEIGHTED
)
KAPPA_HELP = (
    "Agreement beyond chance (Cohen 1960): 0 is chance, 1 is perfect. Labels of a spot-check are weighted by their "
    "inclusion probability. A bootstrap interval over questions."
)
