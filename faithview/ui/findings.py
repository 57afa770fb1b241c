"""What the numbers say, in sentences: the finding that each page begins with, and what needs attention."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from faithview.domain.claim import Verdict
from faithview.domain.result import Result, State
from faithview.domain.run import RunStatus, RunSummary, SegmentSummary
from faithview.domain.scoring import RunScore
from faithview.ui import format as fmt
from faithview.ui import nav, state
from faithview.ui.components.verdicts import STATE_SENTENCES, VERDICTS

# Fewer judged answers than this say nothing about a segment.
_MIN_SEGMENT_ROWS = 5
# Below this share of rows with an outcome a run's mean may hide as much as it shows.
_MIN_COVERAGE = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something that needs attention, in Markdown, and the page that settles it; `is_settled` if it has passed."""

    text: str
    icon: str
    action: str
    page: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    is_settled: bool = False


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


def notices(summaries: Sequence[RunSummary]) -> list[Notice]:
    """Return what needs attention, the most pressing first; runs are given newest first."""
    found: list[Notice] = []
    for summary in summaries:
        found += _run_notices(summary)
    scored = without_repeats(s for s in summaries if s.score.mean is not None)
    drops = [notice for summary in scored for notice in _drop_notices(summary, previous(summary, scored), scored[0])]
    return found + sorted(drops, key=lambda notice: notice.is_settled)


def _run_notices(summary: RunSummary) -> list[Notice]:
    run, name = summary.run, fmt.literal(summary.run.name)
    failed, pending = summary.states[State.FAILED], summary.states[State.PENDING]
    link = state.link(run.run_id)
    found = []
    if run.status is RunStatus.RUNNING:
        text = (
            f"*{name}* is running: {fmt.count(summary.rows - pending)} of {fmt.plural(summary.rows, 'answer')} judged."
        )
        found.append(Notice(text=text, icon="progress_activity", action="Watch", page=nav.UPLOAD, parameters=link))
    elif pending:
        word = fmt.STATUS_WORDS[run.status]
        text = f"*{name}* is {word}: {fmt.count(pending)} of {fmt.plural(summary.rows, 'answer')} are not judged yet."
        found.append(Notice(text=text, icon="pause_circle", action="Resume", page=nav.UPLOAD, parameters=link))
    if failed and failed / summary.rows > 1 - _MIN_COVERAGE:
        text = f"*{name}*: {fmt.count(failed)} of {fmt.plural(summary.rows, 'answer')} could not be judged."
        link = {**link, "state": "failed"}
        found.append(Notice(text=text, icon="error", action="See why", page=nav.INSPECT, parameters=link))
    return found


def _drop_notices(summary: RunSummary, before: RunSummary | None, latest: RunSummary) -> list[Notice]:
    """Return a notice for each segment that fell, or one for the run if it fell as a whole, beyond its intervals."""
    if before is None:
        return []
    name = fmt.literal(summary.run.name)
    earlier = {s.segment: s for s in before.segments}
    now = {s.segment: s for s in latest.segments}
    found = []
    for segment in summary.segments:
        old = earlier.get(segment.segment)
        if old is None or not _fell(old.score, segment.score):
            continue
        title = f"**{fmt.literal(segment.segment)}**"
        parameters = {**state.link(summary.run.run_id), "segment": segment.segment}
        current = now[segment.segment].score if segment.segment in now else None
        found.append(_drop(title, old.score, segment.score, current, name=name, parameters=parameters))
    if not found and _fell(before.score, summary.score):
        parameters = state.link(summary.run.run_id)
        found.append(_drop(f"*{name}*", before.score, summary.score, latest.score, name=None, parameters=parameters))
    return found


def _drop(
    title: str, old: RunScore, new: RunScore, now: RunScore | None, *, name: str | None, parameters: Mapping[str, str]
) -> Notice:
    """Return the notice of one fall; one that the latest run has made good is settled."""
    text = f"{title} fell from {fmt.share(old.mean)} to {fmt.score(new)}" + (f" in *{name}*" if name else "")
    has_recovered = now is not None and now.mean is not None and _fell(now, new)
    if has_recovered and now is not None:
        text = f"Recovered: {text}, and is back at {fmt.score(now)}"
    return Notice(
        text=text + ".",
        icon="trending_up" if has_recovered else "trending_down",
        action="Open",
        page=nav.INSPECT,
        parameters=parameters,
        is_settled=has_recovered,
    )


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
