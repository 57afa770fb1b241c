"""The result of a comparison in words and figures: cautions, the finding, the next step, the tests."""

from functools import partial

import streamlit as st

from faithview.domain.errors import FaithViewError
from faithview.domain.views import View
from faithview.services.comparison.compare import compare_runs
from faithview.services.comparison.comparison import Comparison
from faithview.services.comparison.filters import Shown
from faithview.services.container import Services
from faithview.services.report.comparison import report_comparison
from faithview.stats.corrected_difference import NoCorrectedDifference
from faithview.ui.compare import address, findings
from faithview.ui.compare.run_choice import Chosen
from faithview.ui.parts.downloads.report_download import report_download
from faithview.ui.parts.view_switch import view_note
from faithview.ui.shell import app
from faithview.wording import numbers as fmt
from faithview.wording.corrected import WHILE_LABELLING


def load(chosen: Chosen) -> Comparison | None:
    """Return the comparison; where the two cannot be compared, explain why and return None."""
    with st.spinner("Comparing", show_time=False):
        try:
            return compare_runs(app.services(), chosen.baseline.run_id, chosen.candidate.run_id, view=chosen.view)
        except FaithViewError as error:
            st.title("These runs cannot be compared", anchor=False)
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
    if not is_accepted:
        st.button(
            "Show the difference anyway",
            key="compare.acknowledge",
            icon=":material/visibility:",
            on_click=address.acknowledge,
            args=(prints,),
        )
    return is_accepted


def finding(comparison: Comparison) -> None:
    """Draw the finding, the next step and the report."""
    words, actions = st.columns([3.6, 1.4], vertical_alignment="top")
    # The corrected score is an estimate for a whole run: the pairs beneath it show what people settled on.
    shown_view = View.JUDGE if comparison.view is View.JUDGE else View.REVIEWED
    words.markdown(f"{findings.compare_finding(comparison)} {view_note(shown_view)}")
    with actions.container(horizontal=True, horizontal_alignment="right", gap="xsmall"):
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
    is_worse = difference.regressed > 0
    st.button(
        "Open the worst regression" if is_worse else "Open the best improvement",
        type="primary" if comparison.is_significant else "secondary",
        key="compare.open_worst",
        on_click=_open_first,
        args=(Shown.REGRESSIONS if is_worse else Shown.IMPROVEMENTS,),
    )


def _report(services: Services, comparison: Comparison, with_texts: bool) -> str:
    return report_comparison(
        services, comparison.baseline.run_id, comparison.candidate.run_id, view=comparison.view, with_texts=with_texts
    )


def corrected(comparison: Comparison) -> None:
    """Draw the difference of the corrected scores in the corrected view, or what is missing for it."""
    difference = comparison.corrected
    if difference is None:
        return
    if isinstance(difference, NoCorrectedDifference):
        st.markdown(f":small[{fmt.literal(difference.message)}]", help=_CORRECTED_HELP)
        return
    looks = "" if difference.is_final else f" ({WHILE_LABELLING})"
    st.markdown(
        f":small[Corrected by spot-checks, for the whole runs: {fmt.share(difference.baseline)} → "
        f"**{fmt.share(difference.candidate)}**, {fmt.signed_measure(difference.difference, difference.interval)}"
        f"{looks}; the judge's own means differ by {fmt.signed(difference.judge)}]",
        help=_CORRECTED_HELP,
    )


def figures(comparison: Comparison) -> None:
    """Draw the counts, the tests, and what was left out."""
    faithful = comparison.faithful
    parts = (
        ("Answers", findings.outcome_words(comparison.difference), _OUTCOME_HELP, 3.3),
        (
            "Faithful",
            f"{fmt.count(faithful.lost)} lost · {fmt.count(faithful.gained)} gained, {fmt.p_value(faithful.p_value)}",
            _MCNEMAR_HELP,
            2.3,
        ),
        ("Paired", findings.paired_words(comparison), _PAIRED_HELP, 1.8),
        ("Left out", findings.left_out_words(comparison), _LEFT_OUT_HELP, 3.0),
        ("Judge noise", findings.noise_words(comparison), _NOISE_HELP, 1.9),
    )
    columns = st.columns([width for *_, width in parts], gap="medium")
    for column, (label, value, help_, _) in zip(columns, parts, strict=True):
        with column.container(gap=None):
            st.caption(label, help=help_)
            st.markdown(f":small[{value}]")


def _open_first(shown: Shown) -> None:
    wanted = address.selected_filter()
    address.select_filter(type(wanted)(shown=shown))
    address.select_pair(None)
    address.select_page(1)
    address.scroll_to_pair()


_OUTCOME_HELP = "Pairs whose score fell, rose, or stayed. Only pairs with a score on both sides are counted."
_MCNEMAR_HELP = (
    "Answers that stopped and started being faithful: no contradiction, and at least the run's threshold of supported "
    "claims. McNemar's exact test, one vote a question."
)
_PAIRED_HELP = (
    "Answers are paired by the rows' own id, else by an id in another column, else by equal questions, and where "
    "neither has a question by equal chunks; similar questions are paired once a person confirms it."
)
_LEFT_OUT_HELP = "What no figure on this page includes: pairs without a score on one side, and answers of one run only."
_NOISE_HELP = (
    "How far the judge alone moves the difference of two runs over so many answers, in 95 of 100 cases: measured from "
    "repeats (`faithview evaluate … --repeat`). A difference within it is called noise."
)
_CORRECTED_HELP = (
    "The corrected score is an estimate for a whole run and says nothing about single answers: everything below uses "
    "the verdicts that people settled on."
)
