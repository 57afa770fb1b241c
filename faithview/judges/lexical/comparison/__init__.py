"""What comparing a claim with the chunks finds, and how near a passage comes to a claim."""

__all__ = ["alignment", "comparison", "edit", "name"]
