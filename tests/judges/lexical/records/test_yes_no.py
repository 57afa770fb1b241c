"""What an answer says of a record's yes-or-no fields, held against them."""

import json

import pytest

from faithview.domain.claim import Verdict
from faithview.domain.sample import Chunk, Sample
from faithview.judges.lexical.judge import judge_sample
from faithview.judges.lexical.passages.index import Context
from faithview.judges.lexical.records.grids import RecordView
from faithview.judges.lexical.records.yes_no import FlagCheck, check_flags
from faithview.judges.text.tokens import tokenize

_RECORD = {
    "name": "The Heron's Nest",
    "address": "5 Quay Street",
    "attributes": {
        "BusinessParking": {"garage": False, "street": False, "lot": True},
        "RestaurantsReservations": False,
        "OutdoorSeating": True,
        "WiFi": "free",
        "RestaurantsTakeOut": True,
        "RestaurantsDelivery": None,
        "GoodForKids": True,
        "RestaurantsGoodForGroups": False,
        "HasTV": None,
        "Alcohol": "beer_and_wine",
        "NoiseLevel": "quiet",
        "RestaurantsPriceRange2": 2,
        "Music": {"live": False, "dj": False},
        "Ambience": {"romantic": False, "casual": True},
        "ByAppointmentOnly": False,
        "Caters": None,
        "Smoking": "no",
    },
    "review_info": [{"review_text": "They drove our car away for us, and the catering for the wedding was superb."}],
}
_TEXT = json.dumps(_RECORD)


def _check(claim: str, record: str = _TEXT) -> FlagCheck:
    records = RecordView(Context([Chunk(chunk_id="c1", text=record)], None))
    return check_flags(claim, tokenize(claim), records)


@pytest.mark.parametrize(
    "claim",
    [
        "Takeout is available.",
        "You can order food to take away.",
        "It is family-friendly.",
        "Guests can sit on the patio.",
        "Free Wi-Fi is provided.",
        "There is internet.",
        "It does not take reservations.",
        "There is a parking lot.",
        "Parking is available.",
        "There is no garage.",
        "There is no street parking.",
        "It serves beer and wine.",
        "There is no full bar.",
        "It is a quiet place.",
        "Prices are moderate.",
        "It has a casual ambience.",
        "It is not suited for groups.",
        "No appointment is necessary.",
        "Smoking is not allowed.",
        "There is no live music.",
        "It is best for families rather than groups.",
        "Groups may find it unsuitable.",
    ],
)
def test_what_agrees_with_its_field_is_counted_as_agreed(claim: str) -> None:
    found = _check(claim)
    assert found.agreed >= 1
    assert (found.against, found.untold) == (0, 0)
    assert found.conflict is None


@pytest.mark.parametrize(
    ("claim", "field"),
    [
        ("Reservations are accepted.", '"RestaurantsReservations": false'),
        ("It does not offer takeout.", '"RestaurantsTakeOut": true'),
        ("There is no outdoor seating.", '"OutdoorSeating": true'),
        ("There is no WiFi.", '"WiFi": "free"'),
        ("Street parking is available.", '"street": false'),
        ("There is no parking.", '"lot": true'),
        ("It has a garage.", '"garage": false'),
        ("It has a full bar.", '"Alcohol": "beer_and_wine"'),
        ("It is a loud place.", '"NoiseLevel": "quiet"'),
        ("It is expensive.", '"RestaurantsPriceRange2": 2'),
        ("The ambience is romantic.", '"romantic": false'),
        ("It welcomes groups.", '"RestaurantsGoodForGroups": false'),
        ("There is live music.", '"live": false'),
        ("Appointments are required.", '"ByAppointmentOnly": false'),
        ("Smoking is allowed.", '"Smoking": "no"'),
    ],
)
def test_what_stands_against_its_field_names_it(claim: str, field: str) -> None:
    found = _check(claim)
    assert found.conflict is not None
    assert _TEXT[slice(*found.conflict.passage_span)] == field


@pytest.mark.parametrize(
    "claim", ["Delivery is available.", "It does not deliver.", "There are TVs.", "There is no TV."]
)
def test_what_is_left_open_is_told_neither_way(claim: str) -> None:
    found = _check(claim)
    assert found.untold == 1
    assert found.open is not None
    assert found.conflict is None


@pytest.mark.parametrize(
    "claim",
    [
        "One customer complained about the garage.",
        "Two families with reservations were seated at once.",
        "There are lots of plants.",
        "A reviewer found the place romantic.",
        "No reservation is needed.",
        "It is located at 5 Quay Street.",
        "The catering for the wedding was superb.",
        "Whether it delivers is not specified.",
        "The staff is friendly.",
    ],
)
def test_what_a_field_cannot_settle_is_left_alone(claim: str) -> None:
    found = _check(claim)
    assert (found.against, found.untold) == (0, 0)
    assert found.conflict is None


def test_agreeing_and_contradicting_parts_of_one_sentence_are_told_apart() -> None:
    found = _check("It offers takeout and free WiFi, takes reservations, but does not deliver.")
    assert (found.agreed, found.against, found.untold) == (2, 1, 1)


def test_none_in_quotes_is_a_choice_and_null_is_a_gap() -> None:
    assert _check("No alcohol is served.", '{"Alcohol": "none", "WiFi": null}').agreed == 1
    assert _check("No alcohol is served.", '{"Alcohol": null, "WiFi": null}').untold == 1


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The Heron's Nest takes reservations.", Verdict.CONTRADICTED),
        ("The Heron's Nest has no TV.", Verdict.NOT_MENTIONED),
        ("The Heron's Nest offers takeout.", Verdict.SUPPORTED),
    ],
)
def test_the_verdict_follows_from_the_field(claim: str, verdict: Verdict) -> None:
    result = judge_sample(Sample.of(claim, [_TEXT]))
    assert [c.verdict for c in result.claims] == [verdict]


def test_no_music_is_said_of_music() -> None:
    record = '{"Music": {"no_music": true, "live": false}, "WiFi": "no"}'
    assert _check("No music is played.", record).agreed == 1
    assert _check("There is music.", record).against == 1


_LARK = json.dumps({"name": "Cafe Lark", "attributes": {"WiFi": "free", "OutdoorSeating": False, "HasTV": True}})
_WREN = json.dumps({"name": "Bistro Wren", "attributes": {"WiFi": "no", "OutdoorSeating": True, "HasTV": False}})


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Bistro Wren has free WiFi.", Verdict.CONTRADICTED),
        ("Cafe Lark has outdoor seating.", Verdict.CONTRADICTED),
        ("There is no TV at Cafe Lark.", Verdict.CONTRADICTED),
        ("Cafe Lark has free WiFi.", Verdict.SUPPORTED),
        ("There is no TV at Bistro Wren.", Verdict.SUPPORTED),
        ("Cafe Lark has free WiFi, and Bistro Wren has none.", Verdict.SUPPORTED),
    ],
)
def test_of_two_records_the_one_that_is_named_decides(claim: str, verdict: Verdict) -> None:
    assert {c.verdict for c in judge_sample(Sample.of(claim, [_LARK, _WREN])).claims} == {verdict}


@pytest.mark.parametrize(
    ("claim", "is_wrong"),
    [
        ("The cache is enabled.", True),
        ("TLS is disabled.", True),
        ("Debug is on.", True),
        ("The cache is disabled.", False),
        ("TLS is enabled.", False),
        ("Debug is off.", False),
    ],
)
def test_what_is_enabled_is_said_of_the_group(claim: str, is_wrong: bool) -> None:
    config = json.dumps({"debug": False, "cache": {"enabled": False, "ttl": 60}, "tls": {"enabled": True}})
    found = _check(claim, config)
    assert (found.agreed, found.against) == ((0, 1) if is_wrong else (1, 0))
