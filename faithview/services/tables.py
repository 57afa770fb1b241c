"""Tables to download, for a spreadsheet or a notebook: their rows, and the files.

Tables on screen show rounded numbers with intervals; these rows have the exact numbers, under descriptive names.

"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC
from types import MappingProxyType

from faithview.domain.answer import AnswerFilter, AnswerRow, Order, View
from faithview.domain.claim import Verdict
from faithview.domain.comparison import Change
from faithview.domain.inbox import InboxFilter
from faithview.domain.label import NOT_A_CLAIM
from faithview.domain.result import State
from faithview.domain.run import RunSummary
from faithview.domain.scoring import Interval
from faithview.domain.trend import TrendLine
from faithview.formats.write import ExportFormat, TableRow, table_bytes
from faithview.services.container import Store
from faithview.services.judge_quality.scorecards import JudgeCard
from faithview.services.results import iterate_answers
from faithview.services.review.inbox import iterate_groups
from faithview.stats.shares import Share
from faithview.store import answers

MIME_TYPES: Mapping[ExportFormat, str] = MappingProxyType(
    {"csv": "text/csv", "jsonl": "application/jsonl", "parquet": "application/vnd.apache.parquet"}
)
_LONGEST_NAME = 80


def write_table(rows: Iterable[TableRow], *, file_format: ExportFormat, columns: Sequence[str] | None = None) -> bytes:
    """Return a table as the bytes of a CSV, JSON Lines or parquet file (see `formats.write.table_bytes`).

    Raises:
        InvalidInput: the format is unknown.
    """
    return table_bytes(rows, format=file_format, columns=columns)


def file_name(*parts: str, ending: str) -> str:
    """Return a file name of these parts that is valid on every system: "Week 44-answers.csv"."""
    words = (re.sub(r"[^\w. -]+", "_", part).strip(" ._-") for part in parts)
    name = "-".join(word for word in words if word)[:_LONGEST_NAME].rstrip(" ._-")
    return f"{name or 'table'}.{ending}"


_PAGE = 500


def run_rows(summaries: Iterable[RunSummary], *, view: View) -> Iterator[TableRow]:
    """Yield runs with their figures."""
    for summary in summaries:
        run, score = summary.run, summary.score
        yield {
            "run_id": run.run_id,
            "run": run.name,
            "series": run.series,
            "answers_of": run.as_of,
            "created_at": run.created_at,
            "status": run.status.value,
            "judge": run.judge.name,
            "method": run.judge.method,
            "fingerprint": run.fingerprint,
            "kb_version": run.kb_version,
            "view": view.value,
            "faithfulness": score.mean,
            **_interval_columns(score.interval),
            "bound_low": score.bounds.low if score.bounds else None,
            "bound_high": score.bounds.high if score.bounds else None,
            "judged": score.judged,
            "rows": summary.rows,
            **{state.value: summary.states.get(state, 0) for state in State if state is not State.JUDGED},
            "faithful_rows": summary.faithful_rows,
            "weighted": summary.weighted,
            "hallucination_rate": summary.hallucination_rate,
            **{f"claims_{verdict.value}": summary.claims.get(verdict, 0) for verdict in Verdict},
        }


def answer_rows(
    store: Store,
    run_id: str,
    filters: AnswerFilter,
    *,
    view: View = View.JUDGE,
    order: Order = Order.WORST,
) -> Iterator[TableRow]:
    """Yield all answers of a list, on all pages, with their full texts.

    Args:
        store: FaithView.
        run_id: the run.
        filters: which answers.
        view: whose verdicts the scores and counts follow.
        order: how the answers are sorted.
    """
    listed: list[AnswerRow] = []
    while page := answers.list_answers(
        store.db, run_id, filters, view=view, order=order, offset=len(listed), limit=_PAGE
    ).rows:
        listed += page
    if not listed:
        return
    wanted = {row.position for row in listed}
    # Lists have shortened texts, so the full texts are read once, in the order of the file.
    texts = {
        detail.position: (detail.sample.question, detail.sample.answer)
        for detail in iterate_answers(store, run_id)
        if detail.position in wanted
    }
    for row in listed:
        question, answer = texts[row.position]
        yield _answer_row(row, question, answer)


def _answer_row(row: AnswerRow, question: str | None, answer: str) -> TableRow:
    return {
        "key": row.key,
        "row": row.position,
        "question": question,
        "answer": answer,
        "segment": row.segment,
        "state": row.state.value,
        "faithfulness": row.faithfulness,
        "is_faithful": row.is_faithful,
        **{verdict.value: row.claims.get(verdict, 0) for verdict in Verdict},
        "timestamp": row.timestamp,
        "error": row.error,
    }


def inbox_rows(store: Store, filters: InboxFilter, *, series: str | None) -> Iterator[TableRow]:
    """Yield the claims of the inbox, on all pages, equal ones as one row."""
    for group in iterate_groups(store, filters, series=series):
        yield {
            "claim": group.text,
            "verdict": group.verdict.value if group.verdict else NOT_A_CLAIM,
            "confidence": group.certainty.confidence,
            "expected_harm": group.harm,
            "labels": group.label_state.value,
            "assigned_to": ", ".join(group.assignees),
            "listed": group.listed,
            "runs": group.runs,
            **{f"claims_{verdict}": group.verdicts.get(verdict, 0) for verdict in (*Verdict, NOT_A_CLAIM)},
            "newest_run_id": group.run_id,
            "newest_run": group.run_name,
            "key": group.key,
            "claim_number": group.claim_number,
            "question": group.question,
            "explanation": group.explanation,
        }


def change_rows(changes: Iterable[Change]) -> Iterator[TableRow]:
    """Yield the changed answers of a comparison; `causes` has an item for each broken or fixed claim."""
    for change in changes:
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
            "chunks_added": change.chunks_added,
            "chunks_removed": change.chunks_removed,
            "chunks_edited": change.chunks_edited,
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


def point_rows(lines: Iterable[TrendLine]) -> Iterator[TableRow]:
    """Yield the points of trend lines; `end` is None if a point is a run."""
    for line in lines:
        for point in line.points:
            yield {
                "group": line.group,
                "judge": line.judge.name,
                "method": line.judge.method,
                "fingerprint": line.fingerprint,
                "view": line.view.value,
                "at": point.at.astimezone(UTC),
                "end": None if point.end is None else point.end.astimezone(UTC),
                "faithfulness": point.mean,
                **_interval_columns(point.interval),
                "judged": point.judged,
                "rows": point.rows,
                "left_out": dict(point.left_out),
                "run_ids": point.run_ids,
            }


def card_rows(cards: Iterable[JudgeCard]) -> Iterator[TableRow]:
    """Yield judges with their agreement with reviewers."""
    for card in cards:
        rates, kappa, calibration = card.rates, card.figures.kappa, card.figures.calibration
        yield {
            "judge": card.name,
            "method": card.method,
            "fingerprint": card.fingerprint,
            "answers": card.answers,
            "labelled_claims": card.labelled,
            "basis": card.figures.basis.value if card.figures.basis else None,
            **_share("accuracy", rates.accuracy if rates else None),
            **_share("sensitivity", rates.sensitivity if rates else None),
            **_share("specificity", rates.specificity if rates else None),
            **_share("precision", rates.precision if rates else None),
            "kappa": kappa.value,
            "kappa_low": kappa.interval.low if kappa.interval else None,
            "kappa_high": kappa.interval.high if kappa.interval else None,
            "calibration_error": calibration.error if calibration else None,
            "mistakes": card.wrong,
            "cost_usd_an_answer": card.cost_usd,
            "seconds_an_answer": card.seconds,
        }


def mistake_rows(card: JudgeCard) -> Iterator[TableRow]:
    """Yield a judge's mistakes, the most confident first."""
    for mistake in card.mistakes:
        yield {
            "run_id": mistake.place.run_id,
            "row": mistake.place.row,
            "claim_number": mistake.place.claim_number,
            "claim": mistake.text,
            "judge": str(mistake.judge),
            "people": str(mistake.people),
            "confidence": mistake.confidence,
        }


def _interval_columns(interval: Interval | None) -> dict[str, float | None]:
    return {"low": interval.low if interval else None, "high": interval.high if interval else None}


def _share(name: str, share: Share | None) -> dict[str, float | None]:
    interval = share.interval if share else None
    return {
        name: share.value if share else None,
        f"{name}_low": interval.low if interval else None,
        f"{name}_high": interval.high if interval else None,
    }
