"""Spans and quotes are held against the texts they point into."""

import pytest

from faithview import Chunk, Claim, Evidence, Sample, Verdict
from faithview.domain.claim import verify_claims
from faithview.domain.spans import Span

SAMPLE = Sample(
    answer="Paris has 20 gates. Paris is big.",
    chunks=(Chunk(text="Paris 😀 has 20 gates. Paris is old.", chunk_id="kb-1"), Chunk(text="Rome.", chunk_id="kb-2")),
)


def _verified(claim: Claim) -> Claim:
    (verified,) = verify_claims([claim], SAMPLE)
    return verified


def _quoting(quote: str, span: Span | None, chunk_id: str = "kb-1") -> Claim:
    return Claim(text="c", verdict=Verdict.SUPPORTED, evidence=(Evidence(chunk_id=chunk_id, quote=quote, span=span),))


def test_a_quote_that_stands_where_it_says_is_kept_with_its_occurrence() -> None:
    (evidence,) = _verified(_quoting("Paris", Span(start=22, end=27))).evidence
    assert evidence.span == Span(start=22, end=27, occurrence=1)
    assert evidence.is_verified


@pytest.mark.parametrize("span", [None, Span(start=0, end=5), Span(start=8, end=99)], ids=["none", "wrong", "outside"])
def test_a_misplaced_quote_is_found(span: Span | None) -> None:
    (evidence,) = _verified(_quoting("has 20 gates", span)).evidence
    assert evidence.span == Span(start=8, end=20, occurrence=0)


@pytest.mark.parametrize("quote", ["has 21 gates", "HAS 20 GATES", "Rome", ""])
def test_a_quote_that_is_not_verbatim_is_kept_and_marked(quote: str) -> None:
    (evidence,) = _verified(_quoting(quote, Span(start=8, end=20))).evidence
    assert (evidence.quote, evidence.span, evidence.is_verified) == (quote, None, False)


def test_a_claim_outside_the_answer_is_kept_without_a_place() -> None:
    spans = (Span(start=20, end=34), Span(start=20, end=25))
    claim = _verified(Claim(text="c", verdict=Verdict.NOT_MENTIONED, spans=spans))
    assert claim.spans == (Span(start=20, end=25, occurrence=1),)
    nowhere = _verified(Claim(text="c", verdict=Verdict.NOT_MENTIONED, spans=spans[:1]))
    assert nowhere.spans == ()
    assert not nowhere.is_anchored


def test_citing_a_chunk_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="cites chunk 'kb-9'"):
        _verified(Claim(text="c", verdict=Verdict.SUPPORTED, supporting_chunk_ids=("kb-9",)))
    with pytest.raises(ValueError, match="cites chunk 'kb-9'"):
        _verified(_quoting("Rome", None, "kb-9"))


@pytest.mark.parametrize("bad", ["a\x00b", "a\udfffb"])
@pytest.mark.parametrize("name", ["text", "explanation", "correction"])
def test_a_text_that_cannot_be_stored_is_refused(name: str, bad: str) -> None:
    fields = {"text": "c", name: bad}
    with pytest.raises(ValueError, match="cannot be stored"):
        _verified(Claim(verdict=Verdict.SUPPORTED, **fields))  # type: ignore[arg-type]  # a field of it


@pytest.mark.parametrize("value", [-0.1, 1.5, float("nan")])
@pytest.mark.parametrize("name", ["confidence", "support_score"])
def test_a_probability_outside_0_and_1_is_refused(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=r"not in \[0, 1\]"):
        _verified(Claim(text="c", verdict=Verdict.SUPPORTED, **{name: value}))  # type: ignore[arg-type]  # a field of it
