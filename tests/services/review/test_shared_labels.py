"""A label also applies to equal claims of other answers: where, as what, and where not."""

import pytest

from faithview.domain.answer import View
from faithview.domain.claim import ClaimRef
from faithview.domain.label import LabelRole
from faithview.services.container import Store
from faithview.services.results import delete_run, get_answer_at, get_summary
from faithview.services.review import disagreements, labels, queue
from faithview.services.review.labels import LabelProvenance
from faithview.store import spot_checks
from tests.factories import C, N, S, add_judged_run, draw_check, make_claim, make_row, say, store_rows

OPENING = {"open": "The office opens at 9 am.", "park": "Parking is free for all guests."}
CHANGED = {"open": "The office opens at 10 am.", "park": "Parking is free for all guests."}
CLAIMS = (make_claim("It opens at 9.", S, "open"), make_claim("Parking is free.", S, "park"))
ROW, CHANGED_ROW = make_row(OPENING, *CLAIMS), make_row(CHANGED, *CLAIMS)


def _effective(services: Store, run_id: str, row: int = 1) -> list[object]:
    reviewed = labels.get_reviewed_answer(services, get_answer_at(services, run_id, row))
    return [None if found.source.value == "judge" else found.verdict for found in reviewed.effective]


def test_a_label_counts_in_both_runs_where_the_chunks_are_the_same(services: Store) -> None:
    store_rows(services, "old", [ROW])
    store_rows(services, "new", [CHANGED_ROW], week=1)
    store_rows(services, "same", [ROW], week=2)
    for claim in (1, 2):
        say(services, "old", 1, claim, "contradicted")
    assert _effective(services, "old") == _effective(services, "same") == [C, C]
    assert _effective(services, "new") == [None, C]
    assert get_summary(services, "same", view=View.REVIEWED).claims[C.value] == 2
    assert get_summary(services, "same").claims[C.value] == 0, "A label moved the run's score."
    assert labels.claim_history(services, "same", 1)[0].given_on == ClaimRef(run_id="old", row=1, claim_number=1)


def test_a_run_that_is_judged_later_gets_the_labels_too(services: Store) -> None:
    sample = ROW[0]
    before = add_judged_run(services, [sample], "before")
    say(services, before.run_id, 1, 1, "not_a_claim")
    after = add_judged_run(services, [sample], "after")
    reviewed = labels.get_reviewed_answer(services, get_answer_at(services, after.run_id, 1))
    assert reviewed.effective[0].verdict is None
    assert reviewed.effective[0].is_shared


def test_a_label_taken_back_no_longer_counts_anywhere_and_neither_does_one_of_a_deleted_run(services: Store) -> None:
    for week, run_id in enumerate(("old", "new")):
        store_rows(services, run_id, [ROW], week=week)
    say(services, "old", 1, 1, "contradicted")
    say(services, "old", 1, 2, "contradicted")
    (label, _) = labels.claim_history(services, "old", 1)
    labels.retract_label(services, "old", 1, label, LabelProvenance(reviewer="ann"))
    assert _effective(services, "new") == [None, C]
    delete_run(services, "old")
    assert _effective(services, "new") == [None, None]
    assert get_summary(services, "new", view=View.REVIEWED).claims[C.value] == 0


@pytest.mark.parametrize(
    ("judged", "said", "context", "applies"),
    [
        (N, "not_mentioned", {"park": OPENING["park"]}, True),
        (N, "not_mentioned", {**OPENING, "snow": "It snows in winter."}, False),  # to be looked for there too
        (N, "supported", {"park": OPENING["park"]}, False),  # the support may have been in the other chunk
        (C, "contradicted", {"park": OPENING["park"]}, True),  # the chunk that it cites is there
        (C, "not_a_claim", {"snow": "It snows in winter."}, True),
    ],
)
def test_what_a_label_rests_on_must_be_there(
    services: Store, judged: object, said: str, context: dict[str, str], applies: bool
) -> None:
    claim = make_claim("It snows.", judged, *(["park"] if judged is C else []))  # type: ignore[arg-type]  # a verdict
    store_rows(services, "old", [make_row(OPENING, claim)])
    other = make_claim("It snows.", N)
    store_rows(services, "new", [make_row(context, other)], week=1)
    say(services, "old", 1, 1, said)
    history = labels.claim_history(services, "new", 1)
    assert [label.given_on is not None for label in history] == ([True] if applies else [])


def test_equal_words_under_another_question_are_another_claim(services: Store) -> None:
    claim = make_claim("It is free.", S, "park")
    store_rows(services, "old", [make_row(OPENING, claim, question="Parking?")])
    rows = [make_row(OPENING, claim, question="Entry?"), make_row(OPENING, claim, question="parking?  ")]
    store_rows(services, "new", rows, week=1)
    say(services, "old", 1, 1, "contradicted")
    assert [_effective(services, "new", row) for row in (1, 2)] == [[None], [C]]


def test_reviewers_of_two_runs_disagree_once_and_are_settled_once(services: Store) -> None:
    for week, run_id in enumerate(("old", "new")):
        store_rows(services, run_id, [ROW], week=week)
    say(services, "old", 1, 1, "supported", by="ann")
    say(services, "old", 1, 1, "contradicted", by="bob")
    assert disagreements.list_disagreements(services) == [ClaimRef(run_id="old", row=1, claim_number=1)]
    say(services, "new", 1, 1, "contradicted", by="eve", role=LabelRole.ADJUDICATOR)
    assert disagreements.list_disagreements(services) == []
    assert _effective(services, "old") == _effective(services, "new") == [C, None]


def test_a_claim_labelled_blind_in_one_spot_check_is_not_asked_again_in_another(services: Store) -> None:
    for week, run_id in enumerate(("old", "new")):
        store_rows(services, run_id, [ROW], week=week)
    first = draw_check(services, "old", size=2)
    queue.label_and_advance(services, first, 1, "supported", reviewer="ann")
    second = draw_check(services, "new", size=2)
    assert spot_checks.get_queue_progress(services.db, second).done == 1
    queue.label_and_advance(services, first, 2, "supported", reviewer="ann")
    assert queue.next_claim(services, second, reviewer="bob") is None


def test_a_label_given_outside_any_spot_check_does_not_answer_a_drawn_claim(services: Store) -> None:
    for week, run_id in enumerate(("old", "new")):
        store_rows(services, run_id, [ROW], week=week)
    say(services, "old", 1, 1, "supported")
    check = draw_check(services, "new", size=2)
    assert spot_checks.get_queue_progress(services.db, check).done == 0
