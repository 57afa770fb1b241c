"""Projects in the dashboard: which one a session is in, who gets in, and the switch in the sidebar."""

__all__ = ["log_in", "membership", "roles", "switch"]
