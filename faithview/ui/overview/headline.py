"""The head of the overview: the newest score, the next step, and the finding in one sentence."""

from collections.abc import Sequence

import streamlit as st

from faithview.domain.run import RunSummary
from faithview.domain.scoring import RunScore
from faithview.domain.views import View
from faithview.services.changes.step_tests import find_step
from faithview.services.review.checks.label_balance import find_balance
from faithview.services.review.corrected_score import correct_score
from faithview.ui.overview.attention import is_clear
from faithview.ui.overview.notices import Notice
from faithview.ui.parts import corrected_score, empty_state
from faithview.ui.parts.share import share
from faithview.ui.parts.view_switch import view_note
from faithview.ui.shell import address, app, nav, shell_line
from faithview.wording import numbers as fmt
from faithview.wording import run_findings
from faithview.wording.corrected import CORRECTED_HELP
from faithview.wording.live import SAMPLE_HELP, sample_words
from faithview.wording.score_help import SCORE_HELP
from faithview.wording.views import VIEW_WORDS


def draw_score(line: shell_line.ShellLine, summaries: Sequence[RunSummary], view: View) -> None:
    """Draw the newest score in the shell line, the corrected one first; nothing for answers saved one at a time."""
    latest = run_findings.latest_scored(summaries)
    if latest is not None and not empty_state.is_one_at_a_time():
        corrected = _corrected(latest, view)
        if view is View.CORRECTED:
            shell_line.draw_score(line, latest.score, CORRECTED_HELP, note=VIEW_WORDS[view])
        elif corrected is not None:
            own = f"{VIEW_WORDS[View.CORRECTED]} · {fmt.score(latest.score)} {VIEW_WORDS[view]}"
            shell_line.draw_score(line, corrected, f"{CORRECTED_HELP}\n\n{SCORE_HELP}", note=own)
        else:
            shell_line.draw_score(line, latest.score, SCORE_HELP)
        if (sampled := sample_words(latest)) is not None:
            line.note.caption(fmt.literal(sampled), help=SAMPLE_HELP)


def draw_next_step(line: shell_line.ShellLine, summaries: Sequence[RunSummary], notices: Sequence[Notice]) -> None:
    """Draw the button that leads on: to what needs attention most, else to the newest run's answers, worst first."""
    latest = run_findings.latest_scored(summaries)
    if notices:
        action, page, link = notices[0].step, notices[0].page, dict(notices[0].parameters)
    elif latest is not None:
        action, page, link = "Inspect the worst answers", nav.INSPECT, dict(address.link(latest.run.run_id))
    else:
        return
    if line.next_step.button(action, type="primary", key="overview.next"):
        st.switch_page(page, query_params=link)


def draw_finding(
    line: shell_line.ShellLine, summaries: Sequence[RunSummary], notices: Sequence[Notice], view: View
) -> None:
    """Draw the latest score, whether anything needs attention, and whether people have checked the judge on it."""
    if view is View.CORRECTED and all(s.score.mean is None for s in summaries):
        corrected_score.nothing_corrected()
        return
    if empty_state.is_one_at_a_time():
        st.markdown(f"**{fmt.plural(len(summaries), 'answer')}**, checked and saved one at a time.")
        return
    verb = fmt.verb(len(notices), "needs", "need")
    attention = f"**{fmt.plural(len(notices), 'thing')} {verb} attention.**" if notices else ""
    if is_clear(summaries, notices):
        attention = "Nothing needs attention."
    latest = run_findings.latest_scored(summaries)
    found = "No run has a score yet." if latest is None else _found(latest, summaries, view)
    covered = "" if latest is None else f":small[:gray[Coverage {run_findings.coverage_words(latest)}.]]"
    st.markdown(" ".join(part for part in (found, attention, covered, view_note(view)) if part), help=_HELP)
    with line.next_step:
        share(
            found,
            parameters={**address.series_link(summaries[0].run.series), **address.view_link(view)},
            key="overview.share",
        )
    if latest is not None and view is View.JUDGE:
        corrected_score.who_checked(latest.run)


def _found(latest: RunSummary, summaries: Sequence[RunSummary], view: View) -> str:
    """Return the finding of the newest run; the corrected score leads where there is one."""
    before = run_findings.previous(latest, summaries)
    unlike = _unlike_labels(before, latest, view)
    # A corrected score is an estimate for a whole run, so there are no pairs to test.
    is_tested = before is not None and view is not View.CORRECTED and not unlike
    step = find_step(app.services(), before, latest, view=view) if is_tested and before else None
    found = run_findings.overview_finding(summaries, step, view=view, unlike=unlike)
    corrected = _corrected(latest, view)
    if corrected is None:
        return found
    lead = f"Corrected by people's labels, faithfulness is **{fmt.score(corrected)}** in "
    own = f"{VIEW_WORDS[view].capitalize()}, {found[0].lower()}{found[1:]}"
    return f"{lead}*{fmt.literal(latest.run.name)}*. {own}"


def _corrected(latest: RunSummary, view: View) -> RunScore | None:
    """Return the newest run's corrected score, which comes before the others; None where there is none to show."""
    if view is View.CORRECTED:
        return None
    score = correct_score(app.services(), latest.run.run_id)
    return None if score.mean is None else score


def _unlike_labels(before: RunSummary | None, latest: RunSummary, view: View) -> str:
    """Return how the labels of the newest run and the one before differ; "" where the two can be compared."""
    if before is None or view is not View.REVIEWED:
        return ""
    labels = find_balance(app.services(), before.run.run_id, latest.run.run_id)
    if labels.is_balanced:
        return ""
    names = {"baseline": f"*{fmt.literal(before.run.name)}*", "candidate": f"*{fmt.literal(latest.run.name)}*"}
    return labels.counts_words(**names)


_HELP = (
    "A run's score is the mean over all its judged answers. *Compare* looks at the answers that both runs have, so its "
    "two scores can differ from these. Coverage is the share of the answers that should have a verdict and have one: "
    "answers that failed, wait or have no chunks, and rows that could not be read, lower it; abstentions and answers "
    "without claims do not. A high score with low coverage says little."
)
