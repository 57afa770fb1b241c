"""Causes on sixty cases made by hand (`cause_cases.toml`): how many are as a person would name them."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from faithview.domain import pairing
from faithview.domain.causes import AnswerFacts, AnswerTexts, Knowledge, find_terms
from faithview.domain.comparison import Cause, Term
from faithview.domain.content_hashes import claim_hash, text_hash
from faithview.domain.pairing import ChunkFacts
from faithview.stats.text_matching import pair_chunk_texts, pair_claim_texts

_SUPPORTED = {"+": True, "-": False, "0": None}

# Cases whose cause the rules get wrong, with the reason.
KNOWN_WRONG: dict[str, str] = {}


@cache
def _document() -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "cause_cases.toml").read_text(encoding="utf-8"))


def _chunk(name: str, rank: int) -> ChunkFacts:
    return ChunkFacts(chunk_id=name.split("/")[0], chunk_hash=text_hash(_document()["texts"][name]), rank=rank)


def _knowledge(names: list[str] | None) -> Knowledge | None:
    if names is None:
        return None
    chunks = [_chunk(name, 1) for name in names]
    return Knowledge(hashes={chunk.chunk_hash for chunk in chunks}, ids={chunk.chunk_id for chunk in chunks})


def _answer(case: dict[str, Any], side: str) -> AnswerFacts:
    names = case[f"chunks_{side}"]
    texts, supported, cited = [], [], []
    for line in case[side]:
        sign, text = line.split(" ", 1)
        text, _, citations = text.removesuffix(">").partition(" <")
        ids = [name.split("/")[0] for name in names]
        texts.append(text)
        supported.append(_SUPPORTED[sign])
        cited.append([ids.index(name.strip()) for name in citations.split(",") if name.strip()])
    return AnswerFacts(
        supported=supported,
        cited=cited,
        chunks=[_chunk(name, rank) for rank, name in enumerate(names, start=1)],
        retrieved=frozenset(case.get(f"retrieved_{side}", ())),
        knowledge=_knowledge(case.get(f"knowledge_{side}")),
        texts=AnswerTexts(claims=texts, chunks=[_document()["texts"][name] for name in names]),
    )


def find_term(case: dict[str, Any]) -> Term:
    """Return the one term that is not nothing in a case."""
    before, after = _answer(case, "before"), _answer(case, "after")
    text_of_chunk = {
        chunk.chunk_hash: text
        for facts in (before, after)
        for chunk, text in zip(facts.chunks, facts.texts.chunks, strict=True)
    }
    claims = pairing.match_claims(
        [claim_hash(text) for text in before.texts.claims],
        [claim_hash(text) for text in after.texts.claims],
        text_of=lambda: (before.texts.claims, after.texts.claims),
        pair_texts=pair_claim_texts,
    )
    chunks = pairing.match_chunks(
        before.chunks,
        after.chunks,
        text_of=lambda found: [text_of_chunk[chunk.chunk_hash] for chunk in found],
        pair_texts=pair_chunk_texts,
    )
    (term,) = find_terms(before, after, claims=claims, chunks=chunks)
    return term


def test_at_least_58_of_60_causes_are_as_a_person_names_them() -> None:
    cases = _document()["case"]
    assert len(cases) == 60
    # An answer that another tool scored without claims has no claims to find a cause for.
    assert {case["cause"] for case in cases} == set(Cause) - {Cause.SCORED_WHOLE}
    wrong = {case["name"] for case in cases if find_term(case).cause != case["cause"]}
    assert wrong == set(KNOWN_WRONG)
    assert len(wrong) <= 2
