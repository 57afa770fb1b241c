"""The result of a comparison in sentences made from its numbers: cautions, the finding, the next step, the tests."""

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from faithview.domain.comparison import PairRule
from faithview.domain.errors import FaithViewError
from faithview.domain.result import State
from faithview.domain.scoring import Interval
from faithview.services.comparison.compare import compare_runs
from faithview.services.comparison.compared_runs import ChangeFilter, Comparison, Shown
from faithview.services.comparison.run_differences import compare_settings, differences_words
from faithview.services.container import Store
from faithview.services.knowledge.changes import has_update
from faithview.services.reports import ReportFormat
from faithview.services.reports.comparison_report import report_comparison
from faithview.stats.corrected_difference import CorrectedDifference
from faithview.stats.paired import PairedDifference, SegmentDifference
from faithview.ui import opened_store, page_addresses
from faithview.ui.changes.compared_runs import Chosen, default_words
from faithview.ui.widgets.downloads import report_download
from faithview.ui.widgets.first_line import FirstLine
from faithview.ui.widgets.run_menu import judge_again_button
from faithview.wording import numbers as fmt
from faithview.wording.causes import ledger_words, why_words
from faithview.wording.comparison import places_of, places_words, segment_name
from faithview.wording.figure_help import FAITHFUL_IN_RUN

_NAMED_SEGMENTS = 3

# Why an answer has no score: on both sides, and on one side before "before" or "now".
_TWICE: Mapping[str, str] = {
    State.PENDING: "not judged yet",
    State.NO_CLAIMS: "without claims in both runs",
    State.ABSTAINED: "abstained in both runs",
    State.EMPTY_CONTEXT: "without chunks in both runs",
    State.FAILED: "failed in both runs",
}
_ONCE: Mapping[str, str] = {
    State.PENDING: "not judged",
    State.NO_CLAIMS: "claimed nothing",
    State.ABSTAINED: "abstained",
    State.EMPTY_CONTEXT: "had no chunks",
    State.FAILED: "failed",
}

RULE_WORDS: Mapping[PairRule, str] = {
    PairRule.KEY: "id",
    PairRule.QUESTION: "question",
    PairRule.CONTEXT: "equal chunks",
}


def compare_finding(comparison: Comparison, *, names_cause: bool = True) -> str:
    """Return the finding as one sentence in Markdown.

    Args:
        comparison: the two runs.
        names_cause: whether a rise or a fall names its cause; otherwise only how many claims broke and were fixed.
    """
    difference = comparison.difference
    if difference.mean is None:
        return _no_score(comparison)
    if not difference.regressed and not difference.improved:
        return f"**No answer's score changed** (n {fmt.plural(difference.pairs, 'pair')})."
    if comparison.moved_apart:
        return f"**Overall, the change could be chance:** {_differ(difference)}. {_moved_apart(comparison)}."
    if not comparison.is_significant:
        return (
            f"**Not statistically significant:** {_differ(difference)}.{_ledger(comparison)}{_detectable(difference)}"
        )
    return _change(comparison, difference, names_cause=names_cause)


def corrected_finding(found: CorrectedDifference) -> str:
    """Return how the corrected scores of the two runs differ, in Markdown."""
    rose = found.difference > 0
    lead = "" if found.is_clear else "**Not statistically significant:** "
    between = found.interval
    if found.is_clear and not rose:
        between = Interval(low=-between.high, high=-between.low)
    ends = fmt.ends(between) if found.is_clear else fmt.signed_ends(between)
    return (
        f"{lead}{'corrected' if lead else 'Corrected'} by spot-checks, the whole runs' faithfulness "
        f"{'rose' if rose else 'fell'} by **{fmt.fixed(abs(found.difference), 2)}** ({ends}), from "
        f"{fmt.share(found.baseline)} to {fmt.share(found.candidate)}."
    )


def segments_by_weight(segments: Sequence[SegmentDifference], *, is_won: bool) -> list[SegmentDifference]:
    """Return the segments, those first that contribute most to a change in that direction."""
    return sorted(segments, key=lambda s: (-s.contribution if is_won else s.contribution, s.segment or ""))


def outcome_words(difference: PairedDifference) -> str:
    """Return how many answers are worse, better and unchanged."""
    return (
        f"{fmt.count(difference.regressed)} worse · {fmt.count(difference.improved)} better · "
        f"{fmt.count(difference.unchanged)} unchanged"
    )


def left_out_words(comparison: Comparison) -> str:
    """Return which answers no figure includes, and why; "" if none is left out."""
    pairing = comparison.pairing
    parts = [f"{fmt.count(number)} {_states(states)}" for states, number in pairing.unscored.items()]
    for number, side in ((len(pairing.only_in_baseline), "before"), (len(pairing.only_in_candidate), "now")):
        if number:
            parts.append(f"{fmt.count(number)} only {side}")
    return ", ".join(parts)


def paired_words(comparison: Comparison) -> str:
    """Return by which rules the answers were paired; "" if all were by their own id."""
    rules = comparison.pairing.rules
    if set(rules) <= {PairRule.KEY}:
        return ""
    return fmt.listed([f"{fmt.count(number)} by {RULE_WORDS[rule]}" for rule, number in rules.items()])


def figures_words(comparison: Comparison) -> str:
    """Return the counts, the tests and what was left out in one line."""
    faithful = f"{fmt.count(comparison.no_longer_faithful)} no longer · {fmt.count(comparison.newly_faithful)} newly"
    limits = fmt.thresholds(comparison.baseline.threshold, comparison.candidate.threshold)
    named = (
        ("Answers", outcome_words(comparison.difference)),
        ("Faithful", f"{faithful} ({limits})"),
        ("Paired", paired_words(comparison)),
        ("Not scored", left_out_words(comparison)),
    )
    return " &nbsp; ".join(f"{name}: {words}" for name, words in named if words)


def _change(comparison: Comparison, difference: PairedDifference, *, names_cause: bool) -> str:
    mean = difference.mean or 0.0
    is_won = mean > 0
    verb = "rose" if is_won else "fell"
    decimals = _decimals(difference)
    facts = _facts(difference, sign=1 if is_won else -1, decimals=decimals)
    text = f"Faithfulness {verb} by **{fmt.fixed(abs(mean), decimals)}** ({facts})"
    why = (why_words if names_cause else ledger_words)(comparison.causes, is_won=is_won)
    parts = [part for part in (_places_words(comparison.segments, is_won=is_won), why) if part]
    return text + (": " + "; ".join(parts) if parts else "") + "."


def _places_words(segments: Sequence[SegmentDifference], *, is_won: bool) -> str:
    if len(segments) < 2:
        return ""
    places = places_of(segments)
    if not places:
        return f"no segment has significantly more of the {'gain' if is_won else 'loss'} than of the answers"
    return places_words(places, is_won=is_won)


def _moved_apart(comparison: Comparison) -> str:
    """Return the sentence, without its stop, on segments that moved although the whole did not."""
    parts = []
    for segment in comparison.moved_apart[:_NAMED_SEGMENTS]:
        size = fmt.fixed(abs(segment.difference), fmt.decimals_to_tell(segment.baseline, segment.candidate))
        verb = "fell" if segment.difference < 0 else "rose"
        facts = f"adjusted {fmt.p_value(segment.p_value_adjusted)}, n {fmt.plural(segment.rows, 'pair')}"
        parts.append(f"{segment_name(segment.segment)} {verb} by **{size}** ({facts})")
    return f"But {fmt.listed(parts)}"


def _decimals(difference: PairedDifference) -> int:
    before, after = difference.baseline or 0.0, difference.candidate or 0.0
    return fmt.decimals_to_tell(before, after, difference.mean)


def _differ(difference: PairedDifference) -> str:
    mean = difference.mean or 0.0
    by = "less than 0.01" if abs(mean) < 0.005 else f"{fmt.fixed(abs(mean), 2)}"
    verb = "differ" if abs(mean) < 0.005 else "rose" if mean > 0 else "fell"
    subject = "the runs differ" if verb == "differ" else f"faithfulness {verb}"
    return f"{subject} by {by} ({_facts(difference, sign=None)})"


def _facts(difference: PairedDifference, *, sign: int | None, decimals: int = 2) -> str:
    """Write interval, p and n; with a sign the interval is that of the rise or the fall."""
    parts = []
    if difference.interval is not None:
        low, high = difference.interval.low, difference.interval.high
        if sign is None:
            parts.append(fmt.signed_ends(difference.interval))
        else:
            ends = sorted((sign * low, sign * high))
            parts.append(fmt.ends(Interval(low=ends[0], high=ends[1]), decimals=decimals))
    parts.append(fmt.p_value(difference.p_value))
    parts.append(f"n {fmt.plural(difference.pairs, 'pair')}")
    return ", ".join(parts)


def _ledger(comparison: Comparison) -> str:
    is_won = (comparison.difference.mean or 0.0) > 0
    words = ledger_words(comparison.causes, is_won=is_won)
    return f" {words}." if words else ""


def _detectable(difference: PairedDifference) -> str:
    if difference.detectable is None:
        return ""
    pairs = fmt.plural(difference.pairs, "pair")
    return (
        f" With {pairs}, a real difference of {fmt.fixed(difference.detectable, 2)} would be noticed 80% of the time."
    )


def _no_score(comparison: Comparison) -> str:
    pairs = sum(comparison.pairing.rules.values())
    return (
        f"**Nothing to compare:** of {fmt.plural(pairs, 'pair')} of answers, none has a score in both runs "
        f"({left_out_words(comparison)})."
    )


def _states(key: str) -> str:
    before, _, after = key.partition(", ")
    if before == after:
        return _TWICE.get(before) or fmt.literal(before)
    sides = [(state, side) for state, side in ((before, "before"), (after, "now")) if state != State.JUDGED]
    return " and ".join(f"{_ONCE.get(state) or fmt.literal(state)} {side}" for state, side in sides)


def load(chosen: Chosen) -> Comparison | None:
    """Return the comparison; where the two cannot be compared, explain why and return None."""
    with st.spinner("Comparing", show_time=False):
        try:
            return compare_runs(opened_store.store(), chosen.baseline.run_id, chosen.candidate.run_id)
        except FaithViewError as error:
            st.header("These runs cannot be compared", anchor=False)
            st.text(str(error))
            return None


def cautions(comparison: Comparison) -> bool:
    """Draw the reasons to doubt the figures; return whether the figures may be shown.

    A difference between two judges' runs may come from the judges alone: it is shown only once this session has
    accepted that warning.
    """
    prints = (comparison.baseline.fingerprint, comparison.candidate.fingerprint)
    is_accepted = prints[0] == prints[1] or page_addresses.is_judge_pair_accepted(prints)
    for caution in comparison.cautions:
        if caution.code == "different_judges":
            st.warning(fmt.literal(caution.text), icon=":material/warning:")
    lines = [c.text for c in comparison.cautions if c.code != "different_judges"] if is_accepted else []
    if lines:
        st.markdown("  \n".join(f":material/warning: :small[{fmt.literal(line)}]" for line in lines))
    if prints[0] != prints[1]:
        with st.container(horizontal=True, gap="small"):
            if not is_accepted:
                st.button(
                    "Show the difference anyway",
                    key="compare.acknowledge",
                    icon=":material/visibility:",
                    on_click=page_addresses.accept_judge_pair,
                    args=(prints,),
                )
            judge_again_button(comparison.baseline, "Judge the earlier answers again with …", key="compare.again")
    return is_accepted


def finding(comparison: Comparison, line: FirstLine) -> None:
    """Draw the finding and why these two runs are compared; in the page's first line the report and the next step."""
    reason = default_words()
    notes = f" :small[:gray[{reason}]]" if reason else ""
    # The line on the knowledge base counts the claims that broke in another way: one number is enough.
    found = compare_finding(comparison, names_cause=not has_update(comparison))
    st.markdown(f"{found}{notes}")
    if comparison.corrected is not None:
        st.markdown(corrected_finding(comparison.corrected))
    with line.next_step:
        report_download(
            partial(_report, opened_store.store(), comparison),
            name=(comparison.baseline.name, comparison.candidate.name),
            key="compare.report",
        )
        _next_step(comparison)


def _next_step(comparison: Comparison) -> None:
    difference = comparison.difference
    if not (difference.regressed or difference.improved):
        return
    # What became worse is to be read first, in a rise too.
    is_worse = bool(difference.regressed)
    answers = difference.regressed if is_worse else difference.improved
    st.button(
        f"See the {fmt.count(answers)} that got {'worse' if is_worse else 'better'}",
        type="primary" if comparison.is_significant else "secondary",
        key="compare.open_worst",
        on_click=_open_first,
        args=(Shown.REGRESSIONS if is_worse else Shown.IMPROVEMENTS,),
    )


def _report(store: Store, comparison: Comparison, with_texts: bool, file_format: ReportFormat) -> str:
    before, after = comparison.baseline.run_id, comparison.candidate.run_id
    return report_comparison(store, before, after, file_format=file_format, with_texts=with_texts)


def figures(comparison: Comparison) -> None:
    """Draw how the two runs were made, and the counts, the tests and what was left out, a line each."""
    settings = compare_settings(opened_store.store(), comparison.baseline, comparison.candidate)
    with st.container(key="compare-figures", gap=None):
        st.caption(differences_words(settings), help=_SETTINGS_HELP)
        st.caption(figures_words(comparison), help=_FIGURES_HELP)


def _open_first(shown: Shown) -> None:
    page_addresses.select_change_filter(ChangeFilter(shown=shown))
    page_addresses.turn_changes_page(1)
    page_addresses.scroll_to_change()


_SETTINGS_HELP = (
    "How the answers of the two runs were made and judged, as stored with the runs. *Top-k* is the largest number of "
    "chunks that an answer retrieved. Model and prompt are known if every row of the file names the same one, in "
    "columns such as `model` and `prompt_version`."
)
_FIGURES_HELP = (
    "**The finding**: the mean difference of the pairs; in brackets its 95% interval, p, and *n*, the pairs with "
    "a score in both runs. A run's own score on *Overview* covers all its answers, so it can differ. A claim "
    "broke if it is not supported now, and was supported or not claimed before; fixed is the reverse. The chart below "
    "shows why.\n\n"
    "**Answers**: pairs whose score fell, rose or stayed the same. Only pairs with a score in both runs are "
    "counted.\n\n"
    f"**Faithful**: answers that are no longer or newly faithful. {FAITHFUL_IN_RUN}\n\n"
    "**Paired**: shown if not all answers are paired by the rows' own id. Answers are paired by that id, or else by "
    "equal questions; if neither has a question, by equal chunks.\n\n"
    "**Not scored**: answers that no figure on this page includes: pairs without a score in one of the runs, and "
    "answers of one run only."
)
