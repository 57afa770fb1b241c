"""Two runs compared."""

from typing import Annotated, Any

from pydantic import BeforeValidator

from faithview.documents.base import (
    Count,
    Difference,
    Document,
    Ends,
    Length,
    Number,
    Part,
    Position,
    Share,
    Time,
    entry,
)
from faithview.domain.claim import Verdict
from faithview.domain.comparison import Cause, PairRule, Unpaired
from faithview.domain.scoring import State


class SegmentChange(Part):
    """How a segment changed. Differences are candidate - baseline."""

    segment: str | None = entry("The segment; null for answers without one.")
    rows: Count = entry("Its pairs of answers.")
    baseline: Share | None = entry("The mean faithfulness in the baseline.")
    candidate: Share | None = entry("The mean faithfulness in the candidate.")
    delta: Difference | None = entry("The mean difference.", "difference")
    p_value_adjusted: Share | None = entry("The p-value of the difference, adjusted for all segments.")
    share_of_delta: Number | None = entry(
        "Its share of the whole difference; above 1 if other segments changed in the other direction."
    )
    share_of_pairs: Share | None = entry("Its share of the pairs.")
    p_value_share: Share | None = entry("The p-value of the segment having more of the change than of the answers.")
    delta_ci: Ends | None = entry("The 95% interval of the difference.", "interval")
    p_value: Share | None = entry("The p-value of the difference.")
    contribution: Difference | None = entry("Points that it adds to the whole difference.")


class ClaimOfRun(Part):
    """A claim on one side."""

    claim_id: str = entry("The claim's id.")
    text: str = entry("Its text.")
    verdict: Verdict = entry("The judge's verdict.")


class ChangedClaim(Part):
    """A claim that changes the score of its answer."""

    text: str = entry("The claim's text in the candidate or, if it is not there, in the baseline.")
    cause: Cause = entry("The reason.")
    delta: Difference = entry("Points that it adds to its answer's difference.", "value")
    baseline: ClaimOfRun | None = entry("The claim in the baseline; null if it is not there.", "before")
    candidate: ClaimOfRun | None = entry("The claim in the candidate; null if it is not there.", "after")


class AnswerChange(Part):
    """An answer that changed."""

    key: str = entry("The row's id.")
    baseline: Share | None = entry("Its faithfulness in the baseline.")
    candidate: Share | None = entry("Its faithfulness in the candidate.")
    cause: Cause | None = entry("What moved its score most; null if no claim did.")
    answer_changed: bool = entry("Whether the answer's text changed.")
    context_changed: bool = entry("Whether the chunks changed.")
    chunks_added: list[str] = entry("Chunks that are only in the candidate.")
    chunks_removed: list[str] = entry("Chunks that are only in the baseline.")
    claims_broken: list[ChangedClaim] = entry("Claims that lower the score, the largest loss first.")
    claims_fixed: list[ChangedClaim] = entry("Claims that raise the score.")
    chunks_edited: list[str] = entry("Chunks whose text changed.")
    question: str | None = entry("The question.")
    segment: str | None = entry("Its segment.")
    baseline_row: Position = entry("Its row in the baseline.")
    candidate_row: Position = entry("Its row in the candidate.")
    baseline_state: State = entry("Its state in the baseline.")
    candidate_state: State = entry("Its state in the candidate.")
    paired_by: PairRule = entry("How the two answers were paired.", "rule")


class ComparedRun(Part):
    """One of the two runs."""

    run_id: str = entry("The run's id.")
    name: str = entry("Its name.")
    judge: str = entry("The judge's name.", "judge.name")
    method: str = entry("How an LLM judge works.", "judge.method")
    fingerprint: str = entry("The exact judge: version, model, prompt.")
    kb_version: str | None = entry("The version of the knowledge base.")
    as_of: Time = entry("The time of its answers.")
    threshold: Share = entry("The faithfulness from which an answer counts as faithful.")
    faithfulness: Share | None = entry("The mean over the pairs.")


class FaithfulChange(Part):
    """How many answers are no longer or newly faithful."""

    lost: Count = entry("Answers that are no longer faithful.")
    gained: Count = entry("Answers that became faithful.")


class CorrectedChange(Part):
    """The difference of the whole runs' corrected scores."""

    estimate: Difference = entry("candidate - baseline.", "difference")
    ci: Ends = entry("Its 95% interval.")
    baseline: Share = entry("The baseline's corrected score.")
    candidate: Share = entry("The candidate's corrected score.")


class ComparisonCaution(Part):
    """A reason to interpret the comparison with care."""

    code: str = entry("A code for programs.")
    text: str = entry("The text for readers.")


def _keys(rows: Any) -> Any:
    return [row.key if isinstance(row, Unpaired) else row for row in rows]


class PairingFigures(Part):
    """How the answers of the two runs were paired."""

    paired_by: dict[str, Count] = entry("Pairs by how they were found.", "rules")
    unscored: dict[str, Count] = entry("Pairs without a score on both sides, by state.")
    only_in_baseline: Annotated[list[str], BeforeValidator(_keys)] = entry(
        "Keys of answers that only the baseline has."
    )
    only_in_candidate: Annotated[list[str], BeforeValidator(_keys)] = entry(
        "Keys of answers that only the candidate has."
    )
    key_conflicts: Count = entry("Answers with the same key and different questions.")


class CausedChange(Part):
    """The part of the difference that one cause explains."""

    cause: Cause = entry("The cause.")
    delta: Difference = entry("Its total.", "total")
    lost: Difference = entry("The points that it takes from the mean.")
    won: Difference = entry("The points that it adds to the mean.")
    claims_broken: Count = entry("Claims that lower the score for this reason.", "broken")
    claims_fixed: Count = entry("Claims that raise the score for this reason.", "fixed")
    answers: Count = entry("Pairs of answers whose score changed for this reason.")


class ComparisonDocument(Document):
    """Two runs compared by the judge's verdicts on the answers that both have; differences are candidate - baseline."""

    baseline: str = entry("The baseline's id.", "baseline.run_id")
    candidate: str = entry("The candidate's id.", "candidate.run_id")
    paired_rows: Count = entry("Pairs with a score on both sides.", "pairing.scored")
    delta: Difference | None = entry("The mean difference.", "difference.mean")
    delta_ci: Ends | None = entry("Its 95% interval.", "difference.interval")
    p_value: Share | None = entry("The p-value of the difference.", "difference.p_value")
    regressed: Count = entry("Answers that are worse: their score is lower.", "difference.regressed")
    improved: Count = entry("Answers that are better: their score is higher.", "difference.improved")
    unchanged: Count = entry("Answers that scored the same.", "difference.unchanged")
    only_in_baseline: Length = entry("Answers that only the baseline has.")
    only_in_candidate: Length = entry("Answers that only the candidate has.")
    segments: list[SegmentChange] = entry("The change by segment.")
    changes: list[AnswerChange] = entry("The answers that changed.")
    baseline_run: ComparedRun = entry("The baseline.")
    candidate_run: ComparedRun = entry("The candidate.")
    is_significant: bool = entry("Whether the difference is statistically significant.")
    smallest_detectable: Share | None = entry(
        "The difference that would be noticed 80% of the time.", "difference.detectable"
    )
    faithful: FaithfulChange = entry("Answers that are no longer or newly faithful.")
    corrected_delta: CorrectedChange | None = entry(
        "The difference of the corrected scores; null unless both runs have a spot-check with enough labels."
    )
    cautions: list[ComparisonCaution] = entry("Reasons to interpret it with care, the most serious first.")
    pairing: PairingFigures = entry("How the answers were paired.")
    causes: list[CausedChange] = entry("The difference by cause.")
