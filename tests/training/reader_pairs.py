"""Training pairs of the reader: claims beside their passages, from the help-desk answers and from public files.

Each help-desk answer is used in several versions: as it is, with its errors put right, and with each of its traps
sprung. Of the other versions only the claims that differ are used.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from faithview.domain.sample import Chunk, Sample
from faithview.judges.lexical.splitting.claims import split_answer
from tests.helpdesk import Change, HelpdeskAnswer
from tests.training.passages import PassageIndex, reader_input

# Types of errors whose claim the chunks deny; of the others it is only known that the chunks do not say it.
_DENIED = "contradiction"
_UNSAID = "invention"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A claim beside its passages. `label` is entailed, neutral, contradicted or not_entailed.

    `wrong` holds the ranges of the claim that are wrong, None where nobody marked them.
    """

    claim: str
    asked: str
    passages: str
    label: str
    wrong: tuple[tuple[int, int], ...] | None = None
    source: str = ""


def helpdesk_pairs(answers: Iterable[HelpdeskAnswer], *, versions: bool) -> Iterator[Pair]:
    """Return the claims of answers as pairs; with `versions` those of their other versions too."""
    for answer in answers:
        yield from _pairs_of(answer, answer.answer, answer.errors, None)
        if not versions:
            continue
        if answer.errors:
            text, places = _changed(answer.answer, answer.errors)
            yield from _pairs_of(answer, text, (), places)
        for trap in answer.traps:
            text, places = _changed(answer.answer, (trap,))
            shifted = [_moved(error, trap) for error in answer.errors]
            wrong = Change(*places[0], "", trap.type)
            yield from _pairs_of(answer, text, (*shifted, wrong), places)


def public_pairs(path: Path, most: int | None = None) -> list[Pair]:
    """Return the pairs of a file of JSON lines with `premise`, `hypothesis` and `label`."""
    pairs = []
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            pairs.append(
                Pair(claim=row["hypothesis"], asked="", passages=row["premise"], label=row["label"], source=path.stem)
            )
            if len(pairs) == most:
                break
    return pairs


def _pairs_of(
    answer: HelpdeskAnswer, text: str, errors: Sequence[Change], only: Sequence[tuple[int, int]] | None
) -> Iterator[Pair]:
    chunks = tuple(Chunk(chunk_id=str(number), text=chunk) for number, chunk in enumerate(answer.chunks, start=1))
    sample = Sample(answer=text, chunks=chunks, question=answer.question)
    index = PassageIndex(sample.chunks, sample.question)
    for claim in split_answer(text).claims:
        if only is not None and not any((a < claim.end and b > claim.start) or a == b for a, b in only):
            continue
        hit = [error for error in errors if error.start < claim.end and error.end > claim.start]
        given = reader_input(sample, index, claim.start, claim.end)
        yield Pair(
            claim=given.claim,
            asked=given.asked,
            passages=given.passages,
            label=_label(hit),
            wrong=tuple((max(0, error.start - claim.start), min(claim.end, error.end) - claim.start) for error in hit),
            source=answer.answer_id,
        )


def _label(errors: Sequence[Change]) -> str:
    types = {error.type for error in errors}
    if not types:
        return "entailed"
    if _DENIED in types:
        return "contradicted"
    return "neutral" if types == {_UNSAID} else "not_entailed"


def _changed(text: str, changes: Sequence[Change]) -> tuple[str, list[tuple[int, int]]]:
    parts, places = [], []
    at = length = 0
    for change in sorted(changes):
        parts += [text[at : change.start], change.becomes]
        length += change.start - at
        places.append((length, length + len(change.becomes)))
        length += len(change.becomes)
        at = change.end
    return "".join([*parts, text[at:]]), places


def _moved(error: Change, trap: Change) -> Change:
    shift = len(trap.becomes) - (trap.end - trap.start) if trap.start < error.start else 0
    return Change(error.start + shift, error.end + shift, error.becomes, error.type)
