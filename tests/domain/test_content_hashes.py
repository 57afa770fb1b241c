"""When two texts count as the same. These hashes never change: labels in users' stores hang on them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithview.domain import content_hashes


@pytest.mark.parametrize(
    "other",
    ["Café  au lait", " Café au\tlait\n", "Café\u00a0au lait", "Cafe\u0301 au lait", "Café\r\nau\u2003lait"],
    ids=["double space", "ends and tab", "no-break space", "decomposed", "line break"],
)
def test_chunks_that_differ_in_white_space_or_composition_are_the_same(other: str) -> None:
    assert content_hashes.chunk_hash(other) == content_hashes.chunk_hash("Café au lait")
    assert content_hashes.text_hash(other) != content_hashes.text_hash("Café au lait")


@pytest.mark.parametrize("other", ["café au lait", "Cafe au lait", "Café au lait.", "Caféau lait", ""])
def test_chunks_that_differ_otherwise_are_not_the_same(other: str) -> None:
    assert content_hashes.chunk_hash(other) != content_hashes.chunk_hash("Café au lait")


def test_case_counts_in_chunks_but_not_in_claims_and_questions() -> None:
    assert content_hashes.chunk_hash("ÉTÉ straße") != content_hashes.chunk_hash("été STRASSE")
    assert content_hashes.claim_hash("ÉTÉ straße") == content_hashes.claim_hash("été STRASSE")
    assert content_hashes.question_hash("ÉTÉ  straße") == content_hashes.question_hash("été STRASSE")


def test_chunk_hash_is_sha256_of_the_folded_text() -> None:
    # printf 'abc' | sha256sum
    expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert content_hashes.chunk_hash("  abc\n") == expected
    assert content_hashes.claim_hash("ABC") == expected
    assert content_hashes.text_hash("abc") == expected


def test_context_is_a_set_of_chunks_and_a_sample_is_a_list() -> None:
    a, b = content_hashes.chunk_hash("a"), content_hashes.chunk_hash("b")
    assert content_hashes.context_hash([a, b, a]) == content_hashes.context_hash([b, a])
    forth = content_hashes.sample_hash(question="q", answer="x", chunk_hashes=[a, b])
    assert forth != content_hashes.sample_hash(question="q", answer="x", chunk_hashes=[b, a])


def test_parts_of_a_sample_cannot_be_mistaken_for_each_other() -> None:
    # The separator is white space, so folding removes it from every part.
    one = content_hashes.sample_hash(question="q\x1ex", answer="y", chunk_hashes=[])
    other = content_hashes.sample_hash(question="q", answer="x\x1ey", chunk_hashes=[])
    assert one != other


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert content_hashes.fold(content_hashes.fold(text)) == content_hashes.fold(text)
    assert "\x1e" not in content_hashes.fold(text)
