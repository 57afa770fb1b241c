"""The Sources page: the chunks and documents behind unsupported claims."""
