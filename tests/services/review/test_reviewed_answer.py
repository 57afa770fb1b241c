"""One answer as people left it: the verdicts that count, the claims they found, and what they inherited."""

import pytest

from faithview.domain.answer import View
from faithview.domain.errors import InvalidInput
from faithview.domain.label import VerdictSource
from faithview.services.container import Store
from faithview.services.results import get_answer_at, get_summary
from faithview.services.review import disagreements, labels
from faithview.services.review.labels import LabelProvenance, get_reviewed_answer
from tests.factories import C, N, S, make_claim, make_row, say, store_rows

ROW = make_row(
    {"open": "The office opens at 9 am.", "park": "Parking is free."},
    make_claim("It opens at 9.", S, "open"),
    make_claim("Parking is free.", S, "park"),
)
EDITED = make_row(
    {"open": "The office opens at 10 am.", "park": "Parking is free."},
    make_claim("It opens at 9.", S, "open"),
    make_claim("Parking is free.", S, "park"),
)
ANN = LabelProvenance(reviewer="ann")


def _mark(services: Store, quote: str, verdict: str = "not_mentioned", **more: int) -> int:
    return labels.label_missed_quote(services, "r", 1, quote, verdict=verdict, provenance=ANN, **more).label_id


def test_an_answer_has_the_verdicts_that_count_and_the_claims_that_people_found(services: Store) -> None:
    store_rows(services, "r", [ROW])
    say(services, "r", 1, 1, "contradicted")
    _mark(services, "Parking")
    _mark(services, " opens at ")
    reviewed = get_reviewed_answer(services, get_answer_at(services, "r", 1))
    assert [(e.verdict, e.source) for e in reviewed.effective] == [
        (C, VerdictSource.REVIEWERS),
        (S, VerdictSource.JUDGE),
    ]
    # In the order of their places, whoever was first.
    assert [(label.corrected_text, label.span and label.span.start) for label in reviewed.missed] == [
        ("opens at", 3),
        ("Parking", 15),
    ]
    assert get_summary(services, "r", view=View.REVIEWED).claims[N.value] == 2
    assert get_summary(services, "r").claims[N.value] == 0


def test_a_missed_claim_taken_back_is_gone(services: Store) -> None:
    store_rows(services, "r", [ROW])
    _mark(services, "Parking")
    (label,) = get_reviewed_answer(services, get_answer_at(services, "r", 1)).missed
    labels.retract_label(services, "r", 1, label, ANN)
    assert get_reviewed_answer(services, get_answer_at(services, "r", 1)).missed == ()
    assert get_summary(services, "r", view=View.REVIEWED).claims[N.value] == 0


def test_a_quote_must_stand_in_the_answer_word_for_word(services: Store) -> None:
    store_rows(services, "r", [ROW])
    for quote, words in (("It opens at 10.", "'It opens at 10.'"), ("it opens", "'it opens'"), ("  ", "''")):
        with pytest.raises(InvalidInput, match="copy the words exactly") as error:
            _mark(services, quote)
        assert words in str(error.value)
    assert labels.claim_history(services, "r", 1) == []


def test_of_several_places_with_the_same_words_one_is_chosen(services: Store) -> None:
    store_rows(services, "r", [make_row({"a": "x"}, make_claim("Yes, yes. Yes.", S, "a"))])
    _mark(services, "es", occurrence=2)
    (label,) = get_reviewed_answer(services, get_answer_at(services, "r", 1)).missed
    assert (label.span and label.span.start) == 11
    with pytest.raises(InvalidInput, match="4 times"):
        _mark(services, "es", occurrence=3)


def test_nobody_settles_their_own_tie(services: Store) -> None:
    store_rows(services, "r", [ROW])
    say(services, "r", 1, 1, "supported", by="ann")
    say(services, "r", 1, 1, "contradicted", by="bob")
    with pytest.raises(InvalidInput, match="another reviewer has to settle it"):
        disagreements.adjudicate(services, "r", 1, 1, "supported", reviewer="bob")
    label = disagreements.adjudicate(services, "r", 1, 1, "contradicted", reviewer="eve", is_blind=True)
    assert label.is_blind
    assert disagreements.list_disagreements(services) == []
