"""The workers of `tests/performance/soak.py`, and what is asked of the store in the end."""
