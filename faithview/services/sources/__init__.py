"""Chunks, documents and knowledge bases: where unsupported claims come from."""
