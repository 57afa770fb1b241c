"""The inbox: claims that are not fully supported, over all runs of a series, found, labelled and assigned together."""

__all__ = ["assignments", "bulk_labels", "groups", "tabs"]
