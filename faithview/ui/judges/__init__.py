"""The page Judges: how far each judge can be trusted."""

__all__ = ["accuracy", "benchmarks", "head_to_head", "reviewers"]
