"""A judged answer and a run as lines of plain text, as `faithview check`, `faithview show` and `print` write them."""

from collections import Counter

from faithview.domain.claim import Claim, Verdict
from faithview.domain.result import Result, State
from faithview.domain.run import RunSummary
from faithview.domain.sample import Sample
from faithview.wording import numbers as fmt
from faithview.wording.evidence import NOT_ANCHORED, mistake_words
from faithview.wording.live import sample_words
from faithview.wording.quotations import correction_lead
from faithview.wording.run_findings import coverage_words, faithful_word, unsupported_words
from faithview.wording.verdicts import STATE_WORDS, claim_verdict_words, count_words, sentence_without_claims


def answer_lines(result: Result, sample: Sample) -> list[str]:
    """Return the score and the claims of an answer, with verdicts, reasons and quotes."""
    verdict = f"{faithful_word(result)}, " if result.is_faithful is not None else ""
    claims = unsupported_words(Counter(result.verdicts))
    lines = [f"{result.state.value}: {verdict}faithfulness {fmt.share(result.faithfulness)}, {claims}"]
    if result.error:
        lines.append(f"  {result.error}")
    elif not result.claims:
        lines.append(f"  {sentence_without_claims(result)}")
    for number, claim in enumerate(result.claims, start=1):
        cited = f"  [{', '.join(claim.supporting_chunk_ids)}]" if claim.supporting_chunk_ids else ""
        words = claim_verdict_words(claim.verdict, claim.confidence)
        lines.append(f"{number:3d}  {words:<28}  {claim.text}{cited}")
        lines += [f"{'':35}{text}" for text in _reasons(claim, sample)]
    lines += [f"  {name}: {fmt.share(value)}" for name, value in result.metrics.items()]
    lines += [f"  remark: {text}" for text in result.suggestions]
    lines += [f"  warning: {text}" for text in result.warnings]
    return lines


def run_lines(summary: RunSummary, caution: str = "") -> list[str]:
    """Return the figures of a run; `caution` says how often its judge is wrong, "" where that was not measured."""
    run = summary.run
    states = ", ".join(f"{fmt.count(summary.states[s])} {STATE_WORDS[s]}" for s in State if summary.states.get(s))
    claims = count_words({Verdict(verdict): count for verdict, count in summary.claims.items()})
    bounds = summary.score.bounds
    lines = [
        f"{run.name} ({run.run_id}), {fmt.STATUS_WORDS[run.status]}, judge {run.judge.name}",
        f"  series        {run.series}{', archived' if run.archived_at else ''}",
        f"  faithfulness  {fmt.score(summary.score)}, weighted {fmt.share(summary.weighted)}",
        f"  answers       {summary.rows}: {states}",
        f"  coverage      {coverage_words(summary)}",
        *_faithful_lines(summary),
        f"  claims        {sum(summary.claims.values())}: {claims}",
    ]
    if (drawn := sample_words(summary)) is not None:
        lines.append(f"  logged        {drawn}")
    if run.texts_deleted_at is not None:
        lines.append(f"  texts         deleted on {fmt.day(run.texts_deleted_at)}; the scores stay")
    if caution:
        lines.append(f"  caution       {caution}")
    if run.note:
        lines.append(f"  note          {' '.join(run.note.split())}")
    if bounds is not None and summary.score.unscored:
        lines.append(f"  bounds        {fmt.ends(bounds)} if the answers without a score counted as 0 or as 1")
    return lines


def _faithful_lines(summary: RunSummary) -> list[str]:
    judged = summary.score.judged
    if not judged:
        return []
    threshold = fmt.thresholds(summary.run.threshold)
    return [f"  faithful      {summary.faithful_rows} of {judged} judged answers ({threshold})"]


def _reasons(claim: Claim, sample: Sample) -> list[str]:
    """Return what the judge gives as its reasons, and which of its quotes are not where it says."""
    reasons = [] if claim.is_anchored else [NOT_ANCHORED]
    mistake = mistake_words(claim)
    if mistake or claim.explanation:
        reasons.append(f"{mistake}. {claim.explanation}".rstrip() if mistake else claim.explanation)
    for item in claim.evidence:
        words = " ".join(item.quote.split())
        reasons.append(
            f"[{item.chunk_id}] “{words}”" if item.is_verified else f"[{item.chunk_id}] not found: “{words}”"
        )
    if claim.correction:
        reasons.append(f"{correction_lead(claim.correction, sample.chunks)}{claim.correction}")
    return reasons
