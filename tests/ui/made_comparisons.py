"""Comparisons made by hand, so that what is said and drawn of them can be worked out."""

from collections.abc import Mapping, Sequence

from faithview.domain.comparison import Cause, CauseShare, Change, Pairing, PairRule, Term
from faithview.domain.result import State
from faithview.domain.run import RunStatus
from faithview.domain.scoring import Interval
from faithview.services.comparison.compared_runs import Comparison
from faithview.stats.paired import PairedDifference, SegmentDifference
from tests.factories import make_run


def made_difference(
    mean: float | None = -0.07,
    *,
    baseline: float = 0.94,
    interval: tuple[float, float] | None = (-0.12, -0.03),
    p_value: float | None = 0.0002,
    counts: tuple[int, int, int] = (17, 3, 94),
    detectable: float | None = 0.06,
) -> PairedDifference:
    """A difference on as many pairs as the counts add up to."""
    pairs = sum(counts)
    return PairedDifference(
        pairs=pairs,
        clusters=pairs,
        baseline=None if mean is None else baseline,
        candidate=None if mean is None else baseline + mean,
        mean=mean,
        interval=None if interval is None else Interval(low=interval[0], high=interval[1]),
        p_value=p_value,
        detectable=detectable,
        regressed=counts[0],
        improved=counts[1],
        unchanged=counts[2],
    )


def made_segment(
    name: str | None, difference: float, *, p: float = 1.0, share: float | None = 0.0, p_share: float | None = None
) -> SegmentDifference:
    """A segment of ten answers of a hundred that adds a tenth of its own difference; `p_share` is `p` if not given."""
    return SegmentDifference(
        segment=name,
        rows=10,
        clusters=10,
        baseline=0.9,
        candidate=0.9 + difference,
        difference=difference,
        interval=Interval(low=difference - 0.1, high=difference + 0.1),
        p_value=p,
        p_value_adjusted=p,
        contribution=difference / 10,
        share_of_delta=share,
        share_of_pairs=0.1,
        p_value_share=p if p_share is None else p_share,
    )


def made_share(cause: Cause, *, lost: float = 0.0, won: float = 0.0, broken: int = 0, fixed: int = 0) -> CauseShare:
    """What a cause explains, in three answers."""
    return CauseShare(cause=cause, lost=lost, won=won, total=lost + won, broken=broken, fixed=fixed, answers=3)


def made_change(
    row: int,
    before: float | None,
    after: float | None,
    *,
    segment: str | None = "Handovers",
    terms: Sequence[Term] = (),
    question: str | None = None,
) -> Change:
    """An answer that stands in the same row of both runs and whose text changed."""
    return Change(
        key=f"q{row}",
        baseline_row=row,
        candidate_row=row,
        rule=PairRule.KEY,
        question=question or f"Question {row}?",
        segment=segment,
        baseline=before,
        candidate=after,
        baseline_state=State.JUDGED if before is not None else State.FAILED,
        candidate_state=State.JUDGED if after is not None else State.FAILED,
        answer_changed=True,
        context_changed=False,
        terms=tuple(terms),
    )


def made_term(value: float, cause: Cause) -> Term:
    """A term of the first claims of both answers."""
    return Term(baseline=1, candidate=1, value=value, cause=cause)


def made_comparison(
    difference: PairedDifference | None = None,
    *,
    segments: Sequence[SegmentDifference] = (),
    causes: Sequence[CauseShare] = (),
    changes: Sequence[Change] = (),
    unscored: Mapping[str, int] | None = None,
) -> Comparison:
    """A comparison of two runs by one judge."""
    found = difference or made_difference()
    return Comparison(
        baseline=make_run("before", status=RunStatus.COMPLETE),
        candidate=make_run("now", status=RunStatus.COMPLETE),
        cautions=(),
        pairing=Pairing(
            rules={PairRule.KEY: found.pairs + sum((unscored or {}).values())},
            scored=found.pairs,
            unscored=unscored or {},
            key_conflicts=0,
            only_in_baseline=(),
            only_in_candidate=(),
        ),
        difference=found,
        no_longer_faithful=16,
        newly_faithful=3,
        segments=tuple(segments),
        causes=tuple(causes),
        changes=tuple(changes),
    )
