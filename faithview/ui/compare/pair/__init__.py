"""Two answers of the compare page side by side."""

__all__ = ["pair_payload", "pair_view"]
