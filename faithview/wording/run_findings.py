"""What the numbers say, in sentences: the finding that each page begins with."""

from collections import Counter
from collections.abc import Iterable, Sequence

from faithview.domain.claim import Verdict
from faithview.domain.result import Result, State
from faithview.domain.run import RunSummary, SegmentSummary
from faithview.domain.scoring import RunScore
from faithview.wording import numbers as fmt
from faithview.wording.verdicts import STATE_SENTENCES, VERDICTS

# Fewer judged answers than this say nothing about a segment.
_MIN_SEGMENT_ROWS = 5


def run_finding(summary: RunSummary) -> str:
    """Return the sentence, in Markdown, that states what a run found."""
    total = sum(summary.claims.values())
    if summary.score.mean is None:
        return _no_score(summary)
    unsupported = total - summary.claims[Verdict.SUPPORTED]
    if not unsupported:
        return f"Every one of the {fmt.plural(total, 'claim')} is supported by its chunks."
    contradicted = summary.claims[Verdict.CONTRADICTED]
    rate = fmt.percent(unsupported / total)
    text = f"{fmt.count(unsupported)} of {fmt.plural(total, 'claim')} ({rate}) are not supported"
    if contradicted:
        text += f", {fmt.count(contradicted)} of them contradicted by the chunks"
    weakest = weakest_segment(summary)
    if weakest is not None:
        text += f". Weakest segment: **{fmt.literal(weakest.segment)}**, {fmt.score(weakest.score)}"
    return text + "."


def weakest_segment(summary: RunSummary) -> SegmentSummary | None:
    """Return the segment whose whole interval lies below the run's mean, the lowest of them; None if there is none."""
    mean = summary.score.mean
    below = [
        s
        for s in summary.segments
        if mean is not None
        and s.score.mean is not None
        and s.score.judged >= _MIN_SEGMENT_ROWS
        and s.score.interval is not None
        and s.score.interval.high < mean
    ]
    return min(below, key=lambda s: s.score.mean or 0.0, default=None)


def overview_finding(summaries: Sequence[RunSummary]) -> str:
    """Return the sentence, in Markdown, that says how things stand; the newest run comes first."""
    scored = without_repeats(s for s in summaries if s.score.mean is not None)
    if not scored:
        return "No run has a score yet."
    latest = scored[0]
    before = previous(latest, scored)
    text = f"Faithfulness stands at **{fmt.score(latest.score)}** in *{fmt.literal(latest.run.name)}*"
    if before is None or before.score.mean is None or latest.score.mean is None:
        return text + "."
    change = latest.score.mean - before.score.mean
    if _intervals_overlap(latest, before):
        difference = fmt.change(before.score.mean, latest.score.mean)
        if difference == "0.00":
            return f"{text}, as in the run before."
        return f"{text}; the difference of {difference} to the run before is within the two runs' intervals."
    verb = "up" if change > 0 else "down"
    return f"{text}, {verb} by **{abs(change):.2f}** against the run before ({fmt.score(before.score)})."


def previous(run: RunSummary, summaries: Sequence[RunSummary]) -> RunSummary | None:
    """Return the newest scored run before this one that the same judge judged; runs are given newest first."""
    older = [
        s
        for s in without_repeats(summaries)
        if s.run.as_of < run.run.as_of and s.run.fingerprint == run.run.fingerprint
    ]
    return next((s for s in older if s.score.mean is not None), None)


def without_repeats(summaries: Iterable[RunSummary]) -> list[RunSummary]:
    """Return the runs that do not judge another one's answers again: repeats show a judge's noise, not a change."""
    return [s for s in summaries if s.run.repeat_of is None]


def _no_score(summary: RunSummary) -> str:
    if summary.states[State.PENDING]:
        return f"No answer is judged yet; {fmt.plural(summary.states[State.PENDING], 'answer')} are waiting."
    return f"None of the {fmt.plural(summary.rows, 'answer')} has a score: {fmt.left_out(summary.states)}."


def _fell(old: RunScore, new: RunScore) -> bool:
    """Return whether the new interval lies wholly below the old one: a careful reading of a fall."""
    return old.interval is not None and new.interval is not None and new.interval.high < old.interval.low


def _intervals_overlap(first: RunSummary, second: RunSummary) -> bool:
    return not (_fell(first.score, second.score) or _fell(second.score, first.score))


def result_finding(result: Result) -> str:
    """Return the sentence, in Markdown, that states the verdict on one answer."""
    if result.state is not State.JUDGED or result.faithfulness is None:
        return f"**{STATE_SENTENCES[result.state]}**"
    total = fmt.plural(len(result.claims), "claim")
    counts = Counter(result.verdicts)
    bad = [f"{counts[v]} {VERDICTS[v].word}" for v in Verdict if v is not Verdict.SUPPORTED and counts[v]]
    if not bad:
        return f"**Faithful:** every claim ({len(result.claims)}) is supported by the chunks."
    lead = "Faithful" if result.is_faithful else "Not faithful"
    return f"**{lead}:** of {total}, {' and '.join(bad)}. Faithfulness {fmt.share(result.faithfulness)}."
