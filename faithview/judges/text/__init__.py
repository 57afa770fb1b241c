"""Text tools that several judges share: sentences, clauses, words, units, word lists and what a text denies."""

__all__ = ["lexicon", "polarity", "sentences", "tokens", "units"]
