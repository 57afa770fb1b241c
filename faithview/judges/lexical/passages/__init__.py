"""The contents of the chunks: fields, values, and passages with an index."""

__all__ = ["equality", "fields", "index", "values"]
