"""Data sets whose answers people labelled as faithful or not, one module each; judges are measured by them."""

__all__ = ["ares", "faithbench", "halueval", "lettucedetect", "llm_aggrefact", "ragtruth"]
