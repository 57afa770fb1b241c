"""The inbox: an index over all claims that every list and count of it reads, and who should label them."""

__all__ = ["assignments", "claim_filters", "claim_groups", "claim_index", "codes", "facet_counts", "tabs"]
