"""The Inspect page: one run's answers beside their chunks."""
