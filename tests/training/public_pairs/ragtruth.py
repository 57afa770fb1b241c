"""Claims of RAGTruth's answers beside their passages, of the half of its documents that the reader may see."""

from collections.abc import Iterator
from pathlib import Path

from faithview.formats.labelled import LabelledSample
from faithview.judges.embedded.passages import PassageIndex, reader_input
from faithview.judges.lexical.splitting.claims import split_answer
from faithview.services.dataset_files import open_dataset
from tests.training.claim_table import was_read
from tests.training.public_pairs.pairs import ENTAILED, NOT_ENTAILED, Pair
from tests.training.public_pairs.stages import RAGTRUTH

_FAITHFUL = 1


def ragtruth_pairs(path: Path) -> list[Pair]:
    """Return the claims of a labelled file's answers that the reader may see."""
    rows, _ = open_dataset(path).read_labelled()
    return [pair for row in rows if was_read(RAGTRUTH, row.doc) for pair in _claims(row)]


def _claims(row: LabelledSample) -> Iterator[Pair]:
    """Return an answer's claims; none of an unfaithful answer that nobody marked the wrong words of."""
    spans = () if row.label == _FAITHFUL else row.spans
    if row.label != _FAITHFUL and not spans:
        return
    index = PassageIndex(row.sample.chunks, row.sample.question)
    for claim in split_answer(row.sample.answer, row.sample.question).claims:
        is_wrong = any(span.start < claim.end and claim.start < span.end for span in spans or ())
        given = reader_input(row.sample, index, claim.start, claim.end)
        yield Pair(given.passages, given.claim, NOT_ENTAILED if is_wrong else ENTAILED, RAGTRUTH, given.asked)
