"""Running a network: which device, which inputs together, and whose turn it is."""

__all__ = ["batches", "devices", "networks", "queue"]
