"""Labelled answers, read as the embedded judge reads them, to train it on."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from faithview.formats.dataset import LabelledSample
from faithview.judges.lexical.analysis.answer import read_answer, score_without_claims
from faithview.judges.lexical.scoring.answer_pooling import AnswerKind, kind_of
from faithview.judges.lexical.scoring.claim_view import AnswerView
from faithview.judges.lexical.scoring.features import FEATURES
from faithview.judges.lexical.splitting.claims import split_answer
from faithview.judges.lexical.verdicts.decide import recall_of

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A labelled answer, as the judge reads it.

    `rows` are its claims' features and `known` their labels (1 supported, 0 not, -1 unknown). `in_conflict` and
    `lacks_detail` say which rules apply to each claim, and `found` is the share of it that the chunks hold (0 where
    they say that nothing is known of it). `beside` are the answer's own features for the pooling,
    `score_without_claims` its score where it has no claims. `fold` is a number of its document, taken modulo the
    number of folds.
    """

    is_faithful: bool
    has_spans: bool
    fold: int
    rows: Floats
    known: tuple[int, ...]
    in_conflict: tuple[bool, ...]
    lacks_detail: tuple[bool, ...]
    found: tuple[float, ...]
    beside: tuple[float, ...]
    kind: AnswerKind
    score_without_claims: float


def read_answers(rows: Sequence[LabelledSample]) -> list[Answer]:
    """Read labelled rows as the judge does; an answer without claims or chunks has no rows and counts as supported."""
    return [_read(row) for row in rows]


def _rows(answer: AnswerView) -> Floats:
    """Return the figures of each claim, in the order of `FEATURES`."""
    return np.array([feature.column(answer) for feature in FEATURES.values()]).T.copy()


def _read(row: LabelledSample) -> Answer:
    split = split_answer(row.sample.answer, row.sample.question)
    is_readable = bool(split.claims) and row.sample.has_context
    reading = read_answer(row.sample, split) if is_readable else None
    claims = split.claims if is_readable else ()
    known = []
    for claim in claims:
        if row.label == 1:
            known.append(1)
        elif row.spans and row.claim is None:
            known.append(int(not any(s.start < claim.end and claim.start < s.end for s in row.spans)))
        else:
            known.append(0 if len(claims) == 1 else -1)
    comparisons = reading.comparisons if reading else []
    return Answer(
        is_faithful=row.label == 1,
        has_spans=row.spans is not None and row.claim is None,
        fold=zlib.crc32(row.doc.encode()),
        rows=_rows(reading.view) if reading else np.zeros((0, len(FEATURES))),
        known=tuple(known),
        in_conflict=tuple(c.conflict is not None for c in comparisons),
        lacks_detail=tuple(bool(c.missing_names or c.missing_values or c.untold) for c in comparisons),
        found=tuple(0.0 if c.untold else recall_of(c, reading.context) for c in comparisons) if reading else (),
        beside=reading.beside if reading else (),
        kind=kind_of(len(claims), is_record=reading is not None and reading.context.is_record),
        score_without_claims=score_without_claims(row.sample, split) if not split.claims else 1.0,
    )
