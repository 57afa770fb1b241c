"""Whatever is judged how, nothing changes outside the edits, and what is supported stays."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from faithview.domain.claim import Claim, Mismatch, Verdict
from faithview.domain.spans import Occurrences
from faithview.services.guard.edits import Edit, apply_edits, composed, merged
from tests.factories import make_claim
from tests.services.guard.made import GOOD, draft

_PIECES = st.sampled_from(
    [
        "Ants have six legs", "bees dance at noon", "It costs 5 euros", "Yes", "The plan has 10 seats", "[1]",
        ".", ". ", "! ", "? ", ", and ", ", ", "; ", " but ", ": ", ":\n", "\n", "\n\n", "\r\n", "- ", "  - ", "1. ",
        "# Title\n", "**", "“", "”", "(", ")", "`", "```\n", "| a | b |\n", "|---|---|\n", "\u2028", "é́", "👩🏽‍🚀",
        "مرحبا. ", "価格は五円。", "\t", "  ",
    ]
)  # fmt: skip
_ANSWERS = st.lists(_PIECES, min_size=1, max_size=14).map("".join).filter(str.strip)
_CHUNK = "The plan has 20 seats. It costs 7 euros. Ants have eight legs."


@st.composite
def _judged(data: st.DrawFn) -> tuple[str, list[Claim]]:
    answer = data(_ANSWERS)
    occurrences = Occurrences(answer)
    claims = []
    for _ in range(data(st.integers(1, 5))):
        start = data(st.integers(0, len(answer) - 1))
        end = data(st.integers(start + 1, len(answer)))
        at = data(st.integers(start, end - 1))
        there = data(st.integers(0, len(_CHUNK) - 2))
        mismatch = Mismatch(at, data(st.integers(at + 1, end)), "1", there, data(st.integers(there + 1, len(_CHUNK))))
        verdict = data(st.sampled_from(list(Verdict)))
        mismatches = () if verdict is GOOD else (mismatch,)
        spans = (occurrences.span_at(start, end),)
        claims.append(make_claim(answer[start:end], verdict, spans=spans, mismatches=mismatches))
    return answer, claims


def _survives(words: str, edits: tuple[Edit, ...], start: int, answer: str) -> bool:
    """Whether these words of the answer are untouched, but for the case of one letter."""
    for edit in edits:
        shared = answer[max(start, edit.start) : min(start + len(words), edit.end)]
        if shared.strip() and edit.replacement.lower() != shared.lower():
            return False
    return True


@settings(max_examples=4 * settings().max_examples)
@given(_judged())
def test_nothing_changes_outside_the_edits_and_supported_claims_stay(judged: tuple[str, list[Claim]]) -> None:
    answer, claims = judged
    edits = draft(answer, claims, _CHUNK).edits
    changed = apply_edits(answer, edits)
    kept = [answer[a.end : b.start] for a, b in zip([_edge(0), *edits], [*edits, _edge(len(answer))], strict=True)]
    at = 0
    for piece, edit in zip(kept, [*edits, _edge(len(answer))], strict=True):
        assert changed[at : at + len(piece)] == piece
        at += len(piece) + len(edit.replacement)
    assert at == len(changed)
    for claim in claims:
        if claim.verdict is GOOD:
            (span,) = claim.spans
            assert _survives(span.of(answer), edits, span.start, answer)


def _edge(at: int) -> Edit:
    return Edit(start=at, end=at, replacement="", claim_numbers=(), reason="")


@st.composite
def _edited(data: st.DrawFn, text: str) -> tuple[Edit, ...]:
    places = sorted(data(st.lists(st.integers(0, len(text)), max_size=6)))
    pairs = list(zip(places[::2], places[1::2], strict=False))
    return merged(
        Edit(start=a, end=b, replacement=data(st.sampled_from(["", "x", "new words"])), claim_numbers=(), reason="r")
        for a, b in pairs
        if a < b
    )


@settings(max_examples=4 * settings().max_examples)
@given(st.data())
def test_two_corrections_one_after_the_other_are_one(data: st.DataObject) -> None:
    answer = data.draw(st.text(alphabet="abc \n", min_size=1, max_size=30))
    first = data.draw(_edited(answer))
    between = apply_edits(answer, first)
    second = data.draw(_edited(between))
    both = composed(answer, first, second, ())
    assert apply_edits(answer, both) == apply_edits(between, second)
    assert all(one.end <= other.start for one, other in pairwise(both))
