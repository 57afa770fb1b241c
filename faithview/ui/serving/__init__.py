"""The server that shows the dashboard: how it starts, which requests it turns away, how uploads get to disk."""

__all__ = ["dashboard_server", "gate", "upload_folder", "upload_receiver"]
