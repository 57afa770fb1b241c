"""The server that shows the dashboard: how it starts, what it trusts, and which requests it turns away."""

__all__ = ["gate", "server"]
