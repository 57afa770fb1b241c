"""The newest choice counts: the person's since the last run, else the page's new request, else the choice before."""

import pytest

from faithview.ui.widgets.selection import Selection, newest_selection

_BEFORE = Selection(subject="a", requested=None, turn=100, choice=2)


def _reported(value: object, *, turn: object = 200, subject: str = "a") -> dict[str, object]:
    return {"subject": subject, "turn": turn, "value": value}


def test_at_first_the_page_decides() -> None:
    assert newest_selection(subject="a", requested=3, reported=None, before=None).choice == 3


def test_a_new_choice_of_the_person_wins_over_the_page() -> None:
    selection = newest_selection(subject="a", requested=1, reported=_reported(5), before=_BEFORE)
    assert (selection.choice, selection.turn) == (5, 200)


def test_clearing_the_choice_is_a_choice_too() -> None:
    assert newest_selection(subject="a", requested=1, reported=_reported(None), before=_BEFORE).choice is None


def test_a_page_that_asks_for_something_new_wins_over_an_old_choice() -> None:
    assert newest_selection(subject="a", requested=1, reported=_reported(2, turn=100), before=_BEFORE).choice == 1


def test_nothing_new_keeps_the_choice() -> None:
    assert newest_selection(subject="a", requested=None, reported=_reported(2, turn=100), before=_BEFORE).choice == 2


def test_going_back_to_an_earlier_address_is_followed() -> None:
    chosen = newest_selection(subject="a", requested=1, reported=_reported(5), before=_BEFORE)
    echoed = newest_selection(subject="a", requested=5, reported=_reported(5), before=chosen)
    back = newest_selection(subject="a", requested=1, reported=_reported(5), before=echoed)
    assert [chosen.choice, echoed.choice, back.choice] == [5, 5, 1]


def test_an_address_from_before_the_choice_changes_nothing_but_a_step_back_to_it_does() -> None:
    chosen = newest_selection(subject="a", requested=1, reported=_reported(5), before=_BEFORE)
    late = newest_selection(subject="a", requested=1, reported=_reported(5), before=chosen)
    back = newest_selection(
        subject="a", requested=1, reported=_reported(None, turn=300) | {"is_step": True}, before=late
    )
    again = newest_selection(
        subject="a", requested=1, reported=_reported(None, turn=300) | {"is_step": True}, before=back
    )
    assert [chosen.choice, late.choice, back.choice, again.choice] == [5, 5, 1, 1]
    assert back.turn == 300


def test_a_choice_does_not_carry_over_to_another_answer() -> None:
    assert newest_selection(subject="b", requested=None, reported=_reported(5), before=_BEFORE).choice is None
    assert newest_selection(subject="b", requested=4, reported=None, before=_BEFORE).choice == 4


def test_an_older_choice_does_not_come_back_after_a_newer_one_elsewhere() -> None:
    elsewhere = Selection(subject="b", requested=None, turn=300, choice=7)
    assert newest_selection(subject="a", requested=None, reported=_reported(5), before=elsewhere).choice is None


@pytest.mark.parametrize(
    "reported",
    ["text", 7, [], {}, _reported(["x"]), _reported({"x": 1}), _reported(2.5), _reported(5, turn="later")],
    ids=repr,
)
def test_malformed_reports_are_ignored(reported: object) -> None:
    assert newest_selection(subject="a", requested=None, reported=reported, before=_BEFORE) == _BEFORE
