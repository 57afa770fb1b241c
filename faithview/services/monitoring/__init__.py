"""Alerts and gates: what a run has to reach, and the webhook that hears when it does not."""

__all__ = ["alerts", "gates", "live_windows", "webhook"]
