"""Chunks and documents: where unsupported claims come from."""

__all__ = ["board", "chunk_ablation", "citations"]
