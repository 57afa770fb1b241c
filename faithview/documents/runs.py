"""Runs and their figures."""

from typing import Annotated, Any

from pydantic import BeforeValidator

from faithview.documents.base import Count, Document, Ends, Number, Part, Seconds, Share, Time, entry
from faithview.domain.run import RunStatus


class SegmentFigures(Part):
    """The figures of a segment."""

    rows: Count = entry("All its answers.")
    n: Count = entry("The answers in the mean.", "score.judged")
    faithfulness: Share | None = entry("Their mean faithfulness.", "score.mean")
    faithfulness_ci: Ends | None = entry("Its 95% interval.", "score.interval")


class ErrorCount(Part):
    """An error and how many answers failed with it."""

    error: str = entry("What happened.", "text")
    rows: Count = entry("How many answers failed with it.", "answers")


def _by_segment(segments: Any) -> Any:
    return segments if isinstance(segments, dict) else {segment.segment: segment for segment in segments}


def _by_text(troubles: Any) -> Any:
    return troubles if isinstance(troubles, dict) else {trouble.text: trouble.answers for trouble in troubles}


class RunFigures(Part):
    """A run with its figures."""

    run_id: str = entry("The run's id.", "run.run_id")
    name: str = entry("Its name.", "run.name")
    judge: str = entry("The judge's name.", "run.judge.name")
    method: str = entry('How an LLM judge works; "imported" for another tool\'s results.', "run.judge.method")
    fingerprint: str = entry("The exact judge: version, model, prompt.", "run.fingerprint")
    status: RunStatus = entry("The run's status.", "run.status")
    created_at: Time = entry("When it was made.", "run.created_at")
    as_of: Time = entry("The time of its answers.", "run.as_of")
    kb_version: str | None = entry("The version of the knowledge base.", "run.kb_version")
    series: str = entry("Its series.", "run.series")
    source: str | None = entry("The file of its answers.", "run.source")
    rows_hash: str | None = entry("The hash of its rows, equal for runs over the same rows.", "run.rows_hash")
    rows: Count = entry("Its answers.")
    rows_left_out: Count = entry("Rows of its file that could not be read.", "run.rows_left_out")
    application: str | None = entry("The live application that it watches.", "run.live.application", default=None)
    logged: Count | None = entry("How many answers that application logged.", "run.live.logged", default=None)
    inclusion_probability: Share | None = entry("The probability with which each answer was drawn; null if it varies.")
    states: dict[str, Count] = entry("Answers by state.")
    coverage: Share | None = entry("The share of answers that should have a verdict and have one.")
    faithfulness: Share | None = entry("The mean over judged answers; null if none is judged.", "score.mean")
    faithfulness_ci: Ends | None = entry("Its 95% interval.", "score.interval")
    faithfulness_bounds: Ends | None = entry("The means if every unscored answer had scored 0, then 1.", "score.bounds")
    faithfulness_weighted: Share | None = entry("The mean weighted score over judged answers.", "weighted")
    hallucination_rate: Share | None = entry("Claims not supported / all claims.")
    threshold: Share = entry("The faithfulness from which an answer counts as faithful.", "run.threshold")
    faithful_rows: Count = entry("Judged answers that are faithful.")
    claims: dict[str, Count] = entry("Claims by verdict.")
    decided_by: dict[str, Count] = entry(
        "Claims by the judge that gave their verdict, if the judge is a cascade; empty otherwise."
    )
    segments: Annotated[dict[str, SegmentFigures], BeforeValidator(_by_segment)] = entry("Figures by segment.")
    llm_calls: Count = entry("Calls of a model.", "usage.llm_calls")
    cached_calls: Count = entry("Calls that were answered from earlier runs.", "usage.cached_calls")
    prompt_tokens: Count = entry("Tokens sent.", "usage.prompt_tokens")
    cached_prompt_tokens: Count = entry(
        "Tokens sent that the vendor read from its own cache.", "usage.cached_prompt_tokens"
    )
    completion_tokens: Count = entry("Tokens received.", "usage.completion_tokens")
    cost_usd: Number | None = entry("The cost in US dollars; null if no price is known.", "usage.cost_usd")
    seconds: Seconds = entry("How long judging took, in seconds.", "run.seconds")
    error: str | None = entry("Why the run failed.", "run.error")
    repeat_of: str | None = entry("The run whose rows it judges again.", "run.repeat_of")
    repeats: list[str] = entry("The runs that judge its rows again.", "run.repeats")
    archived_at: Time | None = entry("When it was archived.", "run.archived_at")
    note: str = entry("Its note.", "run.note")
    errors: list[ErrorCount] = entry("The errors of failed answers.", "troubles.errors")
    repaired_rows: Count = entry("Judged answers in which something was repaired.", "troubles.repaired")
    repairs: Annotated[dict[str, Count], BeforeValidator(_by_text)] = entry(
        "What was repaired, and in how many answers.", "troubles.repairs"
    )
    gaps: Annotated[dict[str, Count], BeforeValidator(_by_text)] = entry(
        "What is missing from judged answers, and from how many.", "troubles.gaps"
    )
    unquoted_claims: Count = entry(
        "Claims whose verdict needs a quote and has none that is in a chunk.", "troubles.unquoted"
    )
    unplaced_claims: Count = entry("Claims whose words were not found in the answer.", "troubles.unplaced")
    uncovered_rows: Count = entry(
        "Judged answers with less than half of their text in the words of a claim.", "troubles.uncovered"
    )


class RunDocument(RunFigures, Document):
    """A run with its figures: `evaluate`, `resume`, `rejudge`, `import` and `show`."""


class RunsDocument(Document):
    """The runs of a store."""

    runs: list[RunFigures] = entry("The runs, newest answers first.")
