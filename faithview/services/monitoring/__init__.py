"""Alerts and gates: what a run has to reach, and who is informed when it does not."""
