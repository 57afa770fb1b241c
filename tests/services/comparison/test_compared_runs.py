"""A list of changes shows what was asked for, in the order in which it is to be read."""

from faithview.domain.comparison import Cause
from faithview.services.comparison.compared_runs import (
    CauseSide,
    ChangeFilter,
    Shown,
    count_sides,
    filter_changes,
    list_segments,
    main_side,
)
from tests.ui.made_comparisons import made_change, made_term

_LOST = CauseSide(cause=Cause.DOCUMENT_EDITED, is_won=False)
_CHANGES = [
    made_change(1, 1.0, 0.0, terms=[made_term(-1.0, Cause.DOCUMENT_EDITED)]),
    made_change(2, 1.0, 0.5, segment=None, terms=[made_term(-0.5, Cause.JUDGE_NOISE)]),
    made_change(3, 0.5, None),
    made_change(4, 0.5, 0.5, terms=[made_term(-0.5, Cause.DOCUMENT_EDITED), made_term(0.5, Cause.JUDGE_NOISE)]),
    made_change(5, 0.5, 0.75, segment="Billing", terms=[made_term(0.25, Cause.DOCUMENT_EDITED)]),
    made_change(6, 0.0, 1.0, segment="Billing", terms=[made_term(1.0, Cause.ANSWER_REWRITTEN)]),
]


def _rows(wanted: ChangeFilter) -> list[int]:
    return [change.baseline_row for change in filter_changes(_CHANGES, wanted)]


def test_regressions_come_worst_first_and_improvements_greatest_first() -> None:
    assert _rows(ChangeFilter()) == [1, 2]
    assert _rows(ChangeFilter(shown=Shown.IMPROVEMENTS)) == [6, 5]
    assert _rows(ChangeFilter(shown=Shown.LEVEL)) == [3, 4]
    assert _rows(ChangeFilter(shown=Shown.ALL)) == [1, 2, 3, 4, 5, 6]


def test_a_cause_is_one_direction_of_it() -> None:
    assert _rows(ChangeFilter(shown=Shown.ALL, side=_LOST)) == [1, 4]
    won = CauseSide(cause=Cause.DOCUMENT_EDITED, is_won=True)
    assert _rows(ChangeFilter(shown=Shown.ALL, side=won)) == [5]


def test_a_segment_may_be_none() -> None:
    assert _rows(ChangeFilter(shown=Shown.ALL, segment="Billing")) == [5, 6]
    assert _rows(ChangeFilter(shown=Shown.ALL, segment="")) == [2]
    assert list_segments(_CHANGES) == ["Billing", "Handovers", ""]


def test_answers_are_counted_once_for_each_cause_and_direction() -> None:
    assert count_sides(_CHANGES)[_LOST] == 2
    assert next(iter(count_sides(_CHANGES))) == _LOST


def test_the_main_cause_goes_the_way_the_score_went() -> None:
    assert main_side(_CHANGES[0]) == _LOST
    assert main_side(_CHANGES[3]) == _LOST
    assert main_side(_CHANGES[5]) == CauseSide(cause=Cause.ANSWER_REWRITTEN, is_won=True)
    assert main_side(_CHANGES[2]) is None
