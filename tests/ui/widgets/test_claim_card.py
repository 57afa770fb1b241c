"""The card of one claim: the words at fault are boxed on both sides, and each side is short enough to read at once."""

from faithview.domain.claim import Mismatch
from faithview.domain.sample import Chunk, Sample
from faithview.domain.spans import Span
from faithview.ui.widgets.claim_card import CardSide, build_card
from tests.factories import C, N, make_claim, make_evidence

_ANSWER = "Hello. The lead can set it between 15 minutes and 24 hours. Bye."
_CLAIM = "The lead can set it between 15 minutes and 24 hours."
_CHUNK = Chunk(
    text="Handovers.\nThe lead can set it between 5 minutes and 8 hours. It is 30 by default.", chunk_id="kb-1"
)


def _text(side: CardSide | None) -> str:
    assert side is not None
    return "".join(part["text"] for part in side["parts"])


def _boxed(side: CardSide | None) -> list[str]:
    assert side is not None
    return [part["text"] for part in side["parts"] if any(mark.get("boxed") for mark in part["marks"])]


def _mismatch(answer: str, words: str, chunk: Chunk, against: str) -> Mismatch:
    start, at = answer.index(words), chunk.text.index(against)
    return Mismatch(start, start + len(words), chunk.chunk_id, at, at + len(against))


def test_both_sides_show_the_words_at_fault_in_a_box() -> None:
    claim = make_claim(
        _CLAIM,
        C,
        answer=_ANSWER,
        evidence=(make_evidence(_CHUNK, "5 minutes and 8"),),
        mismatches=(_mismatch(_ANSWER, "15 minutes", _CHUNK, "5 minutes"),),
    )
    card = build_card(Sample(answer=_ANSWER, chunks=(_CHUNK,)), claim, C)
    assert card["answer"]["heading"] == "The answer says"
    assert _text(card["answer"]) == _CLAIM
    assert _boxed(card["answer"]) == ["15 minutes"]
    assert card["chunk"] is not None
    assert card["chunk"]["heading"] == "kb-1 says"
    assert _text(card["chunk"]) == "The lead can set it between 5 minutes and 8 hours."
    assert _boxed(card["chunk"]) == ["5 minutes"]


def test_a_claim_without_a_place_or_a_quote_is_shown_with_the_reason() -> None:
    claim = make_claim("It was founded in 1900.", N, explanation="No chunk names a founder.")
    card = build_card(Sample(answer=_ANSWER, chunks=(_CHUNK,)), claim, N)
    assert card["answer"]["heading"] == "The claim in the judge's words"
    assert _text(card["answer"]) == "It was founded in 1900."
    assert card["chunk"] is None
    assert card["note"] == "No chunk names a founder."


def test_a_long_sentence_is_cut_around_the_words_at_fault() -> None:
    answer = f"{'so ' * 300}15 minutes {'and ' * 300}on"
    chunk = Chunk(text=f"{'well ' * 300}5 minutes {'and ' * 300}on", chunk_id="1")
    claim = make_claim(
        answer,
        C,
        spans=(Span(start=0, end=len(answer)),),
        evidence=(make_evidence(chunk, chunk.text),),
        mismatches=(_mismatch(answer, "15 minutes", chunk, "5 minutes"),),
    )
    card = build_card(Sample(answer=answer, chunks=(chunk,)), claim, C)
    for side, words in ((card["answer"], "15 minutes"), (card["chunk"], "5 minutes")):
        text = _text(side)
        assert len(text) < 450
        assert text.startswith("…")
        assert text.endswith("…")
        assert _boxed(side) == [words]
    assert card["chunk"] is not None
    assert card["chunk"]["heading"] == "Chunk 1 says"
