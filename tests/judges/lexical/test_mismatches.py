"""The words that a verdict rests on, on both sides."""

from faithview.domain.claim import Claim, Mismatch, Verdict, verify_claims
from faithview.domain.sample import Sample
from faithview.judges.lexical.judge import judge_sample


def _found(answer: str, chunk: str) -> list[tuple[str, str | None]]:
    sample = Sample.of(answer, [chunk])
    (claim,) = judge_sample(sample).claims
    return [
        (answer[m.start : m.end], None if m.chunk_id is None else chunk[m.chunk_start : m.chunk_end])
        for m in claim.mismatches
    ]


def test_both_sides_of_a_conflict_are_named() -> None:
    assert _found("Support answers within 48 hours.", "Support answers within 24 hours.") == [("48 hours", "24 hours")]


def test_a_value_that_no_chunk_has_stands_alone() -> None:
    found = _found("The plan was launched in Lisbon in 1998.", "The plan includes support by mail and a weekly report.")
    assert ("1998", None) in found
    assert all(theirs is None for _, theirs in found)


def test_a_supported_claim_has_none() -> None:
    assert _found("Support answers within 24 hours.", "Support answers within 24 hours.") == []


def test_ranges_that_point_nowhere_are_dropped_where_a_result_is_verified() -> None:
    sample = Sample.of("Ten days.", ["Two days."])
    inside = Mismatch(0, 3, "1", 0, 3)
    given = (inside, Mismatch(0, 99), Mismatch(3, 3), Mismatch(0, 3, "1", 4, 99), Mismatch(0, 3, "2", 0, 3))
    (claim,) = verify_claims([Claim(text="c", verdict=Verdict.CONTRADICTED, mismatches=given)], sample)
    assert claim.mismatches == (inside,)
