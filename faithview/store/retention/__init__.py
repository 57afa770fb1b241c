"""Runs and texts that are deleted: what goes with them, which are older than they are kept, and the space they free."""

__all__ = ["deleted_runs", "freed_space", "old_texts"]
