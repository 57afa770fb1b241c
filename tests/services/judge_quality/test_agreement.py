"""Agreement on a run, and what a judge's card says."""

from dataclasses import replace

import pytest
from sqlalchemy import select, update

from faithview.domain.claim import ClaimRef
from faithview.domain.label import LabelRole
from faithview.domain.result import State, Usage
from faithview.domain.run import IMPORTED, JudgeSpec
from faithview.services.container import Store
from faithview.services.json_documents import agreement_document
from faithview.services.judge_quality import scorecards
from faithview.services.review import carry_over, labels, queue
from faithview.services.review.labels import LabelProvenance
from faithview.services.review.spot_checks import ClaimList, draw_from_list
from faithview.stats.judge_quality import Basis
from faithview.stats.spot_check import Unit
from faithview.store.labels import add_labels
from faithview.store.schema.review import SpotCheckItemRow
from faithview.store.schema.runs import ClaimRow, ResultRow
from tests.factories import (
    C,
    N,
    S,
    draw_check,
    make_claim,
    make_label,
    make_result,
    make_row,
    make_rows,
    make_run,
    say,
    store_rows,
    store_run,
)


def _store(services: Store, run_id: str = "r", *, week: int = 0, fingerprint: str = "lexical/1") -> None:
    rows = [
        make_row({"c": "x"}, make_claim("a", S, "c", confidence=0.9), make_claim("b", C, "c", confidence=0.6)),
        make_row({"c": "x"}, make_claim("d", S, "c", confidence=0.9), make_claim("e", N, confidence=0.7)),
    ]
    store_rows(services, run_id, rows, week=week, fingerprint=fingerprint)


def test_agreement_of_judge_and_people_and_among_people(services: Store) -> None:
    _store(services)
    said = {(1, 1): "supported", (1, 2): "contradicted", (2, 1): "contradicted", (2, 2): "not_a_claim"}
    for (row, number), verdict in said.items():
        say(services, "r", row, number, verdict, by="ann")
        say(services, "r", row, number, verdict if row == 1 else "supported", by="bob")
    say(services, "r", 1, 1, "supported", by="eve")
    found = scorecards.measure_agreement(services, "r")
    # Row 2 is tied, so that people have settled row 1 only, and as the judge did.
    assert (found.labelled, found.judge.value, found.judge.observed) == (2, 1.0, 1.0)
    assert [(place.row, place.claim_number) for place in found.disagreements] == [(2, 1), (2, 2)]
    assert set(found.pairs) == {("ann", "bob"), ("ann", "eve"), ("bob", "eve")}
    assert found.pairs["ann", "bob"].observed == 0.5
    assert found.alpha.claims == 4
    assert set(found.verdicts) == {"supported", "contradicted", "not_a_claim"}


def test_an_adjudicator_settles_and_is_no_reviewer(services: Store) -> None:
    _store(services)
    say(services, "r", 1, 1, "supported")
    chief = LabelProvenance(reviewer="chief", role=LabelRole.ADJUDICATOR)
    labels.label_claim(services, "r", 1, 1, "contradicted", chief)
    found = scorecards.measure_agreement(services, "r")
    assert (found.labelled, found.judge.observed, found.pairs) == (1, 0.0, {})
    (mistake,) = scorecards.list_judge_cards(services)[0].mistakes
    assert (mistake.judge, mistake.people, mistake.text) == ("supported", "contradicted", "a")
    assert (mistake.place.run_id, mistake.place.row, mistake.place.claim_number) == ("r", 1, 1)


def test_a_judge_has_one_card_for_all_its_runs_and_another_prompt_has_another(services: Store) -> None:
    _store(services, "r")
    _store(services, "s", week=1)
    _store(services, "t", week=2, fingerprint="lexical/2")
    say(services, "r", 1, 1, "supported")
    say(services, "s", 1, 1, "contradicted")
    say(services, "s", 2, 2, "not_a_claim")
    newest, card = scorecards.list_judge_cards(services)
    assert (newest.fingerprint, newest.runs, newest.labelled) == ("lexical/2", ("t",), 0)
    none = newest.figures
    assert (none.confusion, none.rates, none.calibration, none.kappa.value, none.basis) == (None,) * 5
    assert (card.runs, card.answers, card.labelled) == (("s", "r"), 4, 3)
    assert card.figures.confusion is not None
    assert card.figures.confusion.counts["supported"] == {
        "supported": 1, "partially_supported": 0, "not_mentioned": 0, "contradicted": 1, "not_a_claim": 0,
    }  # fmt: skip
    assert card.rates is not None
    assert card.rates.accuracy.value == pytest.approx(1 / 3)
    assert (card.rates.sensitivity.value, card.figures.basis) == (None, Basis.CHOSEN)  # nothing was drawn
    assert card.figures.calibration is not None
    (joined,) = card.figures.calibration.bins  # three labels, too few for a bin of each confidence
    assert joined.low == 0.7
    assert joined.right.value == pytest.approx(1 / 3)
    assert [(mistake.place.run_id, mistake.people) for mistake in card.mistakes] == [
        ("s", "contradicted"), ("s", "not_a_claim"),
    ]  # fmt: skip
    assert card.cost_usd is None
    assert card.seconds == pytest.approx(0.25)


def test_no_time_is_given_for_answers_that_were_judged_elsewhere(services: Store) -> None:
    _store(services, "here")
    elsewhere = make_run("there", judge=JudgeSpec(name="Ragas", method=IMPORTED), fingerprint="imported Ragas")
    sample, result = make_row({"c": "x"}, make_claim("a", S, "c"))
    store_run(services.db, [sample], [result], run=elsewhere)
    assert {card.name: card.seconds for card in scorecards.list_judge_cards(services)} == {
        "lexical": pytest.approx(0.25),
        "Ragas": None,
    }


def test_only_a_judge_that_asks_no_other_machine_has_no_cost(services: Store) -> None:
    """A run of a model that got no reply, or whose verdicts were known, has no calls and no cost either."""
    _store(services, "here")
    sample, _ = make_row({"c": "x"}, make_claim("a", S, "c"))
    for number, (name, result) in enumerate(
        [
            ("openai:small", make_result(state=State.FAILED)),
            ("anthropic:large", make_result(S, usage=Usage(cached_calls=1))),
            ("plug-in", make_result(S)),
        ]
    ):
        run = make_run(f"r{number}", judge=JudgeSpec(name=name), fingerprint=f"{name}/1")
        store_run(services.db, [sample], [result], run=run)
    assert {card.name: card.is_free for card in scorecards.list_judge_cards(services)} == {
        "lexical": True,
        "openai:small": False,
        "anthropic:large": False,
        "plug-in": False,
    }


def test_labels_of_a_spot_check_stand_for_what_was_not_drawn(services: Store) -> None:
    _store(services)
    check = draw_check(services, "r", size=2, unit=Unit.CLAIM, seed=3)
    for position, verdict in ((1, "supported"), (2, "contradicted")):
        queue.label_and_advance(services, check, position, verdict, reviewer="ann")
    drawn = {queue.get_claim(services, check, n, reviewer="ann").item.drawn.inclusion_probability for n in (1, 2)}
    assert drawn == {0.5}
    # A label outside the draw stands for nothing but its claim, so it is left out.
    outside = next(
        (row, number) for row in (1, 2) for number in (1, 2)
        if not any(label.claim_number == number for label in labels.claim_history(services, "r", row))
    )  # fmt: skip
    say(services, "r", *outside, "partially_supported")
    (card,) = scorecards.list_judge_cards(services)
    assert card.figures.confusion is not None
    shares = [share for row in card.figures.confusion.shares.values() for share in row.values() if share]
    assert sorted(shares) == pytest.approx([0.5, 0.5])
    assert (card.labelled, card.figures.used, card.figures.basis) == (3, 2, Basis.SPOT_CHECK)


def test_a_strongly_unequal_draw_is_weighted_alike_on_the_judge_card_and_in_the_agreement(services: Store) -> None:
    rows = [make_row({"c": "x"}, make_claim(f"s{at}", S, "c"), key=f"s{at}") for at in range(10)]
    rows += [make_row({"c": "x"}, make_claim(f"c{at}", C, "c"), key=f"c{at}") for at in range(10)]
    rows += [make_row({"c": "x"}, make_claim("not labelled", S, "c"), key="rest")]
    rows = [(replace(sample, question=sample.key), result) for sample, result in rows]
    store_rows(services, "r", rows)
    check = draw_check(services, "r", size=21, unit=Unit.CLAIM)
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
        make_label(verdict, spot_check_id=check, inclusion_probability=0.1 if row <= 10 else 1.0)
        for row, verdict in enumerate(people, start=1)
    ]
    add_labels(services.db, "r", [(row, label) for row, label in enumerate(given, start=1)])
    document = agreement_document(services, "r").document.to_dict()
    (card,) = scorecards.list_judge_cards(services)
    measured = scorecards.measure_agreement(services, "r")
    assert card.rates is not None
    # Weighted counts: 90 and 10 of the supported, 5 and 5 of the flagged.
    assert document["accuracy"] == card.rates.accuracy.value == pytest.approx(95 / 110)
    assert document["cohen_kappa"] == card.figures.kappa.value == measured.judge.value == pytest.approx(16 / 49)
    assert document["weighted"]
    assert document["confusion"]["supported"] == {
        "supported": 9, "partially_supported": 0, "not_mentioned": 0, "contradicted": 1
    }  # fmt: skip


def _label_check(services: Store, run_id: str, *, size: int = 30) -> None:
    """Draw and label a spot-check: people call the first claim of an odd answer supported, and no other."""
    check = draw_check(services, run_id, size=size, unit=Unit.CLAIM, seed=3)
    while (claim := queue.next_claim(services, check, reviewer="ann")) is not None:
        drawn = claim.item.drawn
        verdict = "supported" if drawn.row % 2 and drawn.claim_number == 1 else "contradicted"
        queue.label_and_advance(services, check, claim.item.position, verdict, reviewer="ann")


def _store_many(
    services: Store, run_id: str, *, week: int = 0, fingerprint: str = "lexical/1", series: str = ""
) -> None:
    rows = make_rows((S, S if at % 3 else C) for at in range(40))
    store_rows(services, run_id, rows, week=week, fingerprint=fingerprint, series=series)
    carry_over.carry_labels(services.db, run_id)


def test_labels_on_flagged_claims_alone_say_nothing_of_recall(services: Store) -> None:
    _store_many(services, "r")
    for row in (1, 4, 7):
        say(services, "r", row, 2, "contradicted")
    (card,) = scorecards.list_judge_cards(services)
    rates = card.rates
    assert rates is not None
    assert card.figures.basis is Basis.FLAGGED
    assert (rates.sensitivity.value, rates.specificity.value) == (None, None)
    assert (rates.precision.hits, rates.precision.labels) == (3, 3)
    say(services, "r", 1, 1, "supported")
    (card,) = scorecards.list_judge_cards(services)
    assert card.figures.basis is Basis.CHOSEN
    assert card.rates is not None
    assert card.rates.sensitivity.value is None


def test_labels_outside_a_spot_check_do_not_move_its_figures(services: Store) -> None:
    _store_many(services, "r")
    _label_check(services, "r")
    (before,) = scorecards.list_judge_cards(services)
    for row in range(1, 41, 3):
        say(services, "r", row, 2, "contradicted")
    (after,) = scorecards.list_judge_cards(services)
    assert after.figures == before.figures
    assert after.labelled > before.labelled


def test_claims_that_the_judge_missed_count_against_its_recall(services: Store) -> None:
    _store_many(services, "r")
    _label_check(services, "r")
    (before,) = scorecards.list_judge_cards(services)
    missed = LabelProvenance(reviewer="ann")
    for row in range(1, 41):
        labels.label_missed_claim(services, "r", row, start=0, end=1, verdict="not_mentioned", provenance=missed)
    (after,) = scorecards.list_judge_cards(services)
    assert before.rates is not None
    assert after.rates is not None
    found, left = before.rates.sensitivity, after.rates.sensitivity
    # Answers of which nothing was drawn do not count: nobody looked there at random.
    assert 0 < after.figures.missed < 40
    assert (left.hits, left.labels) == (found.hits, found.labels + after.figures.missed)
    assert found.value is not None
    assert left.value is not None
    # Two claims of the judge an answer, one missed: of 80 claims 30 drawn, so a claim that was drawn stands for 80/30.
    weight = 80 / 30
    unsupported = found.labels * weight
    assert left.value == pytest.approx(found.value * unsupported / (unsupported + 30 * weight / 2))
    assert (after.rates.accuracy, after.rates.specificity) == (before.rates.accuracy, before.rates.specificity)


def test_a_label_that_was_carried_over_counts_once(services: Store) -> None:
    _store_many(services, "r")
    _label_check(services, "r")
    missed = LabelProvenance(reviewer="ann")
    labels.label_missed_claim(services, "r", 1, start=0, end=1, verdict="not_mentioned", provenance=missed)
    (once,) = scorecards.list_judge_cards(services)
    for week in range(1, 4):
        _store_many(services, f"r{week}", week=week)
    (card,) = scorecards.list_judge_cards(services)
    assert len(card.runs) == 4
    assert (card.labelled, card.wrong, card.figures) == (once.labelled, once.wrong, once.figures)


def test_carried_over_labels_of_a_spot_check_are_a_random_sample_of_another_judges_claims(services: Store) -> None:
    _store_many(services, "r")
    _label_check(services, "r")
    for week in (1, 2):
        _store_many(services, f"s{week}", week=week, fingerprint="other/1")
    other, card = scorecards.list_judge_cards(services)
    assert (other.fingerprint, other.labelled, other.figures) == ("other/1", card.labelled, card.figures)
    assert other.figures.basis is Basis.SPOT_CHECK


def test_a_spot_check_of_listed_claims_is_no_sample_of_the_run(services: Store) -> None:
    """Its claims were picked by the judge's verdict, so that recall from them would be 1 whatever the truth."""
    _store_many(services, "r")
    places = [ClaimRef(run_id="r", row=row, claim_number=2) for row in range(1, 41, 3)]
    listed = ClaimList(description="contradicted claims", claims=places)
    check = draw_from_list(services, listed, size=8, created_by="ann", seed=1)
    while (claim := queue.next_claim(services, check, reviewer="ann")) is not None:
        queue.label_and_advance(services, check, claim.item.position, "contradicted", reviewer="ann")
    (card,) = scorecards.list_judge_cards(services)
    assert (card.labelled, card.figures.basis) == (8, Basis.FLAGGED)


def test_a_run_that_people_labelled_wholly_needs_no_draw(services: Store) -> None:
    _store(services)
    for row, number in ((1, 1), (1, 2), (2, 1), (2, 2)):
        say(services, "r", row, number, "contradicted")
    (card,) = scorecards.list_judge_cards(services)
    assert card.figures.basis is Basis.SPOT_CHECK
    assert card.rates is not None
    assert (card.rates.sensitivity.value, card.rates.sensitivity.labels) == (0.5, 4)


def test_a_card_of_a_series_is_of_its_runs_alone(services: Store) -> None:
    _store_many(services, "r", series="docs")
    _store_many(services, "s", week=1, series="help")
    say(services, "r", 1, 1, "supported")
    (docs,) = scorecards.list_judge_cards(services, series="docs")
    (help_,) = scorecards.list_judge_cards(services, series="help")
    assert (docs.runs, docs.labelled, help_.runs) == (("r",), 1, ("s",))
