"""From a comparison to figures, and from those to probabilities."""
