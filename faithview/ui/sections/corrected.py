"""A run's score corrected by a spot-check: the estimate, what it rests on, and what more labels would bring."""

import streamlit as st

from faithview.domain.run import Run
from faithview.services.correction import Correction, correct_run
from faithview.services.views import View
from faithview.stats.prediction_powered import Estimate, NotEnoughLabels
from faithview.ui import format as fmt
from faithview.ui import nav, shell


def shown_view(run: Run, view: View) -> View:
    """Draw the corrected score where it is asked for; return whose verdicts the single answers then show."""
    if view is not View.CORRECTED:
        return view
    corrected_score(run)
    return View.REVIEWED


def corrected_score(run: Run) -> None:
    """Draw the corrected score of a run beside the judge's and the labels' own, or why there is none and what to do."""
    correction = correct_run(shell.services(), run.run_id)
    if correction is None:
        _ask("No spot-check was drawn from this run, so its score cannot be corrected yet.", "Draw a spot-check")
        return
    if isinstance(correction.score, NotEnoughLabels):
        _ask(fmt.literal(correction.score.message), "Go on labelling")
        return
    st.markdown(corrected_text(correction), help=_HELP)


def corrected_text(correction: Correction) -> str:
    """Return the corrected score in Markdown, with what it rests on."""
    score = correction.score
    if isinstance(score, NotEnoughLabels):
        return fmt.literal(score.message)
    used = correction.labelled_claims - correction.left_out
    parts = [
        f"Faithfulness corrected **{_estimate(score.corrected)}**",
        f"judge {fmt.share(score.judge)}",
        f"labels only {_estimate(score.labels_only)}",
        f"{fmt.plural(used, 'label')} of *{fmt.literal(correction.check.name)}*",
    ]
    if correction.left_out:
        parts.append(f"{fmt.plural(correction.left_out, 'label')} from elsewhere left out")
    if correction.needed is not None and correction.needed.labels:
        wanted = f"±{correction.half_width:.2f}"
        parts.append(f"label about {fmt.count(correction.needed.labels)} more to reach {wanted}")
    return " &nbsp; ".join(f":small[{part}]" for part in parts)


def _estimate(estimate: Estimate) -> str:
    return f"{estimate.score:.2f} ({estimate.interval.low:.2f}–{estimate.interval.high:.2f})"


def _ask(sentence: str, action: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f":small[{sentence}]", width="content")
        if st.button(action, key="corrected.go", type="tertiary", icon=":material/checklist:"):
            st.switch_page(nav.QUEUE)


_HELP = (
    "The judge's mean, corrected by how often people found it wrong on claims drawn at random with known chances "
    "(prediction-powered inference; Angelopoulos, Duchi and Zrnic 2023), with a 95 % interval. Labels given outside "
    "the spot-check do not enter it, for nobody knows with which chance they were given."
)
