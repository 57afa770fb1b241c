"""What the chunks contain: fields, values, and passages with an index."""

__all__ = ["equality", "fields", "index", "values"]
