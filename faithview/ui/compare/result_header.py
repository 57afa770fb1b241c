"""The result of a comparison in words and figures: cautions, the finding, the next step, the tests."""

from functools import partial

import streamlit as st

from faithview.domain.errors import FaithViewError
from faithview.services.comparison.compare import compare_runs
from faithview.services.comparison.comparison import Comparison
from faithview.services.comparison.filters import ChangeFilter, Shown
from faithview.services.container import Services
from faithview.services.report.comparison import report_comparison
from faithview.ui.compare import address, findings
from faithview.ui.compare.run_choice import Chosen, default_words
from faithview.ui.parts.downloads.report_download import report_download
from faithview.ui.parts.share import share
from faithview.ui.parts.view_switch import view_note
from faithview.ui.runs.judge_again_dialog import judge_again_button
from faithview.ui.shell import app
from faithview.ui.shell.address import pair_link, view_link
from faithview.ui.shell.shell_line import ShellLine
from faithview.wording import numbers as fmt
from faithview.wording.figure_help import FAITHFUL_IN_RUN


def load(chosen: Chosen) -> Comparison | None:
    """Return the comparison; where the two cannot be compared, explain why and return None."""
    with st.spinner("Comparing", show_time=False):
        try:
            return compare_runs(app.services(), chosen.baseline.run_id, chosen.candidate.run_id, view=chosen.view)
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
    is_accepted = prints[0] == prints[1] or address.is_acknowledged(prints)
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
                    on_click=address.acknowledge,
                    args=(prints,),
                )
            judge_again_button(comparison.baseline, "Judge the earlier answers again with …", key="compare.again")
    return is_accepted


def finding(comparison: Comparison, line: ShellLine) -> None:
    """Draw the finding and why these two runs are compared; in the page's first line the report and the next step."""
    reason = default_words()
    notes = f" :small[:gray[{reason}]]" if reason else ""
    found = findings.compare_finding(comparison)
    if comparison.corrected is not None:
        # An estimate for whole runs: the pairs below it go by what people settled on.
        st.markdown(findings.corrected_finding(comparison.corrected))
        found = f"Reviewed: {found}"
    st.markdown(f"{found} {view_note(comparison.view)}{notes}")
    if comparison.corrected is not None:
        found = f"{findings.corrected_finding(comparison.corrected)} {found}"
    with line.next_step:
        pair = pair_link(comparison.baseline.run_id, comparison.candidate.run_id)
        share(found, parameters={**pair, **view_link(comparison.asked)}, key="compare.share")
        report_download(
            partial(_report, app.services(), comparison),
            name=(comparison.baseline.name, comparison.candidate.name),
            key="compare.report",
        )
        _next_step(comparison)


def _next_step(comparison: Comparison) -> None:
    difference = comparison.difference
    if not (difference.regressed or difference.improved):
        return
    is_won = findings.is_improvement(comparison)
    st.button(
        "Open the best improvement" if is_won else "Open the worst regression",
        type="primary" if comparison.is_significant else "secondary",
        key="compare.open_worst",
        on_click=_open_first,
        args=(Shown.IMPROVEMENTS if is_won else Shown.REGRESSIONS,),
    )


def _report(services: Services, comparison: Comparison, with_texts: bool) -> str:
    return report_comparison(
        services, comparison.baseline.run_id, comparison.candidate.run_id, view=comparison.asked, with_texts=with_texts
    )


def figures(comparison: Comparison) -> None:
    """Draw the counts, the tests, and what was left out."""
    faithful = comparison.faithful
    parts = (
        ("Answers", findings.outcome_words(comparison.difference)),
        (
            "Faithful answers",
            f"{fmt.count(faithful.lost)} lost · {fmt.count(faithful.gained)} gained"
            + (f", {fmt.p_value(faithful.p_value)}" if faithful.p_value is not None else "")
            + f" ({fmt.thresholds(comparison.baseline.threshold, comparison.candidate.threshold)})",
        ),
        ("Paired", findings.paired_words(comparison)),
        ("Not scored", findings.left_out_words(comparison)),
        ("Judge noise", findings.noise_words(comparison)),
    )
    with st.container(key="compare_figures", horizontal=True, gap="medium"):
        for label, value in parts:
            with st.container(gap=None, width="content"):
                st.caption(label)
                st.markdown(f":small[{value}]")
        with st.popover("What these figures say", type="tertiary", icon=":material/help:"):
            st.markdown(_FIGURES_HELP)


def _open_first(shown: Shown) -> None:
    address.select_filter(ChangeFilter(shown=shown))
    address.select_page(1)
    address.scroll_to_pair()


_FIGURES_HELP = (
    "**The finding**: the mean difference of the pairs; in brackets its 95 % interval, p, and *n*, the pairs with a "
    "score in both runs. A run's own score on *Overview* is over all its answers, so it can be another. Claims that "
    "are lost or fixed are claims that stopped or started being supported; the chart below says why.\n\n"
    "**Answers**: pairs whose score fell, rose, or stayed. Only pairs with a score on both sides are counted.\n\n"
    f"**Faithful answers**: answers that stopped and started being faithful. {FAITHFUL_IN_RUN} "
    "McNemar's exact test, one vote a question.\n\n"
    "**Paired**: answers are paired by the rows' own id, else by an id in another column, else by equal questions, and "
    "where neither has a question by equal chunks; similar questions are paired once a person confirms it.\n\n"
    "**Not scored**: what no figure on this page includes: pairs without a score on one side, and answers of one run "
    "only.\n\n"
    "**Judge noise**: how far the judge alone moves the difference of two runs over so many answers, in 95 of 100 "
    "cases: measured from repeats (`faithview evaluate … --repeat`). A difference within it is called noise."
)
