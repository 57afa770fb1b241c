"""Numbers of the right size in the wrong place, and right ones in another order, with the verdict of a careful reader.

The first table holds claims that a chunk denies though their numbers stand somewhere in the chunks, or though an equal
one stands beside the place: "Plan 3 costs 9 euros" against "Plan 3 costs 3 euros". The second holds faithful ones.
"""

import pytest

from faithview.domain.claim import Verdict
from faithview.domain.sample import Sample
from faithview.judges.lexical.judge import judge_sample

_DENIED = [
    (["Plan 3 costs 3 euros."], "Plan 3 costs 9 euros."),
    (["Plan 3 costs 3 euros.", "The office has 9 rooms."], "Plan 3 costs 9 euros."),
    (["Plan 3 costs 3 euros.", "Plan 9 costs 9 euros."], "Plan 3 costs 9 euros."),
    (["Plan 9 costs 9 euros.", "Plan 3 costs 3 euros."], "Plan 3 costs 9 euros."),
    (["Plan 9 costs 3 euros."], "Plan 9 costs 9 euros."),
    (["Plan 9 costs 3 euros."], "Plan 3 costs 9 euros."),
    (["Plan 3 costs $3 per user and month."], "Plan 3 costs $9 per user and month."),
    (["Version 2 supports 2 languages."], "Version 2 supports 5 languages."),
    (["Room 12 seats 12 people."], "Room 12 seats 20 people."),
    (["Room 12 seats 20 people."], "Room 12 seats 12 people."),
    (["Line 4 has 4 stations.", "The depot has 9 tracks."], "Line 4 has 9 stations."),
    (["The 5 teams share 5 printers."], "The 5 teams share 8 printers."),
    (["Tier 10 includes 10 seats and 50 exports."], "Tier 10 includes 25 seats and 50 exports."),
    (["Step 5 takes 5 minutes."], "Step 5 takes 15 minutes."),
    (["Level 2 tickets are answered within 2 hours."], "Level 2 tickets are answered within 8 hours."),
    (
        ["Level 2 tickets are answered within 2 hours.", "The shop closes at 8 pm."],
        "Level 2 tickets are answered within 8 hours.",
    ),
    (["Backups are kept for 30 days on plan 30."], "Backups are kept for 90 days on plan 30."),
    (["Article 14 was adopted on 14 May 2020."], "Article 14 was adopted on 20 May 2020."),
    (["Version 5 was released on 5 June 2021."], "Version 5 was released on 6 July 2021."),
    (["Group 20 grew by 20 percent."], "Group 20 grew by 40 percent."),
    (["Fund 8 returned 8% last year.", "Fund 6 returned 6% last year."], "Fund 8 returned 6% last year."),
    (["Version 3.2 needs Python 3.2."], "Version 3.2 needs Python 3.9."),
    (["Port 8080 serves 80 requests per second."], "Port 80 serves 8080 requests per second."),
    (
        ["The proxy listens on port 443 and forwards to port 8443."],
        "The proxy listens on port 8443 and forwards to port 443.",
    ),
    (["Bag 5 weighs 5 kg."], "Bag 5 weighs 5 g."),
    (["The Team plan has 5 seats and 30 projects."], "The Team plan has 30 seats and 5 projects."),
    (["Basic costs 5 euros.", "Premium costs 9 euros."], "Basic costs 9 euros."),
    (["Zone 1 tickets cost 2 euros and zone 2 tickets cost 3 euros."], "Zone 1 tickets cost 3 euros."),
    (["Zone 1 tickets cost 2 euros. Zone 2 tickets cost 3 euros."], "Zone 1 tickets cost 3 euros."),
    (["Class 3 is for children aged 3 to 5."], "Class 3 is for children aged 6 to 8."),
    (["The trial of plan 7 lasts 7 days.", "Invoices are due after 14 days."], "The trial of plan 7 lasts 14 days."),
    (
        ["In 2019 the park had 20 rides; in 2021 it had 25 rides."],
        "The park had 20 rides in 2021 and 25 rides in 2019.",
    ),
    (["Windows 9 grew by 28%, and windows 11 grew by 9%."], "Windows 9 grew by 9%."),
    (["Zone 4 has 7 entrances, and the office has 9 rooms."], "Zone 4 has 9 entrances."),
    (["Article 29 is kept for 3 days, and invoices are due after 8 days."], "Article 29 is kept for 8 days."),
    (["No more than 5 DVDs may be out at a time."], "Up to 8 DVDs may be out at a time."),
]

# The chunks say it of something else, or in another unit: whether that denies the claim is a matter of taste.
_NOT_SAID = [
    (["Plan 3 costs 9 euros a month."], "Plan 2 costs 9 euros a month."),
    (["Tank 2 holds 2 litres."], "Tank 2 holds 2 gallons."),
]

_FAITHFUL = [
    (["Plan 3 costs 3 euros."], "Plan 3 costs 3 euros."),
    (["Plan 3 costs 9 euros."], "Plan 3 costs 9 euros."),
    (["Plan 9 costs 9 euros.", "Plan 3 costs 3 euros."], "Plan 3 costs 3 euros."),
    (["The Team plan has 5 seats and 30 projects."], "The Team plan has 30 projects and 5 seats."),
    (["The Team plan has 5 seats and 30 projects."], "The Team plan has 5 seats."),
    (["The Team plan has 5 seats and 30 projects."], "With 30 projects, the Team plan has 5 seats."),
    (["The trial lasts 14 days and costs 0 euros."], "The trial costs 0 euros and lasts 14 days."),
    (["The trial lasts 14 days and costs 0 euros."], "The trial lasts two weeks."),
    (["The archive holds 1,030 maps in 12 rooms."], "The archive holds about 1,000 maps in 12 rooms."),
    (["The archive holds 1,030 maps in 12 rooms."], "In 12 rooms, the archive holds over 1,000 maps."),
    (
        ["Windows 11 needs 4 GB of memory and 64 GB of storage."],
        "Windows 11 needs 64 GB of storage and 4 GB of memory.",
    ),
    (["Windows 11 needs 4 GB of memory and 64 GB of storage."], "Windows 11 needs 4 GB of memory."),
    (["The plans cost 5, 10 and 20 euros per month."], "The plans cost 20, 10 and 5 euros per month."),
    (["The plans cost 5, 10 and 20 euros per month."], "The plans cost 5, 10 and 20 euros per month."),
    (["Basic costs 5 euros.", "Premium costs 9 euros."], "Basic costs 5 euros and Premium costs 9 euros."),
    (["Basic costs 5 euros.", "Premium costs 9 euros."], "Premium costs 9 euros, Basic costs 5 euros."),
    (
        ["Support answers level 2 tickets within 2 hours and level 1 tickets within 8 hours."],
        "Level 1 tickets are answered within 8 hours.",
    ),
    (
        ["Support answers level 2 tickets within 2 hours and level 1 tickets within 8 hours."],
        "Level 2 tickets are answered within 2 hours.",
    ),
    (["Port 8080 serves 80 requests per second."], "80 requests per second are served on port 8080."),
    (
        ["The parcel must arrive within 24 hours; after 24 hours it is sent back."],
        "The parcel is sent back after 24 hours.",
    ),
    (["Bake the bread for 8 to 12 minutes at 200 degrees."], "Bake the bread at 200 degrees for 8 to 12 minutes."),
    (["Founded on 14 May 2014, the club has 14 members."], "The club has 14 members and was founded on 14 May 2014."),
    (
        ["In 2019 the park had 20 rides; in 2021 it had 25 rides."],
        "The park had 25 rides in 2021 and 20 rides in 2019.",
    ),
    (["The price was 10 euros.", "Since May the price is 12 euros."], "The price is 12 euros."),
    (["Delivery takes 3 days. Express delivery takes 1 day."], "Delivery takes 3 days."),
    (["The 5 teams share 5 printers."], "Five teams share 5 printers."),
    (["The fee is 2 % of the amount, at least 2 euros."], "The fee is at least 2 euros, or 2 % of the amount."),
    (
        ["Stars who are still alive: • Ann Hill, who was in 10 films, is 77. • Jim Dale, who was in 11, is 79."],
        "Jim Dale is 79.",
    ),
    (
        ["In 2019, there were 69 million visitors to the coast, 2% more than in 2018."],
        "In 2019, there were 69 million visitors.",
    ),
    (
        ["Employees can use the after-tax option of a 401k plan. The 401k is old."],
        "Employees can use the after-tax option of a 401k plan.",
    ),
]


@pytest.mark.parametrize(("chunks", "claim"), _DENIED)
def test_a_number_that_is_of_something_else_is_contradicted(chunks: list[str], claim: str) -> None:
    result = judge_sample(Sample.of(claim, chunks))
    assert Verdict.CONTRADICTED in result.verdicts, [c.explanation for c in result.claims]


@pytest.mark.parametrize(("chunks", "claim"), _NOT_SAID)
def test_a_number_with_another_name_or_unit_is_not_supported(chunks: list[str], claim: str) -> None:
    assert Verdict.SUPPORTED not in judge_sample(Sample.of(claim, chunks)).verdicts


@pytest.mark.parametrize(("chunks", "claim"), _FAITHFUL)
def test_numbers_in_another_order_stay_supported(chunks: list[str], claim: str) -> None:
    result = judge_sample(Sample.of(claim, chunks))
    assert set(result.verdicts) == {Verdict.SUPPORTED}, [c.explanation for c in result.claims]


def test_both_sides_of_a_number_in_the_wrong_place_are_named() -> None:
    chunks = ["Plan 3 costs 3 euros.", "The office has 9 rooms."]
    claim = judge_sample(Sample.of("Plan 3 costs 9 euros.", chunks)).claims[0]
    assert claim.correction == "Plan 3 costs 3 euros."
    assert "“3 euros”" in (claim.explanation or "")
    assert "“9 euros”" in (claim.explanation or "")
