"""What a model replies: its shape, how it is read, what is repaired, and where the words that it copied stand."""

__all__ = ["anchoring", "find_json", "listing", "parsing", "schemas"]
