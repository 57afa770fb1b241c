"""A name that a text holds."""

from dataclasses import dataclass

from faithview.judges.text.tokens import Token


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A name at `[start, end)`: capitalised words that follow each other, or an acronym."""

    start: int
    end: int
    tokens: tuple[Token, ...]

    @property
    def stems(self) -> tuple[str, ...]:
        """The stems of its words."""
        return tuple(token.word.stem for token in self.tokens)
