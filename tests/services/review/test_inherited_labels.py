"""Which chunks changed under a stale label: the rule for edited chunks, on the sample knowledge bases."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from rapidfuzz.distance import Indel

from faithview import Sample
from faithview.domain.pairing import CHUNK_FLOOR
from faithview.services.review.carry_over import list_changed_chunks
from tests.factories import make_chunks

KB = sorted((Path(__file__).parents[3] / "data" / "kb").glob("*.jsonl"))


def _texts(path: Path) -> dict[str, str]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {row["id"]: row["text"] for row in rows}


def _context(texts: dict[str, str]) -> Sample:
    chunks = make_chunks(texts)
    return Sample(answer="x", chunks=tuple(chunks))


@pytest.mark.parametrize(("old", "new"), list(pairwise(KB)), ids=lambda path: path.stem)
def test_chunks_of_the_sample_knowledge_bases_are_matched_by_their_ids(old: Path, new: Path) -> None:
    before, after = _texts(old), _texts(new)
    ids = {*before, *after}
    expected = {(before.get(i), after.get(i)) for i in ids if before.get(i) != after.get(i)}
    assert expected
    changes = list_changed_chunks(_context(before), _context(after), cited=set(), is_absence=True)
    assert {(change.old, change.new) for change in changes} == expected


@pytest.mark.parametrize("path", KB, ids=lambda path: path.stem)
def test_no_two_chunks_of_a_sample_knowledge_base_are_similar_enough_to_be_confused(path: Path) -> None:
    texts = [text.casefold().split() for text in _texts(path).values()]
    similarities = (Indel.normalized_similarity(a, b) for i, a in enumerate(texts) for b in texts[:i])
    assert max(similarities) < CHUNK_FLOOR
