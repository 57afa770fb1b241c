"""What each cause adds to a difference, on terms few enough to add up by hand."""

from faithview.domain.comparison import Cause, CauseShare, Term
from faithview.stats.decomposition import share_causes


def term(value: float, cause: Cause) -> Term:
    return Term(baseline=1, candidate=1, value=value, cause=cause)


def test_the_shares_of_three_causes_worked_by_hand() -> None:
    lost, won, whole = Cause.NOT_RETRIEVED, Cause.EVIDENCE_ADDED, Cause.SCORED_WHOLE
    answers = [
        [term(-0.5, lost), term(-0.25, lost), term(0.5, won)],
        [term(0.25, lost), term(0.0, won)],
        [term(-0.25, whole)],
        [term(0.125, whole)],
    ]
    # Eight pairs, four of them without any term. A claim with nothing gained counts as broken.
    assert share_causes(answers, pairs=8) == (
        CauseShare(cause=lost, lost=-0.75 / 8, won=0.25 / 8, total=-0.5 / 8, broken=2, fixed=1, answers=2),
        CauseShare(cause=whole, lost=-0.25 / 8, won=0.125 / 8, total=-0.125 / 8, broken=0, fixed=0, answers=2),
        CauseShare(cause=won, lost=0.0, won=0.5 / 8, total=0.5 / 8, broken=1, fixed=1, answers=2),
    )
