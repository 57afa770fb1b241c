"""Causes: each rule on the smallest answers that show it, and shares that add up."""

import math
import random
from collections.abc import Mapping
from functools import partial

import pytest

from faithview.domain import pairing
from faithview.domain.causes import AnswerFacts, Knowledge, find_terms
from faithview.domain.comparison import Cause, Term
from faithview.domain.pairing import ChunkFacts
from faithview.stats.decomposition import share_causes
from faithview.stats.text_matching import pair_chunk_texts, pair_claim_texts

match_claims = partial(pairing.match_claims, pair_texts=pair_claim_texts)
match_chunks = partial(pairing.match_chunks, pair_texts=pair_chunk_texts)

TEXTS = {
    "seats": "The Team plan covers up to 50 seats and 10 inboxes.",
    "seats, edited": "The Team plan covers up to 20 seats and 10 inboxes.",
    "export": "Exports run every night and keep the last thirty files.",
    "guests": "Guests can read a shared tray but cannot answer in it.",
    "claim": "Team covers 50 seats.",
    "claim, reworded": "The Team plan covers 50 seats in all.",
    "invented": "Refunds take three working days.",
}


def _answer(
    claims: Mapping[str, tuple[bool | None, list[int]]],
    chunks: list[str],
    *,
    knowledge: list[str] | None = None,
    retrieved: frozenset[str] = frozenset(),
) -> tuple[list[str], AnswerFacts]:
    facts = AnswerFacts(
        supported=[supported for supported, _ in claims.values()],
        cited=[cited for _, cited in claims.values()],
        chunks=[_chunk(name, rank) for rank, name in enumerate(chunks, start=1)],
        retrieved=retrieved,
        knowledge=None
        if knowledge is None
        else Knowledge(hashes=frozenset(knowledge), ids=frozenset(_id(name) for name in knowledge)),
    )
    return list(claims), facts


def _chunk(name: str, rank: int) -> ChunkFacts:
    return ChunkFacts(chunk_id=_id(name), chunk_hash=name, rank=rank)


def _id(name: str) -> str:
    return f"kb-{name.split(',')[0]}"


def _terms(before: tuple[list[str], AnswerFacts], after: tuple[list[str], AnswerFacts]) -> tuple[Term, ...]:
    claims = match_claims(
        before[0], after[0], text_of=lambda: ([TEXTS[c] for c in before[0]], [TEXTS[c] for c in after[0]])
    )
    chunks = match_chunks(
        before[1].chunks, after[1].chunks, text_of=lambda found: [TEXTS[chunk.chunk_hash] for chunk in found]
    )
    return find_terms(before[1], after[1], claims=claims, chunks=chunks)


def _cause(before: tuple[list[str], AnswerFacts], after: tuple[list[str], AnswerFacts]) -> Cause:
    (term,) = _terms(before, after)
    assert term.value == -1
    return term.cause


SUPPORTED = {"claim": (True, [0])}
BROKEN: dict[str, tuple[bool | None, list[int]]] = {"claim": (False, [])}


def test_same_claim_and_same_context_is_judge_noise() -> None:
    assert _cause(_answer(SUPPORTED, ["seats", "export"]), _answer(BROKEN, ["export", "seats"])) is Cause.JUDGE_NOISE


def test_same_claim_beside_new_chunks_is_a_distraction() -> None:
    assert _cause(_answer(SUPPORTED, ["seats"]), _answer(BROKEN, ["seats", "export"])) is Cause.DISTRACTION


def test_same_claim_with_less_beside_its_evidence_is_judge_noise() -> None:
    assert _cause(_answer(SUPPORTED, ["seats", "export"]), _answer(BROKEN, ["seats"])) is Cause.JUDGE_NOISE


def test_evidence_that_was_reworded_is_edited() -> None:
    assert _cause(_answer(SUPPORTED, ["seats"]), _answer(BROKEN, ["seats, edited"])) is Cause.EVIDENCE_EDITED


def test_missing_evidence_is_no_longer_retrieved_where_the_knowledge_base_is_not_known() -> None:
    assert _cause(_answer(SUPPORTED, ["seats"]), _answer(BROKEN, ["export"])) is Cause.NO_LONGER_RETRIEVED


@pytest.mark.parametrize(
    ("knowledge", "cause"),
    [
        (["seats", "export"], Cause.NOT_RETRIEVED),
        (["export"], Cause.EVIDENCE_REMOVED),
        (["export", "seats, edited"], Cause.EVIDENCE_EDITED),
    ],
)
def test_knowledge_base_tells_removed_from_not_retrieved(knowledge: list[str], cause: Cause) -> None:
    assert _cause(_answer(SUPPORTED, ["seats"]), _answer(BROKEN, ["export"], knowledge=knowledge)) is cause


def test_evidence_that_was_retrieved_below_the_cut_ranks_lower() -> None:
    after = _answer(BROKEN, ["export"], retrieved=frozenset({"kb-export", "kb-seats"}))
    assert _cause(_answer(SUPPORTED, ["seats"]), after) is Cause.RANKED_LOWER


def test_reworded_claim_whose_evidence_fell_in_rank_ranks_lower() -> None:
    after = _answer({"claim, reworded": (False, [])}, ["export", "seats"])
    assert _cause(_answer(SUPPORTED, ["seats"]), after) is Cause.RANKED_LOWER


def test_reworded_claim_on_the_same_evidence_is_a_changed_answer() -> None:
    after = _answer({"claim, reworded": (False, [])}, ["seats"])
    assert _cause(_answer(SUPPORTED, ["seats"]), after) is Cause.ANSWER_CHANGED


def test_new_claim_without_new_chunks_is_a_changed_answer() -> None:
    after = _answer({"claim": (True, [0]), "invented": (False, [])}, ["seats"])
    (term,) = _terms(_answer(SUPPORTED, ["seats"]), after)
    assert (term.baseline, term.candidate, term.value) == (None, 2, -0.5)
    assert term.cause is Cause.ANSWER_CHANGED


def test_new_claim_of_an_answer_that_cites_chunks_new_in_the_knowledge_base_is_added_evidence() -> None:
    before = _answer(SUPPORTED, ["seats"], knowledge=["seats", "export"])
    claims: dict[str, tuple[bool | None, list[int]]] = {"claim": (True, [0]), "invented": (False, [1])}
    (added,) = _terms(before, _answer(claims, ["seats", "guests"]))
    (known,) = _terms(before, _answer(claims, ["seats", "export"]))
    assert (added.cause, known.cause) == (Cause.EVIDENCE_ADDED, Cause.CONTEXT_CHANGED)


def test_chunk_that_came_in_at_the_end_and_is_cited_nowhere_did_not_change_the_answer() -> None:
    before = _answer(SUPPORTED, ["seats", "export"])
    claims: dict[str, tuple[bool | None, list[int]]] = {"claim": (True, [0]), "invented": (False, [])}
    (aside,) = _terms(before, _answer(claims, ["seats", "export", "guests"]))
    (instead,) = _terms(before, _answer(claims, ["seats", "guests"]))
    assert (aside.cause, instead.cause) == (Cause.ANSWER_CHANGED, Cause.CONTEXT_CHANGED)


def test_fixed_claim_is_explained_from_the_other_side() -> None:
    before = _answer(BROKEN, ["export"], knowledge=["export"])
    (term,) = _terms(before, _answer(SUPPORTED, ["seats"]))
    assert (term.value, term.cause, term.flipped) == (1, Cause.EVIDENCE_ADDED, True)


def test_claim_unsupported_on_both_sides_weighs_by_the_answers_length() -> None:
    before = _answer({"claim": (True, [0]), "invented": (False, [])}, ["seats"])
    (term,) = _terms(before, _answer({"invented": (False, [])}, ["seats"]))
    assert (term.value, term.cause) == (-0.5, Cause.ANSWER_LENGTH)


def test_what_people_called_no_claim_counts_nowhere() -> None:
    before = _answer({"claim": (True, [0]), "invented": (None, [])}, ["seats"])
    assert _terms(before, _answer({"claim": (True, [0]), "invented": (False, [])}, ["seats"]))[0].value == -0.5


def test_terms_add_up_to_the_difference_on_random_runs() -> None:
    rng = random.Random(1)
    differences, all_terms = [], []
    for _ in range(300):
        sides = []
        for _ in range(2):
            names = rng.sample(["claim", "claim, reworded", "invented", "export", "guests"], rng.randint(1, 5))
            chunks = rng.sample(["seats", "seats, edited", "export", "guests"], rng.randint(0, 4))
            claims: dict[str, tuple[bool | None, list[int]]] = {
                name: (
                    rng.choice([True, False, False, None]) if at else rng.random() < 0.5,
                    rng.sample(range(len(chunks)), rng.randint(0, len(chunks))),
                )
                for at, name in enumerate(names)
            }
            sides.append(_answer(claims, chunks, knowledge=rng.choice([None, ["seats"], ["export", "guests"]])))
        scores = [
            sum(s is True for s in facts.supported) / sum(s is not None for s in facts.supported) for _, facts in sides
        ]
        terms = _terms(sides[0], sides[1])
        differences.append(scores[1] - scores[0])
        all_terms.append(terms)
        assert math.fsum(term.value for term in terms) == pytest.approx(differences[-1], abs=1e-12)
    shares = share_causes(all_terms, pairs=300)
    assert math.fsum(share.total for share in shares) == pytest.approx(math.fsum(differences) / 300, abs=1e-12)
    assert all(share.lost <= 0 <= share.won for share in shares)


def test_claim_that_two_people_matched_with_two_others_is_matched_once() -> None:
    texts = ["a b c"], ["x y z", "u v w"]
    for choices, candidate in (({(0, 0): True, (0, 1): True}, 1), ({(0, 1): True, (0, 0): True}, 0)):
        pairs = match_claims(["1"], ["2", "3"], text_of=lambda: texts, choices=choices)
        assert [pair.candidate for pair in pairs if pair.baseline == 0] == [candidate]
        assert len(pairs) == 2
