"""The page Judges: how far each judge can be trusted."""

__all__ = ["accuracy", "head_to_head", "reviewers"]
