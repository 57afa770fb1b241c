"""Parts of the page Review: a spot-check's queue and its result, and the disagreements."""
