"""Training pairs of the reader: claims beside their passages, from the help-desk answers and from public files.

Each help-desk answer is used in several versions: as it is, with its errors put right, and with each of its traps
sprung. Of the other versions only the claims that differ are used.
"""

import json
import random
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from faithview.domain.sample import Chunk, Sample
from faithview.judges.embedded.passages import MOST_CHARACTERS, PassageIndex, reader_input
from faithview.judges.lexical.splitting.claims import split_answer
from tests.helpdesk import Change, HelpdeskAnswer
from tests.training.contrasts.plain import without_markup

# Types of errors whose claim the chunks deny; of the others it is only known that the chunks do not say it.
_DENIED = "contradiction"
_UNSAID = "invention"

# How a text is varied for another epoch: the least and the most characters of passages, the share of
# questions, and that of answers whose chunks come without their markup.
_LEAST_SHOWN, MOST_SHOWN = 350, 650
_ASKED_SHARE = 0.8
_PLAIN_SHARE = 0.5

# Percent of the documents.
_KEPT = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A claim beside its passages. `label` is entailed, neutral, contradicted or not_entailed.

    `wrong` holds the ranges of the claim that are wrong, None where nobody marked them. Pairs of one `group` are
    versions of one claim; "" is no group.
    """

    claim: str
    asked: str
    passages: str
    label: str
    wrong: tuple[tuple[int, int], ...] | None = None
    group: str = ""


def helpdesk_pairs(
    answers: Iterable[HelpdeskAnswer], *, versions: bool, rng: random.Random | None = None, most: int | None = None
) -> Iterator[Pair]:
    """Return the claims of answers as pairs; with `versions` those of their other versions too.

    `most` is how many characters of the chunks are shown, by default as many as in the product. With `rng` it is the
    most of a draw, and the chunks come in a random order, some without markup or without the question, so that no epoch
    repeats another.
    """
    for given in answers:
        answer, shown = (given, most or MOST_CHARACTERS) if rng is None else varied(given, rng, most or MOST_SHOWN)
        yield from _pairs_of(answer, answer.answer, answer.errors, None, shown)
        if not versions:
            continue
        if answer.errors:
            text, places = changed(answer.answer, answer.errors)
            yield from _pairs_of(answer, text, (), places, shown)
        for trap in answer.traps:
            # The errors are put right, so that the trap is all that is wrong.
            changes = sorted((*answer.errors, trap))
            text, places = changed(answer.answer, changes)
            place = places[changes.index(trap)]
            yield from _pairs_of(answer, text, (Change(*place, "", trap.type),), [place], shown)


def is_kept_for_combining(answer: HelpdeskAnswer) -> bool:
    """Return whether an answer of the part `fit` is kept from the reader, to fit the combination to it."""
    return zlib.crc32(f"{answer.domain}/{answer.doc}".encode()) % 100 < _KEPT


def public_pairs(path: Path, most: int | None = None) -> list[Pair]:
    """Return the pairs of a file of JSON lines with `premise`, `hypothesis` and `label`."""
    pairs = []
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            pairs.append(
                Pair(
                    claim=row["hypothesis"],
                    asked=row.get("asked", ""),
                    passages=row["premise"],
                    label=row["label"],
                    group=row.get("group", ""),
                )
            )
            if len(pairs) == most:
                break
    return pairs


def _pairs_of(
    answer: HelpdeskAnswer, text: str, errors: Sequence[Change], only: Sequence[tuple[int, int]] | None, most: int
) -> Iterator[Pair]:
    chunks = tuple(Chunk(chunk_id=str(number), text=chunk) for number, chunk in enumerate(answer.chunks, start=1))
    sample = Sample(answer=text, chunks=chunks, question=answer.question)
    index = PassageIndex(sample.chunks, sample.question)
    for number, claim in enumerate(split_answer(text).claims):
        if only is not None and not any((a < claim.end and b > claim.start) or a == b for a, b in only):
            continue
        hit = [error for error in errors if error.start < claim.end and error.end > claim.start]
        given = reader_input(sample, index, claim.start, claim.end, most=most)
        yield Pair(
            claim=given.claim,
            asked=given.asked,
            passages=given.passages,
            label=_label(hit),
            wrong=tuple((max(0, error.start - claim.start), min(claim.end, error.end) - claim.start) for error in hit),
            group=f"{answer.answer_id}:{number}",
        )


def varied(answer: HelpdeskAnswer, rng: random.Random, most: int = MOST_SHOWN) -> tuple[HelpdeskAnswer, int]:
    """Return the answer with its chunks as another epoch has them, and how many characters of them are shown."""
    chunks = list(answer.chunks)
    rng.shuffle(chunks)
    if rng.random() < _PLAIN_SHARE:
        chunks = [without_markup(chunk) for chunk in chunks]
    question = answer.question if rng.random() < _ASKED_SHARE else ""
    return replace(answer, chunks=tuple(chunks), question=question), rng.randint(_LEAST_SHOWN, most)


def _label(errors: Sequence[Change]) -> str:
    types = {error.type for error in errors}
    if not types:
        return "entailed"
    if _DENIED in types:
        return "contradicted"
    return "neutral" if types == {_UNSAID} else "not_entailed"


def changed(text: str, changes: Sequence[Change]) -> tuple[str, list[tuple[int, int]]]:
    """Return a text with the changes made, and where it then has their words."""
    parts, places = [], []
    at = length = 0
    for change in sorted(changes):
        parts += [text[at : change.start], change.becomes]
        length += change.start - at
        places.append((length, length + len(change.becomes)))
        length += len(change.becomes)
        at = change.end
    return "".join([*parts, text[at:]]), places
