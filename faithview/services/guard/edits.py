"""Edits of an answer; the text between them is unchanged, byte for byte."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from faithview.services.guard.check import Issue


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """`[start, end)` of the given answer becomes `replacement`; "" removes the words.

    Offsets are code points. Edits are in the order of the answer and do not overlap. `claim_numbers` are the claims
    that caused it, from 1; `reason` is a sentence.
    """

    start: int
    end: int
    replacement: str
    claim_numbers: tuple[int, ...]
    reason: str


def apply_edits(answer: str, edits: Iterable[Edit]) -> str:
    """Return the answer with the edits applied; they are in order and do not overlap."""
    pieces, at = [], 0
    for edit in edits:
        pieces += [answer[at : edit.start], edit.replacement]
        at = edit.end
    return "".join([*pieces, answer[at:]])


def merged(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Return the edits in order, without those inside a removal and with adjacent removals joined."""
    kept: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: (edit.start, -edit.end)):
        last = kept[-1] if kept else None
        if last is None or edit.start > last.end or (edit.start == last.end and (edit.replacement or last.replacement)):
            kept.append(edit)
        elif edit.end > last.end or edit.start == last.end:
            kept[-1] = _merge(last, edit, end=max(edit.end, last.end))
        else:
            kept[-1] = _merge(last, edit, end=last.end, replacement=last.replacement)
    return tuple(kept)


def composed(answer: str, first: Sequence[Edit], second: Sequence[Edit], issues: Sequence[Issue]) -> tuple[Edit, ...]:
    """Return the edits of the given answer that equal `first`, then `second` on the result.

    The second judgement numbers its claims separately, so an edit gets the numbers of the given answer's `issues` that
    it overlaps.
    """
    pieces = _pieces(answer, first)
    rewritten = _rewritten(pieces, second)
    return tuple(_gaps(answer, rewritten, issues))


def _merge(one: Edit, other: Edit, *, end: int, replacement: str | None = None) -> Edit:
    return Edit(
        start=one.start,
        end=end,
        replacement=one.replacement + other.replacement if replacement is None else replacement,
        claim_numbers=tuple(sorted({*one.claim_numbers, *other.claim_numbers})),
        reason=one.reason if one.reason == other.reason or not other.reason else f"{one.reason} {other.reason}",
    )


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece of text: `at` is its place in the given answer, or None for text that an edit inserted (`reason`)."""

    text: str
    at: int | None
    reason: str = ""


def _pieces(answer: str, edits: Sequence[Edit]) -> list[_Piece]:
    pieces, at = [], 0
    for edit in edits:
        pieces += [_Piece(answer[at : edit.start], at), _Piece(edit.replacement, None, edit.reason)]
        at = edit.end
    return [*pieces, _Piece(answer[at:], at)]


def _rewritten(pieces: Sequence[_Piece], edits: Sequence[Edit]) -> list[_Piece]:
    """Return the pieces after edits of their joined text."""
    done: list[_Piece] = []
    rest = list(pieces)
    at = 0
    for edit in edits:
        kept, rest = _split_at(rest, edit.start - at)
        _, rest = _split_at(rest, edit.end - edit.start)
        done += [*kept, _Piece(edit.replacement, None, edit.reason)]
        at = edit.end
    return [*done, *rest]


def _split_at(pieces: Sequence[_Piece], length: int) -> tuple[list[_Piece], list[_Piece]]:
    """Return the pieces of the first `length` characters, and the rest."""
    for number, piece in enumerate(pieces):
        if length <= len(piece.text):
            left = _Piece(piece.text[:length], piece.at, piece.reason)
            after = None if piece.at is None else piece.at + length
            return [*pieces[:number], left], [_Piece(piece.text[length:], after, piece.reason), *pieces[number + 1 :]]
        length -= len(piece.text)
    return list(pieces), []


def _gaps(answer: str, pieces: Sequence[_Piece], issues: Sequence[Issue]) -> list[Edit]:
    """Return the edits between the pieces of the answer."""
    edits: list[Edit] = []
    at, brought, reasons = 0, "", list[str]()
    for piece in [*pieces, _Piece("", len(answer))]:
        if piece.at is None:
            brought += piece.text
            reasons += [piece.reason] if piece.reason else []
            continue
        if not piece.text and piece.at < len(answer):
            continue
        if piece.at > at or brought:
            edits.append(
                Edit(
                    start=at,
                    end=piece.at,
                    replacement=brought,
                    claim_numbers=_numbers_at(at, piece.at, issues),
                    reason=" ".join(dict.fromkeys(reasons)),
                )
            )
        at, brought, reasons = piece.at + len(piece.text), "", []
    return edits


def _numbers_at(start: int, end: int, issues: Sequence[Issue]) -> tuple[int, ...]:
    return tuple(i.number for i in issues if any(span.start < end and start < span.end for span in i.spans))
