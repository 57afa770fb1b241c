"""Text tools that several judges share: sentences, clauses, words, units, word lists and what a text denies."""

__all__ = ["clauses", "lexicon", "polarity", "sentences", "tokens", "units", "vocabulary"]
