"""A claim that no chunk mentions points to the sentence that shares most of its rare words."""

from faithview.domain.claim import Claim, Evidence, Verdict
from faithview.domain.sample import Chunk
from faithview.domain.spans import Span
from faithview.services.nearest_passage import find_nearest_passages

_CHUNKS = [
    Chunk(chunk_id="survey", text="It is sent after a day and is part of the plans. The plans have seats.", rank=1),
    Chunk(chunk_id="billing", text="Plans are billed yearly. The discount is never combined with plans.", rank=2),
]


def _claim(text: str, verdict: Verdict = Verdict.NOT_MENTIONED, **given: object) -> Claim:
    return Claim(text=text, verdict=verdict, **given)  # type: ignore[arg-type]  # fields of it


def _found(*claims: Claim) -> dict[int, tuple[str, str]]:
    texts = {chunk.chunk_id: chunk.text for chunk in _CHUNKS}
    found = find_nearest_passages(claims, _CHUNKS)
    return {number: (p.chunk_id, texts[p.chunk_id][p.span.start : p.span.end]) for number, p in found.items()}


def test_the_sentence_with_the_rare_word_is_nearer_than_one_with_a_common_word() -> None:
    claims = [_claim("Plans with a discount are renewed."), _claim("It is the one and is of a.")]
    assert _found(*claims) == {1: ("billing", "The discount is never combined with plans.")}


def test_claims_with_another_verdict_or_that_rest_on_chunks_have_none() -> None:
    assert not _found(
        _claim("The discount is renewed.", Verdict.CONTRADICTED),
        _claim("The discount is renewed.", supporting_chunk_ids=("billing",)),
    )


def test_the_passage_that_the_judge_names_comes_before_the_words_in_common() -> None:
    made_up = Evidence(chunk_id="survey", quote="Discounts are for members.", span=None)
    named = Evidence(chunk_id="survey", quote="part of the plans", span=Span(start=30, end=47))
    claims = [
        _claim("The discount is renewed.", evidence=(made_up, named)),
        _claim("The discount is renewed.", evidence=(made_up,)),
    ]
    assert _found(*claims) == {
        1: ("survey", "part of the plans"),
        2: ("billing", "The discount is never combined with plans."),
    }


def test_of_equally_near_sentences_the_first_counts() -> None:
    assert _found(_claim("Seats are yearly.")) == {1: ("survey", "The plans have seats.")}
