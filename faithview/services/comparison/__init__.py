"""Two runs side by side: which answers and claims changed, whether the difference is real, and what caused it."""
