"""Text tools that several judges share: sentences, words, units and word lists."""

__all__ = ["lexicon", "sentences", "tokens", "units"]
