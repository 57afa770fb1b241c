"""The domain model, on the standard library alone: samples, claims, verdicts, labels, runs, and their rules."""
