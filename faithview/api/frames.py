"""Results as data frames of pandas: which columns there are, what they mean, and their types, for empty frames too."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING, Any

from faithview.domain.claim import Claim, Verdict
from faithview.domain.result import Result
from faithview.domain.run import RunSummary
from faithview.domain.sample import Sample
from faithview.domain.scoring import Interval
from faithview.services.comparison.compared_runs import Comparison

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = [
    "ANSWER_COLUMNS",
    "CAUSE_COLUMNS",
    "CHANGE_COLUMNS",
    "CLAIM_COLUMNS",
    "RUN_COLUMNS",
    "SEGMENT_COLUMNS",
    "Column",
    "answer_rows",
    "cause_rows",
    "changed_answer_rows",
    "claim_rows",
    "make_frame",
    "run_rows",
    "segment_rows",
]

_TEXT, _WHOLE, _NUMBER, _YES_NO, _TIME, _LIST = (
    "string",
    "Int64",
    "float64",
    "boolean",
    "datetime64[us, UTC]",
    "object",
)


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a frame: its name, the type that pandas gives it, and what it holds."""

    name: str
    dtype: str
    meaning: str


_PLACE = (
    Column("key", _TEXT, "the row's own id, or its number"),
    Column("row", _WHOLE, "position of the answer in the run, from 1"),
)
CLAIM_COLUMNS = (
    *_PLACE,
    Column("segment", _TEXT, "the answer's segment"),
    Column("question", _TEXT, "the question"),
    Column("claim_number", _WHOLE, "number of the claim in its answer, from 1"),
    Column("claim_id", _TEXT, "id of the claim in the store, as `faithview labels import` reads it"),
    Column("claim", _TEXT, "the claim as it was judged"),
    Column("verdict", _TEXT, "`supported`, `partially_supported`, `not_mentioned` or `contradicted`"),
    Column("confidence", _NUMBER, "the judge's probability in [0, 1] that its verdict is right"),
    Column("support_score", _NUMBER, "the judge's probability in [0, 1] that the claim is supported"),
    Column("hallucination_type", _TEXT, "`fabrication`, `contradiction`, `extrapolation` or `conflation`"),
    Column("severity", _TEXT, "`high`, `medium` or `low`"),
    Column("explanation", _TEXT, "the judge's reason"),
    Column("correction", _TEXT, "what the chunks say instead"),
    Column(
        "answer_spans",
        _LIST,
        "where the answer says it: a list of (start, end) character offsets; the end is exclusive",
    ),
    Column("supporting_chunk_ids", _LIST, "the chunks that the verdict is based on, best first"),
    Column("quotes", _LIST, "the judge's evidence: words of those chunks"),
    Column("decided_by", _TEXT, "the judge that gave the verdict, if the run's judge is a cascade"),
)
ANSWER_COLUMNS = (
    *_PLACE,
    Column("segment", _TEXT, "the answer's segment"),
    Column("timestamp", _TIME, "when it was answered"),
    Column("question", _TEXT, "the question"),
    Column("answer", _TEXT, "the answer"),
    Column("reference", _TEXT, "the reference answer that came with it"),
    Column("chunks", _WHOLE, "how many chunks were retrieved"),
    Column("state", _TEXT, "`judged`, `no_claims`, `abstained`, `empty_context`, `failed` or `pending`"),
    Column("error", _TEXT, "why a `failed` answer could not be judged"),
    Column("faithfulness", _NUMBER, "supported claims / all claims, in [0, 1]; missing unless `judged`"),
    Column("faithfulness_weighted", _NUMBER, "mean weight of the verdicts, in [0, 1]; missing unless `judged`"),
    Column("is_faithful", _YES_NO, "no claim contradicted or not mentioned, faithfulness at least the threshold"),
    Column("claims", _WHOLE, "how many claims it makes"),
    *(Column(verdict.value, _WHOLE, "how many of them have this verdict") for verdict in Verdict),
    Column("answer_score", _NUMBER, "the judge's own probability in [0, 1] that the whole answer is faithful"),
    Column("llm_calls", _WHOLE, "calls to a model"),
    Column("prompt_tokens", _WHOLE, "tokens sent"),
    Column("completion_tokens", _WHOLE, "tokens received"),
    Column("cost_usd", _NUMBER, "US dollars; missing if no price is known"),
    Column("seconds", _NUMBER, "how long judging took"),
)
RUN_COLUMNS = (
    Column("run_id", _TEXT, "the run's id"),
    Column("name", _TEXT, "its name"),
    Column("series", _TEXT, "the runs of one application that it belongs to"),
    Column("status", _TEXT, "`pending`, `running`, `complete`, `interrupted`, `cancelled` or `failed`"),
    Column("as_of", _TIME, "the time the answers refer to"),
    Column("created_at", _TIME, "when the run was made"),
    Column("judge", _TEXT, "the judge's name"),
    Column("method", _TEXT, "how an LLM judge works"),
    Column("fingerprint", _TEXT, "the exact judge; only runs with the same one are comparable"),
    Column("threshold", _NUMBER, "the share of supported claims, in [0, 1], from which an answer is faithful"),
    Column("kb_version", _TEXT, "the version of the knowledge base"),
    Column("faithfulness", _NUMBER, "mean over the judged answers, in [0, 1]"),
    Column("low", _NUMBER, "lower end of its 95% interval"),
    Column("high", _NUMBER, "upper end of its 95% interval"),
    Column("judged", _WHOLE, "n: how many answers the mean covers"),
    Column("rows", _WHOLE, "how many answers the run has"),
    Column("left_out", _WHOLE, "how many answers have no score, and so are not in the mean"),
    Column("unscored", _WHOLE, "those of them that should have one: not judged yet, or failed"),
    Column("if_unscored_0", _NUMBER, "the mean if each of these had scored 0"),
    Column("if_unscored_1", _NUMBER, "the mean if each of these had scored 1"),
    Column("coverage", _NUMBER, "share of the answers that should have a verdict and have one, in [0, 1]"),
    Column("unread", _WHOLE, "rows of the data that could not be read, and so are not in the run"),
    Column("cost_usd", _NUMBER, "US dollars; missing if no price is known"),
)
_SCORES = (
    Column("baseline", _NUMBER, "faithfulness in the baseline, in [0, 1]"),
    Column("candidate", _NUMBER, "faithfulness in the candidate, in [0, 1]"),
    Column("difference", _NUMBER, "candidate - baseline, in [-1, 1]"),
)
CHANGE_COLUMNS = (
    Column("key", _TEXT, "the row's own id, or its number"),
    Column("baseline_row", _WHOLE, "position in the baseline, from 1"),
    Column("candidate_row", _WHOLE, "position in the candidate, from 1"),
    Column("paired_by", _TEXT, "`key`, `external_id`, `question`, `context` or `confirmed`"),
    Column("question", _TEXT, "the question, shortened for lists"),
    Column("segment", _TEXT, "the answer's segment"),
    *_SCORES,
    Column("baseline_state", _TEXT, "the answer's state in the baseline"),
    Column("candidate_state", _TEXT, "the answer's state in the candidate"),
    Column("answer_changed", _YES_NO, "whether the answer's text differs"),
    Column("context_changed", _YES_NO, "whether the chunks differ"),
    Column("chunks_added", _LIST, "ids of the chunks that only the candidate has"),
    Column("chunks_removed", _LIST, "ids of the chunks that only the baseline has"),
    Column("chunks_edited", _LIST, "ids of the chunks whose text changed"),
    Column("causes", _LIST, "one dictionary for each claim that broke or was fixed, with its cause"),
)
SEGMENT_COLUMNS = (
    Column("segment", _TEXT, "the segment; missing for answers without one"),
    *_SCORES,
    Column("low", _NUMBER, "lower end of the difference's 95% interval"),
    Column("high", _NUMBER, "upper end of the difference's 95% interval"),
    Column("p_value", _NUMBER, "p-value of the difference"),
    Column("p_value_adjusted", _NUMBER, "the same, adjusted for the number of segments"),
    Column("rows", _WHOLE, "n: how many pairs of answers"),
    Column("contribution", _NUMBER, "what the segment adds to the runs' difference"),
    Column("share_of_delta", _NUMBER, "the same as a share of the runs' difference"),
    Column("share_of_pairs", _NUMBER, "the segment's share of the pairs"),
    Column("p_value_share", _NUMBER, "adjusted p-value of the segment having more of the difference than of the pairs"),
)
CAUSE_COLUMNS = (
    Column("cause", _TEXT, "why claims broke or were fixed"),
    Column("lost", _NUMBER, "what the broken claims take from the mean, at most 0"),
    Column("won", _NUMBER, "what the fixed claims add to the mean, at least 0"),
    Column("total", _NUMBER, "their sum; the causes add up to the runs' difference"),
    Column("broken", _WHOLE, "how many claims broke"),
    Column("fixed", _WHOLE, "how many claims were fixed"),
    Column("answers", _WHOLE, "how many answers they are in"),
)

_Row = Mapping[str, Any]


def make_frame(rows: Iterable[_Row], columns: Sequence[Column]) -> "DataFrame":
    """Return the rows as a frame with these columns and their types, and behind them whatever else the rows hold."""
    import pandas

    kept = list(rows)
    named = {column.name for column in columns}
    others = dict.fromkeys(name for row in kept for name in row if name not in named)
    data = {c.name: pandas.Series([row.get(c.name) for row in kept], dtype=c.dtype) for c in columns}
    data |= {name: pandas.Series([row.get(name) for row in kept]) for name in others}
    return pandas.DataFrame(data)


def claim_rows(sample: Sample, result: Result, *, row: int | None, claim_ids: Sequence[str]) -> Iterator[_Row]:
    """Yield one row a claim."""
    for number, claim in enumerate(result.claims, start=1):
        yield {
            "key": sample.key or None,
            "row": row,
            "segment": sample.segment,
            "question": sample.question,
            "claim_number": number,
            "claim_id": claim_ids[number - 1] if claim_ids else None,
            **_claim(claim),
        }


def _claim(claim: Claim) -> _Row:
    return {
        "claim": claim.text,
        "verdict": claim.verdict.value,
        "confidence": claim.confidence,
        "support_score": claim.support_score,
        "hallucination_type": claim.hallucination_type.value if claim.hallucination_type else None,
        "severity": claim.severity.value if claim.severity else None,
        "explanation": claim.explanation,
        "correction": claim.correction,
        "answer_spans": [(span.start, span.end) for span in claim.spans],
        "supporting_chunk_ids": list(claim.supporting_chunk_ids),
        "quotes": [item.quote for item in claim.evidence],
        "decided_by": claim.decided_by,
    }


def answer_rows(sample: Sample, result: Result, *, row: int | None) -> Iterator[_Row]:
    """Yield one row; the judge's further figures are in columns "metric.NAME", what came along in "extra.NAME"."""
    yield {
        "key": sample.key or None,
        "row": row,
        "segment": sample.segment,
        "timestamp": sample.timestamp.astimezone(UTC) if sample.timestamp else None,
        "question": sample.question,
        "answer": sample.answer,
        "reference": sample.reference,
        "chunks": len(sample.chunks),
        "state": result.state.value,
        "error": result.error,
        "faithfulness": result.faithfulness,
        "faithfulness_weighted": result.faithfulness_weighted,
        "is_faithful": result.is_faithful,
        "claims": len(result.claims),
        **{verdict.value: result.verdicts.count(verdict) for verdict in Verdict},
        "answer_score": result.answer_score,
        "llm_calls": result.usage.llm_calls,
        "prompt_tokens": result.usage.prompt_tokens,
        "completion_tokens": result.usage.completion_tokens,
        "cost_usd": result.usage.cost_usd,
        "seconds": result.seconds,
        **{f"metric.{name}": value for name, value in result.metrics.items()},
        **{f"extra.{name}": value for name, value in sample.extra.items()},
    }


def run_rows(summaries: Iterable[RunSummary]) -> Iterator[_Row]:
    """Yield one row a run."""
    for summary in summaries:
        run, score = summary.run, summary.score
        yield {
            "run_id": run.run_id,
            "name": run.name,
            "series": run.series,
            "status": run.status.value,
            "as_of": run.as_of.astimezone(UTC),
            "created_at": run.created_at.astimezone(UTC),
            "judge": run.judge.name,
            "method": run.judge.method,
            "fingerprint": run.fingerprint,
            "threshold": run.threshold,
            "kb_version": run.kb_version,
            "faithfulness": score.mean,
            **_interval_columns(score.interval),
            "judged": score.judged,
            "rows": summary.rows,
            "left_out": summary.rows - score.judged,
            "unscored": score.unscored,
            "if_unscored_0": score.bounds.low if score.bounds else None,
            "if_unscored_1": score.bounds.high if score.bounds else None,
            "coverage": summary.coverage,
            "unread": run.rows_left_out,
            "cost_usd": summary.usage.cost_usd,
        }


def changed_answer_rows(comparison: Comparison) -> Iterator[_Row]:
    """Yield one row for each pair of answers in which anything changed, the worst regression first."""
    for change in comparison.changes:
        yield {
            "key": change.key,
            "baseline_row": change.baseline_row,
            "candidate_row": change.candidate_row,
            "paired_by": change.rule.value,
            "question": change.question,
            "segment": change.segment,
            "baseline": change.baseline,
            "candidate": change.candidate,
            "difference": change.difference,
            "baseline_state": change.baseline_state.value,
            "candidate_state": change.candidate_state.value,
            "answer_changed": change.answer_changed,
            "context_changed": change.context_changed,
            "chunks_added": list(change.chunks_added),
            "chunks_removed": list(change.chunks_removed),
            "chunks_edited": list(change.chunks_edited),
            "causes": [
                {
                    "cause": term.cause.value,
                    "value": term.value,
                    "baseline_claim": term.baseline,
                    "candidate_claim": term.candidate,
                }
                for term in change.terms
            ],
        }


def segment_rows(comparison: Comparison) -> Iterator[_Row]:
    """Yield one row a segment."""
    for part in comparison.segments:
        yield {
            "segment": part.segment,
            "baseline": part.baseline,
            "candidate": part.candidate,
            "difference": part.difference,
            **_interval_columns(part.interval),
            "p_value": part.p_value,
            "p_value_adjusted": part.p_value_adjusted,
            "rows": part.rows,
            "contribution": part.contribution,
            "share_of_delta": part.share_of_delta,
            "share_of_pairs": part.share_of_pairs,
            "p_value_share": part.p_value_share,
        }


def cause_rows(comparison: Comparison) -> Iterator[_Row]:
    """Yield one row a cause, the largest loss first."""
    for share in comparison.causes:
        yield {
            "cause": share.cause.value,
            "lost": share.lost,
            "won": share.won,
            "total": share.total,
            "broken": share.broken,
            "fixed": share.fixed,
            "answers": share.answers,
        }


def _interval_columns(interval: Interval | None) -> _Row:
    return {"low": interval.low if interval else None, "high": interval.high if interval else None}
