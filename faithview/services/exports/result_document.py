"""The JSON documents of what a judge found about one answer; they need no store, and importing them loads none."""

from typing import Any

from faithview.domain.claim import Claim
from faithview.domain.result import Result


def check_document(result: Result) -> dict[str, Any]:
    """Return what `faithview check --json` prints."""
    return {
        "faithfulness": result.faithfulness,
        "faithfulness_weighted": result.faithfulness_weighted,
        "is_faithful": result.is_faithful,
        "no_claims": result.no_claims,
        "state": result.state.value,
        "error": result.error,
        "judge": result.judge,
        "claims": [claim_document(claim) for claim in result.claims],
        **reported_besides(result),
        "llm_calls": result.usage.llm_calls,
        "prompt_tokens": result.usage.prompt_tokens,
        "completion_tokens": result.usage.completion_tokens,
        "cost_usd": result.usage.cost_usd,
    }


def claim_document(claim: Claim) -> dict[str, Any]:
    """Return a claim as it is in every document."""
    return {
        "text": claim.text,
        "verdict": claim.verdict.value,
        "confidence": claim.confidence,
        "claim_type": claim.claim_type,
        "importance": claim.importance,
        "explanation": claim.explanation,
        "hallucination_type": claim.hallucination_type,
        "severity": claim.severity,
        "correction": claim.correction,
        "supporting_chunk_ids": list(claim.supporting_chunk_ids),
        "answer_spans": [[span.start, span.end] for span in claim.spans],
        "evidence": [
            {
                "chunk_id": item.chunk_id,
                "start": item.span.start if item.span else None,
                "end": item.span.end if item.span else None,
                "quote": item.quote,
            }
            for item in claim.evidence
        ],
        "mismatches": [
            {
                "start": item.start,
                "end": item.end,
                "chunk_id": item.chunk_id,
                "chunk_start": item.chunk_start if item.chunk_id is not None else None,
                "chunk_end": item.chunk_end if item.chunk_id is not None else None,
            }
            for item in claim.mismatches
        ],
        "support_score": claim.support_score,
    }


def reported_besides(result: Result) -> dict[str, Any]:
    """Return what a judge reports besides claims and scores."""
    return {
        "suggestions": list(result.suggestions),
        "metrics": dict(result.metrics),
        "warnings": list(result.warnings),
        "raw_reply": result.raw_reply,
    }
