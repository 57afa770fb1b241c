"""The page Weak spots: which questions, and which chunks and documents, the low scores come from."""
