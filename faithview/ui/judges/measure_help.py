"""The tooltips for what people's labels say about a judge."""

ACCURACY_HELP = (
    "Share of labelled claims on which judge and people give the same verdict of the four, with a 95 % interval "
    "(Wilson's, for the effective number of labels: it allows for claims of the same answer and for the sampling "
    "weights of a spot-check)."
)
SENSITIVITY_HELP = "Of the claims that people call not supported, the share that the judge does not call supported."
SPECIFICITY_HELP = "Of the claims that people call supported, the share that the judge calls supported."
KAPPA_HELP = (
    "Agreement beyond chance (Cohen 1960): 0 is chance, 1 is perfect. Labels of a spot-check are weighted by their "
    "inclusion probability. A bootstrap interval over answers."
)
