"""The reader: a list of answers, one answer with its claims, and its chunks."""
