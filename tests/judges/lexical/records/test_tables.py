"""Tables and records of several things: what a claim says of one cell is held against that cell and no other."""

import json

import pytest

from faithview.domain.claim import Claim, Verdict
from faithview.domain.sample import Sample
from faithview.judges.lexical.judge import judge_sample
from faithview.judges.lexical.passages.fields import Field, find_records

_YES, _NO, _UNTOLD = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.NOT_MENTIONED

_PLANS = """Our plans at a glance:

| Plan | Price | Max users | Storage | SSO | Audit log |
|:---|---:|---:|---|:-:|---|
| Basic | $5 | 10 | 20 GB | no | – |
| Pro | $15 | 25 | 100 GB | no | 30 days |
| Business | $20 | 50 | 500 GB | yes | 12 months |

All prices are per month and without tax.
"""

_BY_FEATURE = """| Feature | Silver | Gold | Platinum |
|---|---|---|---|
| Annual fee | €40 | €90 | €150 |
| Lounge visits | 2 | 6 | 12 |
| Travel insurance | ✗ | ✓ | ✓ |
| Spare card | ✗ | ✗ | ✓ |
| Points expire after | 12 months | 24 months | 36 months |
"""

_BIKES = """model,weight_kg,range_km,price_eur,lights,rack
Heron,19,60,1890,yes,no
Osprey,23,95,2750,yes,yes
Kestrel,17,45,1490,no,no
"""

_ROOMS = """room;seats;projector;rate per hour;floor
Aurora;8;no;25 EUR;1
Borealis;20;yes;60 EUR;2
"Cirrus, west wing";40;yes;95 EUR;4
"""

_MODELS = json.dumps(
    [
        {"model": "Finch", "watts": 850, "capacity_l": 1.2, "steam": False, "price": 79},
        {"model": "Raven", "watts": 1400, "capacity_l": 1.8, "steam": True, "price": 139},
        {"model": "Condor", "watts": 2100, "capacity_l": 2.5, "steam": True, "price": 219},
    ]
)

_YEARS = """| Year | Revenue | Employees | Offices |
|---|---|---|---|
| 2020 | $3.1 million | 45 | 2 |
| 2021 | $4.4 million | 61 | 3 |
| 2022 | $6.0 million | 88 | 5 |
"""

_CARD = """Product: Lumo desk lamp
Brightness: 900 lumens
Cable length: 180 cm
Max wattage: 12 W
Warranty: 24 months
Price: $49
Dimmable: yes
"""

_TICKETS = """| Ticket | Adults | Students |
|---|---|---|
| Half day | 16 euros | 12 euros |
| Full day | 26 euros | 19 euros |

Pushchairs allowed: no
"""

_FREIGHT = "bus;leaves;baggage_kg;heating\nKX318;9:40;20;yes\nKX240;11:05;23;yes\nKX402;12:30;15;no\n"

_PAIRS = [
    (_PLANS, "The Pro plan costs $15 a month.", _YES),
    (_PLANS, "The Pro plan costs $20 a month.", _NO),
    (_PLANS, "The Basic plan costs $15 per month.", _NO),
    (_PLANS, "The price of the Business plan is $20.", _YES),
    (_PLANS, "The price of the Business plan is $25.", _NO),
    (_PLANS, "Basic includes SSO.", _NO),
    (_PLANS, "Basic does not include SSO.", _YES),
    (_PLANS, "Business includes SSO.", _YES),
    (_PLANS, "Business does not include SSO.", _NO),
    (_PLANS, "The Pro plan allows 25 users.", _YES),
    (_PLANS, "The Pro plan allows 50 users.", _NO),
    (_PLANS, "The Pro plan allows up to 50 users.", _NO),
    (_PLANS, "The Basic plan allows up to 10 users.", _YES),
    (_PLANS, "The Business plan has 100 GB of storage.", _NO),
    (_PLANS, "The Business plan has 500 GB of storage.", _YES),
    (_PLANS, "The Pro plan keeps the audit log for 30 days.", _YES),
    (_PLANS, "The Pro plan keeps the audit log for 12 months.", _NO),
    (_PLANS, "The Pro plan includes phone support on weekends.", _UNTOLD),
    (_PLANS, "The Business plan was launched by Ada Winter in March 2019.", _UNTOLD),
    (_BY_FEATURE, "Gold has an annual fee of €90.", _YES),
    (_BY_FEATURE, "Gold has an annual fee of €150.", _NO),
    (_BY_FEATURE, "Silver includes travel insurance.", _NO),
    (_BY_FEATURE, "Platinum includes travel insurance.", _YES),
    (_BY_FEATURE, "Gold comes with a spare card.", _NO),
    (_BY_FEATURE, "Gold comes with 12 lounge visits.", _NO),
    (_BY_FEATURE, "Gold comes with 6 lounge visits.", _YES),
    (_BY_FEATURE, "With Silver, points expire after 12 months.", _YES),
    (_BY_FEATURE, "With Silver, points expire after 24 months.", _NO),
    (_BY_FEATURE, "Platinum members receive a free hotel night in Lisbon.", _UNTOLD),
    (_BIKES, "The Osprey has a range of 95 km.", _YES),
    (_BIKES, "The Osprey has a range of 60 km.", _NO),
    (_BIKES, "The Heron weighs 19 kg.", _YES),
    (_BIKES, "The Heron weighs 23 kg.", _NO),
    (_BIKES, "The Kestrel costs 1,490 euros.", _YES),
    (_BIKES, "The Kestrel costs 1,890 euros.", _NO),
    (_BIKES, "The Kestrel has lights.", _NO),
    (_BIKES, "The Osprey has a rack.", _YES),
    (_BIKES, "The Heron has a rack.", _NO),
    (_BIKES, "The Osprey is painted in a shade of green.", _UNTOLD),
    (_ROOMS, "Borealis has 20 seats.", _YES),
    (_ROOMS, "Borealis has 40 seats.", _NO),
    (_ROOMS, "Aurora has a projector.", _NO),
    (_ROOMS, "Borealis has a projector.", _YES),
    (_ROOMS, "Aurora costs 60 EUR per hour.", _NO),
    (_ROOMS, "The rate of Borealis is 60 EUR per hour.", _YES),
    (_MODELS, "The Raven costs $139.", _YES),
    (_MODELS, "The Raven costs $219.", _NO),
    (_MODELS, "The price of the Finch is $139.", _NO),
    (_MODELS, "The Condor has a capacity of 2.5 litres.", _YES),
    (_MODELS, "The Finch has steam.", _NO),
    (_MODELS, "The Raven has steam.", _YES),
    (_MODELS, "The Condor is made in Portugal by hand.", _UNTOLD),
    (_YEARS, "Revenue in 2021 was $4.4 million.", _YES),
    (_YEARS, "Revenue in 2021 was $6.0 million.", _NO),
    (_YEARS, "In 2022 there were 88 employees.", _YES),
    (_YEARS, "In 2022 there were 61 employees.", _NO),
    (_YEARS, "In 2020 the company had 3 offices.", _NO),
    (_TICKETS, "A full day costs 19 euros for students.", _YES),
    (_TICKETS, "A full day costs 26 euros for students.", _NO),
    (_TICKETS, "A half day costs adults 19 euros.", _NO),
    (_TICKETS, "Pushchairs are allowed.", _NO),
    (_FREIGHT, "KX402 may carry 15 kg of baggage.", _YES),
    (_FREIGHT, "KX402 may carry 23 kg of baggage.", _NO),
    (_CARD, "The warranty is 24 months.", _YES),
    (_CARD, "The warranty is two years.", _YES),
    (_CARD, "The warranty is 36 months.", _NO),
    (_CARD, "The price of the Lumo desk lamp is $49.", _YES),
    (_CARD, "The price of the Lumo desk lamp is $59.", _NO),
    (_CARD, "The cable has a length of 250 cm.", _NO),
    (_CARD, "The Lumo desk lamp is not dimmable.", _NO),
]

LEAST_RIGHT = 0.9

# What a careful reader would not hold against the one cell that the words meet.
_NOT_DENIED = [
    (_PLANS, "Pro costs $10 more than Basic."),
    (_PLANS, "The Basic and the Pro plan cost $20 together."),
    (_PLANS, "The Business plan costs $240 a year."),
    (_PLANS, "Basic users who want SSO need to upgrade to Business."),
    (_PLANS, "Unlike Pro, Business includes SSO."),
    (_PLANS, "The Pro plan is one of 3 plans."),
    (_PLANS, "With Pro, 5 colleagues can share a folder."),
    (_BY_FEATURE, "Gold saves €60 compared with Platinum."),
    (_PLANS, "Three Pro subscriptions cost $45."),
    (_PLANS, "Pro has no SSO, but Business does."),
    (_PLANS, "SSO is not included until you have Business."),
    (_PLANS, "There is no SSO without Business."),
    (_PLANS, "Business comes with SSO, while Basic and Pro do not."),
    (_BIKES, "The Heron takes 4 hours to charge."),
    (_BIKES, "After 30 km the Osprey still has most of its battery."),
    (_ROOMS, "Two Aurora rooms can be joined."),
    (_MODELS, "The Raven was tested for 12 weeks."),
    (_YEARS, "In 2022 the company opened 2 offices in Spain."),
    (_CARD, "In a test of 12 lamps the Lumo came third."),
]


def _judged(chunk: str, claim: str) -> Claim:
    return judge_sample(Sample.of(claim, [chunk])).claims[0]


def _is_right(chunk: str, claim: str, expected: Verdict) -> bool:
    verdict = _judged(chunk, claim).verdict
    if expected is _UNTOLD:
        return verdict in (Verdict.NOT_MENTIONED, Verdict.PARTIALLY_SUPPORTED)
    return verdict is expected


def _said(text: str, rows: list[Field]) -> list[list[str]]:
    return [[text[cell.start : cell.end] for cell in row.cells] for row in rows if row.cells]


def test_nine_of_ten_claims_about_tables_are_judged_as_a_careful_reader_would() -> None:
    assert len(_PAIRS) >= 50
    wrong = [(claim, expected.value) for chunk, claim, expected in _PAIRS if not _is_right(chunk, claim, expected)]
    assert 1 - len(wrong) / len(_PAIRS) >= LEAST_RIGHT, wrong


def test_a_claim_that_its_own_cell_bears_out_is_never_called_contradicted() -> None:
    denied = [claim for chunk, claim, expected in _PAIRS if expected is _YES and _judged(chunk, claim).verdict is _NO]
    assert denied == []


@pytest.mark.parametrize(("chunk", "claim"), _NOT_DENIED)
def test_sums_comparisons_and_other_counts_are_not_held_against_a_cell(chunk: str, claim: str) -> None:
    assert _judged(chunk, claim).verdict is not _NO


@pytest.mark.parametrize(
    ("chunk", "claim"),
    [
        (_PLANS, "Three Pro subscriptions cost $50."),
        (_PLANS, "Basic has SSO, but Business does not."),
        (_PLANS, "Business and Pro have no SSO."),
    ],
)
def test_several_rows_and_counts_that_are_wrong_are_still_contradicted(chunk: str, claim: str) -> None:
    assert _judged(chunk, claim).verdict is _NO


def test_the_evidence_is_the_cell_that_says_otherwise() -> None:
    claim = _judged(_PLANS, "The Pro plan costs $20 a month.")
    assert [evidence.quote for evidence in claim.evidence] == ["$15"]
    assert claim.evidence[0].span is not None
    assert _PLANS[: claim.evidence[0].span.start].endswith("| Pro | ")
    assert claim.explanation == "Chunk 1 says “$15” for “Pro”, “Price”, the answer “$20”."
    assert claim.correction is None  # no sentence says it, and nothing is made up


def test_the_evidence_of_a_supported_claim_is_its_row() -> None:
    claim = _judged(_PLANS, "Business includes SSO.")
    assert [evidence.quote for evidence in claim.evidence] == ["Business | $20 | 50 | 500 GB | yes | 12 months"]


def test_prose_around_a_table_stays_prose() -> None:
    fields = find_records(_PLANS)
    assert [_PLANS[f.start : f.end] for f in fields if not f.cells] == [
        "Our plans at a glance:",
        "All prices are per month and without tax.",
    ]


def test_key_lines_beside_a_table_are_fields() -> None:
    field = find_records(_TICKETS)[-1]
    assert [_TICKETS[a:b] for a, b in field.keys] == ["Pushchairs allowed"]
    assert field.is_flag
    assert field.is_denied


def test_cells_know_their_row_and_column_and_whether_they_are_flags() -> None:
    text = "| Tool | Free | Hosted |\n|---|---|---|\n| **Ruff** | ✓ | ✗ |\n| Snyk | – | n/a |\n"
    first, second = find_records(text)
    assert [[text[a:b] for a, b in cell.keys] for cell in first.cells] == [["Ruff", "Free"], ["Ruff", "Hosted"]]
    assert [(c.is_flag, c.is_denied) for c in first.cells] == [(True, False), (True, True)]
    assert [(c.is_denied, c.is_unknown) for c in second.cells] == [(True, False), (False, True)]


def test_quoted_cells_may_hold_the_separator() -> None:
    text = 'name,note,size\n"Reed, tall","said ""no""",4\nMoss,,7\n'
    assert _said(text, find_records(text)) == [['said ""no', "4"], ["", "7"]]


def test_tabs_separate_cells_too() -> None:
    text = "city\tpeople\nBern\t134000\nBasel\t171000\n"
    assert _said(text, find_records(text)) == [["134000"], ["171000"]]


def test_an_object_in_a_list_lends_its_name_to_its_fields() -> None:
    text = '{"shop": "Elm", "items": [{"sku": "A1", "name": "Vase", "qty": 2}, {"name": "Bowl", "qty": 5}]}'
    about = {text[f.start : f.end]: text[slice(*f.subject)] for f in find_records(text) if f.subject and f.group >= 0}
    assert about['"qty": 2'] == '"Vase"'
    assert about['"qty": 5'] == '"Bowl"'


@pytest.mark.parametrize(
    "text",
    [
        "We came, we saw, we left.\nThen it rained, and rained, and rained.\nAt last, we slept, dry, at home.",
        "Ann: Did you see it?\nBob: Not yet.\nAnn: It was great!\nBob: What a pity.",
        "Note: bring a coat.\nThe walk takes an hour, mostly uphill.\nTip: start early.",
        "Step 1: Heat the oil.\nStep 2: Add the onions.\nStep 3: Stir for ten minutes.",
        "Either | or\nis a question\nfor philosophers",
    ],
)
def test_prose_with_commas_colons_and_bars_is_no_table(text: str) -> None:
    assert find_records(text) == []


@pytest.mark.parametrize(
    ("chunk", "explanation"),
    [
        ("| Plan | SSO |\n|---|---|\n| Basic | no |\n| Pro | yes |", "Chunk 1 says “no” for “Basic”, “SSO”"),
        ('[{"plan": "Basic", "sso": false}, {"plan": "Pro", "sso": true}]', "Chunk 1 says “false” for “Basic”, “sso”"),
    ],
)
def test_the_reason_names_row_and_column(chunk: str, explanation: str) -> None:
    claim = judge_sample(Sample.of("Basic includes SSO.", [chunk])).claims[0]
    assert claim.explanation == f"{explanation}; the answer says otherwise."
