"""Preflights: what an update of a knowledge base would do to a run's answers."""
