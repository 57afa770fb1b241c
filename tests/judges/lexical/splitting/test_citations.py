"""An answer that points at a chunk by number is held to that chunk."""

import pytest

from faithview.domain.sample import Sample
from faithview.judges.lexical.analysis import read_answer
from faithview.judges.lexical.scoring.model import FEATURES
from faithview.judges.lexical.splitting.claims import Cited, find_citations, split_answer

_CHUNKS = [
    "Tomatoes grow best in full sun and need water every second day.",
    "Basil is cut above a pair of leaves, so that it branches.",
]


def _cited(answer: str) -> list[Cited]:
    return find_citations(answer, split_answer(answer).claims)


def _figure(answer: str, name: str) -> float:
    return FEATURES[name].column(read_answer(Sample.of(answer, _CHUNKS)).view)[0]


@pytest.mark.parametrize(
    ("mark", "numbers"),
    [
        ("(passage 2)", (2,)),
        ("[1]", (1,)),
        ("[1, 3]", (1, 3)),
        ("(sources 1 and 3)", (1, 3)),
        ("(Chunk #4)", (4,)),
        ("(2 of them)", ()),
    ],
)
def test_a_citation_is_read_in_the_ways_that_models_write_it(mark: str, numbers: tuple[int, ...]) -> None:
    assert _cited(f"Basil is cut above a pair of leaves {mark}.")[0].own == numbers


def test_a_claim_that_cites_nothing_goes_on_with_what_the_last_one_cited() -> None:
    first, second = _cited("Passage 2 says that basil is cut above the leaves. Cutting makes the plant branch.")
    assert first.own == (2,)
    assert second.own == ()
    assert second.carried == (2,)


def test_a_citation_after_a_claim_is_meant_for_it() -> None:
    cited = _cited("Basil is cut above the leaves.\n[2]\nTomatoes need a lot of sun.")
    assert cited[0].carried == (2,)


@pytest.mark.parametrize("mark", ["(Passage 2)", "[2]", "Source: passages 1 and 2", "[1, 2]."])
def test_a_citation_on_a_line_of_its_own_claims_nothing(mark: str) -> None:
    answer = f"Basil is cut above the leaves.\n{mark}\nTomatoes need a lot of sun."
    assert len(split_answer(answer).claims) == 2


def test_a_claim_that_cites_the_wrong_chunk_is_seen_to_have_a_better_one() -> None:
    claim = "Basil is cut above a pair of leaves"
    assert _figure(f"{claim} (passage 2).", "cited_behind_best") == 0.0
    assert _figure(f"{claim} (passage 1).", "cited_behind_best") > 0.5


def test_a_citation_of_a_chunk_that_is_not_there_is_seen() -> None:
    assert _figure("Basil is cut above a pair of leaves [7].", "cited_beyond") == 1.0
    assert _figure("Basil is cut above a pair of leaves [2].", "cited_beyond") == 0.0
