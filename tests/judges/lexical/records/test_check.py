"""Opening hours of a record against what a claim says of them."""

import json
from typing import NamedTuple

import pytest

from faithview.domain.claim import Verdict
from faithview.domain.sample import Sample
from faithview.judges.lexical.analysis import compare
from faithview.judges.lexical.comparing.comparison import ConflictKind
from faithview.judges.lexical.judge import judge_sample
from faithview.judges.lexical.passages.index import Context
from faithview.judges.lexical.records.grids import RecordView
from faithview.judges.lexical.records.opening_hours import HoursCheck, check_hours

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def _record(hours: object) -> str:
    return json.dumps({"name": "The Heron", "city": "Galway", "hours": hours, "WiFi": True})


def _week(*hours: str | None) -> str:
    return _record({day: value for day, value in zip(_DAYS, hours, strict=True) if value is not None})


# The same on all days but one, which is not listed.
_CAFE = _week(None, *["8:0-18:0"] * 6)
# Late at the end of the week, closed on Sunday.
_BAR = _week("16:0-23:0", "16:0-23:0", "16:0-23:0", "16:0-23:0", "16:0-1:30", "14:0-1:30", "0:0-0:0")
# Weekdays and weekends differ, open on all days.
_DINER = _week(*["7:30-21:0"] * 5, "9:0-22:0", "9:0-20:0")
# In the evening only, to midnight.
_GRILL = _week("17:0-22:0", "17:0-22:0", None, "17:0-22:0", "17:0-0:0", "17:0-0:0", "12:0-16:0")
_DAILY = _week(*["10:0-20:0"] * 7)

_AGREED, _WRONG, _NOTHING = "agreed", "wrong", "nothing"


class Pair(NamedTuple):
    record: str
    claim: str
    expected: str


_PAIRS = [
    # Days on which it is open or closed.
    Pair(_CAFE, "It is closed on Mondays.", _AGREED),
    Pair(_CAFE, "It is closed on Tuesdays.", _WRONG),
    Pair(_CAFE, "On Monday it is closed.", _AGREED),
    Pair(_CAFE, "On Friday the shop stays closed.", _WRONG),
    Pair(_CAFE, "The café is open daily.", _WRONG),
    Pair(_CAFE, "The café is open seven days a week.", _WRONG),
    Pair(_CAFE, "The café is open six days a week.", _AGREED),
    Pair(_CAFE, "The café is open five days a week.", _WRONG),
    Pair(_CAFE, "The Heron is open every day except Monday.", _AGREED),
    Pair(_CAFE, "The Heron is open every day but Tuesday.", _WRONG),
    Pair(_CAFE, "The Heron is open on Sundays.", _AGREED),
    Pair(_CAFE, "The Heron is open Tuesday through Sunday.", _AGREED),
    Pair(_CAFE, "The Heron is open from Wednesday to Sunday.", _WRONG),
    Pair(_CAFE, "The Heron is open Monday to Friday.", _WRONG),
    Pair(_CAFE, "It doesn't open on Mondays.", _AGREED),
    Pair(_CAFE, "It is not open on Saturdays.", _WRONG),
    Pair(_CAFE, "They take Mondays off.", _AGREED),
    Pair(_CAFE, "It is closed on Monday and open the rest of the week.", _AGREED),
    Pair(_BAR, "It is open Monday through Saturday and closed on Sundays.", _AGREED),
    Pair(_BAR, "It is open Monday-Saturday.", _AGREED),
    Pair(_BAR, "The bar is closed on weekends.", _WRONG),
    Pair(_BAR, "The bar is closed on Sundays and Mondays.", _WRONG),
    Pair(_BAR, "It is open on weekdays and Saturdays.", _AGREED),
    Pair(_GRILL, "The grill is closed on Wednesdays.", _AGREED),
    Pair(_GRILL, "The grill is open every night except Wednesday, when it is closed.", _AGREED),
    Pair(_GRILL, "The grill is open every night of the week.", _WRONG),
    Pair(_DINER, "The diner is open every day of the week.", _AGREED),
    Pair(_DINER, "The diner is open every day except Sunday.", _WRONG),
    # Times of days.
    Pair(_CAFE, "It is open from 8 am to 6 pm, Tuesday to Sunday.", _AGREED),
    Pair(_CAFE, "It is open from 8 am to 6 pm every day.", _WRONG),
    Pair(_CAFE, "It closes at 6 PM.", _AGREED),
    Pair(_CAFE, "It closes at 7 PM.", _WRONG),
    Pair(_CAFE, "It opens at 8:00 and closes at 18:00.", _AGREED),
    Pair(_CAFE, "It opens at 8:00 and closes at 19:00.", _WRONG),
    Pair(_CAFE, "Tuesday to Sunday: 8am–6pm", _AGREED),
    Pair(_CAFE, "Tuesday to Sunday: 8am–5pm", _WRONG),
    Pair(_CAFE, "It is open 8-6 from Tuesday to Sunday.", _AGREED),
    Pair(_BAR, "The bar opens at 4 pm during the week and stays open until 1:30 am on Fridays and Saturdays.", _AGREED),
    Pair(_BAR, "The bar opens at 4 pm during the week and stays open until 1:30 am on Thursdays and Fridays.", _WRONG),
    Pair(_BAR, "It is open until 11 pm Monday through Thursday and until 1:30 am Friday and Saturday.", _AGREED),
    Pair(_BAR, "It is open until 11 pm Monday through Friday.", _WRONG),
    Pair(_BAR, "On Saturdays the bar opens at 2 pm.", _AGREED),
    Pair(_BAR, "On Saturdays the bar opens at 4 pm.", _WRONG),
    Pair(_BAR, "It opens at 4 pm from Monday to Friday and at 2 pm on Saturday.", _AGREED),
    Pair(_BAR, "It opens at 4 pm from Monday to Saturday.", _WRONG),
    Pair(_BAR, "It opens at 4 pm on weekdays and 2 pm on Saturdays, closing at 11 pm or later.", _AGREED),
    Pair(_BAR, "Saturday hours are 2 pm to 1:30 am.", _AGREED),
    Pair(_BAR, "It is open on Fridays from 4 pm to half past midnight.", _WRONG),
    Pair(
        _DINER,
        "It opens at 7:30 am on weekdays and 9 am on weekends, closing at 9 pm every day except Saturday and Sunday.",
        _AGREED,
    ),
    Pair(_DINER, "It opens at 7:30 am on weekdays and 10 am on weekends.", _WRONG),
    Pair(_DINER, "Hours are 7:30 to 21:00 Monday to Friday, 9:00 to 22:00 Saturday and 9:00 to 20:00 Sunday.", _AGREED),
    Pair(_DINER, "Hours are 7:30 to 21:00 Monday to Friday, 9:00 to 22:00 Saturday and Sunday.", _WRONG),
    Pair(_DINER, "On weekends, it opens at 9 AM and closes at 10 PM on Saturday and 8 PM on Sunday.", _AGREED),
    Pair(_DINER, "It opens at 7:30 am, except on weekends, when it opens at 9 am.", _AGREED),
    Pair(_DINER, "It closes at 9 pm, except on Saturdays, when it closes at 10 pm.", _WRONG),
    Pair(_DINER, "It is open Mon-Fri 7:30am-9pm, Sat 9am-10pm, Sun 9am-8pm.", _AGREED),
    Pair(_DINER, "It is open Mon-Fri 7:30am-9pm, Sat 9am-10pm, Sun 9am-9pm.", _WRONG),
    Pair(_DINER, "It opens as early as 7:30 am on weekdays.", _AGREED),
    Pair(_GRILL, "It serves guests until midnight on Fridays and Saturdays.", _NOTHING),
    Pair(_GRILL, "The grill stays open until midnight on Fridays and Saturdays.", _AGREED),
    Pair(_GRILL, "The grill stays open until midnight on Thursdays.", _WRONG),
    Pair(_GRILL, "The grill opens at noon on Sunday.", _AGREED),
    Pair(_GRILL, "The grill is open for dinner on Sunday.", _WRONG),
    Pair(_GRILL, "The grill is open for dinner from Thursday to Saturday.", _AGREED),
    Pair(_GRILL, "The grill is open for lunch and dinner on Saturday.", _WRONG),
    Pair(_DAILY, "It is open daily from 10 am to 8 pm.", _AGREED),
    Pair(_DAILY, "It is open daily from 10 am to 9 pm.", _WRONG),
    Pair(_DAILY, "It is open 24 hours a day.", _WRONG),
    Pair(_DAILY, "Its hours are 10 in the morning to 8 in the evening, seven days a week.", _AGREED),
    Pair(_DAILY, "It opens at ten and is closed on no day.", _NOTHING),
    # Exceptions that stand first, asides, and days in their other forms.
    Pair(_CAFE, "Except for Mondays, the café is open every day.", _AGREED),
    Pair(_CAFE, "With the exception of Saturdays, it is open daily.", _WRONG),
    Pair(_CAFE, "It is closed Monday, Tuesday through Sunday 8 am to 6 pm.", _AGREED),
    Pair(_BAR, "It does not open until 4 pm on weekdays.", _AGREED),
    Pair(_BAR, "It does not open until 5 pm on weekdays.", _WRONG),
    Pair(
        _BAR,
        "The bar opens at 4 pm (2 pm on Saturdays) and closes at 11 pm (1:30 am on Fridays and Saturdays).",
        _AGREED,
    ),
    Pair(_BAR, "It closes at 11 pm on weekdays and at 1:30 am on weekends.", _AGREED),
    Pair(_BAR, "It closes at 11 pm on weekdays and at 2 am on weekends.", _WRONG),
    Pair(_BAR, "The bar is open between 4 pm and 11 pm Monday through Thursday.", _AGREED),
    Pair(_DINER, "Saturday's hours are 9 am to 10 pm.", _AGREED),
    Pair(_DINER, "The diner stays open an hour later on Saturdays, until 10 pm instead of 9 pm.", _AGREED),
    Pair(_DINER, "The diner opens at 7:30 am on most days.", _AGREED),
    Pair(_DINER, "It closes at 8 pm on Sundays and at 9 pm the rest of the week, except Saturday.", _AGREED),
    Pair(_GRILL, "It is open from 17:0 to 22:0 on Monday, Tuesday and Thursday.", _AGREED),
    Pair(_GRILL, "It is open from 17:0 to 23:0 on Monday, Tuesday and Thursday.", _WRONG),
    Pair(_DAILY, "It is open Monday through Friday.", _WRONG),
    Pair(_DAILY, "It is open Monday through Friday, and at weekends too.", _AGREED),
    # What is about something else, or not clear.
    Pair(_DAILY, "The kitchen closes at 9 pm.", _NOTHING),
    Pair(_DAILY, "Happy hour runs from 3 pm to 6 pm on weekdays.", _NOTHING),
    Pair(_DAILY, "A reviewer waited 40 minutes for a table at 9 pm on a Saturday.", _NOTHING),
    Pair(_DAILY, "One guest found the terrace closed on a Monday.", _NOTHING),
    Pair(_DAILY, "Live music is played from 9 pm to 11 pm on Fridays.", _NOTHING),
    Pair(_DAILY, "The scones had sold out by 11 am on a Sunday.", _NOTHING),
    Pair(_DAILY, "The tables are too close together on Friday nights.", _NOTHING),
    Pair(_DAILY, "It closes between 7 pm and 9 pm depending on the season.", _NOTHING),
    Pair(_DAILY, "The place is open-minded and welcoming.", _NOTHING),
    Pair(_DAILY, "The doors were closed on Tuesday for a private party.", _NOTHING),
    Pair(_DAILY, "The Heron has an open kitchen and Sunday roasts.", _NOTHING),
    Pair(_DAILY, "The brunch menu is offered until 3 pm on Sundays.", _NOTHING),
    Pair(_record(None), "It is closed on Mondays.", _NOTHING),
    Pair("The Heron is a café in Galway with a terrace.", "It is closed on Mondays.", _NOTHING),
]


def _check(record: str, claim: str) -> HoursCheck | None:
    context = Context(Sample.of(claim, [record]).chunks, None)
    records = RecordView(context)
    return check_hours(claim, compare(claim, 0, len(claim), records), context, records.schedule)


def _outcome(check: HoursCheck | None) -> str:
    if check is None:
        return _NOTHING
    return _WRONG if check.wrong else _AGREED


def test_there_are_sixty_pairs_and_none_stands_twice() -> None:
    assert len(set(_PAIRS)) == len(_PAIRS) >= 60


@pytest.mark.parametrize("pair", _PAIRS, ids=lambda pair: pair.claim)
def test_a_claim_about_hours_agrees_with_the_record_as_a_reader_would_say(pair: Pair) -> None:
    assert _outcome(_check(pair.record, pair.claim)) == pair.expected


def test_every_statement_of_a_claim_is_counted() -> None:
    check = _check(_BAR, "It opens at 4 pm on weekdays and at 3 pm on Saturdays and is closed on Sundays.")
    assert check is not None
    assert (check.agreed, check.wrong) == (2, 1)


def test_a_wrong_time_is_held_against_the_time_of_a_day_for_which_it_is_wrong() -> None:
    claim = "It is open until 11 pm Monday through Friday."
    check = _check(_BAR, claim)
    assert check is not None
    assert check.conflict is not None
    (start, end), (low, high) = check.conflict.claim_span, check.conflict.passage_span
    assert check.conflict.kind is ConflictKind.VALUE
    assert claim[start:end] == "11 pm"
    assert _BAR[low:high] == "1:30"
    assert _BAR[check.conflict.passage.start : check.conflict.passage.end] == '"Friday": "16:0-1:30"'


def test_a_wrong_day_is_held_against_the_field_of_that_day() -> None:
    claim = "It is open every day of the week."
    check = _check(_BAR, claim)
    assert check is not None
    assert check.conflict is not None
    (start, end), (low, high) = check.conflict.claim_span, check.conflict.passage_span
    assert check.conflict.kind is ConflictKind.FIELD
    assert claim[start:end] == "every day of the week"
    assert _BAR[low:high] == '"Sunday": "0:0-0:0"'


@pytest.mark.parametrize(
    ("record", "claim", "explanation"),
    [
        (_DAILY, "The Heron closes at 9 pm.", "Chunk 1 says “8 pm”, the answer “9 pm”."),
        (_BAR, "The bar is open every day.", "Chunk 1 says closed on Sunday, the answer “every day”."),
        (_CAFE, "The café is open daily.", "Chunk 1 gives no hours for Monday, the answer says “daily”."),
        (
            _CAFE,
            "The café is closed on Sundays.",
            "Chunk 1 says open on Sunday from 8:00 to 18:00, the answer “closed on Sundays”.",
        ),
    ],
)
def test_the_reason_says_the_hours_as_a_person_would(record: str, claim: str, explanation: str) -> None:
    judged = judge_sample(Sample.of(claim, [record])).claims[0]
    assert judged.verdict is Verdict.CONTRADICTED
    assert judged.explanation == explanation
    assert judged.correction is None  # the record's own text reads otherwise


@pytest.mark.parametrize(
    "record",
    [
        _record({"Mon-Fri": "9:00-17:00", "sat_sun": "closed"}),
        _record({"weekdays": "9am-5pm", "weekend": None}),
        _record({"Monday-Thursday": "9:00 AM - 5:00 PM", "Fri": "9 AM to 5 PM"}),
        _record("Mon-Fri 9am-5pm; Sat-Sun closed"),
        _record({day: ["9:00-17:00"] for day in _DAYS[:5]}),
        str({"hours": dict.fromkeys(_DAYS[:5], "9:0-17:0") | {"Saturday": None}}),
        "wifi: true\n" + "\n".join(f"{day}: 9:00-17:00" for day in _DAYS[:5]),
    ],
)
def test_a_schedule_is_read_in_the_ways_that_records_give_it(record: str) -> None:
    assert _outcome(_check(record, "It is open from 9 am to 5 pm, Monday to Friday.")) == _AGREED
    assert _outcome(_check(record, "It is open until 6 pm on Wednesdays.")) == _WRONG
    assert _outcome(_check(record, "It is closed on Saturdays.")) == _AGREED
    assert _outcome(_check(record, "It is open on Sundays.")) == _WRONG


@pytest.mark.parametrize(
    "record",
    [
        _record(dict.fromkeys(_DAYS, "0:0-0:0")),
        _record({}),
        json.dumps({"specials": {"Monday": "17:00-19:00"}, "name": "The Heron"}),
        json.dumps({"happy_hours": {"Monday": "17:00-19:00"}, "name": "The Heron"}),
        json.dumps([{"hours": {"Monday": "9:0-17:0"}}, {"hours": {"Monday": "10:0-17:0"}}]),
    ],
)
def test_nothing_is_said_where_the_record_gives_no_hours_or_those_of_several_places(record: str) -> None:
    assert _check(record, "It is open from 8 am to 8 pm on Mondays.") is None


def test_two_ranges_of_a_day_are_both_its_hours() -> None:
    record = _record({"Monday": ["11:00-14:00", "17:00-22:00"], "Tuesday": "closed"})
    assert _outcome(_check(record, "On Mondays it is open from 11 am to 2 pm and from 5 pm to 10 pm.")) == _AGREED
    assert _outcome(_check(record, "On Mondays it is open from 11 am to 3 pm.")) == _WRONG
