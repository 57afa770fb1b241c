"""Adapters for the frameworks that answers are made with, one small module each; each needs its framework installed."""

__all__ = ["langchain", "llamaindex"]
