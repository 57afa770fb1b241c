"""What holds of any text, whoever wrote it."""

__all__ = ["hidden_characters", "verdict_words"]
