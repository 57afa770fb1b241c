"""Limits are compared exactly: "up to 26 MB" is not "up to 25 MB", and "over 20" may be said of 21."""

import pytest

from faithview.domain.claim import Verdict
from faithview.domain.sample import Sample
from faithview.judges.lexical.judge import judge_sample

_ALTERED = [
    ("Guests can upload files of up to 25 MB.", "Guests can upload files of up to 26 MB."),
    ("A refund takes up to 14 days.", "A refund takes up to 15 days."),
    ("You can invite up to 40 guests.", "You can invite up to 41 guests."),
    ("You can invite up to 40 guests.", "You can invite up to 39 guests."),
    ("Parcels of more than 30 kg go by truck.", "Parcels of more than 31 kg go by truck."),
    ("Parcels of more than 30 kg go by truck.", "Parcels of more than 29 kg go by truck."),
    ("Children under 20 months travel free.", "Children under 21 months travel free."),
    ("Orders over €100 ship free.", "Orders over €104 ship free."),
    ("Orders over €100 ship free.", "Orders over €96 ship free."),
    ("The maximum is 25 MB per file.", "Files can have up to 26 MB per file."),
    ("It costs less than 50 euros.", "It costs less than 52 euros."),
    ("The offer is for groups of more than 20 people.", "The offer is for groups of more than 21 people."),
    ("Meetings last under 60 minutes.", "Meetings last under 62 minutes."),
    ("The pool holds up to 200 people.", "The pool holds up to 205 people."),
    ("Trips of up to 90 days are covered.", "Trips of up to 93 days are covered."),
    ("Backups are kept for up to 30 days.", "Backups are kept for up to 31 days."),
]

_SAME = [
    ("Orders over €100 ship free.", "Orders over €100 ship free."),
    ("The tower has 21 floors.", "The tower has over 20 floors."),
    ("The trip takes 29 minutes.", "The trip takes under 30 minutes."),
    ("The fund raised $20.4 million.", "The fund raised more than $20 million."),
    ("Guests can upload files of up to 25 MB.", "Guests can upload files of up to 25 megabytes."),
    ("A refund takes up to 14 days.", "A refund takes up to two weeks."),
]

_AGAINST = [("The tower has 19 floors.", "The tower has over 20 floors.")]


@pytest.mark.parametrize(("chunk", "claim"), [*_ALTERED, *_AGAINST])
def test_another_limit_is_never_supported(chunk: str, claim: str) -> None:
    assert judge_sample(Sample.of(claim, [chunk])).claims[0].verdict is not Verdict.SUPPORTED


@pytest.mark.parametrize(("chunk", "claim"), _SAME)
def test_the_same_limit_or_a_value_that_keeps_it_is_supported(chunk: str, claim: str) -> None:
    assert judge_sample(Sample.of(claim, [chunk])).claims[0].verdict is Verdict.SUPPORTED
