"""The claim that could do most harm: contradictions first, under reviewers' labels."""

from faithview.domain.claim import ClaimRef
from faithview.services.container import Store
from faithview.services.review.inbox import find_most_harmful
from faithview.services.review.labels import LabelProvenance, label_missed_quote
from tests.factories import C, N, P, S, make_rows, say, store_rows


def _place(row: int, claim: int) -> ClaimRef:
    return ClaimRef(run_id="r", row=row, claim_number=claim)


def test_a_contradicted_claim_comes_first(services: Store) -> None:
    store_rows(services, "r", make_rows([(N, N), (S, P, C), (S,)]))
    assert find_most_harmful(services, "r") == _place(2, 3)


def test_what_people_said_counts(services: Store) -> None:
    store_rows(services, "r", make_rows([(N, S), (S, C)]))
    say(services, "r", 2, 2, "supported")
    assert find_most_harmful(services, "r") == _place(1, 1)
    say(services, "r", 1, 2, "contradicted")
    assert find_most_harmful(services, "r") == _place(1, 2)


def test_no_claim_does_harm_where_all_are_supported(services: Store) -> None:
    store_rows(services, "r", make_rows([(S,), (S, S)]))
    assert find_most_harmful(services, "r") is None


def test_a_claim_that_a_person_found_is_passed_over(services: Store) -> None:
    rows = make_rows([(S,), (N,)])
    store_rows(services, "r", rows)
    words = rows[0][0].answer
    label_missed_quote(
        services, "r", 1, words, occurrence=0, verdict="contradicted", provenance=LabelProvenance(reviewer="ann")
    )
    assert find_most_harmful(services, "r") == _place(2, 1)
