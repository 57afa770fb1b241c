"""Data sets of answers that people labelled as faithful or not, one module each, for measuring judges."""

__all__ = ["ares", "faithbench", "halueval", "lettucedetect", "llm_aggrefact", "ragtruth"]
