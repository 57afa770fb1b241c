"""What a comparison says, in sentences made from its numbers."""

from collections.abc import Mapping, Sequence

from faithview.domain.comparison import PairRule
from faithview.domain.result import State
from faithview.domain.scoring import Interval
from faithview.services.comparison.compared_runs import Comparison
from faithview.stats.corrected_difference import CorrectedDifference
from faithview.stats.paired import PairedDifference, SegmentDifference
from faithview.wording import numbers as fmt
from faithview.wording.causes import ledger_words, why_words
from faithview.wording.comparison import places_of, places_words, segment_name

_NAMED_SEGMENTS = 3
_RULE_WORDS: Mapping[PairRule, str] = {
    PairRule.KEY: "id",
    PairRule.QUESTION: "question",
    PairRule.CONTEXT: "equal chunks",
}
# Why an answer has no score; "in both runs", "before" or "now" follows.
_UNSCORED: Mapping[str, str] = {
    State.PENDING: "not judged",
    State.NO_CLAIMS: "without claims",
    State.ABSTAINED: "abstained",
    State.EMPTY_CONTEXT: "without chunks",
    State.FAILED: "failed",
}


def compare_finding(comparison: Comparison, *, names_cause: bool = True) -> str:
    """Return the finding as one sentence in Markdown.

    Args:
        comparison: the two runs.
        names_cause: whether a rise or a fall names its cause; otherwise only how many claims broke and were fixed.
    """
    difference = comparison.difference
    if difference.mean is None:
        pairs = fmt.plural(sum(comparison.pairing.rules.values()), "pair")
        left_out = left_out_words(comparison)
        return f"**Nothing to compare:** of {pairs} of answers, none has a score in both runs ({left_out})."
    if not difference.regressed and not difference.improved:
        return f"**No answer's score changed** (n {fmt.plural(difference.pairs, 'pair')})."
    if comparison.moved_apart:
        return f"**Overall, the change could be chance:** {_differ(difference)}. {_moved_apart(comparison)}."
    is_won = difference.mean > 0
    if not comparison.is_significant:
        ledger = ledger_words(comparison.causes, is_won=is_won)
        found = f"**Not statistically significant:** {_differ(difference)}.{f' {ledger}.' if ledger else ''}"
        if difference.detectable is None:
            return found
        least, pairs = fmt.fixed(difference.detectable, 2), fmt.plural(difference.pairs, "pair")
        return f"{found} With {pairs}, a real difference of {least} would be noticed 80% of the time."
    decimals = fmt.decimals_to_tell(difference.baseline or 0.0, difference.candidate or 0.0, difference.mean)
    facts = _facts(difference, sign=1 if is_won else -1, decimals=decimals)
    moved = f"Faithfulness {_verb(difference.mean)} by **{fmt.fixed(abs(difference.mean), decimals)}** ({facts})"
    why = (why_words if names_cause else ledger_words)(comparison.causes, is_won=is_won)
    reasons = [part for part in (_where(comparison.segments, is_won=is_won), why) if part]
    return moved + (": " + "; ".join(reasons) if reasons else "") + "."


def corrected_finding(found: CorrectedDifference) -> str:
    """Return how the corrected scores of the two runs differ, in Markdown."""
    between = found.interval
    if found.is_clear and found.difference < 0:
        between = Interval(low=-between.high, high=-between.low)
    lead = "Corrected" if found.is_clear else "**Not statistically significant:** corrected"
    ends = fmt.ends(between) if found.is_clear else fmt.signed_ends(between)
    return (
        f"{lead} by spot-checks, the whole runs' faithfulness {_verb(found.difference)} by "
        f"**{fmt.fixed(abs(found.difference), 2)}** ({ends}), from {fmt.share(found.baseline)} to "
        f"{fmt.share(found.candidate)}."
    )


def figures_words(comparison: Comparison) -> str:
    """Return the counts, the rules of pairing and what was left out in one line."""
    difference = comparison.difference
    limits = fmt.thresholds(comparison.baseline.threshold, comparison.candidate.threshold)
    rules = comparison.pairing.rules
    by_rule = [f"{fmt.count(number)} by {_RULE_WORDS[rule]}" for rule, number in rules.items()]
    named = {
        "Answers": f"{fmt.count(difference.regressed)} worse · {fmt.count(difference.improved)} better · "
        f"{fmt.count(difference.unchanged)} unchanged",
        "Faithful": f"{fmt.count(comparison.no_longer_faithful)} no longer · "
        f"{fmt.count(comparison.newly_faithful)} newly ({limits})",
        "Paired": "" if set(rules) <= {PairRule.KEY} else fmt.listed(by_rule),
        "Not scored": left_out_words(comparison),
    }
    return " &nbsp; ".join(f"{name}: {words}" for name, words in named.items() if words)


def left_out_words(comparison: Comparison) -> str:
    """Return which answers no figure includes, and why; "" if none is left out."""
    pairing = comparison.pairing
    parts = [f"{fmt.count(number)} {_states(states)}" for states, number in pairing.unscored.items()]
    for alone, side in ((pairing.only_in_baseline, "before"), (pairing.only_in_candidate, "now")):
        if alone:
            parts.append(f"{fmt.count(len(alone))} only {side}")
    return ", ".join(parts)


def _states(states: str) -> str:
    before, _, after = states.partition(", ")
    if before == after:
        return f"{_UNSCORED[before]} in both runs"
    sides = [(before, "before"), (after, "now")]
    return " and ".join(f"{_UNSCORED[state]} {side}" for state, side in sides if state != State.JUDGED)


def _verb(difference: float) -> str:
    return "rose" if difference > 0 else "fell"


def _where(segments: Sequence[SegmentDifference], *, is_won: bool) -> str:
    if len(segments) < 2:
        return ""
    if places := places_of(segments):
        return places_words(places, is_won=is_won)
    return f"no segment has a significantly larger share of the {'gain' if is_won else 'loss'} than of the answers"


def _moved_apart(comparison: Comparison) -> str:
    """Return, without a stop, which segments moved although the whole did not."""
    parts = []
    for segment in comparison.moved_apart[:_NAMED_SEGMENTS]:
        size = fmt.fixed(abs(segment.difference), fmt.decimals_to_tell(segment.baseline, segment.candidate))
        facts = f"adjusted {fmt.p_value(segment.p_value_adjusted)}, n {fmt.plural(segment.rows, 'pair')}"
        parts.append(f"{segment_name(segment.segment)} {_verb(segment.difference)} by **{size}** ({facts})")
    return f"But {fmt.listed(parts)}"


def _differ(difference: PairedDifference) -> str:
    mean = difference.mean or 0.0
    if abs(mean) < 0.005:
        return f"the runs differ by less than 0.01 ({_facts(difference)})"
    return f"faithfulness {_verb(mean)} by {fmt.fixed(abs(mean), 2)} ({_facts(difference)})"


def _facts(difference: PairedDifference, *, sign: int | None = None, decimals: int = 2) -> str:
    """Return interval, p and n; with a sign the interval is that of the rise (1) or of the fall (-1)."""
    parts = [fmt.p_value(difference.p_value), f"n {fmt.plural(difference.pairs, 'pair')}"]
    if difference.interval is not None and sign is None:
        parts.insert(0, fmt.signed_ends(difference.interval))
    elif difference.interval is not None:
        low, high = sorted((sign or 1) * end for end in (difference.interval.low, difference.interval.high))
        parts.insert(0, fmt.ends(Interval(low=low, high=high), decimals=decimals))
    return ", ".join(parts)
