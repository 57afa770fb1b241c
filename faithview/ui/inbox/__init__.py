"""The Inbox page: claims that are not fully supported, over all runs of the series in view."""

__all__ = ["actions", "address", "controls", "facet_bar", "group_list", "listing"]
