"""What a claim says of opening hours against the hours that a record gives."""

__all__ = ["check", "groups", "lexer", "schedule", "statements"]
