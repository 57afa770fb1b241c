"""Adapters for the frameworks that generate answers, one small module each; each needs its framework installed."""

__all__ = ["langchain", "llamaindex"]
