"""The report on one run: its faithfulness, its weak spots, and the worst answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from faithview.domain.answer import AnswerDetail, AnswerFilter, Order, SliceKind, View
from faithview.domain.certainty import UNSTATED
from faithview.domain.claim import ClaimRef, Verdict
from faithview.domain.result import State
from faithview.domain.run import RunSummary
from faithview.services.container import Store
from faithview.services.judge_catalogue import caution_about
from faithview.services.reports import ReportFormat
from faithview.services.reports.rendering import dots, mark_claims, mark_evidence, render
from faithview.services.results import get_answer_at, get_summary, list_troubles
from faithview.services.review.corrected_score import correct_run, count_settled, why_no_score
from faithview.services.review.labels import standing_certainties
from faithview.services.review.notes import read_thread
from faithview.services.weak_spots.slices import find_slices
from faithview.stats.corrected_score import CorrectedScore
from faithview.store import answers, compared_answers
from faithview.wording import numbers as fmt
from faithview.wording.corrected_score import judge_only
from faithview.wording.findings import SHOWN_GAPS, coverage_words, failed_words, gap_words, repaired_words, weak_words
from faithview.wording.live import inclusion_words, sample_words
from faithview.wording.slices import looked_at, nothing_found, plain_slice, slice_figures
from faithview.wording.verdict_styles import (
    STATE_WORDS,
    claim_verdict_words,
    correction_lead,
    mistake_words,
    style_name,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportScope:
    """The answers in view when a report was requested.

    Attributes:
        filters: which answers the report shows. Its figures still cover the whole run, and the report says so.
        words: the filters in words, separated by " · "; empty for none.
        order: the order of the answers.
        link: the address of the page that the report shows, None if unknown.
    """

    filters: AnswerFilter = field(default_factory=AnswerFilter)
    words: str = ""
    order: Order = Order.WORST
    link: str | None = None


_WHOLE_RUN = ReportScope()


def report_run(
    store: Store,
    reference: str,
    *,
    file_format: ReportFormat = ReportFormat.HTML,
    with_texts: bool = True,
    limit: int = 50,
    scope: ReportScope = _WHOLE_RUN,
) -> str:
    """Return the report on a run: its score by the judge, and its claims by the reviewers where they labelled them.

    Args:
        store: the store.
        reference: the run's id or unique name.
        file_format: HTML or Markdown.
        with_texts: show questions, answers, claims and chunks, not only figures.
        limit: how many of the worst answers are shown.
        scope: which answers are shown, in which order, and the page of the report.

    Raises:
        NotFound: there is no such run.
    """
    summary, reviewed = get_summary(store, reference), get_summary(store, reference, view=View.REVIEWED)
    run = summary.run
    segments = sorted((s for s in summary.segments if s.score.mean is not None), key=lambda s: s.score.mean or 0.0)
    slices = find_slices(store, run.run_id)
    notes = (
        caution_about(run.judge) if summary.score.judged else "",
        sample_words(summary),
        inclusion_words(*summary.inclusion),
        f"Coverage {coverage_words(summary)}: answers with a verdict, of those that should have one.",
    )
    return render(
        "run.jinja",
        file_format,
        title=run.name,
        summary=summary,
        status=fmt.STATUS_WORDS[run.status],
        **_corrected(store, run.run_id),
        notes=[note for note in notes if note],
        states={STATE_WORDS[State(state)]: count for state, count in summary.states.items() if count},
        **_troubles(store, summary, with_texts=with_texts),
        claim_counts={verdict: reviewed.claims.get(verdict.value, 0) for verdict in Verdict},
        segments=list(zip(segments, dots([(s.score.mean, s.score.interval) for s in segments]), strict=True)),
        low_slices=[
            (
                plain_slice(low.definition)
                if with_texts or low.definition.kind is not SliceKind.QUESTION
                else "A word of the questions",
                slice_figures(low.figures),
            )
            for low in slices.slices
        ],
        looked_at=looked_at(slices.answers, slices.tested),
        no_slice=nothing_found(slices.answers, slices.tested),
        answers=_list_unsupported_answers(store, summary, scope, limit) if with_texts else [],
        scope=scope,
        link=scope.link if scope.link and scope.link.startswith(("http://", "https://")) else None,
        with_texts=with_texts,
    )


def _corrected(store: Store, run_id: str) -> Mapping[str, Any]:
    """Return the corrected score if it is precise enough to lead, else the sentence on why there is none."""
    correction = correct_run(store, run_id)
    labels = 0 if correction is None else correction.labels
    words = why_no_score(correction) or ""
    if correction is None or not isinstance(correction.score, CorrectedScore):
        check = None if correction is None else correction.check.name
        words = judge_only(labelled=count_settled(store, run_id), check=check, in_check=labels)
    headline = None if correction is None else correction.headline
    return {"corrected": headline and headline.corrected, "corrected_labels": labels, "not_corrected": words}


def _troubles(store: Store, summary: RunSummary, *, with_texts: bool) -> Mapping[str, Any]:
    """Return why answers failed and what was repaired; a server's message may repeat a text, so it counts as one."""
    troubles = list_troubles(store, summary.run.run_id)
    repairs = [(repair.text, repair.answers) for repair in troubles.repairs]
    return {
        "failed": failed_words(troubles.failed, summary.rows, len(troubles.errors)) if troubles.errors else "",
        "errors": troubles.errors if with_texts else (),
        "unchecked": [
            *([f"The judge's replies were repaired {repaired_words(troubles.repaired, repairs)}."] if repairs else []),
            *(gap_words(gap.text, gap.answers) for gap in troubles.gaps[: SHOWN_GAPS if with_texts else 0]),
            *(weak_words(weakness, *counts) for weakness, counts in troubles.weak.items()),
        ],
    }


def _list_unsupported_answers(
    store: Store, summary: RunSummary, scope: ReportScope, limit: int
) -> list[Mapping[str, Any]]:
    """Return the judged answers of the scope that are not fully supported."""
    run_id = summary.run.run_id
    judged = replace(scope.filters, states=(State.JUDGED,))
    page = answers.list_answers(store.db, run_id, judged, view=View.REVIEWED, order=scope.order, limit=limit)
    return [
        _to_shown_answer(store, get_answer_at(store, run_id, row.position), row.faithfulness)
        for row in page.rows
        if row.faithfulness is not None and row.faithfulness < 1
    ]


def _to_shown_answer(store: Store, detail: AnswerDetail, score: float) -> Mapping[str, Any]:
    claims = detail.result.claims
    samples = compared_answers.find_samples(store.db, detail.run_id, [detail.position])
    stored = compared_answers.load_claims(store.db, list(samples.values()), View.REVIEWED).get(
        samples[detail.position], []
    )
    verdicts = [claim.verdict for claim in stored[: len(claims)]]
    certainties = standing_certainties(store, detail, View.REVIEWED)
    shown: list[Mapping[str, Any]] = []
    for number, (claim, verdict, certainty) in enumerate(zip(claims, verdicts, certainties, strict=True), start=1):
        if verdict is None or (verdict is Verdict.SUPPORTED and not certainty.is_near_cut):
            continue
        place = ClaimRef(run_id=detail.run_id, row=detail.position, claim_number=number)
        lead = correction_lead(claim.correction, detail.sample.chunks) if claim.correction else ""
        shown.append(
            {
                "number": number,
                "style": style_name(verdict, certainty),
                "words": claim_verdict_words(verdict, certainty),
                "text": claim.text,
                "explanation": claim.explanation,
                "evidence": mark_evidence(claim, detail.sample),
                "mistake": mistake_words(claim),
                "correction": f"{lead}{claim.correction or ''}",
                "is_anchored": claim.is_anchored,
                "notes": read_thread(store, place, reader=None).notes,
            }
        )
    # Claims that the judge missed and reviewers added come after the judge's.
    nothing = {"evidence": (), "mistake": "", "correction": "", "is_anchored": True, "notes": ()}
    for number, missed in enumerate(stored[len(claims) :], start=len(claims) + 1):
        if missed.verdict is not None and missed.verdict is not Verdict.SUPPORTED:
            words = claim_verdict_words(missed.verdict, UNSTATED)
            told = {"text": missed.text or "", "explanation": "added by a reviewer"}
            shown.append({"number": number, "style": missed.verdict, "words": words, **told, **nothing})
    return {
        "sample": detail.sample,
        "score": score,
        "pieces": mark_claims(detail.sample.answer, claims, verdicts, certainties),
        "claims": shown,
        "suggestions": detail.result.suggestions,
    }
