"""Changes: what changed between two runs, is it real, and why?"""

from functools import partial

import streamlit as st

from faithview.domain.errors import FaithViewError, NotFound
from faithview.domain.run import Run
from faithview.services.comparison.compare import compare_runs
from faithview.services.comparison.compared_runs import Comparison
from faithview.services.comparison.run_differences import compare_settings, differences_words
from faithview.services.knowledge.changes import has_update
from faithview.services.reports import ReportFormat
from faithview.services.reports.comparison_report import report_comparison
from faithview.services.results import get_run, list_runs
from faithview.services.run_pairs import find_default_pair
from faithview.ui import address, navigation, opened_store, page_setup, series
from faithview.ui.address import BASELINE, CANDIDATE, AddressWidget, go
from faithview.ui.changes import before_an_update, documents
from faithview.ui.changes.changed_answers import changed_answers, unpaired_answers
from faithview.ui.changes.finding import compare_finding, corrected_finding, figures_words
from faithview.ui.changes.why_where import draw_causes, draw_segments
from faithview.ui.widgets import empty_state
from faithview.ui.widgets.downloads import report_download
from faithview.ui.widgets.first_line import first_line, name_runs
from faithview.ui.widgets.run_menu import judge_again_button
from faithview.wording import numbers as fmt
from faithview.wording.comparison import short_names

page_setup.require_app()

_TABS = {"answers": "Answers", navigation.DOCUMENTS: "Documents", navigation.BEFORE: "Before an update"}
_LISTED_RUNS = 200
_FIGURES_HELP = (
    "*n* counts the pairs of answers with a score by the judge in both runs. Answers are paired by id, otherwise by "
    "question, otherwise by equal chunks. A run's score on *Overview* covers all its answers, so it can differ."
)
_BEFORE, _NOW = AddressWidget("compare.before"), AddressWidget("compare.now")


def compared() -> tuple[Run, Run, str] | None:
    """Return the runs that the address names, else the default ones, and in words why these; None if there are none."""
    store = opened_store.store()
    before, after = BASELINE.get(), CANDIDATE.get()
    if before and after:
        try:
            return get_run(store, before), get_run(store, after), ""
        except NotFound as error:
            st.info(fmt.literal(str(error)), icon=":material/link_off:")
    with st.spinner("Looking for the last change", show_time=False):
        pair = find_default_pair(store, series.in_view())
    if pair is None:
        return None
    if pair.is_step:
        return pair.baseline, pair.candidate, "Showing the last significant change in this series."
    words = "Showing the newest runs that can be compared; no significant change was found in this series."
    return pair.baseline, pair.candidate, words


def choose_runs(before: Run, after: Run) -> None:
    """Draw the choice of the two runs; choosing the other one's run swaps them."""
    runs = list_runs(opened_store.store(), series=series.in_view(), limit=_LISTED_RUNS)
    known = {run.run_id: run for run in sorted([*runs, before, after], key=lambda run: run.as_of, reverse=True)}
    words = name_runs(known.values())

    def choose(field: AddressWidget) -> None:
        chosen = str(field.value())
        sides = (chosen, after.run_id) if field is _BEFORE else (before.run_id, chosen)
        if sides[0] == sides[1]:
            sides = (after.run_id, before.run_id)
        go(baseline=sides[0], candidate=sides[1], cause=None, pair=None, claim=None)

    for label, field, run in (("Before", _BEFORE, before), ("Now", _NOW, after)):
        st.caption(label, width="content")
        st.selectbox(
            label,
            list(known),
            format_func=words.__getitem__,
            key=field.show(run.run_id),
            on_change=field.on_choice(partial(choose, field)),
            label_visibility="collapsed",
            width=225,
        )


def accepts_cautions(comparison: Comparison) -> bool:
    """Draw the reasons to doubt the figures; return whether they may be shown.

    A difference between two judges' runs may come from the judges alone, so a person has to ask for it.
    """
    before, after = comparison.baseline, comparison.candidate
    texts = {caution.code: fmt.literal(caution.text) for caution in comparison.cautions}
    is_accepted = True
    if judges := texts.pop("different_judges", None):
        st.warning(judges, icon=":material/warning:")
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            name = f"compare.anyway.{before.fingerprint}.{after.fingerprint}"
            is_accepted = st.checkbox("Show the difference anyway", key=name)
            judge_again_button(before, "Judge the earlier answers again with …", key="compare.again")
    if is_accepted and texts:
        st.markdown("  \n".join(f":material/warning: :small[{text}]" for text in texts.values()))
    return is_accepted


tab = address.selected_tab(_TABS)
if tab == navigation.BEFORE:
    first_line("Changes", document="Before an update", tabs=_TABS)
    before_an_update.draw()
    st.stop()
if tab == navigation.DOCUMENTS:
    documents.draw(first_line("Changes", document="Changed documents", tabs=_TABS))
    st.stop()

found = compared()
if found is None:
    first_line("Changes", tabs=_TABS)
    empty_state.no_pair("this page will say what changed, whether the change is significant, and why.")
    st.stop()
before, after, reason = found
line = first_line(f"{before.name} vs. {short_names([before.name, after.name])[1]}", tabs=_TABS)
with line.choices:
    choose_runs(before, after)
try:
    with st.spinner("Comparing", show_time=False):
        comparison = compare_runs(opened_store.store(), before.run_id, after.run_id)
except FaithViewError as error:
    st.header("These runs cannot be compared", anchor=False)
    st.text(str(error))
    st.stop()
before_an_update.preflight_line(comparison)
if not accepts_cautions(comparison):
    st.stop()


def make_report(with_texts: bool, file_format: ReportFormat) -> str:
    """Return the report of this comparison; another thread calls it, without Streamlit."""
    return report_comparison(store, before.run_id, after.run_id, file_format=file_format, with_texts=with_texts)


store = opened_store.store()
with line.next_step:
    report_download(make_report, name=(before.name, after.name), key="compare.report")
# The line on the knowledge base counts the claims that broke in another way: one number is enough.
finding = compare_finding(comparison, names_cause=not has_update(comparison))
st.markdown(f"{finding} :small[:gray[{reason}]]" if reason else finding)
if comparison.corrected is not None:
    st.markdown(corrected_finding(comparison.corrected))
with st.container(gap="xsmall"):
    knowledge = st.container()
    with st.container(key="compare-figures", gap=None):
        st.caption(differences_words(compare_settings(store, before, after)))
        st.caption(figures_words(comparison), help=_FIGURES_HELP)
with st.container(key="compare_pair_charts"):
    why, where = st.columns(2, gap="medium")
with why:
    draw_causes(comparison)
with where:
    draw_segments(comparison)
changed_answers(comparison)
unpaired_answers(comparison)
with knowledge:  # last, because it takes longest where a pair is opened for the first time
    documents.knowledge_card(comparison)
