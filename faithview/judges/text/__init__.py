"""Text tools that several judges share: sentences, words, units and word lists."""
