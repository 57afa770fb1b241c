"""Queries on chunks and knowledge bases."""

__all__ = ["chunk_uses", "knowledge_bases"]
