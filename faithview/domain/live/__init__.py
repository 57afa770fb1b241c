"""What a live application logs, and the windows of time in which it is judged."""

__all__ = ["logged_answer", "window"]
