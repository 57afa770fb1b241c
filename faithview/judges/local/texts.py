"""A model's tokenizer, which treats texts as data and splits long chunks into overlapping windows."""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from faithview.domain.errors import JudgeUnavailable
from faithview.judges.local.files import ModelFiles
from faithview.judges.text.sentences import Range, split_sentences_quickly, trim


class Texts:
    """Turns texts into token ids.

    Text like a special token ("[SEP]", "</s>") in an answer or a chunk would end that text for the model, so its
    first character is replaced by a space. Everything keeps its place.
    """

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        names = sorted((str(name) for name in tokenizer.all_special_tokens), key=len, reverse=True)
        self._special = re.compile("|".join(re.escape(name) for name in names)) if names else None

    def plain(self, text: str) -> str:
        """Return the text, as long as before, without anything that looks like a special token."""
        if self._special is None:
            return text
        return self._special.sub(lambda found: f" {found[0][1:]}", text)

    def ids(self, text: str) -> list[int]:
        """Return the ids of a text, nothing added."""
        return self._ids(self.plain(text), add_special_tokens=False)

    def prompt_ids(self, prompt: str) -> list[int]:
        """Return the ids of a prompt whose special tokens are meant, with those that the model wants around it."""
        return self._ids(prompt, add_special_tokens=True)

    def pair(self, first: str, second: str) -> tuple[list[int], list[int]]:
        """Return the ids of two texts as the model takes a pair, and which text each is from (empty if untold)."""
        encoded = self._tokenizer(self.plain(first), self.plain(second), truncation=False, verbose=False)
        return encoded["input_ids"], encoded.get("token_type_ids") or []

    def pair_with_places(self, first: str, second: str) -> tuple[list[int], list[int], list[tuple[int, Range]]]:
        """Return a pair as `pair` does, and for each token of the second text its number and place in that text."""
        encoded = self._tokenizer(
            self.plain(first), self.plain(second), truncation=False, return_offsets_mapping=True, verbose=False
        )
        places = [
            (at, (start, end))
            for at, (side, (start, end)) in enumerate(
                zip(encoded.sequence_ids(0), encoded["offset_mapping"], strict=True)
            )
            if side == 1 and start < end
        ]
        return encoded["input_ids"], encoded.get("token_type_ids") or [], places

    def offsets(self, text: str) -> Sequence[Range]:
        """Return the place of each token in a text."""
        encoded = self._tokenizer(
            self.plain(text), add_special_tokens=False, truncation=False, return_offsets_mapping=True, verbose=False
        )
        return [(start, end) for start, end in encoded["offset_mapping"]]

    def special(self, name: str) -> int:
        """Return the id of a special token by its role, "sep_token" for example.

        Raises:
            JudgeUnavailable: the tokenizer has no such token.
        """
        number: int | None = getattr(self._tokenizer, f"{name}_id")
        if number is None:
            raise JudgeUnavailable(
                f"The model's tokenizer has no {name.replace('_', ' ')}; it is not a model for this judge."
            )
        return number

    def _ids(self, text: str, *, add_special_tokens: bool) -> list[int]:
        encoded = self._tokenizer(text, add_special_tokens=add_special_tokens, truncation=False, verbose=False)
        found: list[int] = encoded["input_ids"]
        return found


def load_texts(files: ModelFiles, *, trusts_code: bool = False) -> Texts:
    """Return the tokenizer of a model.

    Raises:
        JudgeUnavailable: it cannot be loaded, or is one without the places of its tokens.
    """
    from transformers import AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(files.place, revision=files.revision, trust_remote_code=trusts_code)
    except (OSError, ValueError, ImportError, KeyError) as error:
        raise JudgeUnavailable(f"The tokenizer of {files.place!r} cannot be loaded: {first_line(error)}") from error
    if not tokenizer.is_fast:
        raise JudgeUnavailable(
            f"The tokenizer of {files.place!r} does not give token positions; choose a model with tokenizer.json."
        )
    return Texts(tokenizer)


def first_line(error: Exception) -> str:
    """Return the first line of an error's text, or the error's kind where it has no text."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]


# The place of each token in a text.
Offsets = Callable[[str], Sequence[Range]]

_LINE = re.compile(r"[^\n]*\S[^\n]*")

# The share of a window that is read again in the next: a statement and the sentence it refers to stay together.
_OVERLAP = 0.25


def sentences(text: str, start: int, end: int) -> list[Range]:
    """Return the sentences of a part of a chunk; the end of a line ends a sentence too."""
    return [piece for line in _LINE.finditer(text, start, end) for piece in split_sentences_quickly(text, *line.span())]


def windows(text: str, offsets: Offsets, *, most: int) -> list[Range]:
    """Return windows of at most about `most` tokens that cover the text; empty if it is only whitespace.

    A text that fits is one window. `most` does not count the tokens between sentences, so callers with a hard limit
    must check the windows and call `halves`.
    """
    start, end = trim(text, 0, len(text))
    if start == end:
        return []
    if len(offsets(text[start:end])) <= most:
        return [(start, end)]
    pieces = [piece for unit in sentences(text, start, end) for piece in _pieces(text, unit, offsets, most)]
    found: list[Range] = []
    first = 0
    while True:
        last = _fill(pieces, first, most)
        found.append((pieces[first][0][0], pieces[last - 1][0][1]))
        if last == len(pieces):
            return found
        first = _step_back(pieces, first, last, most)


def halves(text: str, window: Range) -> tuple[Range, Range] | None:
    """Return two windows that overlap and cover one that is too long; None if it is too short to be cut."""
    start, end = window
    overlap = (end - start) // 8
    middle = (start + end) // 2
    if overlap == 0:
        return None
    return trim(text, start, middle + overlap), trim(text, middle - overlap, end)


def _pieces(text: str, unit: Range, offsets: Offsets, most: int) -> list[tuple[Range, int]]:
    """Return a sentence with the number of its tokens, cut where it alone is longer than a window."""
    start, end = unit
    tokens = offsets(text[start:end])
    if len(tokens) <= most:
        return [(unit, len(tokens))]
    step = max(1, most // 4)
    cuts = [start + tokens[at][0] for at in range(step, len(tokens), step)]
    edges = [start, *(cut for cut in dict.fromkeys(cuts) if start < cut < end), end]
    trimmed = [trim(text, a, b) for a, b in pairwise(edges)]
    return [((a, b), step) for a, b in trimmed if a < b]


def _fill(pieces: Sequence[tuple[Range, int]], first: int, most: int) -> int:
    """Return the number after the last piece that fits into a window that begins with `first`."""
    size, last = pieces[first][1], first + 1
    while last < len(pieces) and size + pieces[last][1] <= most:
        size += pieces[last][1]
        last += 1
    return last


def _step_back(pieces: Sequence[tuple[Range, int]], first: int, last: int, most: int) -> int:
    """Return the first piece of the next window: as many of the last ones as fit into the overlap."""
    size, at = 0, last
    while at - 1 > first and size + pieces[at - 1][1] <= most * _OVERLAP:
        at -= 1
        size += pieces[at][1]
    return at
