"""Names, values, definitions and roles in sentences, and what sentences of the chunks say against them."""

__all__ = ["definitions", "names", "roles", "value_places", "values"]
