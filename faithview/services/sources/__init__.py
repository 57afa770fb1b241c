"""Chunks, documents and knowledge bases: where unsupported claims come from."""

__all__ = ["board", "chunk_ablation", "citations", "knowledge_bases"]
