"""What a run's numbers say, in sentences: findings, what went wrong, how often the judge errs, and results as text."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from faithview.domain.claim import Claim, Verdict
from faithview.domain.result import Result, State, Weakness, weakness_warning
from faithview.domain.run import JudgeErrors, RunSummary, SegmentSummary
from faithview.domain.sample import Sample
from faithview.domain.series import has_trend
from faithview.stats.intervals import ALPHA
from faithview.stats.multiple_tests import low_part_p_values
from faithview.wording import numbers as fmt
from faithview.wording.live import sample_words
from faithview.wording.verdict_styles import (
    CHECK_STYLE,
    NOT_ANCHORED,
    STATE_SENTENCES,
    STATE_WORDS,
    VERDICTS,
    claim_verdict_words,
    correction_lead,
    count_words,
    is_unsure,
    mistake_words,
    sentence_without_claims,
)

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
        return f"The scores came without claims, so no claim shows what is wrong.{low}"
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


def weakest_segment(summary: RunSummary) -> SegmentSummary | None:
    """Return the lowest of the segments that score significantly lower than the run; None if there is none.

    The more segments a run has, the lower the lowest one is by chance, so p allows for their number
    (`stats.multiple_tests`).
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


def change_words(before: RunSummary, latest: RunSummary, name: str, step: "StepTest | None") -> str:
    """Return in a few words how the newest score differs from the one before: "no significant change since w45".

    Args:
        before: the run before.
        latest: the newest run.
        name: what the run before is called, short.
        step: the test of the change; None if it cannot be tested.
    """
    if before.score.mean is None or latest.score.mean is None or step is None:
        return f"change since {name} not tested"
    if step.p_value >= ALPHA:
        return f"no significant change since {name}"
    decimals = fmt.decimals_to_tell(before.score.mean, latest.score.mean, step.delta)
    return f"{fmt.signed(step.delta, decimals=decimals)} since {name}"


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
    near = sum(certainty.is_near_cut for certainty in result.certainties)
    check = f"check {fmt.verb(near, 'it', 'them')}"
    if not bad:
        unsure = sum(is_unsure(claim.confidence) for claim in result.claims)
        every = f"every claim ({len(result.claims)}) is supported by the chunks"
        if near:
            return f"**Probably faithful:** {every}, {fmt.count(near)} of them only just: {check}."
        if unsure:
            return f"**Probably faithful:** {every}, {fmt.count(unsure)} of them only probably."
        return f"**Faithful:** {every}."
    lead = faithful_word(result).capitalize()
    score = f"Faithfulness {fmt.share(result.faithfulness)}"
    others = f" {fmt.count(near)} more {fmt.verb(near, 'is', 'are')} only just supported: {check}." if near else ""
    return f"**{lead}:** {unsupported_words(counts)} ({fmt.listed(bad)}). {score}.{others}"


def unsupported_words(counts: Mapping[Verdict, int], *, to_check: int = 0) -> str:
    """Return how many claims are not supported, from counts by verdict: "1 of 5 claims is not supported".

    "not fully supported" where one of them is supported in part, and "all 5 claims are supported" where none is wrong;
    "no claims" where there is none. ", 2 to check" follows if two are only just supported.
    """
    check = f", {fmt.count(to_check)} to check" if to_check else ""
    total = sum(counts.values())
    bad = total - counts.get(Verdict.SUPPORTED, 0)
    if not total:
        return "no claims"
    if not bad:
        supported = f"all {fmt.plural(total, 'claim')} are supported" if total > 1 else "its one claim is supported"
        return f"{supported}{check}"
    how = "not fully supported" if counts.get(Verdict.PARTIALLY_SUPPORTED) else "not supported"
    return f"{fmt.count(bad)} of {fmt.plural(total, 'claim')} {fmt.verb(bad, 'is', 'are')} {how}{check}"


def faithful_word(result: Result) -> str:
    """Return "faithful" or "not faithful"; the word for the answer's state where it has no score."""
    if result.is_faithful is None:
        return STATE_WORDS[result.state]
    return "faithful" if result.is_faithful else "not faithful"


# The most kinds of missing data that a page shows.
SHOWN_GAPS = 3


def failed_words(failed: int, rows: int, kinds: int) -> str:
    """Write how many answers failed: "3 of 120 answers could not be judged, with 2 different errors"."""
    text = f"{fmt.count(failed)} of {fmt.plural(rows, 'answer')} could not be judged"
    return text if kinds == 1 else f"{text}, with {fmt.count(kinds)} different errors"


def repaired_words(repaired: int, repairs: Sequence[tuple[str, int]]) -> str:
    """Write in how many answers replies were repaired, and how: "in 12 answers: a value was … (12)"."""
    listed = "; ".join(f"{text} ({fmt.count(answers)})" for text, answers in repairs)
    return f"in {fmt.plural(repaired, 'answer')}: {listed}"


def gap_words(text: str, answers: int) -> str:
    """Write what is missing from judged answers: "No relevance figures: it broke. (2 answers)"."""
    return f"{text} ({fmt.plural(answers, 'answer')})"


def weak_words(weakness: Weakness, claims: int, answers: int) -> str:
    """Write what of a run a reader cannot check: "In 2 answers, the words of 3 claims were not found …"."""
    sentence = weakness_warning(weakness, claims)
    return f"In {fmt.plural(answers, 'answer')}, {sentence[:1].lower()}{sentence[1:]}"


def retry_words(run_id: str) -> str:
    """Write what judges failed answers again."""
    return f"`faithview resume {run_id} --retry-failed` judges them again"


def noise_words(
    repeats: int, answers: int, claims_flipped: float | None, answers_moved: float, half_width: float
) -> str:
    """Write what judging the same answers again changed."""
    flipped = "" if claims_flipped is None else f"the support of {fmt.percent(claims_flipped)} of the claims and "
    return (
        f"{fmt.plural(answers, 'answer')} judged {repeats} times: {flipped}the score of {fmt.percent(answers_moved)} "
        "of the answers changed between repeats. By that alone, two runs differ by up to "
        f"{fmt.fixed(half_width, 3)} in 95 of 100 cases"
    )


NOT_CORRECT = "Faithful is not the same as correct."


def how_counted(errors: JudgeErrors) -> str:
    """Return what the figures of `often_wrong` were counted on."""
    return (
        f"Counted on {fmt.plural(errors.answers, 'answer')} about documentation. Their errors are marked, and nothing "
        "in the judge was fitted to them (docs/judges.md). An error is caught if its claim is not called supported; "
        "a claim that the chunks do support is flagged if the judge does not call it supported."
    )


def what_to_check(errors: JudgeErrors | None) -> str:
    """Return what "check this" means, in plain text, and how often such claims are wrong, where that was measured."""
    means = f"Check this: {CHECK_STYLE.note[0].lower()}{CHECK_STYLE.note[1:]}"
    if errors is None or not errors.near_cut:
        return means
    near, sure = errors.near_cut_wrong / errors.near_cut, errors.surely_supported_wrong / errors.surely_supported
    return (
        f"{means} On documentation {fmt.percent(near)} of such claims are wrong (n {fmt.count(errors.near_cut)}), and "
        f"{fmt.percent(sure)} of the others that it calls supported (n {fmt.count(errors.surely_supported)})."
    )


def often_wrong(errors: JudgeErrors, *, is_default: bool) -> str:
    """Return the sentence on how often a judge is wrong on documentation, in plain text with each n.

    Args:
        errors: what was counted, with the settings that the verdict was given with.
        is_default: whether it is the default judge; otherwise it is the default judge's rules alone.
    """
    who, catches, questions = (
        ("The default judge is", "it catches", "flags") if is_default else ("The rules alone are", "they catch", "flag")
    )
    return (
        f"{who} often wrong: on documentation {catches} {fmt.percent(errors.caught)} of the errors "
        f"(n {fmt.count(errors.errors)}) and {questions} {fmt.percent(errors.alarms)} of the supported claims "
        f"(n {fmt.count(errors.right_claims)})."
    )


def with_source(caution: str) -> str:
    """Return such a sentence with the page of the documentation that explains it; "" stays empty."""
    return f"{caution} See docs/judges.md." if caution else ""


def answer_lines(result: Result, sample: Sample) -> list[str]:
    """Return the score and the claims of an answer, with verdicts, reasons and quotes."""
    verdict = f"{faithful_word(result)}, " if result.is_faithful is not None else ""
    near = sum(certainty.is_near_cut for certainty in result.certainties)
    claims = unsupported_words(Counter(result.verdicts), to_check=near)
    lines = [f"{result.state.value}: {verdict}faithfulness {fmt.share(result.faithfulness)}, {claims}"]
    if result.error:
        lines.append(f"  {result.error}")
    elif not result.claims:
        lines.append(f"  {sentence_without_claims(result)}")
    for number, (claim, certainty) in enumerate(zip(result.claims, result.certainties, strict=True), start=1):
        cited = f"  [{', '.join(claim.supporting_chunk_ids)}]" if claim.supporting_chunk_ids else ""
        words = claim_verdict_words(claim.verdict, certainty)
        lines.append(f"{number:3d}  {words:<28}  {claim.text}{cited}")
        lines += [f"{'':35}{text}" for text in claim_reasons(claim, sample)]
    lines += [f"  {name}: {fmt.share(value)}" for name, value in result.metrics.items()]
    lines += [f"  remark: {text}" for text in result.suggestions]
    lines += [f"  warning: {text}" for text in result.warnings]
    return lines


def run_lines(summary: RunSummary, caution: str = "") -> list[str]:
    """Return the figures of a run; `caution` says how often its judge is wrong, "" if that was not measured."""
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
        *([f"  decided by    {decided_words(summary)}"] if summary.decided_by else []),
    ]
    if (drawn := sample_words(summary)) is not None:
        lines.append(f"  logged        {drawn}")
    if caution:
        lines.append(f"  caution       {caution}")
    if run.note:
        lines.append(f"  note          {' '.join(run.note.split())}")
    if bounds is not None and summary.score.unscored:
        lines.append(f"  bounds        {fmt.ends(bounds)} if the answers without a score counted as 0 or as 1")
    return lines


def decided_words(summary: RunSummary) -> str:
    """Return which judge of a cascade decided how many claims: "embedded 210 (70%), …"; "" for another judge."""
    total = sum(summary.decided_by.values())
    return ", ".join(
        f"{judge} {fmt.count(claims)} ({fmt.percent(claims / total)})" for judge, claims in summary.decided_by.items()
    )


def _faithful_lines(summary: RunSummary) -> list[str]:
    judged = summary.score.judged
    if not judged:
        return []
    threshold = fmt.thresholds(summary.run.threshold)
    return [f"  faithful      {summary.faithful_rows} of {judged} judged answers ({threshold})"]


def claim_reasons(claim: Claim, sample: Sample) -> list[str]:
    """Return what the judge gives as its reasons, and which of its quotes are not where it says."""
    reasons = [] if claim.is_anchored else [NOT_ANCHORED]
    mistake = mistake_words(claim)
    if mistake or claim.explanation:
        reasons.append(f"{mistake}. {claim.explanation}".rstrip() if mistake else claim.explanation)
    lead = "" if claim.grounds else "nearest passage: "
    for item in claim.evidence:
        words = " ".join(item.quote.split())
        reasons.append(f"[{item.chunk_id}] {lead if item.is_verified else 'not found: '}“{words}”")
    if claim.correction:
        reasons.append(f"{correction_lead(claim.correction, sample.chunks)}{claim.correction}")
    if claim.decided_by:
        reasons.append(f"Decided by {claim.decided_by}.")
    return reasons
