"""The head of the trends page: the finding, notes on how to read the lines, and the next step."""

from zoneinfo import ZoneInfo

import streamlit as st

from faithview.domain.views import View
from faithview.ui.parts.share import share
from faithview.ui.parts.trend.trend_data import TrendChoices, TrendData
from faithview.ui.parts.trend.trend_finding import trend_finding
from faithview.ui.shell import address, nav, series
from faithview.ui.shell.shell_line import ShellLine
from faithview.ui.trends import findings
from faithview.wording.corrected import CORRECTED_HELP
from faithview.wording.events import day_and_month
from faithview.wording.trends import point_score
from faithview.wording.views import VIEW_WORDS

_UTC = ZoneInfo("UTC")


def draw_score(line: ShellLine, loaded: TrendData, view: View) -> None:
    """Draw the newest point's score of the view in the shell line.

    Where the view is the corrected one and no run has such a score, the reviewed one is drawn under its own name.
    """
    if loaded.main is None:
        return
    point, note, help_text = loaded.main.points[-1], "", _SCORE_HELP
    if view is not View.JUDGE:
        corrected = loaded.newest(View.CORRECTED) if view is View.CORRECTED else None
        point = corrected or loaded.newest(View.REVIEWED) or point
        note = VIEW_WORDS[View.CORRECTED if corrected else View.REVIEWED]
        help_text = CORRECTED_HELP if corrected else _SCORE_HELP
        latest = loaded.newest(View.JUDGE)
        if latest is not None and point.at < latest.at:
            note += f", {day_and_month(point.at, _UTC)}"
    line.score.markdown(f"**{point_score(point)}** {note}".rstrip(), help=help_text, width="content")


def draw_finding(line: ShellLine, loaded: TrendData, chosen: TrendChoices) -> None:
    """Draw the finding with its Share button, and notes where a view has no line or several judges have one each."""
    text = trend_finding(loaded.finding, step=chosen.step, zone=chosen.zone, process=loaded.process)
    if loaded.view is not chosen.view:
        text = f"{VIEW_WORDS[loaded.view].capitalize()}: {text}"
    found = f"This series has one run. {text}" if _has_one_run(loaded) else text
    st.markdown(found, help=_FINDING_HELP)
    in_view = series.in_view()
    parameters = address.series_link(in_view) if in_view is not None else {}
    with line.next_step:
        share(found, parameters={**parameters, **address.view_link(chosen.view)}, key="trends.share")
    for note in (
        findings.view_gap(loaded.whole, chosen.view, finding=loaded.view),
        findings.judges_note(loaded.lines()),
    ):
        if note is not None:
            st.info(note, icon=":material/info:")


def draw_next_step(loaded: TrendData) -> None:
    """Draw the button that compares the runs around the change that the finding names, or that makes a second run."""
    if _has_one_run(loaded):
        if st.button("Upload a later run", icon=":material/upload_file:", key="trends.upload"):
            st.switch_page(nav.UPLOAD)
        return
    change = loaded.finding.level_change
    run_id = _run_to_explain(loaded)
    if run_id is not None and st.button(
        "Where it goes wrong", icon=":material/troubleshoot:", key="trends.slices", help=_SLICES_HELP
    ):
        st.switch_page(nav.SLICES, query_params=address.link(run_id))
    if change is not None and st.button(
        "Compare before and after", type="primary", icon=":material/compare_arrows:", key="trends.compare"
    ):
        query = {"baseline": change.baseline_id, "candidate": change.candidate_id}
        st.switch_page(nav.COMPARE, query_params=query)


def _run_to_explain(loaded: TrendData) -> str | None:
    """Return the run after the fall that the finding names, else the newest of the first line."""
    change = loaded.finding.level_change
    if change is not None and change.step.delta < 0:
        return change.candidate_id
    return loaded.main.points[-1].run_ids[-1] if loaded.main is not None else None


def _has_one_run(loaded: TrendData) -> bool:
    runs = {run_id for line in loaded.whole.lines for point in line.points for run_id in point.run_ids}
    return len(runs) == 1


_FINDING_HELP = (
    "“Would be noticed 80 % of the time” is the change between two points in a row that the trend would find in four "
    "cases of five, where it is hardest to see. *Compare* pairs the answers of two runs, so it notices smaller changes."
)
_SLICES_HELP = "What the answers with low scores have in common: in the run after the fall, else in the newest."
_SCORE_HELP = "The newest point of the first line: mean faithfulness with its 95 % interval and the judged answers."
