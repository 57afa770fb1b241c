"""Labels carried to later runs: what holds, what is stale, and what is never mixed up."""

from dataclasses import replace

import pytest

from faithview import State
from faithview.domain.answer import View
from faithview.domain.label import LabelKind, LabelRole
from faithview.services.container import Store
from faithview.services.results import delete_run, get_answer_at, get_run, get_summary
from faithview.services.review import carry_over, disagreements, label_files, labels
from faithview.services.review.carry_over import Carried, carry_labels, count_carried
from faithview.services.review.disagreements import list_disagreements
from faithview.services.review.labels import LabelProvenance
from tests.factories import C, N, S, add_judged_run, make_claim, make_row, say, store_rows

OPENING = {"open": "The office opens at 9 am.", "park": "Parking is free for all guests."}
CHANGED = {"open": "The office opens at 10 am.", "park": "Parking is free for all guests."}
ROW = make_row(OPENING, make_claim("It opens at 9.", S, "open"), make_claim("Parking is free.", S, "park"))
CHANGED_ROW = make_row(CHANGED, make_claim("It opens at 9.", S, "open"), make_claim("Parking is free.", S, "park"))


def _verdicts(services: Store, run_id: str, row: int = 1) -> list[tuple[int | None, object, int | None, bool]]:
    return [
        (label.claim_number, label.verdict, label.origin, label.is_stale)
        for label in labels.claim_history(services, run_id, row)
    ]


def test_a_label_counts_again_where_its_chunks_are_the_same_and_is_stale_where_one_changed(services: Store) -> None:
    store_rows(services, "old", [ROW])
    first, second = say(services, "old", 1, 1, "contradicted"), say(services, "old", 1, 2, "not_a_claim", by="bob")
    store_rows(services, "new", [CHANGED_ROW], week=1)
    assert carry_labels(services.db, "new") == Carried(inherited=1, stale=1)
    assert _verdicts(services, "new") == [(1, C, first, True), (2, None, second, False)]
    inherited = labels.claim_history(services, "new", 1)[1]
    origin = labels.claim_history(services, "old", 1)[1]
    assert (inherited.reviewer, inherited.at, inherited.kind) == ("bob", origin.at, LabelKind.NOT_A_CLAIM)
    assert (inherited.spot_check_id, inherited.inclusion_probability) == (None, None)
    # The stale label does not count: the judge's "supported" stands, and the other row is no claim.
    assert get_summary(services, "new", view=View.REVIEWED).claims[S.value] == 1


def test_carrying_again_changes_nothing(services: Store) -> None:
    store_rows(services, "old", [ROW])
    say(services, "old", 1, 1, "contradicted")
    say(services, "old", 1, 2, "supported")
    store_rows(services, "new", [CHANGED_ROW], week=1)
    done = carry_labels(services.db, "new")
    before = labels.claim_history(services, "new", 1)
    assert carry_labels(services.db, "new") == done == count_carried(services, "new")
    assert labels.claim_history(services, "new", 1) == before


def test_nothing_is_carried_back_in_time_nor_to_the_run_itself(services: Store) -> None:
    store_rows(services, "late", [ROW], week=2)
    say(services, "late", 1, 1, "contradicted")
    run = store_rows(services, "early", [ROW], week=1)
    assert run.created_at < get_run(services, "late").created_at
    assert carry_labels(services.db, "early") == Carried(inherited=0, stale=0)
    assert carry_labels(services.db, "late") == Carried(inherited=0, stale=0)
    assert len(labels.claim_history(services, "late", 1)) == 1


def test_equal_texts_under_another_question_are_another_claim(services: Store) -> None:
    claim = make_claim("It is free.", S, "park")
    store_rows(services, "old", [make_row(OPENING, claim, question="Parking?")])
    say(services, "old", 1, 1, "contradicted")
    rows = [make_row(OPENING, claim, question="Entry?"), make_row(OPENING, claim, question="parking?  ")]
    store_rows(services, "new", rows, week=1)
    assert carry_labels(services.db, "new") == Carried(inherited=1, stale=0)
    assert _verdicts(services, "new", 1) == []
    assert len(_verdicts(services, "new", 2)) == 1


def test_another_claim_of_the_same_answer_inherits_nothing(services: Store) -> None:
    store_rows(services, "old", [ROW])
    say(services, "old", 1, 1, "contradicted")
    store_rows(services, "new", [make_row(OPENING, make_claim("It opens at 10.", S, "open"))], week=1)
    assert carry_labels(services.db, "new") == Carried(inherited=0, stale=0)


def test_a_row_of_its_own_key_is_found_though_its_question_was_reworded(services: Store) -> None:
    claim = make_claim("It is free.", S, "park")
    store_rows(services, "old", [make_row(OPENING, claim, question="Parking?", key="q-7")])
    say(services, "old", 1, 1, "supported")
    store_rows(services, "new", [make_row(OPENING, claim, question="Is parking free?", key="q-7")], week=1)
    assert carry_labels(services.db, "new") == Carried(inherited=1, stale=0)


def test_absence_holds_only_while_nothing_is_added(services: Store) -> None:
    claim = make_claim("It snows.", N)
    store_rows(services, "old", [make_row(OPENING, claim)])
    say(services, "old", 1, 1, "not_mentioned")
    store_rows(services, "less", [make_row({"park": OPENING["park"]}, claim)], week=1)
    store_rows(services, "more", [make_row({**OPENING, "snow": "It snows in winter."}, claim)], week=2)
    assert carry_labels(services.db, "less") == Carried(inherited=1, stale=0)
    assert carry_labels(services.db, "more") == Carried(inherited=0, stale=1)


def test_support_that_the_judge_did_not_see_rests_on_the_whole_context(services: Store) -> None:
    claim = make_claim("It snows.", N, "park")
    store_rows(services, "old", [make_row(OPENING, claim)])
    say(services, "old", 1, 1, "supported")
    store_rows(services, "new", [make_row({"park": OPENING["park"]}, claim)], week=1)
    assert carry_labels(services.db, "new") == Carried(inherited=0, stale=1)


def test_what_was_taken_back_is_not_carried_and_is_taken_back_where_it_had_been(services: Store) -> None:
    store_rows(services, "old", [ROW])
    say(services, "old", 1, 1, "contradicted")
    store_rows(services, "new", [ROW], week=1)
    assert carry_labels(services.db, "new").inherited == 1
    label = labels.claim_history(services, "old", 1)[0]
    labels.retract_label(services, "old", 1, label, LabelProvenance(reviewer="ann"))
    assert carry_labels(services.db, "new") == Carried(inherited=0, stale=0)
    kinds = [found.kind for found in labels.claim_history(services, "new", 1)]
    assert kinds == [LabelKind.VERDICT, LabelKind.RETRACTION]
    assert carry_labels(services.db, "new") == Carried(inherited=0, stale=0)
    assert len(labels.claim_history(services, "new", 1)) == 2
    assert get_summary(services, "new", view=View.REVIEWED).score.mean == 1.0


def test_a_change_of_mind_in_the_earlier_run_reaches_the_later_one(services: Store) -> None:
    store_rows(services, "old", [ROW])
    say(services, "old", 1, 1, "contradicted")
    store_rows(services, "new", [ROW], week=1)
    carry_labels(services.db, "new")
    newest = say(services, "old", 1, 1, "partially_supported")
    assert carry_labels(services.db, "new") == Carried(inherited=1, stale=0)
    (row,) = label_files.export_labels(services, "new")
    assert (row.verdict, row.inherited) == ("partially_supported", True)
    assert _verdicts(services, "new")[1][2] == newest


def test_what_a_person_said_in_the_run_itself_comes_first_even_if_taken_back(services: Store) -> None:
    store_rows(services, "old", [ROW])
    say(services, "old", 1, 1, "contradicted")
    say(services, "old", 1, 2, "contradicted")
    store_rows(services, "new", [ROW], week=1)
    say(services, "new", 1, 1, "supported")
    carry_labels(services.db, "new")
    inherited = labels.claim_history(services, "new", 1)[1]
    labels.retract_label(services, "new", 1, inherited, LabelProvenance(reviewer="ann"))
    assert carry_labels(services.db, "new") == Carried(inherited=0, stale=0)
    assert [row.verdict for row in label_files.export_labels(services, "new")] == ["supported"]


def test_a_label_skips_a_run_in_which_it_was_stale(services: Store) -> None:
    store_rows(services, "a", [ROW])
    origin = say(services, "a", 1, 1, "contradicted")
    store_rows(services, "b", [CHANGED_ROW], week=1)
    carry_labels(services.db, "b")
    store_rows(services, "c", [ROW], week=2)
    assert carry_labels(services.db, "c") == Carried(inherited=1, stale=0)
    assert _verdicts(services, "c") == [(1, C, origin, False)]


def test_a_newer_label_that_holds_is_preferred_and_an_older_one_that_holds_to_a_newer_stale_one(
    services: Store,
) -> None:
    store_rows(services, "a", [ROW])
    say(services, "a", 1, 1, "supported")
    say(services, "a", 1, 2, "supported")
    store_rows(services, "b", [CHANGED_ROW], week=1)
    say(services, "b", 1, 1, "contradicted")
    say(services, "b", 1, 2, "contradicted")
    store_rows(services, "c", [ROW], week=2)
    carry_labels(services.db, "c")
    assert [label[1] for label in _verdicts(services, "c")] == [S, C]


def test_reviewers_and_the_adjudicator_are_carried_apart(services: Store) -> None:
    store_rows(services, "old", [ROW])
    say(services, "old", 1, 1, "supported", by="ann")
    say(services, "old", 1, 1, "contradicted", by="bob")
    say(services, "old", 1, 1, "contradicted", by="eve", role=LabelRole.ADJUDICATOR)
    store_rows(services, "new", [ROW], week=1)
    assert carry_labels(services.db, "new").inherited == 1
    assert {label.role for label in labels.claim_history(services, "new", 1)} == set(LabelRole)
    assert get_summary(services, "new", view=View.REVIEWED).score.mean == 0.5


def test_a_missed_claim_is_carried_to_the_same_answer_until_a_judge_sees_it(services: Store) -> None:
    sample, result = ROW
    seen = replace(result, claims=(*result.claims, make_claim("It opens", S, "open")))
    store_rows(services, "old", [ROW])
    labels.label_missed_claim(
        services, "old", 1, start=0, end=8, verdict="contradicted", provenance=LabelProvenance(reviewer="ann")
    )
    store_rows(services, "new", [ROW], week=1)
    store_rows(services, "seen", [(sample, seen)], week=2)
    carry_labels(services.db, "new")
    carry_labels(services.db, "new")
    (label,) = labels.claim_history(services, "new", 1)
    assert (label.kind, label.corrected_text) == (LabelKind.MISSED_CLAIM, "It opens")
    assert get_summary(services, "new", view=View.REVIEWED).score.mean == pytest.approx(2 / 3)
    carry_labels(services.db, "seen")
    assert labels.claim_history(services, "seen", 1) == []


def test_inherited_labels_outlive_the_run_that_they_came_from(services: Store) -> None:
    store_rows(services, "old", [ROW])
    say(services, "old", 1, 1, "contradicted")
    store_rows(services, "new", [ROW], week=1)
    carry_labels(services.db, "new")
    delete_run(services, "old")
    assert carry_labels(services.db, "new") == Carried(inherited=1, stale=0)


def test_a_stale_label_tells_what_its_chunk_said_then_and_says_now(services: Store) -> None:
    store_rows(services, "old", [ROW])
    say(services, "old", 1, 1, "supported")
    store_rows(services, "new", [CHANGED_ROW], week=1)
    carry_labels(services.db, "new")
    ((row, label),) = carry_over.list_stale_labels(services, "new")
    told = carry_over.explain_stale_label(services, "new", row, label)
    assert told is not None
    assert told.origin_run == "old"
    (change,) = told.changes
    assert (change.chunk_id, change.old, change.new) == ("open", OPENING["open"], CHANGED["open"])
    delete_run(services, "old")
    assert carry_over.explain_stale_label(services, "new", row, label) is None


def test_a_chunk_without_an_id_is_known_by_its_text_and_added_ones_matter_to_absence() -> None:
    before, _ = make_row({"1": "The office opens at 9 am on weekdays.", "2": "Parking is free."})
    after, _ = make_row({"1": "A cafe is on the ground floor.", "2": "The office opens at 10 am on weekdays."})
    found = carry_over.list_changed_chunks(before, after, cited={"1"}, is_absence=False)
    assert [(change.old, change.new) for change in found] == [(before.chunks[0].text, after.chunks[1].text)]
    absent = carry_over.list_changed_chunks(before, after, cited=set(), is_absence=True)
    assert [(change.old, change.new) for change in absent] == [
        (before.chunks[0].text, after.chunks[1].text),
        (before.chunks[1].text, None),
        (None, after.chunks[0].text),
    ]


def test_a_run_that_finishes_has_its_labels_already(services: Store) -> None:
    sample = make_row(OPENING, make_claim("The office opens at 9 am.", S))[0]
    old = add_judged_run(services, [sample], "old")
    assert get_answer_at(services, old.run_id, 1).result.state is State.JUDGED
    say(services, old.run_id, 1, 1, "contradicted")
    new = add_judged_run(services, [sample], "new")
    assert count_carried(services, new.run_id) == Carried(inherited=1, stale=0)


def test_a_tie_settled_in_one_run_is_settled_in_those_that_inherited_it(services: Store) -> None:
    store_rows(services, "old", [ROW])
    say(services, "old", 1, 1, "supported", by="ann")
    say(services, "old", 1, 1, "contradicted", by="bob")
    for week, run_id in enumerate(["new", "newest"], start=1):
        store_rows(services, run_id, [ROW], week=week)
        carry_labels(services.db, run_id)
    assert {place.run_id for place in list_disagreements(services)} == {"old", "new", "newest"}
    # Where the tie was only inherited: the run after it has the verdict too, the one before it keeps the tie.
    settled = disagreements.adjudicate(services, "new", 1, 1, "contradicted", reviewer="eve")
    assert [place.run_id for place in list_disagreements(services)] == ["old"]
    labels.retract_label(services, "new", 1, settled, LabelProvenance(reviewer="eve"))
    assert {place.run_id for place in list_disagreements(services)} == {"old", "new", "newest"}
    disagreements.adjudicate(services, "old", 1, 1, "contradicted", reviewer="zoe")
    assert list_disagreements(services) == []
    for run_id in ("new", "newest"):
        assert get_summary(services, run_id, view=View.REVIEWED).claims[C.value] == 1
        before = labels.claim_history(services, run_id, 1)
        carry_labels(services.db, run_id)
        assert labels.claim_history(services, run_id, 1) == before
