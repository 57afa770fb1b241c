"""The newest score: what it is of, the number with its interval and its change, the verdicts, and who checked them."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from faithview.domain.answer import View
from faithview.domain.claim import Verdict
from faithview.domain.run import Run, RunSummary
from faithview.domain.scoring import RunScore
from faithview.domain.series import CHECKED_ANSWERS
from faithview.services.level_changes import find_step
from faithview.services.results import get_summary
from faithview.services.review.corrected_score import correct_run, correct_runs, correct_score
from faithview.stats.corrected_difference import compare_corrected
from faithview.ui import address, navigation, opened_store
from faithview.ui.widgets import corrected_score, empty_state, first_line, run_menu
from faithview.ui.widgets.first_line import view_note
from faithview.ui.widgets.judge_choice import caution_line
from faithview.ui.widgets.verdict_table import verdict_bar
from faithview.wording import findings
from faithview.wording import numbers as fmt
from faithview.wording.comparison import short_names
from faithview.wording.corrected_score import CORRECTED_HELP
from faithview.wording.figure_help import SCORE_HELP
from faithview.wording.live import SAMPLE_HELP, sample_words
from faithview.wording.verdict_styles import VERDICTS

_WHOSE = {View.JUDGE: "by the judge", View.REVIEWED: "reviewed", View.CORRECTED: "corrected by reviewers"}
_NOT_SUPPORTED = (Verdict.CONTRADICTED, Verdict.NOT_MENTIONED, Verdict.PARTIALLY_SUPPORTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class LatestScore:
    """The newest run with a score in the view.

    `judged` is the run in the view, `reviewed` the same under reviewers' verdicts. `before` is the run that `judged` is
    compared with, None where there is none. `corrected` is its corrected score, which has no mean where reviewers'
    labels give none.
    """

    view: View
    judged: RunSummary
    reviewed: RunSummary
    before: RunSummary | None
    corrected: RunScore

    @property
    def run(self) -> Run:
        """The run."""
        return self.judged.run

    @property
    def shown(self) -> RunSummary:
        """The run under the verdicts that the pages of answers show in the view."""
        return self.reviewed if self.view is View.CORRECTED else self.judged

    @property
    def open_claims(self) -> int:
        """How many claims are not fully supported."""
        return sum(self.shown.claims.get(verdict, 0) for verdict in _NOT_SUPPORTED)


def default_view(judged: Sequence[RunSummary]) -> View:
    """Return the view that the page shows while none is chosen: the corrected one if the newest score is corrected."""
    latest = findings.latest_scored(judged)
    if latest is None or empty_state.is_one_at_a_time():
        return View.JUDGE
    is_corrected = correct_score(opened_store.store(), latest.run.run_id).mean is not None
    return View.CORRECTED if is_corrected else View.JUDGE


def load_latest(summaries: Sequence[RunSummary], view: View) -> LatestScore | None:
    """Return the newest run with a score in the view; None without one, and for answers saved one at a time."""
    latest = findings.latest_scored(summaries)
    if latest is None or empty_state.is_one_at_a_time():
        return None
    store, run_id = opened_store.store(), latest.run.run_id
    return LatestScore(
        view=view,
        judged=latest,
        reviewed=get_summary(store, run_id, view=View.REVIEWED),
        before=findings.previous(latest, summaries),
        corrected=correct_score(store, run_id),
    )


def reviewed_link(run_id: str) -> dict[str, str]:
    """Return the address of a run's answers under reviewers' verdicts, where these are not the judge's."""
    return {**address.link(run_id), **(address.view_link(View.REVIEWED) if is_relabelled(run_id) else {})}


def is_relabelled(run_id: str) -> bool:
    """Return whether a run has other counts of verdicts under reviewers' labels than by the judge."""
    judged, reviewed = (get_summary(opened_store.store(), run_id, view=view) for view in (View.JUDGE, View.REVIEWED))
    return judged.claims != reviewed.claims


def draw_head(line: first_line.FirstLine, latest: LatestScore) -> None:
    """Draw which run it is, and the button that opens the claims to read."""
    line.what.markdown(f":gray[{_head_words(latest.run)}]")
    if (sampled := sample_words(latest.judged)) is not None:
        line.note.caption(fmt.literal(sampled), help=SAMPLE_HELP)
    with line.next_step:
        link = {**address.link(latest.run.run_id), **address.view_link(latest.view)}
        words = "Read the answers" if any(latest.shown.claims.values()) else "Read the worst answers"
        if number := latest.open_claims:
            words = "Read the claim" if number == 1 else f"Read the {fmt.plural(number, 'claim')}"
            link["verdict"] = ",".join(_NOT_SUPPORTED)
        if st.button(words, type="primary", key="overview.next"):
            st.switch_page(navigation.ANSWERS, query_params=link)


def _head_words(run: Run) -> str:
    """Return the run in a line: series, run, day, judge and knowledge base."""
    parts = [run.name if run.name.startswith(run.series) else f"{run.series} · {run.name}", fmt.day(run.as_of)]
    parts.append(f"judge {run.judge.name}")
    if run.kb_version:
        parts.append(f"KB {run.kb_version}")
    return fmt.literal(" · ".join(parts))


def draw_score(latest: LatestScore) -> None:
    """Draw the number with its change, interval and n, the verdicts of the claims, and what reviewers' labels say."""
    words, sentence = _change(latest)
    with st.container(key="overview-score", gap=None):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            with st.container(key="overview-number", width="content"):
                st.markdown(fmt.share(latest.judged.score.mean), width="content")
            if words:
                st.badge(fmt.literal(words), color="gray", help=f"{sentence}\n\n{_CHANGE_HELP}")
        help_text = CORRECTED_HELP if latest.view is View.CORRECTED else SCORE_HELP
        st.markdown(f":small[:gray[{_measure_words(latest)}]]", help=help_text)
        claims = {verdict: latest.shown.claims.get(verdict, 0) for verdict in VERDICTS}
        verdict_bar(claims)
        st.markdown(" &nbsp; ".join(_count(verdict, number) for verdict, number in claims.items() if number))
        if latest.view is not View.CORRECTED and latest.corrected.mean is not None:
            st.markdown(f":small[:gray[Corrected by reviewers {fmt.score(latest.corrected)}]]", help=CORRECTED_HELP)
        corrected_score.who_checked(latest.run)
        caution_line(latest.run.judge)
        run_menu.ask_model_button(latest.run, key="overview.ask_model")
        if latest.view is View.REVIEWED:
            st.markdown(view_note(latest.view))


def _count(verdict: Verdict, number: int) -> str:
    """Return how many claims have a verdict, in its colour: "✓ 274", "✕ 7 contradicted"."""
    style = VERDICTS[verdict]
    word = f" {style.word}" if verdict is Verdict.CONTRADICTED else ""
    return f":small[:{style.streamlit_colour}[{style.glyph} {fmt.count(number)}{word}]]"


def draw_nothing(summaries: Sequence[RunSummary], view: View) -> None:
    """Draw why there is no score to show."""
    if empty_state.is_one_at_a_time():
        answers = fmt.plural(len(summaries), "answer")
        st.markdown(f"*{CHECKED_ANSWERS}*: **{answers}**, checked and saved one at a time, with no trend.")
    elif view is View.CORRECTED:
        corrected_score.nothing_corrected()
    else:
        st.markdown("No run has a score yet.")


def _measure_words(latest: LatestScore) -> str:
    """Return what the number is, with its interval and n: "faithfulness by the judge, 0.90–0.97 on 116 answers"."""
    score, on = latest.judged.score, fmt.plural(latest.judged.score.judged, "answer")
    if latest.view is View.CORRECTED and (correction := correct_run(opened_store.store(), latest.run.run_id)):
        on = fmt.plural(correction.labels, "label")
    interval = "" if score.interval is None else f", {fmt.interval(score)}"
    words = f"faithfulness {_WHOSE[latest.view]}{interval} on {on}"
    if latest.judged.coverage is not None and latest.judged.coverage < 1:
        words += f" · coverage {findings.coverage_words(latest.judged)}"
    return words


def _change(latest: LatestScore) -> tuple[str, str]:
    """Return the change from the run before in a few words and as a sentence; nothing where there is no run before."""
    before, after = latest.before, latest.judged
    if before is None:
        return "", ""
    name = short_names([before.run.name, after.run.name])[0]
    if not any(map(str.isalpha, name)):  # "8" of "Run 8" would read as a number
        name = before.run.name
    if latest.view is View.CORRECTED:
        return _corrected_change(before.run, after.run, f"{name}, the last corrected run"), _finding(latest)
    before, after = _by_judge(before), _by_judge(after)
    words = findings.change_words(before, after, name, find_step(opened_store.store(), before, after))
    return (f"{words}, by the judge" if latest.view is View.REVIEWED else words), _finding(latest)


def _corrected_change(before: Run, after: Run, name: str) -> str:
    """Return the change of the corrected score in a few words."""
    scores = correct_runs(opened_store.store(), [before.run_id, after.run_id])
    old, new = scores[before.run_id], scores[after.run_id]
    if old is None or new is None:
        return f"change since {name} not tested"
    found = compare_corrected(old, new)
    if found.interval.low <= 0 <= found.interval.high:
        return f"no significant change since {name}"
    return f"{fmt.signed(found.difference)} since {name}"


def _finding(latest: LatestScore) -> str:
    """Return the finding of the newest run as a sentence."""
    before, after = latest.before, latest.judged
    runs = [after] if before is None else [after, before]
    # A corrected score is an estimate for a whole run, so there are no pairs to test.
    if before is None or latest.view is View.CORRECTED:
        return findings.overview_finding(runs, view=latest.view)
    judged = [_by_judge(run) for run in runs]
    finding = findings.overview_finding(judged, find_step(opened_store.store(), judged[1], judged[0]))
    return f"By the judge's verdicts: {finding}" if latest.view is View.REVIEWED else finding


def _by_judge(summary: RunSummary) -> RunSummary:
    """Return a run under the judge's verdicts: labels may be on one of two runs only, so they never make a change."""
    return get_summary(opened_store.store(), summary.run.run_id)


_CHANGE_HELP = (
    "A run's score is the mean over all its judged answers. *Changes* looks at the answers that both runs have, so its "
    "two scores can differ from these."
)
