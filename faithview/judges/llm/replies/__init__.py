"""A model's replies: their form, parsing, repairs, and the places of copied words."""

__all__ = ["anchoring", "find_json", "listing", "parsing", "schemas"]
