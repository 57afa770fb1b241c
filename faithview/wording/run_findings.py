"""What the numbers of a run say, in sentences: the findings at the top of pages."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from faithview.domain.claim import Verdict
from faithview.domain.result import Result, State
from faithview.domain.run import RunSummary, SegmentSummary
from faithview.domain.scoring import RunScore
from faithview.domain.series import has_trend
from faithview.domain.views import View
from faithview.stats.conventions import ALPHA
from faithview.stats.low_parts import low_part_p_values
from faithview.wording import numbers as fmt
from faithview.wording.verdicts import STATE_SENTENCES, STATE_WORDS, VERDICTS, is_unsure

if TYPE_CHECKING:
    from faithview.stats.trend_steps import StepTest

# With fewer judged answers a segment is not named.
_MIN_SEGMENT_ROWS = 5


def run_finding(summary: RunSummary) -> str:
    """Return the sentence, in Markdown, on the claims of a run and its weakest segment."""
    total = sum(summary.claims.values())
    if summary.score.mean is None:
        return _no_score(summary)
    if not total:
        low = (
            f" {fmt.count(summary.faithful_rows)} of {fmt.plural(summary.score.judged, 'answer')} reach the threshold."
        )
        return f"The scores were given without claims, so no claim says what is wrong.{low}"
    unsupported = total - summary.claims[Verdict.SUPPORTED]
    if not unsupported:
        return f"The chunks support all of the {fmt.plural(total, 'claim')}."
    contradicted = summary.claims[Verdict.CONTRADICTED]
    rate = fmt.percent(unsupported / total)
    are = fmt.verb(unsupported, "is", "are")
    text = f"{fmt.count(unsupported)} of {fmt.plural(total, 'claim')} ({rate}) {are} not fully supported"
    if contradicted:
        text += f"; the chunks contradict {fmt.count(contradicted)} of them"
    weakest = weakest_segment(summary)
    if weakest is not None:
        text += f". Weakest segment: **{fmt.literal(weakest.segment)}**, {fmt.score(weakest.score)}"
    return text + "."


def shared_finding(summary: RunSummary, *, score: RunScore | None = None, whose: str = "") -> str:
    """Return the finding of a run, in Markdown, for somebody who does not see the run: with its name and score.

    Args:
        summary: the run.
        score: the score to name; None is the summary's.
        whose: the word for that score, "corrected" for example; "" leaves it out.
    """
    named = score or summary.score
    kind = f"{whose} faithfulness" if whose else "faithfulness"
    words = "" if named.mean is None else f" {kind} {fmt.score(named)}."
    return f"*{fmt.literal(summary.run.name)}*:{words} {run_finding(summary)}"


def weakest_segment(summary: RunSummary) -> SegmentSummary | None:
    """Return the lowest of the segments that score lower than the run by more than chance; None if there is none.

    The more segments a run has, the lower the lowest one is by chance, so p allows for their number
    (`stats.low_parts`).
    """
    tried = [s for s in summary.segments if s.score.judged >= _MIN_SEGMENT_ROWS]
    p_values = low_part_p_values(summary.score, [s.score for s in tried])
    below = [s for s, p in zip(tried, p_values, strict=True) if p is not None and p < ALPHA]
    return min(below, key=lambda s: s.score.mean or 0.0, default=None)


def coverage_words(summary: RunSummary) -> str:
    """Return which share of the answers that should have a verdict has one: "75% (30 of 40 answers)"."""
    if summary.coverage is None:
        return "– (no answer needs a verdict)"
    judged = summary.states.get(State.JUDGED, 0)
    return f"{fmt.percent(summary.coverage)} ({fmt.count(judged)} of {fmt.plural(summary.wanted, 'answer')})"


def overview_finding(
    summaries: Sequence[RunSummary], step: "StepTest | None" = None, *, view: View = View.JUDGE, unlike: str = ""
) -> str:
    """Return the sentence, in Markdown, on the newest run and its change.

    Args:
        summaries: the runs with their scores, newest first.
        step: the test of the change from the previous run; None where it cannot be tested.
        view: whose verdicts the scores go by. Not every run has a corrected score, so the run before is named there.
        unlike: how the two runs' labels differ, where they are not labelled alike: labels alone may make the change
            then, so none is named.
    """
    latest = latest_scored(summaries)
    if latest is None:
        return "No run has a score yet."
    before = previous(latest, summaries)
    name = fmt.literal(latest.run.name)
    if before is None or before.score.mean is None or latest.score.mean is None:
        return f"Faithfulness is **{fmt.score(latest.score)}** in *{name}*."
    earlier = "the previous run"
    if view is View.CORRECTED:
        earlier = f"*{fmt.literal(before.run.name)}*, the last corrected run"
    delta = latest.score.mean - before.score.mean if step is None else step.delta
    if step is None or step.p_value >= ALPHA:
        text = f"Faithfulness is **{fmt.score(latest.score)}** in *{name}*"
        if unlike:
            return (
                f"{text}. It cannot be compared with {earlier}, because labels alone may make a difference: {unlike}."
            )
        if fmt.signed(delta) == "0.00":
            return f"{text}, the same as in {earlier}."
        if step is not None:
            return f"{text}, {fmt.signed(delta)} from {earlier} ({_step_facts(step)}), which could be chance."
        return f"{text}, {fmt.signed(delta)} from {earlier}. {_untested(before.score, latest.score)}"
    decimals = fmt.decimals_to_tell(before.score.mean, latest.score.mean, delta)
    verb = "up" if delta > 0 else "down"
    return (
        f"Faithfulness is **{fmt.score(latest.score, decimals=decimals)}** in *{name}*, {verb} by "
        f"**{fmt.fixed(abs(delta), decimals)}** from {earlier} ({fmt.score(before.score, decimals=decimals)}; "
        f"{_step_facts(step)})."
    )


def latest_scored(summaries: Sequence[RunSummary]) -> RunSummary | None:
    """Return the newest run with a score that repeats no other; runs are given newest first."""
    return next((s for s in without_repeats(summaries) if s.score.mean is not None), None)


def previous(run: RunSummary, summaries: Sequence[RunSummary]) -> RunSummary | None:
    """Return the newest earlier run of its series with a score by the same judge; runs are given newest first."""
    if not has_trend(run.run.series):
        return None
    older = [
        s
        for s in without_repeats(summaries)
        if s.run.is_before(run.run) and (s.run.series, s.run.fingerprint) == (run.run.series, run.run.fingerprint)
    ]
    return next((s for s in older if s.score.mean is not None), None)


def without_repeats(summaries: Iterable[RunSummary]) -> list[RunSummary]:
    """Return the runs without repeats, which show a judge's noise and not a change."""
    return [s for s in summaries if s.run.repeat_of is None]


def _no_score(summary: RunSummary) -> str:
    if summary.states[State.PENDING]:
        return f"No answer is judged yet; {fmt.plural(summary.states[State.PENDING], 'answer')} to go."
    return f"None of the {fmt.plural(summary.rows, 'answer')} has a score: {fmt.left_out(summary.states)}."


def _step_facts(step: "StepTest") -> str:
    pairs = "" if step.pairs is None else f", n {fmt.plural(step.pairs, 'pair')}"
    return f"{fmt.p_value(step.p_value)}{pairs}"


def _untested(old: RunScore, new: RunScore) -> str:
    """Return what two scores say where no test could be made."""
    if old.interval is None or new.interval is None:
        return "There are too few questions to tell whether that is chance."
    if new.interval.high < old.interval.low or old.interval.high < new.interval.low:
        return "The two intervals do not overlap."
    return "The two intervals overlap, so that could be chance."


def result_finding(result: Result) -> str:
    """Return the sentence, in Markdown, that states the verdict on one answer."""
    if result.state is not State.JUDGED or result.faithfulness is None:
        return f"**{STATE_SENTENCES[result.state]}**"
    if result.is_scored_without_claims:
        lead = faithful_word(result).capitalize()
        score = fmt.share(result.faithfulness)
        return f"**{lead}:** scored {score} without claims, so no claim says what is wrong."
    counts = Counter(result.verdicts)
    bad = [f"{counts[v]} {VERDICTS[v].word}" for v in Verdict if v is not Verdict.SUPPORTED and counts[v]]
    if not bad:
        unsure = sum(is_unsure(claim.confidence) for claim in result.claims)
        every = f"every claim ({len(result.claims)}) is supported by the chunks"
        if unsure:
            return f"**Probably faithful:** {every}, {fmt.count(unsure)} of them only probably."
        return f"**Faithful:** {every}."
    lead = faithful_word(result).capitalize()
    score = f"Faithfulness {fmt.share(result.faithfulness)}"
    return f"**{lead}:** {unsupported_words(counts)} ({fmt.listed(bad)}). {score}."


def unsupported_words(counts: Mapping[Verdict, int]) -> str:
    """Return how many claims are not supported, from counts by verdict: "1 of 5 claims is not supported".

    "not fully supported" where one of them is supported in part, and "all 5 claims are supported" where none is wrong;
    "no claims" where there is none.
    """
    total = sum(counts.values())
    bad = total - counts.get(Verdict.SUPPORTED, 0)
    if not total:
        return "no claims"
    if not bad:
        return f"all {fmt.plural(total, 'claim')} are supported" if total > 1 else "its one claim is supported"
    how = "not fully supported" if counts.get(Verdict.PARTIALLY_SUPPORTED) else "not supported"
    return f"{fmt.count(bad)} of {fmt.plural(total, 'claim')} {fmt.verb(bad, 'is', 'are')} {how}"


def faithful_word(result: Result) -> str:
    """Return "faithful" or "not faithful"; the word for the answer's state where it has no score."""
    if result.is_faithful is None:
        return STATE_WORDS[result.state]
    return "faithful" if result.is_faithful else "not faithful"
