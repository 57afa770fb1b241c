"""Preflights: what an update of a knowledge base would do to a run's answers, and what was foreseen of it."""

__all__ = ["counterparts", "forecast", "foresight", "judging", "plan", "preflights"]
