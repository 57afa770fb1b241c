"""The report on one run: its faithfulness, its weak spots, and the worst answers."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from faithview.domain.answer import AnswerDetail, AnswerFilter, Order, SliceKind, View
from faithview.domain.certainty import UNSTATED
from faithview.domain.claim import Claim, ClaimRef, Verdict
from faithview.domain.label import Note
from faithview.domain.result import State
from faithview.domain.run import RunSummary
from faithview.services.container import Store
from faithview.services.judge_catalogue import caution_about
from faithview.services.reports.rendering import Piece, Quoted, dots, mark_claims, mark_evidence, render
from faithview.services.results import RunTroubles, get_answer_at, get_summary, list_troubles
from faithview.services.review.corrected_score import (
    Correction,
    correct_run,
    count_settled,
    why_no_score,
)
from faithview.services.review.labels import standing_certainties
from faithview.services.review.notes import read_thread
from faithview.services.weak_spots.slices import RunSlices, find_slices
from faithview.stats.corrected_score import CorrectedScore
from faithview.stats.intervals import HEADLINE_HALF_WIDTH
from faithview.store import answers, compared_answers
from faithview.wording import numbers as fmt
from faithview.wording.corrected_score import judge_only, too_wide
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
class _Claim:
    number: int
    style: str
    words: str
    text: str
    explanation: str
    evidence: Sequence[Quoted]
    mistake: str = ""
    correction: str = ""
    is_anchored: bool = True
    notes: Sequence[Note] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    detail: AnswerDetail
    score: float | None
    answer: list[Piece]
    claims: Sequence[_Claim]


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
    view: View = View.JUDGE,
    with_texts: bool = True,
    limit: int = 50,
    scope: ReportScope = _WHOLE_RUN,
) -> str:
    """Return the report on a run as HTML.

    Args:
        store: the store.
        reference: the run's id or unique name.
        view: whose verdicts count.
        with_texts: show questions, answers, claims and chunks, not only figures.
        limit: how many of the worst answers are shown.
        scope: which answers are shown, in which order, and the page of the report.

    Raises:
        NotFound: there is no such run.
    """
    # Only the whole run has a corrected score; all other figures of that view are reviewed.
    asked, view = view, View.REVIEWED if view is View.CORRECTED else view
    summary = get_summary(store, reference, view=view)
    run_id = summary.run.run_id
    correction = correct_run(store, run_id)
    reason = why_no_score(correction) or ""
    segments = sorted((s for s in summary.segments if s.score.mean is not None), key=lambda s: s.score.mean or 0.0)
    return render(
        "run.html",
        title=summary.run.name,
        summary=summary,
        view=view,
        status=fmt.STATUS_WORDS[summary.run.status],
        sampled=[words for words in (sample_words(summary), inclusion_words(*summary.inclusion)) if words],
        coverage=coverage_words(summary),
        caution=caution_about(summary.run.judge) if summary.score.judged else "",
        states={STATE_WORDS[State(state)]: count for state, count in summary.states.items() if count},
        claim_counts={verdict: summary.claims.get(verdict.value, 0) for verdict in Verdict},
        corrected=_headline_score(correction),
        corrected_labels=correction.labels if correction is not None else 0,
        no_corrected=reason if asked is View.CORRECTED else "",
        too_wide=_too_wide(correction),
        judge_only=_judge_only(store, run_id, correction),
        segments=segments,
        segment_dots=dots(
            [(f"{s.segment} (n {fmt.count(s.score.judged)})", s.score.mean or 0.0, s.score.interval) for s in segments],
            is_difference=False,
        ),
        **_slices(find_slices(store, run_id, view=view), with_texts=with_texts),
        answers=_list_unsupported_answers(store, summary, view, scope, limit) if with_texts else [],
        **_troubles(list_troubles(store, run_id), summary, with_texts=with_texts),
        scope=scope,
        link=scope.link if scope.link and scope.link.startswith(("http://", "https://")) else None,
        with_texts=with_texts,
    )


def _troubles(troubles: RunTroubles, summary: RunSummary, *, with_texts: bool) -> dict[str, Any]:
    """Return why answers failed and what was repaired; a server's message may repeat a text, so it counts as one."""
    failed = failed_words(troubles.failed, summary.rows, len(troubles.errors)) if troubles.errors else ""
    repairs = [(repair.text, repair.answers) for repair in troubles.repairs]
    return {
        "failed": failed,
        "errors": troubles.errors if with_texts else (),
        "repaired": repaired_words(troubles.repaired, repairs) if repairs else "",
        "unchecked": [
            *(gap_words(gap.text, gap.answers) for gap in troubles.gaps[: SHOWN_GAPS if with_texts else 0]),
            *(weak_words(weak.weakness, weak.claims, weak.answers) for weak in troubles.weak),
        ],
    }


def _slices(slices: RunSlices, *, with_texts: bool) -> dict[str, Any]:
    """Return the lines on low slices, without words of the run's texts if the report has no texts."""
    return {
        "low_slices": [
            (
                plain_slice(low.definition)
                if with_texts or low.definition.kind is not SliceKind.QUESTION
                else "A word of the questions",
                slice_figures(low.figures),
            )
            for low in slices.slices
        ],
        "looked_at": looked_at(slices.answers, slices.tested),
        "no_slice": nothing_found(slices.answers, slices.tested),
    }


def _headline_score(correction: Correction | None) -> CorrectedScore | None:
    if correction is None or not correction.is_headline or not isinstance(correction.score, CorrectedScore):
        return None
    return correction.score


def _judge_only(store: Store, run_id: str, correction: Correction | None) -> str:
    check = None if correction is None else correction.check.name
    in_check = 0 if correction is None else correction.labels
    return judge_only(labelled=count_settled(store, run_id), check=check, in_check=in_check)


def _too_wide(correction: Correction | None) -> str:
    if correction is None or correction.is_headline or not isinstance(correction.score, CorrectedScore):
        return ""
    interval, needed = correction.score.corrected.interval, correction.headline_needed
    return too_wide(
        interval,
        labels=correction.labels,
        more=needed or 0,
        half_width=HEADLINE_HALF_WIDTH,
        sampling_half_width=correction.score.sampling_half_width,
    )


def _list_unsupported_answers(
    store: Store, summary: RunSummary, view: View, scope: ReportScope, limit: int
) -> list[_Answer]:
    """Return the judged answers of the scope that are not fully supported."""
    run_id = summary.run.run_id
    judged = replace(scope.filters, states=(State.JUDGED,))
    page = answers.list_answers(store.db, run_id, judged, view=view, order=scope.order, limit=limit)
    shown = []
    for row in page.rows:
        if row.faithfulness is None or row.faithfulness >= 1:
            continue
        detail = get_answer_at(store, run_id, row.position)
        shown.append(_to_shown_answer(store, detail, row.faithfulness, view))
    return shown


def _to_shown_answer(store: Store, detail: AnswerDetail, score: float, view: View) -> _Answer:
    claims = detail.result.claims
    samples = compared_answers.find_samples(store.db, detail.run_id, [detail.position])
    stored = compared_answers.load_claims(store.db, list(samples.values()), view).get(samples[detail.position], [])
    verdicts = [claim.verdict for claim in stored[: len(claims)]]
    certainties = standing_certainties(store, detail, view)
    judged = [
        _Claim(
            number=number,
            style=style_name(verdict, certainty),
            words=claim_verdict_words(verdict, certainty),
            text=claim.text,
            explanation=claim.explanation,
            evidence=mark_evidence(claim, detail.sample),
            mistake=mistake_words(claim),
            correction=_correction(claim, detail),
            is_anchored=claim.is_anchored,
            notes=_load_notes(store, detail, number),
        )
        for number, (claim, verdict, certainty) in enumerate(zip(claims, verdicts, certainties, strict=True), start=1)
        if verdict is not None and (verdict is not Verdict.SUPPORTED or certainty.is_near_cut)
    ]
    # Claims that the judge missed and reviewers added come after the judge's.
    missed = [
        _Claim(
            number=number,
            style=claim.verdict,
            words=claim_verdict_words(claim.verdict, UNSTATED),
            text=claim.text or "",
            explanation="added by a reviewer",
            evidence=[],
        )
        for number, claim in enumerate(stored[len(claims) :], start=len(claims) + 1)
        if claim.verdict is not None and claim.verdict is not Verdict.SUPPORTED
    ]
    return _Answer(
        detail=detail,
        score=score,
        answer=mark_claims(detail.sample.answer, claims, verdicts, certainties),
        claims=[*judged, *missed],
    )


def _correction(claim: Claim, detail: AnswerDetail) -> str:
    if not claim.correction:
        return ""
    return f"{correction_lead(claim.correction, detail.sample.chunks)}{claim.correction}"


def _load_notes(store: Store, detail: AnswerDetail, number: int) -> Sequence[Note]:
    place = ClaimRef(run_id=detail.run_id, row=detail.position, claim_number=number)
    return read_thread(store, place, reader=None).notes
