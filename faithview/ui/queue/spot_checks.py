"""Parts of the queue page: the list of spot-checks, and the form for a new one."""

from collections.abc import Mapping

import streamlit as st

from faithview.domain.errors import FaithViewError
from faithview.services.results.runs import list_runs
from faithview.services.review import spot_check_design
from faithview.services.review.carry_over import count_carried
from faithview.services.review.spot_check_design import DrawOrder, Strata
from faithview.services.review.teams.assignments import assign_check
from faithview.stats.precision import LabelsNeeded
from faithview.stats.sampling import MOST_WIDENED
from faithview.stats.spot_check import Unit
from faithview.ui.parts.inherited_labels import carried_sentence
from faithview.ui.parts.teams.reviewer_choice import choose_reviewers, refuse_unknown
from faithview.ui.queue.check_list import check_list
from faithview.ui.queue.result_card import MESSAGES
from faithview.ui.shell import address, app, identity, series, write
from faithview.wording import numbers as fmt

_NEWEST_RUNS = 12
_MAX_SENTENCES = 2
_MAX_RUNS = 200
_STRATA_WORDS = {
    Strata.NONE: "No",
    Strata.SCORE: "By score",
    Strata.SEGMENT: "By segment",
    Strata.VERDICT: "By the judge's verdict",
}
_BY_NUMBER, _BY_PRECISION = "Number", "Precision"
_UNIT_WORDS = {Unit.CLAIM: "Single claims", Unit.ANSWER: "Whole answers"}
_HALF_WIDTH = 0.05  # the precision that the number of labels at first gives
_MAX_LABELS = 10_000


def spot_checks(name: str | None) -> None:
    """Draw the reviewer's own queue, the other spot-checks and their results, and the button for a new one."""
    if name is not None and st.button("New spot-check", type="primary", icon=":material/add:", key="checks.new"):
        new_spot_check(name)
    _carried_labels()
    write.show_message(MESSAGES)
    if not check_list(name):
        st.markdown(
            "A spot-check is a random sample of claims that people label. About 50 labels show how often the judge is "
            "wrong and correct the score."
        )


def _carried_labels() -> None:
    """Draw how many labels the newest runs have inherited from earlier ones, and how many of them are stale."""
    services = app.services()
    shown = 0
    for run in list_runs(services, limit=_NEWEST_RUNS):
        sentence = carried_sentence(count_carried(services, run.run_id))
        if sentence and shown < _MAX_SENTENCES:
            st.markdown(f":material/history: *{fmt.literal(run.name)}*: {sentence}")
            shown += 1


@st.dialog("New spot-check", width="medium")
def new_spot_check(name: str) -> None:
    """Draw the form for a new spot-check and open the check once it is started."""
    runs = {run.run_id: run for run in list_runs(app.services(), limit=_MAX_RUNS)}
    in_view = address.selected_run()
    newest = next((run_id for run_id, run in runs.items() if run.series == series.in_view()), None)
    title = st.text_input("Name", key="new_check.name", max_chars=100, placeholder="Spot-check")
    chosen = st.multiselect(
        "From",
        list(runs),
        default=[in_view] if in_view in runs else [newest] if newest is not None else list(runs)[:1],
        format_func=lambda run_id: f"{runs[run_id].name}   {fmt.run_line(runs[run_id])}",
        key="new_check.runs",
    )
    left, right = st.columns(2)
    unit = left.selectbox(
        "Sample", list(_UNIT_WORDS), index=0, format_func=_UNIT_WORDS.__getitem__, key="new_check.unit", help=_UNIT_HELP
    )
    strata = right.selectbox(
        "Stratify",
        list(Strata),
        index=0,
        format_func=_STRATA_WORDS.__getitem__,
        key="new_check.strata",
        help=_STRATA_HELP,
    )
    size = _ask_size(chosen, unit or Unit.CLAIM)
    left, right = st.columns(2)
    uncertain = left.toggle("Prefer claims that the judge is unsure of", key="new_check.uncertain")
    stale = sum(count_carried(app.services(), run_id).stale for run_id in chosen)
    regressed = right.toggle(
        "First: claims that changed", value=stale > 0, key=f"new_check.regressed.{stale > 0}", help=_REGRESSED_HELP
    )
    if stale:
        st.caption(
            f"{fmt.plural(stale, 'claim')} with an outdated label {fmt.verb(stale, 'comes', 'come')} first, or as many "
            f"of them as keep the interval at most {MOST_WIDENED} times as wide as that of a random sample."
        )
    is_blind = left.toggle("Blind", value=True, key="new_check.blind", help=_BLIND_HELP)
    people = right.number_input("Reviewers for each claim", 1, 20, value=1, key="new_check.people")
    reviewers = choose_reviewers("Reviewers (nobody: open to everybody)", key="new_check.reviewers")
    if not st.button("Start spot-check", type="primary", key="new_check.draw", disabled=not chosen):
        return
    order = DrawOrder(
        name=title,
        run_ids=chosen,
        size=size,
        unit=unit or Unit.CLAIM,
        strata=strata or Strata.NONE,
        prefers_uncertain=uncertain,
        regressed_first=regressed,
        is_blind=is_blind,
        reviewers_per_item=people,
    )
    if not write.allow(identity.why_cannot_label(name) or refuse_unknown(reviewers)):
        return
    try:
        spot_check_id = spot_check_design.draw(app.services(), order, created_by=name)
        if reviewers:
            assign_check(app.services(), spot_check_id, reviewers, assigned_by=name)
    except FaithViewError as error:
        st.error(fmt.literal(str(error)))
        return
    address.select_check(spot_check_id)
    st.rerun()


def _ask_size(run_ids: list[str], unit: Unit) -> int:
    """Return how many labels are wanted: given as a number, or by the precision that the score should have."""
    way = st.segmented_control(
        "How many labels", [_BY_NUMBER, _BY_PRECISION], default=_BY_NUMBER, required=True, key="new_check.way"
    )
    half_width = _HALF_WIDTH
    if way == _BY_PRECISION:
        half_width = st.number_input(
            "Precision of the corrected score (0.05 means ±0.05)",
            0.01,
            0.25,
            value=_HALF_WIDTH,
            step=0.01,
            key="new_check.half_width",
        )
    needed = _labels_for(run_ids, half_width)
    size = min(needed[unit].labels, _MAX_LABELS) if needed else 1
    if way == _BY_NUMBER:
        # A key of its own for each proposal, so that another sample or run proposes its own number.
        key = f"new_check.size.{unit}.{size}"
        size = st.number_input("Labels", 1, _MAX_LABELS, value=size, key=key, label_visibility="collapsed", width=160)
    if needed:
        st.caption(_advice(needed, half_width))
    return size


def _labels_for(run_ids: list[str], half_width: float) -> dict[Unit, LabelsNeeded]:
    """Return how many labels each kind of sample needs; nothing where there is no run to work it out from."""
    if not run_ids:
        return {}
    try:
        return {
            unit: spot_check_design.labels_for(app.services(), run_ids, half_width, unit=unit) for unit in _UNIT_WORDS
        }
    except FaithViewError as error:
        st.error(fmt.literal(str(error)))
        return {}


def _advice(needed: Mapping[Unit, LabelsNeeded], half_width: float) -> str:
    """Write how many labels each kind of sample needs: "Single claims: about 100 labels for ±0.05 of faithfulness"."""
    claims, answers = (
        f"all {fmt.plural(need.labels, 'claim')}" if need.is_all else f"about {fmt.plural(need.labels, 'label')}"
        for need in (needed[Unit.CLAIM], needed[Unit.ANSWER])
    )
    return (
        f"{_UNIT_WORDS[Unit.CLAIM]}: {claims} for {fmt.plus_minus(half_width)} of faithfulness. "
        f"{_UNIT_WORDS[Unit.ANSWER]}: {answers}."
    )


_UNIT_HELP = (
    "Single claims need fewer labels for the same precision, because claims of one answer are often right or wrong "
    "together. Whole answers show all claims of an answer together."
)
_STRATA_HELP = "Every stratum gets its share of the labels, so that none is missed by chance."
_REGRESSED_HELP = "Claims with an outdated label come first, and claims that were supported in the run before."
_BLIND_HELP = (
    "The judge's verdict, reason and evidence are hidden until the end, so that they do not influence the labels."
)
