"""The choices that all statistics share: significance level, confidence, seed and number of resamples."""

# A p-value below ALPHA is called significant, and intervals are for 95% confidence, unless a caller asks otherwise.
ALPHA = 0.05
CONFIDENCE = 1 - ALPHA

# 97.5% of a normal distribution lie below this many standard deviations: half the width of a 95% interval. Rounded to
# six decimals in every released version; more digits would change stored and exported intervals.
NORMAL_QUANTILE = 1.959964

# The same rows give the same interval and p-value everywhere.
SEED = 20_260_301

# Puts the Monte Carlo error of a 95% limit near 3% of the interval's width.
RESAMPLES = 2_000
