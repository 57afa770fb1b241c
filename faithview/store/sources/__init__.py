"""Queries on chunks and knowledge bases."""
