"""Claims of the inbox are labelled together, taken back together, assigned, and kept as tabs; on both engines."""

from datetime import timedelta

import pytest

from faithview import Chunk, Sample, Verdict
from faithview.domain.errors import InvalidInput
from faithview.domain.inbox import NONE, Facet, InboxFilter, LabelOutcome, make_filter
from faithview.services.container import Store
from faithview.services.review.inbox import (
    MOST_CLAIMS,
    assign_groups,
    count_facets,
    label_groups,
    list_groups,
    retract_together,
)
from faithview.services.review.labels import LabelProvenance, claim_history
from faithview.services.series import move_run
from tests.factories import NOW, make_claim, make_result, make_run, store_run

ANN = LabelProvenance(reviewer="Ann")
SAID = "Returns take 14 days."


def _store(services: Store, run_id: str, *, chunk: str, age: int, texts: tuple[str, ...] = (SAID,)) -> None:
    claims = tuple(make_claim(text, Verdict.CONTRADICTED, "c", confidence=0.9) for text in texts)
    sample = Sample(answer="So.", chunks=(Chunk(text=chunk, chunk_id="c"),))
    run = make_run(run_id, as_of=NOW - timedelta(days=age))
    store_run(services.db, [sample], [make_result(*claims)], run=run)


@pytest.fixture
def three_runs(services: Store) -> Store:
    """The same claim in three runs: twice on the same chunk, once on another one."""
    _store(services, "new", chunk="Returns take 7 days.", age=0, texts=(SAID, "Returns are free."))
    _store(services, "same", chunk="Returns take 7 days.", age=1)
    _store(services, "other", chunk="Returns take 14 days, or 7.", age=2)
    return services


def _claim_ids(services: Store) -> list[int]:
    return [group.claim_id for group in list_groups(services, InboxFilter()).groups]


def test_a_label_goes_to_equal_claims_as_far_as_it_holds_on_their_chunks(three_runs: Store) -> None:
    given = label_groups(three_runs, _claim_ids(three_runs), InboxFilter(), "supported", ANN)
    assert sorted((run_id, label.claim_number) for run_id, _, label in given) == [("new", 1), ("new", 2)]
    (left,) = list_groups(three_runs, InboxFilter()).groups
    assert (left.run_id, left.listed, left.runs) == ("other", 1, 3)
    assert left.verdicts == {"supported": 2, "contradicted": 1}
    assert (left.latest_verdict, left.latest_run_name) == (Verdict.SUPPORTED, "new")


def test_labels_given_together_are_taken_back_together(three_runs: Store) -> None:
    before = list_groups(three_runs, InboxFilter())
    given = label_groups(three_runs, _claim_ids(three_runs), InboxFilter(), "not_a_claim", ANN)
    assert list_groups(three_runs, InboxFilter()).groups == ()
    with pytest.raises(InvalidInput, match="only the reviewer who gave a label can retract it"):
        retract_together(three_runs, given, LabelProvenance(reviewer="Bob"))
    assert list_groups(three_runs, InboxFilter()).groups == ()
    retract_together(three_runs, given, ANN)
    assert list_groups(three_runs, InboxFilter()) == before
    own = [label for label in claim_history(three_runs, "new", 1) if label.claim_number == 1]
    assert [label.kind.value for label in own] == ["not_a_claim", "retraction"]


def test_only_claims_that_the_filter_lists_are_labelled(three_runs: Store) -> None:
    in_same = make_filter("", {Facet.RUN: ["same"]})
    given = label_groups(three_runs, _claim_ids(three_runs), in_same, "supported", ANN)
    assert [run_id for run_id, _, _ in given] == ["same"]
    confirmed = make_filter("", {Facet.LABEL: [LabelOutcome.OVERRULED], Facet.VERDICT: [*Verdict]})
    assert list_groups(three_runs, confirmed).total_claims == 2  # it counts for the equal claim in "new" too


@pytest.mark.parametrize(
    ("verdict", "reviewer", "message"),
    [("true", "Ann", "There is no verdict 'true'"), ("supported", " ", "name needs 1 to 100 characters")],
)
def test_what_cannot_be_stored_labels_nothing(three_runs: Store, verdict: str, reviewer: str, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        label_groups(three_runs, _claim_ids(three_runs), InboxFilter(), verdict, LabelProvenance(reviewer=reviewer))
    assert all(claim_history(three_runs, run_id, 1) == [] for run_id in ("new", "same", "other"))


def test_rows_that_are_gone_and_too_many_rows_are_refused(services: Store) -> None:
    with pytest.raises(InvalidInput, match="None of these claims is listed now"):
        label_groups(services, [1], InboxFilter(), "supported", ANN)
    _store(services, "r", chunk="c", age=0, texts=tuple(f"Claim {n}." for n in range(MOST_CLAIMS + 1)))
    groups = [group.claim_id for group in list_groups(services, InboxFilter(), limit=MOST_CLAIMS + 2).groups]
    assert len(groups) == MOST_CLAIMS + 1
    with pytest.raises(InvalidInput, match=f"more than {MOST_CLAIMS} claims"):
        label_groups(services, groups, InboxFilter(), "supported", ANN)


def test_claims_are_assigned_found_by_it_and_given_up(three_runs: Store) -> None:
    first, second = _claim_ids(three_runs)
    assert assign_groups(three_runs, [first], InboxFilter(), reviewer=" Bob  B ") in (1, 3)
    (mine,) = list_groups(three_runs, make_filter("", {Facet.ASSIGNEE: ["Bob B"]})).groups
    assert (mine.claim_id, mine.assignees) == (first, ("Bob B",))
    facets = count_facets(three_runs, InboxFilter())
    assert [(value.value, value.claims) for value in facets[Facet.ASSIGNEE]] == [("Bob B", mine.listed)]
    (free,) = list_groups(three_runs, make_filter("", {Facet.ASSIGNEE: [NONE]})).groups
    assert free.claim_id == second
    assign_groups(three_runs, [first], InboxFilter(), reviewer="Cem")
    assert list_groups(three_runs, make_filter("", {Facet.ASSIGNEE: ["Bob B"]})).groups == ()
    assign_groups(three_runs, [first], InboxFilter(), reviewer=None)
    assert count_facets(three_runs, InboxFilter())[Facet.ASSIGNEE] == ()
    with pytest.raises(InvalidInput, match="name needs 1 to 100"):
        assign_groups(three_runs, [first], InboxFilter(), reviewer="x" * 101)


def test_only_runs_of_the_series_are_listed_and_named(three_runs: Store) -> None:
    move_run(three_runs, "other", "elsewhere")
    page = list_groups(three_runs, InboxFilter(), series="elsewhere")
    assert [(group.run_id, group.runs) for group in page.groups] == [("other", 1)]
    facets = count_facets(three_runs, make_filter("", {Facet.RUN: ["gone"]}), series="elsewhere")
    assert [(value.value, value.name, value.claims) for value in facets[Facet.RUN]] == [
        ("other", "other", 1),
        ("gone", "gone", 0),
    ]
