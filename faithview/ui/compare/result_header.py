"""Parts of the compare page: what speaks against comparing two runs, the finding, the figures, the charts."""

from collections.abc import Callable, Mapping
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
from faithview.ui.compare import address, charts, findings
from faithview.ui.compare.run_choice import Chosen
from faithview.ui.parts.chart_theme import chart_theme
from faithview.ui.parts.report_download import report_download
from faithview.ui.parts.view_switch import view_note
from faithview.ui.shell import app, session
from faithview.wording import numbers as fmt
from faithview.wording.causes import CAUSE_WORDS

_CHART = {"displayModeBar": False}


def load(chosen: Chosen) -> Comparison | None:
    """Return the comparison; where the two cannot be compared, say why and return None."""
    with st.spinner("Comparing", show_time=False):
        try:
            return compare_runs(app.services(), chosen.baseline.run_id, chosen.candidate.run_id, view=chosen.view)
        except FaithViewError as error:
            st.title("These runs cannot be compared", anchor=False)
            st.text(str(error))
            return None


def cautions(found: Comparison) -> bool:
    """Draw what speaks against reading the figures as they stand; return whether they may be shown.

    What may be wholly the judges' doing is shown only to who has said to have read so; the rest is a line each.
    """
    prints = (found.baseline.fingerprint, found.candidate.fingerprint)
    is_told = prints[0] == prints[1] or address.is_acknowledged(prints)
    for caution in found.cautions:
        if caution.code == "different_judges":
            st.warning(fmt.literal(caution.text), icon=":material/warning:")
    lines = [c.text for c in found.cautions if c.code != "different_judges"] if is_told else []
    if lines:
        st.markdown("  \n".join(f":material/warning: :small[{fmt.literal(line)}]" for line in lines))
    if not is_told:
        st.button(
            "Show the difference all the same",
            key="compare.acknowledge",
            icon=":material/visibility:",
            on_click=address.acknowledge,
            args=(prints,),
        )
    return is_told


def finding(found: Comparison) -> None:
    """Draw the sentence that states what was found, the next step, and the way to take it all along."""
    words, actions = st.columns([3.6, 1.4], vertical_alignment="top")
    # The corrected score is an estimate for a whole run: the pairs beneath it show what people settled on.
    shown_view = View.JUDGE if found.view is View.JUDGE else View.REVIEWED
    words.markdown(f"{findings.compare_finding(found)} {view_note(shown_view)}")
    with actions.container(horizontal=True, horizontal_alignment="right", gap="xsmall"):
        report_download(
            partial(_report, app.services(), found),
            name=(found.baseline.name, found.candidate.name),
            key="compare.report",
        )
        _next_step(found)


def _next_step(found: Comparison) -> None:
    difference = found.difference
    if not (difference.regressed or difference.improved):
        return
    is_worse = difference.regressed > 0
    st.button(
        "Open the worst regression" if is_worse else "Open the best improvement",
        type="primary" if found.is_significant else "secondary",
        key="compare.open_worst",
        on_click=_open_first,
        args=(Shown.REGRESSIONS if is_worse else Shown.IMPROVEMENTS,),
    )


def _report(services: Services, found: Comparison, with_texts: bool) -> str:
    return report_comparison(
        services, found.baseline.run_id, found.candidate.run_id, view=found.view, with_texts=with_texts
    )


def corrected(found: Comparison) -> None:
    """Draw the corrected scores' difference, where corrected verdicts are asked for, or what is missing for it."""
    difference = found.corrected
    if difference is None:
        return
    if isinstance(difference, NoCorrectedDifference):
        st.markdown(f":small[{fmt.literal(difference.message)}]", help=_CORRECTED_HELP)
        return
    st.markdown(
        f":small[Corrected by spot-checks, for the runs as a whole: {fmt.share(difference.baseline)} → "
        f"**{fmt.share(difference.candidate)}**, {fmt.signed_measure(difference.difference, difference.interval)}; "
        f"the judge's own means differ by {fmt.signed(difference.judge)}]",
        help=_CORRECTED_HELP,
    )


def figures(found: Comparison) -> None:
    """Draw the counts, the tests, and what was left out."""
    faithful = found.faithful
    parts = (
        ("Answers", findings.outcome_words(found.difference), _OUTCOME_HELP, 3.3),
        (
            "Faithful",
            f"{fmt.count(faithful.lost)} lost · {fmt.count(faithful.gained)} gained, {fmt.p_value(faithful.p_value)}",
            _MCNEMAR_HELP,
            2.3,
        ),
        ("Paired", findings.paired_words(found), _PAIRED_HELP, 1.8),
        ("Left out", findings.left_out_words(found), _LEFT_OUT_HELP, 3.0),
        ("Judge noise", findings.noise_words(found), _NOISE_HELP, 1.9),
    )
    columns = st.columns([width for *_, width in parts], gap="medium")
    for column, (label, value, help_, _) in zip(columns, parts, strict=True):
        with column.container(gap=None):
            st.caption(label, help=help_)
            st.markdown(f":small[{value}]")


def waterfall(found: Comparison) -> None:
    """Draw what each cause explains; a click lists its answers."""
    st.subheader("Why", anchor=False, help=_cause_help(found))
    if not found.causes:
        st.markdown(":gray[No claim broke and none was mended.]")
        return
    chosen = address.selected_filter().side
    key = f"compare.waterfall.{found.view}.{address.side_name(chosen) if chosen else ''}"
    st.plotly_chart(
        charts.waterfall_figure(found, theme=chart_theme(), chosen=chosen),
        key=key,
        on_select=_clicked(key, _choose_side),
        selection_mode="points",
        config=_CHART,
        alt=charts.waterfall_in_words(found),
    )


def segments(found: Comparison) -> None:
    """Draw where the difference is; a click lists a segment's answers."""
    st.subheader("Where", anchor=False, help=_SEGMENT_HELP)
    if len(found.segments) < 2:
        st.markdown(":gray[The answers are all in one segment.]")
        return
    chosen = address.selected_filter().segment
    key = f"compare.segments.{found.view}.{chosen}"
    st.plotly_chart(
        charts.segments_figure(found, theme=chart_theme(), chosen=chosen),
        key=key,
        on_select=_clicked(key, _choose_segment),
        selection_mode="points",
        config=_CHART,
        alt=charts.segments_in_words(found),
    )
    rest = len(found.segments) - len(charts.shown_segments(found))
    if rest:
        st.caption(f"and {fmt.plural(rest, 'segment')} that add less, in the tables below")


def _open_first(shown: Shown) -> None:
    wanted = address.selected_filter()
    address.select_filter(type(wanted)(shown=shown))
    address.select_pair(None)
    address.select_page(1)
    address.scroll_to_pair()


def _clicked(key: str, choose: Callable[[str], None]) -> Callable[[], None]:
    def read() -> None:
        state = session.widget_value(key)
        name = address.clicked_name(state.get("selection") if isinstance(state, Mapping) else None)
        if name is not None:
            choose(name)

    return read


def _choose_side(name: str) -> None:
    side = address.find_side(name)
    if side is not None:
        address.select_filter(address.toggle_side(side))


def _choose_segment(name: str) -> None:
    address.select_filter(address.toggle_segment(name))


def _cause_help(found: Comparison) -> str:
    rules = []
    for share in found.causes:
        words = CAUSE_WORDS[share.cause]
        name = words.lost if share.lost < 0 else words.won
        rules.append(f"- **{name}**: {words.rule}")
    return f"{_WATERFALL_HELP}\n\n" + "\n".join(rules)


_WATERFALL_HELP = (
    "From the mean of the paired answers before, through what each cause lost and won, to their mean now; the bars add "
    "up exactly. Every claim that broke or was mended has one cause, the first rule that holds. For a claim that was "
    "mended the rules are read with the sides exchanged. A click on a bar lists its answers."
)
_SEGMENT_HELP = (
    "Each segment's own mean difference with its 95 % interval. Adjusted p allows for looking at all segments at once "
    "(Benjamini-Hochberg); filled dots are below 0.05. Points are what the segment adds to the difference of all "
    "pairs, and the share is of that difference. A click lists a segment's answers."
)
_OUTCOME_HELP = "Pairs whose score fell, rose, or stayed. Only pairs with a score on both sides are counted."
_MCNEMAR_HELP = (
    "Answers that stopped and started being faithful: no contradiction, and at least the run's threshold of supported "
    "claims. McNemar's exact test, one vote a question."
)
_PAIRED_HELP = (
    "Answers are paired by the rows' own id, else by an id in another column, else by equal questions, and where "
    "neither has a question by equal chunks; questions that are only alike are paired where a person has confirmed it."
)
_LEFT_OUT_HELP = "What enters no figure on this page: pairs without a score on one side, and answers of one run only."
_NOISE_HELP = (
    "How far the judge alone moves the difference of two runs over so many answers, in 95 of 100 cases: measured from "
    "repeats (`faithview run … --repeat`). A difference within it is called noise."
)
_CORRECTED_HELP = (
    "The corrected score is an estimate for a run as a whole, so it says nothing of single answers: everything below "
    "goes by the verdicts that people settled on."
)
