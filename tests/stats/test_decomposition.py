"""What each cause adds to a difference, on terms few enough to add up by hand."""

from faithview.domain.comparison import Cause, CauseShare, Term
from faithview.stats.decomposition import share_causes


def term(value: float, cause: Cause) -> Term:
    return Term(baseline=1, candidate=1, value=value, cause=cause)


def test_the_shares_of_three_causes_worked_by_hand() -> None:
    lost, won, other = Cause.NOT_RETRIEVED, Cause.RETRIEVED, Cause.OTHER
    answers = [
        [term(-0.5, lost), term(-0.25, lost), term(0.5, won)],
        [term(0.25, lost), term(-0.125, won)],
        [term(-0.25, other)],
        [term(0.125, other)],
    ]
    # Eight pairs, four of them without any term. What is only weighed otherwise neither broke nor was fixed.
    assert share_causes(answers, pairs=8) == (
        CauseShare(cause=lost, lost=-0.75 / 8, won=0.25 / 8, total=-0.5 / 8, broken=2, fixed=1, answers=2),
        CauseShare(cause=other, lost=-0.25 / 8, won=0.125 / 8, total=-0.125 / 8, broken=0, fixed=0, answers=2),
        CauseShare(cause=won, lost=-0.125 / 8, won=0.5 / 8, total=0.375 / 8, broken=1, fixed=1, answers=2),
    )
