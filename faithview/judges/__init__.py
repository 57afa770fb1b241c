"""Judges decide whether claims are supported. Importing this package imports no judge."""

__all__ = ["base", "capabilities", "companions", "judge_limits", "parallel", "registry"]
