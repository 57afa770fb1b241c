"""Reviewers in a queue: what they may see, what is stored, how they change their minds, and what a key press costs."""

from dataclasses import asdict

import pytest

from faithview import Verdict
from faithview.domain.answer import View
from faithview.domain.claim import Evidence
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.label import LabelKind, LabelRole
from faithview.domain.sample import Chunk, Sample
from faithview.domain.spans import Span
from faithview.services.container import Store
from faithview.services.judge_quality import scorecards
from faithview.services.results import get_summary
from faithview.services.review import disagreements, labels, queue
from faithview.services.review.corrected_score import correct_run
from faithview.services.review.labels import UNDO, LabelProvenance
from faithview.store import spot_checks
from tests.factories import S, draw_check, label_missed_claim, make_claim, make_result, make_row, say, store_rows

SECRET = "SECRET"


def _store(services: Store, *, blind: bool = True, people: int = 1, claims: int = 3) -> int:
    judged = make_claim(
        "It opens at 9.",
        Verdict.CONTRADICTED,
        "open",
        spans=(Span(start=0, end=14),),
        confidence=0.123456,
        support=0.654321,
        explanation=f"{SECRET} explanation",
        correction=f"{SECRET} correction",
        evidence=(Evidence(chunk_id="open", quote=f"{SECRET} quote", span=None),),
    )
    samples = [
        Sample(
            answer="It opens at 9.",
            chunks=(Chunk(text="It opens at 10.", chunk_id="open"),),
            question=f"When, {number}?",
            extra={"verdict": f"{SECRET} extra"},
        )
        for number in range(claims)
    ]
    store_rows(services, "r", [(sample, make_result(judged)) for sample in samples])
    return draw_check(services, "r", size=claims, name="check", is_blind=blind, reviewers_per_item=people)


def _submit(services: Store, check: int, position: int, verdict: str, *, by: str = "ann") -> queue.QueuedClaim:
    queue.label_and_advance(services, check, position, verdict, reviewer=by)
    return queue.get_claim(services, check, position, reviewer=by)


def test_a_blind_claim_holds_nothing_of_the_judge_until_it_is_labelled(services: Store) -> None:
    check = _store(services)
    claim = queue.next_claim(services, check, reviewer="ann")
    assert claim is not None
    assert claim.judged is None
    shown = repr(asdict(claim))
    for secret in (SECRET, "contradicted", "0.123456", "0.654321"):
        assert secret not in shown
    assert (claim.text, claim.spans, claim.run_name) == ("It opens at 9.", ((0, 14),), "r")
    labelled = _submit(services, check, claim.item.position, "supported")
    assert labelled.judged is not None
    assert labelled.judged.explanation == f"{SECRET} explanation"
    other = queue.get_claim(services, check, claim.item.position, reviewer="bob")
    assert other.judged is None


def test_an_open_check_shows_the_judge_at_once_and_stores_that_it_did(services: Store) -> None:
    check = _store(services, blind=False)
    claim = queue.next_claim(services, check, reviewer="ann")
    assert claim is not None
    assert claim.judged is not None
    (label,) = _submit(services, check, claim.item.position, "supported").own
    assert not label.is_blind


def test_a_label_of_a_queue_stores_how_it_was_given(services: Store) -> None:
    check = _store(services)
    (label,) = _submit(services, check, 1, "not_a_claim").own
    assert (label.kind, label.spot_check_id, label.inclusion_probability) == (LabelKind.NOT_A_CLAIM, check, 1.0)
    assert label.is_blind


def _agreement(services: Store) -> tuple[object, ...]:
    """All figures that blind labels alone may move."""
    measured = scorecards.measure_agreement(services, "r")
    correction = correct_run(services, "r")
    reviewed = get_summary(services, "r", view=View.REVIEWED).score
    cards = [(card.figures, card.wrong) for card in scorecards.list_judge_cards(services)]
    return measured.judge, measured.pairs, correction, reviewed, cards


def test_a_claim_of_a_blind_check_is_labelled_once_and_later_labels_count_nowhere(services: Store) -> None:
    check = _store(services, people=2)
    for position, verdict in enumerate(("supported", "contradicted", "contradicted"), start=1):
        for by in ("ann", "bob"):
            _submit(services, check, position, verdict, by=by)
    before = _agreement(services)
    claim = queue.get_claim(services, check, 1, reviewer="ann")
    assert not claim.can_label
    with pytest.raises(InvalidInput, match="before you saw the judge"):
        queue.label_and_advance(services, check, 1, "contradicted", reviewer="ann")
    place = claim.item.place
    say(services, "r", place.row, place.claim_number, "contradicted", by="ann")  # as on Answers, in sight of the judge
    (label,) = queue.get_claim(services, check, 1, reviewer="ann").own
    assert (label.is_blind, label.verdict) == (True, S)
    assert _agreement(services) == before


def test_a_label_leads_to_the_next_claim_and_a_repeated_one_stores_nothing(services: Store) -> None:
    check = _store(services, blind=False)
    assert [queue.label_and_advance(services, check, 1, "supported", reviewer="ann") for _ in "12"] == [2, 2]
    place = queue.get_claim(services, check, 1, reviewer="ann").item.place
    assert len(labels.claim_history(services, "r", place.row)) == 1


def test_undo_shows_the_claim_again_still_blind(services: Store) -> None:
    check = _store(services)
    _submit(services, check, 1, "supported")
    _submit(services, check, 2, "supported")
    claim = queue.undo_last(services, check, reviewer="ann")
    assert (claim.item.position, claim.own, claim.judged) == (2, (), None)
    again = queue.next_claim(services, check, reviewer="ann")
    assert again is not None
    assert again.item.position == 2
    (label,) = _submit(services, check, 2, "contradicted").own
    assert label.is_blind
    assert queue.undo_last(services, check, reviewer="ann").item.position == 2
    assert queue.undo_last(services, check, reviewer="ann").item.position == 1
    with pytest.raises(NotFound):
        queue.undo_last(services, check, reviewer="ann")
    assert sum(len(labels.claim_history(services, "r", row)) for row in (1, 2, 3)) == 6
    assert spot_checks.get_queue_progress(services.db, check).done == 0


def test_on_answers_a_blind_label_stays_too_and_a_change_can_be_taken_back(services: Store) -> None:
    check = _store(services)
    place = _submit(services, check, 1, "supported").item.place
    ann = LabelProvenance(reviewer="ann")
    for choice in ("contradicted", UNDO):
        labels.choose_label(services, place.run_id, place.row, place.claim_number, choice, ann)
        assert disagreements.get_labelled_claim(services, place).effective.verdict is S
    with pytest.raises(InvalidInput, match="blind"):
        labels.choose_label(services, place.run_id, place.row, place.claim_number, UNDO, ann)


def test_a_disagreement_waits_for_an_adjudicator_and_is_settled_by_one(services: Store) -> None:
    check = _store(services, people=2, claims=1)
    _submit(services, check, 1, "supported")
    _submit(services, check, 1, "not_mentioned", by="bob")
    (place,) = disagreements.list_disagreements(services, "r")
    place_of = (place.run_id, place.row, place.claim_number)
    assert get_summary(services, "r", view=View.REVIEWED).score.mean == 0.0  # the judge's verdict stands
    with pytest.raises(InvalidInput, match="another reviewer"):
        disagreements.adjudicate(services, *place_of, "supported", reviewer="bob")
    disagreements.adjudicate(services, *place_of, "supported", reviewer="eve")
    assert disagreements.list_disagreements(services, "r") == []
    with pytest.raises(InvalidInput, match="already settled"):
        disagreements.adjudicate(services, *place_of, "contradicted", reviewer="eve")
    assert get_summary(services, "r", view=View.REVIEWED).score.mean == 1.0
    told = disagreements.get_labelled_claim(services, place)
    assert [label.role for label in told.history] == [LabelRole.REVIEWER] * 2 + [LabelRole.ADJUDICATOR]


@pytest.mark.parametrize(
    ("verdict", "given", "words"),
    [
        ("so-so", LabelProvenance(reviewer="ann"), "no verdict 'so-so'"),
        ("supported", LabelProvenance(reviewer="  "), "1 to 100"),
        ("supported", LabelProvenance(reviewer="x" * 101), "1 to 100"),
        ("supported", LabelProvenance(reviewer="a\x00b"), "cannot be stored"),
        ("supported", LabelProvenance(reviewer="ann", note="\ud800"), "cannot be stored"),
    ],
)
@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)  # the rule is the same on every engine
def test_what_cannot_be_used_is_refused_and_nothing_is_stored(
    services: Store, verdict: str, given: LabelProvenance, words: str
) -> None:
    store_rows(services, "r", [make_row({"c": "x"}, make_claim("x", S))])
    with pytest.raises(InvalidInput, match=words):
        labels.label_claim(services, "r", 1, 1, verdict, given)
    for place in ((0, 0), (0, 99), (-1, 1)):
        with pytest.raises(InvalidInput, match="not within"):
            label_missed_claim(
                services,
                "r",
                1,
                start=place[0],
                end=place[1],
                verdict="supported",
                provenance=LabelProvenance(reviewer="ann"),
            )
    assert labels.claim_history(services, "r", 1) == []


def test_going_on_leads_to_what_is_not_labelled_first_behind_then_from_the_start(services: Store) -> None:
    check = _store(services, blind=False, claims=4)
    assert queue.label_and_advance(services, check, 3, "supported", reviewer="ann") == 4
    assert [queue.find_next(services, check, reviewer="ann", after=at) for at in (0, 1, 2, 4)] == [1, 2, 4, 1]
    assert queue.label_and_advance(services, check, 4, "supported", reviewer="ann") == 1
    assert queue.label_and_advance(services, check, 1, "supported", reviewer="ann") == 2
    assert queue.label_and_advance(services, check, 2, "supported", reviewer="ann") is None
    with pytest.raises(NotFound):
        queue.find_next(services, 99, reviewer="ann")
