"""The scores of an answer, defined once.

With claims j of answer i, m_i of them, s_ij = 1 where the verdict is *supported* and 0 otherwise, and w_ij the
verdict's weight:

    faithfulness_i          = mean_j s_ij                    (the Ragas ratio; Es et al. 2024, "RAGAs")
    faithfulness_weighted_i = clip(mean_j w_ij, 0, 1)
    is_faithful_i           = no claim contradicted or not mentioned, and faithfulness_i >= threshold

The threshold matters only for claims that are supported in part: one invented claim makes an answer unfaithful,
however many right ones are around it. Benchmarks of answers (FACTS, RAGTruth, FaithJudge) count in the same way.

An answer without claims, an abstention included, has no score. A run's faithfulness is the mean over its `judged`
answers; answers in every other state are counted separately and never become a number. Its interval and bounds are
computed by `stats.run_score`; the corrected score is in `stats.corrected_score`.

An imported result of another tool may have a score and no claims. That score is then faithfulness_i, there is no
faithfulness_weighted_i, and is_faithful_i = faithfulness_i >= threshold. Claims that reviewers add to such an answer
are only a part of it and do not change its score; a label on the whole answer does (`labels_on_whole`).

Reviewers' labels change the verdicts; the formulas are the same: see `ReviewedAnswer`.

Claims and answers are ranked for review by their expected harm (`expected_harm`):

    harm_ij = severity_ij x P(the verdict is right), and 1 more for a contradiction; 0 for a supported claim
    harm_i  = max_j harm_ij

with severity 1 (high), 0.5 (medium) or 0.25 (low). A contradiction always ranks before other claims, because it tells
the reader the opposite of what the chunks say.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from faithview.domain.arguments import refuse_other_type
from faithview.domain.claim import Severity, Verdict
from faithview.domain.errors import InvalidInput
from faithview.domain.label import EffectiveVerdict, Label, VerdictSource, effective_verdict, missed_claims


class State(StrEnum):
    """The outcome of one answer. Each is counted separately; only `judged` answers enter a run's mean."""

    PENDING = "pending"
    JUDGED = "judged"
    NO_CLAIMS = "no_claims"
    ABSTAINED = "abstained"
    EMPTY_CONTEXT = "empty_context"
    FAILED = "failed"


# Below this share of supported claims an answer is not called faithful, unless the run says otherwise.
DEFAULT_THRESHOLD = 0.8

# Answers in these states have nothing to judge.
_NEED_NO_VERDICT = (State.NO_CLAIMS.value, State.ABSTAINED.value)

# One claim with such a verdict makes an answer unfaithful.
UNFAITHFUL: frozenset[str] = frozenset({"not_mentioned", "contradicted"})

WEIGHTS: Mapping[str, float] = {
    "supported": 1.0,
    "partially_supported": 0.5,
    "not_mentioned": 0.0,
    "contradicted": -1.0,
}

SEVERITY_WEIGHTS: Mapping[Severity, float] = {Severity.HIGH: 1.0, Severity.MEDIUM: 0.5, Severity.LOW: 0.25}
# For claims without a severity: those that reviewers added or called unsupported, and those of judges without it.
UNKNOWN_SEVERITY = Severity.MEDIUM
# For judges that do not say how sure they are.
UNKNOWN_CONFIDENCE = 0.5
# For a verdict that reviewers settled.
SETTLED_CONFIDENCE = 1.0
CONTRADICTION_BONUS = 1.0


@dataclass(frozen=True, slots=True)
class Interval:
    """A closed interval."""

    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RunScore:
    """A run's mean faithfulness with its basis.

    `mean` and `interval` are None if no answer was judged; `interval` also if there are fewer than two clusters, which
    give no estimate of the spread. `bounds` are the means if every unscored answer had scored 0, then 1.
    """

    mean: float | None
    interval: Interval | None
    bounds: Interval | None
    judged: int
    unscored: int


def check_threshold(threshold: float) -> None:
    """Raise InvalidInput unless the threshold, a share of supported claims, is in [0, 1]."""
    refuse_other_type("threshold", threshold)
    if not 0 <= threshold <= 1:
        raise InvalidInput(f"The threshold must be between 0 and 1, not {threshold}.")


def faithfulness(verdicts: Sequence[str]) -> float | None:
    """Return supported / all claims, in [0, 1]; None if there are no claims."""
    if not verdicts:
        return None
    return sum(verdict == "supported" for verdict in verdicts) / len(verdicts)


def faithfulness_weighted(verdicts: Sequence[str]) -> float | None:
    """Return the mean verdict weight clipped to [0, 1]; None if there are no claims."""
    if not verdicts:
        return None
    return min(1.0, max(0.0, sum(WEIGHTS[verdict] for verdict in verdicts) / len(verdicts)))


def is_faithful(verdicts: Sequence[str], *, threshold: float = DEFAULT_THRESHOLD) -> bool | None:
    """Return whether no claim is contradicted or not mentioned and enough are supported; None without claims."""
    share = faithfulness(verdicts)
    return None if share is None else UNFAITHFUL.isdisjoint(verdicts) and share >= threshold


def is_score_faithful(score: float | None, *, threshold: float = DEFAULT_THRESHOLD) -> bool | None:
    """Return whether a score that was given without claims is high enough; None if there is none."""
    return None if score is None else score >= threshold


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewedAnswer:
    """An answer with reviewers' labels.

    `effective` has the effective verdict of each of the judge's claims, in their order. `missed` are the claims that
    the judge missed and people added, in the order of their places in the answer; they are numbered after the judge's.
    """

    effective: tuple[EffectiveVerdict, ...] = ()
    missed: tuple[Label, ...] = ()

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The verdicts that the answer's scores are computed from.

        A reviewers' verdict replaces the judge's; missed claims follow at the end. A claim labelled "not a claim" is
        left out, also from the denominator.
        """
        return tuple(
            verdict
            for verdict in (*(item.verdict for item in self.effective), *(label.verdict for label in self.missed))
            if verdict is not None
        )

    @property
    def labelled(self) -> int:
        """How many claims have a label that counts. If it is 0, the judge's own scores and state count."""
        by_people = sum(item.source is not VerdictSource.JUDGE for item in self.effective)
        return by_people + sum(label.verdict is not None for label in self.missed)


def apply_labels(judged: Sequence[Verdict], labels: Iterable[Label]) -> ReviewedAnswer:
    """Return an answer with reviewers' labels applied.

    Args:
        judged: the judge's verdicts, in the order of the claims.
        labels: all labels of the answer, in the order in which they were given.
    """
    by_claim: dict[int | None, list[Label]] = {}
    for label in labels:
        by_claim.setdefault(label.claim_number, []).append(label)
    return ReviewedAnswer(
        effective=tuple(
            effective_verdict(verdict, by_claim.get(number, ())) for number, verdict in enumerate(judged, start=1)
        ),
        missed=tuple(sorted(missed_claims(by_claim.get(None, ())), key=_place)),
    )


def labels_on_whole(labels: Iterable[Label], *, length: int) -> list[Label]:
    """Return the labels that change the score of an answer without claims: those on the answer as a whole.

    Args:
        labels: all labels of the answer.
        length: how many characters it has.
    """
    return [
        label
        for label in labels
        if label.span is None or (label.span.start <= 0 and label.span.end >= length) or label.retracts is not None
    ]


def reviewed_state(judged: State, *, claims: int) -> State:
    """Return the state of an answer with labels: `no_claims` if no claim is left, `judged` if a missed one was added.

    Args:
        judged: its state as judged.
        claims: how many verdicts count (`ReviewedAnswer.verdicts`).
    """
    if claims == 0:
        return State.NO_CLAIMS
    return State.JUDGED if judged is State.NO_CLAIMS else judged


def hallucination_rate(counts: Mapping[str, int]) -> float | None:
    """Return claims not supported / all claims, from counts by verdict; None if there are no claims."""
    total = sum(counts.values())
    # Not 1 - share, which would be 0.09999999999999998 for 9 of 10.
    return None if total == 0 else (total - counts.get("supported", 0)) / total


def coverage(states: Mapping[str, int], *, left_out: int = 0) -> float | None:
    """Return the share of the answers that have a verdict among those that should have one.

    An answer without claims and an abstention have nothing to judge and are left out. An answer that failed, that is
    still pending or whose context is empty counts as lacking a verdict, and so does a row that could not be read.

    Args:
        states: how many answers are in each state (`RunSummary.states`); missing ones are 0.
        left_out: rows of the file that could not be read (`Run.rows_left_out`).

    Returns:
        A share in [0, 1]; None if no answer should have a verdict.
    """
    wanted = count_wanted(states, left_out=left_out)
    return states.get(State.JUDGED.value, 0) / wanted if wanted else None


def count_wanted(states: Mapping[str, int], *, left_out: int = 0) -> int:
    """Return how many answers should have a verdict; the arguments are those of `coverage`."""
    return sum(count for state, count in states.items() if state not in _NEED_NO_VERDICT) + left_out


def expected_harm(verdict: Verdict | None, severity: Severity | None, confidence: float | None) -> float:
    """Return the expected harm of one claim, in [0, 2]; lists of claims show the highest first.

    Args:
        verdict: the effective verdict; None for "not a claim", which does no harm.
        severity: how much harm the claim does if the verdict is right; None if unknown.
        confidence: the probability in [0, 1] that the verdict is right, None if the judge gives none;
            `SETTLED_CONFIDENCE` for a verdict that reviewers settled.
    """
    if verdict is None or verdict is Verdict.SUPPORTED:
        return 0.0
    sureness = UNKNOWN_CONFIDENCE if confidence is None else confidence
    bonus = CONTRADICTION_BONUS if verdict is Verdict.CONTRADICTED else 0.0
    return bonus + SEVERITY_WEIGHTS[severity or UNKNOWN_SEVERITY] * sureness


def _place(missed: Label) -> tuple[int, int]:
    """Sort key: the place in the answer; claims without a place first, in the order in which they were added."""
    return (missed.span.start if missed.span else -1, missed.label_id)
