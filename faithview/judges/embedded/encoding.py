"""Word pieces as the reader's network takes them: [CLS] claim [SEP] asked [SEP] passages [SEP]."""

from typing import NamedTuple

from tokenizers import Tokenizer

from faithview.judges.embedded.passages import ReaderInput

# Longer passages are read in several windows.
MOST_TOKENS = 320

_LEAST_PASSAGE = 64
_OVERLAP = 32


class EncodedInput(NamedTuple):
    """One window. `offsets` are the places in the claim of its word pieces, which are the tokens from 1 on."""

    tokens: list[int]
    sides: list[int]
    offsets: list[tuple[int, int]]


def encode(tokenizer: Tokenizer, given: ReaderInput) -> list[EncodedInput]:
    """Return the windows of an input: one, unless its passages are long. All of the passages is in some window."""
    first, end = _special(tokenizer, "[CLS]"), _special(tokenizer, "[SEP]")
    claim = tokenizer.encode(given.claim, add_special_tokens=False)
    asked = tokenizer.encode(given.asked, add_special_tokens=False).ids if given.asked else []
    passages = tokenizer.encode(given.passages, add_special_tokens=False).ids
    # A claim that fills the input by itself is cut: it is then no sentence, and the rules judge it.
    most_claim = MOST_TOKENS - _LEAST_PASSAGE - 3
    pieces, offsets = claim.ids[:most_claim], claim.offsets[:most_claim]
    left = most_claim - len(pieces)
    head = [first, *pieces, end, *(asked[-left:] if left else []), end]
    room = MOST_TOKENS - len(head) - 1
    windows = []
    for at in range(0, max(1, len(passages) - _OVERLAP), room - _OVERLAP):
        part = passages[at : at + room]
        sides = [0] * len(head) + [1] * (len(part) + 1)
        windows.append(EncodedInput([*head, *part, end], sides, offsets))
    return windows


def _special(tokenizer: Tokenizer, name: str) -> int:
    number: int | None = tokenizer.token_to_id(name)
    if number is None:
        raise ValueError(f"The tokenizer has no {name}; it is not the one that the reader was trained with.")
    return number
