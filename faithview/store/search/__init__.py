"""Finding texts: by the words that they hold, and by any part of them."""

__all__ = ["text_search", "word_index"]
