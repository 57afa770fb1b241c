"""Causes add up to the difference, whatever the answers; `test_cause_cases` has the rules."""

import math
import random

import pytest

from faithview.domain.causes import AnswerFacts, Knowledge, find_terms
from faithview.domain.comparison import Cause
from faithview.domain.pairing import ChunkFacts
from faithview.stats.decomposition import share_causes
from faithview.stats.pairing import match_chunks, match_claims

TEXTS = {
    "seats": "The Team plan covers up to 50 seats and 10 inboxes.",
    "seats, edited": "The Team plan covers up to 20 seats and 10 inboxes.",
    "export": "Exports run every night and keep the last thirty files.",
    "guests": "Guests can read a shared tray but cannot answer in it.",
}
CLAIMS = ["Team covers 50 seats.", "The Team plan covers 50 seats in all.", "Refunds take three working days."]


def _chunk(name: str, rank: int = 1) -> ChunkFacts:
    return ChunkFacts(chunk_id=f"kb-{name.split(',')[0]}", chunk_hash=name, rank=rank)


def _answer(rng: random.Random) -> AnswerFacts:
    names = rng.sample(list(TEXTS), rng.randint(0, 4))
    claims = rng.sample([*CLAIMS, *TEXTS.values()], rng.randint(1, 5))
    known = rng.choice([None, ["seats"], ["export", "guests"]])
    return AnswerFacts(
        claims=claims,
        supported=[rng.random() < 0.5 for _ in claims],
        cited=[rng.sample(range(len(names)), rng.randint(0, len(names))) for _ in claims],
        chunks=[_chunk(name, rank) for rank, name in enumerate(names, start=1)],
        texts=[TEXTS[name] for name in names],
        knowledge=None
        if known is None
        else Knowledge(hashes=frozenset(known), ids=frozenset(_chunk(name).chunk_id for name in known)),
    )


def test_terms_add_up_to_the_difference_on_random_answers() -> None:
    rng = random.Random(1)
    differences, all_terms = [], []
    for _ in range(300):
        before, after = _answer(rng), _answer(rng)
        chunks = match_chunks(before.chunks, after.chunks, texts=(before.texts, after.texts))
        terms = find_terms(before, after, claims=match_claims(before.claims, after.claims), chunks=chunks)
        scores = [sum(side.supported) / len(side.supported) for side in (before, after)]
        assert math.fsum(term.value for term in terms) == pytest.approx(scores[1] - scores[0], abs=1e-12)
        differences.append(scores[1] - scores[0])
        all_terms.append(terms)
    shares = share_causes(all_terms, pairs=300)
    assert math.fsum(share.total for share in shares) == pytest.approx(math.fsum(differences) / 300, abs=1e-12)
    assert {share.cause for share in shares} == set(Cause)


def test_a_retrieved_part_of_a_stored_text_is_in_the_knowledge_base() -> None:
    known = Knowledge(hashes=frozenset(), ids=frozenset(), load_text=lambda: " ".join(TEXTS.values()))
    assert known.holds(_chunk("part"), "keep the last  thirty files.")
    assert not known.holds(_chunk("part"), "keep the last forty files.")
