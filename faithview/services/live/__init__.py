"""Live applications: their answers are logged, and a watch judges what arrived, or a share of it."""

__all__ = ["append", "logger", "watch"]
