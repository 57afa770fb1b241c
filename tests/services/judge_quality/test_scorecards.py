"""What a judge's card says by the labels on its runs, and how far reviewers of a run agree."""

from dataclasses import replace

import pytest
from sqlalchemy import select, update

from faithview.domain.label import LabelRole
from faithview.domain.run import IMPORTED, JudgeSpec
from faithview.services.container import Store
from faithview.services.json_documents import agreement_document
from faithview.services.judge_quality import scorecards
from faithview.services.review import labels, queue
from faithview.services.review.labels import LabelProvenance
from faithview.store.labels import add_labels
from faithview.store.schema.review import SpotCheckItemRow
from faithview.store.schema.runs import ClaimRow, ResultRow
from tests.factories import (
    C,
    N,
    S,
    draw_check,
    label_missed_claim,
    make_claim,
    make_label,
    make_row,
    make_rows,
    make_run,
    say,
    store_rows,
    store_run,
)

pytestmark = pytest.mark.process  # takes long


def _store(services: Store, run_id: str = "r", *, week: int = 0, fingerprint: str = "lexical/1") -> None:
    rows = [
        make_row({"c": "x"}, make_claim("a", S, "c", confidence=0.9), make_claim("b", C, "c", confidence=0.6)),
        make_row({"c": "x"}, make_claim("d", S, "c", confidence=0.9), make_claim("e", N, confidence=0.7)),
    ]
    store_rows(services, run_id, rows, week=week, fingerprint=fingerprint)


def _store_many(services: Store, run_id: str, *, week: int = 0, fingerprint: str = "lexical/1") -> None:
    store_rows(
        services, run_id, make_rows((S, S if at % 3 else C) for at in range(40)), week=week, fingerprint=fingerprint
    )


def _label_check(services: Store, run_id: str) -> None:
    """Draw and label a spot-check of 30: people call the first claim of an odd answer supported, and no other."""
    check = draw_check(services, run_id, size=30, seed=3)
    while (claim := queue.next_claim(services, check, reviewer="ann")) is not None:
        place = claim.item.place
        verdict = "supported" if place.row % 2 and place.claim_number == 1 else "contradicted"
        queue.label_and_advance(services, check, claim.item.position, verdict, reviewer="ann")


def _card(services: Store) -> scorecards.JudgeCard:
    (card,) = scorecards.list_judge_cards(services)
    return card


def test_reviewers_agree_with_the_judge_and_with_each_other(services: Store) -> None:
    _store(services)
    said = {(1, 1): "supported", (1, 2): "contradicted", (2, 1): "contradicted", (2, 2): "not_a_claim"}
    for (row, number), verdict in said.items():
        say(services, "r", row, number, verdict, by="ann")
        say(services, "r", row, number, verdict if row == 1 else "supported", by="bob")
    say(services, "r", 1, 1, "supported", by="eve")
    found = scorecards.measure_agreement(services, "r")
    # Row 2 is tied, so that people have settled row 1 only, and as the judge did.
    assert (found.judge.value, found.judge.labels, found.disagreements) == (1.0, 2, 2)
    assert {pair: (kappa.hits, kappa.labels) for pair, kappa in found.pairs.items()} == {
        ("ann", "bob"): (2, 4), ("ann", "eve"): (1, 1), ("bob", "eve"): (1, 1),
    }  # fmt: skip
    # Ann: s, c, c, no claim; Bob: s, c, s, s: by chance 1/4 x 3/4 + 2/4 x 1/4 = 5/16.
    assert found.pairs["ann", "bob"].value == pytest.approx((8 / 16 - 5 / 16) / (11 / 16))


def test_an_adjudicator_settles_and_is_no_reviewer(services: Store) -> None:
    _store(services)
    say(services, "r", 1, 1, "supported")
    chief = LabelProvenance(reviewer="chief", role=LabelRole.ADJUDICATOR)
    labels.label_claim(services, "r", 1, 1, "contradicted", chief)
    found = scorecards.measure_agreement(services, "r")
    assert (found.judge.hits, found.judge.labels, found.pairs) == (0, 1, {})
    (mistake,) = _card(services).mistakes
    assert (mistake.judged, mistake.people, mistake.text) == (S, C, "a")
    assert (mistake.run_id, mistake.row, mistake.number) == ("r", 1, 1)


def test_a_judge_has_one_card_for_all_its_runs_and_another_prompt_has_another(services: Store) -> None:
    _store(services, "r")
    _store(services, "s", week=1)
    _store(services, "t", week=2, fingerprint="lexical/2")
    say(services, "r", 1, 2, "contradicted")
    say(services, "s", 1, 1, "contradicted")
    say(services, "s", 2, 2, "not_a_claim")
    newest, card = scorecards.list_judge_cards(services)
    assert (newest.fingerprint, newest.runs, newest.labelled, newest.figures.used) == ("lexical/2", ("t",), 0, 0)
    assert (card.runs, card.answers, card.labelled, card.wrong) == (("s", "r"), 4, 3, 2)
    assert card.newest < newest.newest
    assert card.figures.accuracy.value == pytest.approx(1 / 3)
    assert card.figures.sensitivity.value is None  # nothing was drawn
    assert [(mistake.run_id, mistake.people) for mistake in card.mistakes] == [("s", C), ("s", None)]
    assert (card.cost_usd, card.is_free, card.seconds) == (None, True, pytest.approx(0.25))


def test_no_time_or_cost_is_given_for_answers_that_were_judged_elsewhere(services: Store) -> None:
    elsewhere = make_run("there", judge=JudgeSpec(name="Ragas", method=IMPORTED), fingerprint="imported Ragas")
    sample, result = make_row({"c": "x"}, make_claim("a", S, "c"))
    store_run(services.db, [sample], [result], run=elsewhere)
    card = _card(services)
    assert (card.seconds, card.cost_usd, card.is_free) == (None, None, False)


def test_a_strongly_unequal_draw_is_weighted_alike_on_the_judge_card_and_in_the_agreement(services: Store) -> None:
    rows = [make_row({"c": "x"}, make_claim(f"s{at}", S, "c"), key=f"s{at}") for at in range(10)]
    rows += [make_row({"c": "x"}, make_claim(f"c{at}", C, "c"), key=f"c{at}") for at in range(10)]
    rows += [make_row({"c": "x"}, make_claim("not labelled", S, "c"), key="rest")]
    store_rows(services, "r", [(replace(sample, question=sample.key), result) for sample, result in rows])
    check = draw_check(services, "r", size=21)
    position = select(ResultRow.position).join(ClaimRow, ClaimRow.sample_id == ResultRow.sample_id)
    with services.db.write() as connection:
        connection.execute(
            update(SpotCheckItemRow)
            .where(position.where(ClaimRow.id == SpotCheckItemRow.claim_id).scalar_subquery() <= 10)
            .values(inclusion_probability=0.1)
        )
    # What the judge supports was drawn one in ten: people agree with 9 of 10; what it flags was drawn whole: 5 of 10.
    people = [*[S] * 9, C, *[C] * 5, *[S] * 5]
    given = [
        ("r", row, make_label(verdict, spot_check_id=check, is_blind=True))
        for row, verdict in enumerate(people, start=1)
    ]
    add_labels(services.db, given)
    document, _, _ = agreement_document(services, "r")
    figures = _card(services).figures
    # Weighted counts: 90 and 10 of the supported, 5 and 5 of the flagged.
    assert document["accuracy"] == figures.accuracy.value == pytest.approx(95 / 110)
    kappa = scorecards.measure_agreement(services, "r").judge.value
    assert document["cohen_kappa"] == figures.kappa.value == kappa == pytest.approx(16 / 49)
    assert document["weighted"]
    assert document["confusion"]["supported"] == {S: 9, "partially_supported": 0, N: 0, C: 1}


def test_labels_outside_a_spot_check_do_not_move_its_figures(services: Store) -> None:
    _store_many(services, "r")
    _label_check(services, "r")
    before = _card(services)
    for row in range(1, 41, 3):
        say(services, "r", row, 2, "contradicted")
    after = _card(services)
    assert after.figures == before.figures
    assert after.labelled > before.labelled


def test_claims_that_the_judge_missed_count_against_its_recall(services: Store) -> None:
    _store_many(services, "r")
    _label_check(services, "r")
    before = _card(services).figures
    missed = LabelProvenance(reviewer="ann")
    for row in range(1, 41):
        label_missed_claim(services, "r", row, start=0, end=1, verdict="not_mentioned", provenance=missed)
    after = _card(services).figures
    found, left = before.sensitivity, after.sensitivity
    # Answers of which nothing was drawn do not count: nobody looked there at random.
    assert 0 < after.missed < 40
    assert (left.hits, left.labels) == (found.hits, found.labels + after.missed)
    # Two claims of the judge an answer, one missed: of 80 claims 30 drawn, so a claim that was drawn stands for 80/30.
    weight = 80 / 30
    unsupported = found.labels * weight
    assert left.value == pytest.approx((found.value or 0) * unsupported / (unsupported + 30 * weight / 2))
    assert (after.accuracy, after.specificity) == (before.accuracy, before.specificity)


def test_a_label_counts_for_the_run_in_which_it_was_given(services: Store) -> None:
    _store_many(services, "r")
    _label_check(services, "r")
    once = _card(services)
    _store_many(services, "s", week=1)
    card = _card(services)
    assert (card.runs, card.labelled, card.wrong, card.figures) == (("s", "r"), once.labelled, once.wrong, once.figures)
    _store_many(services, "t", week=2, fingerprint="other/1")
    other = scorecards.list_judge_cards(services)[0]
    assert (other.fingerprint, other.labelled) == ("other/1", 0)


def test_a_run_that_people_labelled_wholly_needs_no_draw(services: Store) -> None:
    _store(services)
    for row, number in ((1, 1), (1, 2), (2, 1), (2, 2)):
        say(services, "r", row, number, "contradicted")
    figures = _card(services).figures
    assert (figures.is_drawn, figures.sensitivity.hits, figures.sensitivity.labels) == (True, 2, 4)
