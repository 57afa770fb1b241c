"""What a comparison found, in sentences made from its numbers. Pure: in Markdown, without Streamlit."""

from collections.abc import Mapping, Sequence

from faithview.domain.comparison import PairRule
from faithview.domain.result import State
from faithview.domain.scoring import Interval
from faithview.services.comparison.comparison import Comparison
from faithview.stats.paired import PairedDifference, SegmentDifference
from faithview.wording import numbers as fmt
from faithview.wording.causes import why_words
from faithview.wording.verdicts import STATE_WORDS

_NAMED_SEGMENTS = 3
_SHARES = ((0.9, "nearly all of it"), (0.6, "most of it"), (0.4, "about half of it"), (0.0, "part of it"))

RULE_WORDS: Mapping[PairRule, str] = {
    PairRule.KEY: "id",
    PairRule.EXTERNAL_ID: "external id",
    PairRule.QUESTION: "question",
    PairRule.CONTEXT: "equal chunks",
    PairRule.CONFIRMED: "a person's word",
}


def compare_finding(found: Comparison) -> str:
    """Return the sentence, in Markdown, that states what the comparison found."""
    difference = found.difference
    if difference.mean is None:
        return _no_score(found)
    if not difference.regressed and not difference.improved:
        return f"**No answer's score changed** (n {fmt.plural(difference.pairs, 'pair')})."
    if found.is_judge_noise and found.noise is not None:
        return (
            f"**No more than the judge's noise:** {_differ(difference)}. Judging the same answers again moves the "
            f"difference by up to {fmt.plus_minus(found.noise.half_width)}."
        )
    if not found.is_significant:
        return f"**No more than chance:** {_differ(difference)}.{_detectable(difference)}"
    return _change(found, difference)


def segments_by_weight(segments: Sequence[SegmentDifference], *, is_won: bool) -> list[SegmentDifference]:
    """Return the segments, those first that made most of a change in that direction."""
    return sorted(segments, key=lambda s: (-s.contribution if is_won else s.contribution, s.segment or ""))


def outcome_words(difference: PairedDifference) -> str:
    """Write how many pairs went which way."""
    return (
        f"{fmt.count(difference.regressed)} regressed · {fmt.count(difference.improved)} improved · "
        f"{fmt.count(difference.unchanged)} unchanged"
    )


def left_out_words(found: Comparison) -> str:
    """Write which answers enter no figure, and why."""
    pairing = found.pairing
    parts = [f"{fmt.count(number)} {_states(states)}" for states, number in pairing.unscored.items()]
    for number, side in ((len(pairing.only_in_baseline), "baseline"), (len(pairing.only_in_candidate), "candidate")):
        if number:
            parts.append(f"{fmt.count(number)} only in the {side}")
    return " · ".join(parts) or "nothing"


def paired_words(found: Comparison) -> str:
    """Write how the pairs were found."""
    rules = [f"{fmt.count(number)} by {RULE_WORDS[rule]}" for rule, number in found.pairing.rules.items()]
    return " · ".join(rules)


def noise_words(found: Comparison) -> str:
    """Write how far the judge alone moves the difference; how to find out where nobody knows."""
    noise = found.noise
    if noise is None:
        return "unknown: no repeats"
    flipped = "" if noise.claims_flipped is None else f", {fmt.percent(noise.claims_flipped)} of claims flip"
    return f"{fmt.plus_minus(noise.half_width)}{flipped}"


def _change(found: Comparison, difference: PairedDifference) -> str:
    mean = difference.mean or 0.0
    is_won = mean > 0
    verb = "rose" if is_won else "fell"
    text = f"Faithfulness {verb} by **{abs(mean):.2f}** ({_facts(difference, sign=1 if is_won else -1)})"
    parts = [part for part in (_where(found.segments, is_won=is_won), why_words(found.causes, is_won=is_won)) if part]
    return text + (": " + "; ".join(parts) if parts else "") + "."


def _where(segments: Sequence[SegmentDifference], *, is_won: bool) -> str:
    if len(segments) < 2:
        return ""
    telling = [
        s
        for s in segments_by_weight(segments, is_won=is_won)
        if s.is_significant and s.share_of_delta is not None and s.share_of_delta > 0
    ][:_NAMED_SEGMENTS]
    if not telling:
        return "no single segment moved beyond chance"
    share = sum(s.share_of_delta or 0.0 for s in telling)
    words = next(words for least, words in _SHARES if share >= least)
    return f"{words} in {fmt.listed([segment_name(s.segment) for s in telling])}"


def segment_name(name: str | None) -> str:
    """Return a segment's name for Markdown."""
    return f"**{fmt.literal(name)}**" if name else "answers without a segment"


def _differ(difference: PairedDifference) -> str:
    mean = difference.mean or 0.0
    by = "less than 0.01" if abs(mean) < 0.005 else f"{abs(mean):.2f}"
    verb = "differ" if abs(mean) < 0.005 else "rose" if mean > 0 else "fell"
    subject = "the runs differ" if verb == "differ" else f"faithfulness {verb}"
    return f"{subject} by {by} ({_facts(difference, sign=None)})"


def _facts(difference: PairedDifference, *, sign: int | None) -> str:
    """Write interval, p and n; with a sign the interval is that of the rise or the fall."""
    parts = []
    if difference.interval is not None:
        low, high = difference.interval.low, difference.interval.high
        if sign is None:
            parts.append(fmt.signed_ends(difference.interval))
        else:
            ends = sorted((sign * low, sign * high))
            parts.append(fmt.ends(Interval(low=ends[0], high=ends[1])))
    parts.append(fmt.p_value(difference.p_value))
    parts.append(f"n {fmt.plural(difference.pairs, 'pair')}")
    return ", ".join(parts)


def _detectable(difference: PairedDifference) -> str:
    if difference.detectable is None:
        return ""
    return f" These pairs would have shown a true difference of {difference.detectable:.2f} in 4 cases of 5."


def _no_score(found: Comparison) -> str:
    pairs = sum(found.pairing.rules.values())
    return (
        f"**Nothing to compare:** of {fmt.plural(pairs, 'pair')} of answers none has a score on both sides "
        f"({left_out_words(found)})."
    )


def _states(key: str) -> str:
    before, _, after = key.partition(", ")
    words = [STATE_WORDS[State(one)] if one in set(State) else fmt.literal(one) for one in (before, after)]
    return words[0] if before == after else f"{words[0]}, then {words[1]}"
