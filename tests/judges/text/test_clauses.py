"""Which words of a sentence stand in a part that denies."""

import pytest

from faithview.judges.text.lexicon import word_set
from faithview.judges.text.polarity import places_in_clauses
from faithview.judges.text.tokens import tokenize

# The words whose place is looked at, among all that the sentences have.
_THINGS = word_set(
    """takeout delivery reservations tvs happy hour catering children dogs appointment cards wifi kids groups parking
    terrace tv deliver alcohol casual trendy bar export import"""
)


@pytest.mark.parametrize(
    ("sentence", "denied"),
    [
        ("Takeout is offered, but delivery and reservations are not.", "delivery reservations"),
        ("It has no TVs, happy hour, delivery, or catering.", "tvs happy hour delivery catering"),
        ("Children and dogs are not catered for.", "children dogs"),
        ("Takeout, delivery and reservations are not offered.", "takeout delivery reservations"),
        ("Guests do not need an appointment, credit cards are accepted, and free WiFi is available.", "appointment"),
        ("It is a good option for kids, though not for groups.", "groups"),
        ("Reservations are not taken, and parking is on the street.", "reservations"),
        ("There is no terrace, TV or delivery, but takeout is possible.", "terrace tv delivery"),
        ("It offers takeout but no delivery.", "delivery"),
        ("It has WiFi and TVs, accepts cards, and does not deliver.", "deliver"),
        (
            "It does not deliver, take reservations, serve alcohol, or provide WiFi.",
            "deliver reservations alcohol wifi",
        ),
        ("It is not only casual but also trendy.", ""),
        ("The bar is loud and the terrace is quiet.", ""),
        ("Export is unavailable, while import works.", "export"),
        ("There is no parking, only a terrace.", "parking"),
        ("There is no delivery, just takeout.", "delivery"),
        ("It is a trendy, rather casual bar.", ""),
        ("It offers takeout rather than delivery.", "delivery"),
        ("Export is off, and import is on.", "export"),
        ("Export is disabled by default.", "export"),
        ("Export is not disabled.", ""),
        ("Parking is free for disabled guests.", ""),
        ("WiFi is 20% off.", ""),
        ("You cannot come without an appointment.", ""),
        ("You can come without an appointment.", "appointment"),
    ],
)
def test_a_denial_reaches_over_its_list_and_no_further(sentence: str, denied: str) -> None:
    tokens = tokenize(sentence)
    places = places_in_clauses(sentence, tokens)
    in_denial = [t.word.lower for t, place in zip(tokens, places, strict=True) if place.is_denied]
    assert [word for word in in_denial if word in _THINGS] == denied.split()


def test_no_words_have_no_places() -> None:
    assert places_in_clauses("", []) == []
