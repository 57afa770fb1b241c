"""Text tools that several judges share: sentences, clauses, words, units, word lists and what a text denies."""
