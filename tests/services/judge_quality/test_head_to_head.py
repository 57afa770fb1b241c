"""Two judges on the same answers, worked by hand."""

import pytest

from faithview.domain.errors import NotFound
from faithview.services.container import Store
from faithview.services.judge_quality.head_to_head import compare_judges
from tests.factories import C, N, P, S, make_claim, make_row, say, store_rows

CHUNKS = {"c": "x"}


def _store(services: Store) -> None:
    """Two judges on three answers in common; the first judges a fourth, which the second does not."""
    texts = [("a", "b"), ("d", "e"), ("f", "f")]
    ours = [(S, S), (S, N), (S, C)]
    theirs = [(S, C), (S, N), (S, S)]
    for run_id, fingerprint, verdicts in (("r", "one/1", ours), ("s", "two/1", theirs)):
        rows = [
            make_row(CHUNKS, *(make_claim(text, verdict) for text, verdict in zip(pair, row, strict=True)),
                     question=f"q{n}")
            for n, (pair, row) in enumerate(zip(texts, verdicts, strict=True))
        ]  # fmt: skip
        if run_id == "r":
            rows.append(make_row(CHUNKS, make_claim("g", P), question="q9"))
        store_rows(services, run_id, rows, fingerprint=fingerprint)


def test_agreement_is_counted_over_what_both_have_judged(services: Store) -> None:
    _store(services)
    found = compare_judges(services, "one/1", "two/1")
    assert (found.answers, found.apart, found.labelled) == (3, (0, 0), 0)
    assert found.means == pytest.approx((2 / 3, 2 / 3))
    assert found.change.value == pytest.approx(0)
    assert (found.same_answer.hits, found.same_answer.labels) == (1, 3)  # yes, no, no against no, no, yes
    assert found.table[S] == {S: 3, P: 0, N: 0, C: 1}
    assert found.table[C][S] == 1
    assert (found.same_claim.hits, found.same_claim.labels) == (4, 6)
    # 4 of 6 the same; each calls 4 supported, 1 contradicted, 1 not mentioned: by chance (16 + 1 + 1) / 36 = 1/2
    assert found.kappa.value == pytest.approx((4 / 6 - 1 / 2) / (1 / 2))
    assert (found.figures, found.better.value, found.differing) == (None, None, 2)


def test_people_say_which_of_the_two_is_right_whoevers_run_they_labelled(services: Store) -> None:
    _store(services)
    say(services, "r", 1, 2, "contradicted")  # the second judge has it right
    say(services, "s", 2, 2, "not_mentioned")  # both have
    say(services, "r", 3, 2, "not_a_claim")  # neither has
    say(services, "r", 2, 1, "supported")
    say(services, "s", 2, 1, "contradicted", by="bob")  # people differ: nothing can be said
    found = compare_judges(services, "one/1", "two/1")
    assert found.labelled == 4  # the third answer says "f" twice
    assert found.figures is not None
    assert [side.accuracy.value for side in found.figures] == pytest.approx([1 / 4, 2 / 4])
    assert found.figures[0].sensitivity.value is None  # nothing was drawn
    assert found.better.value == pytest.approx(-1 / 4)
    first, second = found.differences
    assert (first.text, first.verdicts, first.people) == ("b", (S, C), C)
    assert (second.text, second.people) == ("f", "not_a_claim")
    assert (first.first.run_id, first.first.row, first.first.claim_number) == ("r", 1, 2)
    assert (first.second.run_id, first.second.row, first.second.claim_number) == ("s", 1, 2)


def test_claims_that_only_one_of_them_found_are_counted_and_not_paired(services: Store) -> None:
    store_rows(services, "r", [make_row(CHUNKS, make_claim("a b", S))], fingerprint="one/1")
    sample, _ = make_row(CHUNKS, make_claim("a b", C))
    apart = make_row(CHUNKS, make_claim("a", S), make_claim("b", N))[1]
    store_rows(services, "s", [(sample, apart)], fingerprint="two/1")
    found = compare_judges(services, "one/1", "two/1")
    assert (found.answers, found.apart, found.same_claim.labels, found.differences) == (1, (1, 2), 0, ())


def test_the_newest_run_of_a_judge_counts(services: Store) -> None:
    for run_id, verdict, week in (("old", C, 0), ("new", S, 1)):
        store_rows(services, run_id, [make_row(CHUNKS, make_claim("a", verdict))], week=week, fingerprint="one/1")
    store_rows(services, "s", [make_row(CHUNKS, make_claim("a", S))], fingerprint="two/1")
    found = compare_judges(services, "one/1", "two/1")
    assert (found.answers, found.same_answer.value) == (1, 1.0)


def test_two_judges_without_an_answer_in_common_have_nothing_to_compare(services: Store) -> None:
    store_rows(services, "r", [make_row(CHUNKS, make_claim("a", S))], fingerprint="one/1")
    store_rows(services, "s", [make_row(CHUNKS, make_claim("b", S))], fingerprint="two/1")
    found = compare_judges(services, "one/1", "two/1")
    assert (found.answers, found.same_answer.value, found.kappa.value, found.figures) == (0, None, None, None)
    with pytest.raises(NotFound, match="three/1"):
        compare_judges(services, "one/1", "three/1")
