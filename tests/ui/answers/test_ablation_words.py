"""The effect of a chunk on a claim, in words."""

import pytest

from faithview.domain.claim import Verdict
from faithview.domain.result import Usage
from faithview.services.chunk_ablation import Ablation, Effect
from faithview.ui.answers.chunk_ablation import coloured_change, effect_words, what_if_finding

S, P, N, C = Verdict.SUPPORTED, Verdict.PARTIALLY_SUPPORTED, Verdict.NOT_MENTIONED, Verdict.CONTRADICTED


def _answer(chunk_id: str, effect: Effect, before: Verdict, after: Verdict | None) -> Ablation:
    return Ablation(chunk_id=chunk_id, effect=effect, before=before, after=after, explanation="", usage=Usage())


@pytest.mark.parametrize(
    ("effect", "before", "after", "expected"),
    [
        (Effect.NECESSARY, S, N, "**necessary**: without it the claim is not mentioned instead of supported"),
        (Effect.REDUNDANT, S, S, "**redundant**: without it the claim stays supported"),
        (Effect.CONFLICTING, C, S, "**conflicting**: without it the claim is supported instead of contradicted"),
        (Effect.NONE, N, N, "**no difference**: it stays not mentioned"),
        (Effect.NONE, P, N, "**no difference**: without it the claim is not mentioned, no better than partially "
         "supported"),
        (Effect.UNKNOWN, S, None, "**unknown**: judged without it, the answer no longer has this claim"),
    ],
)  # fmt: skip
def test_each_effect_names_the_verdict_before_and_after(
    effect: Effect, before: Verdict, after: Verdict | None, expected: str
) -> None:
    assert effect_words(_answer("k", effect, before, after)).partition(" ")[2] == expected


def test_the_sentence_names_the_chunks_for_and_against_the_claim() -> None:
    rests, other = _answer("kb_1", Effect.NECESSARY, S, N), _answer("b", Effect.REDUNDANT, S, S)
    assert what_if_finding([rests, other], chunks=2) == "The claim is based on **kb\\_1**."
    against = [_answer(name, Effect.CONFLICTING, C, N) for name in ("x", "y")]
    assert what_if_finding(against, chunks=2) == "**x** and **y** conflict with the claim."
    assert what_if_finding([other], chunks=1).startswith("No single chunk is necessary")
    assert what_if_finding([_answer("k", Effect.NONE, N, N)], chunks=1) == (
        "No single chunk makes a difference: the claim stays not mentioned whichever one is left out."
    )


def test_the_sentence_says_where_only_some_chunks_were_tried() -> None:
    text = what_if_finding([_answer("k", Effect.NECESSARY, S, C)], chunks=3)
    assert text == "The claim is based on **k**. :small[:gray[Tried so far: 1 of 3 chunks.]]"
    assert what_if_finding([], chunks=3) == ""


def test_verdicts_have_a_word_and_an_icon_not_colour_alone() -> None:
    text = coloured_change(_answer("k", Effect.NECESSARY, S, C))
    assert "supported" in text
    assert "contradicted" in text
    assert text.count(":material/") == 2
    assert coloured_change(_answer("k", Effect.UNKNOWN, S, None)).endswith("→ –")
