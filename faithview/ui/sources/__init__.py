"""The Sources page: the chunks and documents behind unsupported claims."""

__all__ = ["address", "board_data", "findings", "headline", "source_list", "source_panel"]
