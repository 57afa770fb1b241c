"""Overview: how good are the newest answers, what is wrong with them, and what is left to do?"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial

import streamlit as st

from faithview.domain.answer import AnswerFilter, Order, View
from faithview.domain.claim import Verdict
from faithview.domain.errors import NotFound
from faithview.domain.run import RunSummary
from faithview.domain.scoring import RunScore
from faithview.services.alerts import acknowledge
from faithview.services.level_changes import find_step
from faithview.services.results import get_summary, list_runs, list_summaries
from faithview.services.review.corrected_score import correct_run, correct_score, correct_summaries, count_settled
from faithview.store.answers import list_answers
from faithview.ui import address, identity, navigation, opened_store, page_setup, series, trends
from faithview.ui.charts.trend_figure import CONFIG, clicked_point, trend_figure, trend_in_words
from faithview.ui.open_work import OpenWork, list_open_work
from faithview.ui.reader.payload import fault_words
from faithview.ui.tables import click_table
from faithview.ui.widgets import empty_state
from faithview.ui.widgets.first_line import FirstLine, first_line
from faithview.ui.widgets.judge_choice import caution_line
from faithview.ui.widgets.verdict_table import verdict_bar
from faithview.wording import findings
from faithview.wording import numbers as fmt
from faithview.wording.comparison import short_names
from faithview.wording.corrected_score import CORRECTED_HELP, judge_only
from faithview.wording.figure_help import SCORE_HELP
from faithview.wording.live import SAMPLE_HELP, sample_words
from faithview.wording.verdict_styles import VERDICT_LABELS, VERDICTS

page_setup.require_app()

_CHART_HEIGHT = 250  # px
_NO_BREAK = "\u00a0"
_MOST_RUNS, _MOST_CLAIMS, _MOST_WORK = 40, 5, 6


def draw_first_line(line: FirstLine, latest: RunSummary, reviewed: RunSummary) -> None:
    """Draw which run it is, and the button that opens the claims to read."""
    run = latest.run
    parts = [run.name if run.name.startswith(run.series) else f"{run.series} · {run.name}", fmt.run_line(run)]
    line.what.markdown(f":gray[{fmt.literal(' · '.join(parts))}]")
    if (sampled := sample_words(latest)) is not None:
        line.note.caption(fmt.literal(sampled), help=SAMPLE_HELP)
    link, words = address.link(run.run_id), "Read the worst answers"
    wrong = [verdict for verdict in Verdict if verdict is not Verdict.SUPPORTED]
    if number := sum(reviewed.claims.get(verdict, 0) for verdict in wrong):
        words, link["verdict"] = f"Read the {fmt.plural(number, 'claim')}", ",".join(wrong)
    with line.next_step:
        if st.button(words, type="primary", key="overview.next"):
            st.switch_page(navigation.ANSWERS, query_params=link)


def draw_score(latest: RunSummary, reviewed: RunSummary, before: RunSummary | None) -> None:
    """Draw the score, corrected by reviewers if possible, with the judge's next to it, and the claims' verdicts."""
    store, run = opened_store.store(), latest.run
    corrected = correct_score(store, run.run_id)
    leading, whose = (
        (corrected, "corrected by reviewers") if corrected.mean is not None else (latest.score, "by the judge")
    )
    with st.container(key="overview-score", gap=None):
        with st.container(key="overview-number"):
            st.markdown(fmt.share(leading.mean))
        st.markdown(
            f":small[:gray[faithfulness {whose}, {_measure(leading)}]]",
            help=SCORE_HELP if leading is latest.score else CORRECTED_HELP,
        )
        judged = [f"judge {fmt.score(latest.score)}"] if leading is corrected else []
        if before is not None:
            name = short_names([before.run.name, run.name])[0]
            judged.append(findings.change_words(before, latest, name, find_step(store, before, latest)))
        if latest.coverage is not None and latest.coverage < 1:
            judged.append(f"coverage {findings.coverage_words(latest)}")
        if judged:
            st.markdown(f":small[:gray[{fmt.literal(' · '.join(judged))}]]")
        claims = {verdict: reviewed.claims.get(verdict, 0) for verdict in VERDICTS}
        verdict_bar(claims)
        st.markdown(
            " &nbsp; ".join(
                f":small[:{VERDICTS[verdict].streamlit_colour}[{VERDICTS[verdict].glyph} {fmt.count(number)} "
                f"{VERDICTS[verdict].word}]]".replace(" ", _NO_BREAK)
                for verdict, number in claims.items()
                if number
            )
        )
        if leading is latest.score:
            correction = correct_run(store, run.run_id)
            check = None if correction is None else f"*{fmt.literal(correction.check.name)}*"
            in_check = 0 if correction is None else correction.labels
            words = judge_only(labelled=count_settled(store, run.run_id), check=check, in_check=in_check)
            st.markdown(f":small[{words}]")
        caution_line(run.judge)


def _measure(score: RunScore) -> str:
    interval = "" if score.interval is None else f"{fmt.interval(score)}, "
    return f"{interval}n {fmt.count(score.judged)}"


def draw_trend(loaded: trends.TrendData) -> None:
    """Draw faithfulness by run; a click on a point opens its answers."""
    chart = loaded.chart()
    if chart is None:
        st.markdown(":gray[The first judged run will appear here.]")
        return
    event = st.plotly_chart(
        trend_figure(chart, height=_CHART_HEIGHT),
        key="overview.trend",
        on_select="rerun",
        selection_mode="points",
        config=CONFIG,
        alt=trend_in_words(chart),
    )
    if (found := clicked_point(event.selection.get("points") or [], chart.lines)) is not None:
        st.switch_page(navigation.ANSWERS, query_params=address.link(found[1].run_ids[0]))


def draw_worst_claims(run_id: str) -> None:
    """Draw the claims of the newest run that could do most harm; a click opens one next to its chunks."""
    listed = list_answers(
        opened_store.store().db, run_id, AnswerFilter(), view=View.REVIEWED, order=Order.HARM, limit=_MOST_CLAIMS
    )
    worst = [(row.key, row.question, row.worst) for row in listed.rows if row.worst is not None]
    if not worst:
        return
    st.header("The most harmful claims", anchor=False, help=_CLAIMS_HELP)
    text = st.column_config.TextColumn
    number = click_table(
        [
            {
                "wrong": fault_words(claim),
                "verdict": VERDICT_LABELS[claim.verdict.value],
                "claim": claim.text,
                "asked": question,
            }
            for _, question, claim in worst
        ],
        {
            "wrong": text("What is wrong", width=250),
            "verdict": text("Verdict", width=110),
            "claim": text("Claim", width=340),
            "asked": text("Question", width=240),
        },
        key=f"overview.claims.{run_id}",
        alt="The claims that could do most harm, one per answer, the worst first.",
    )
    if number is not None:
        key, _, claim = worst[number]
        st.switch_page(navigation.ANSWERS, query_params=address.link(run_id, key, claim.number))


def draw_row(icon: str, text: str, action: str, page: str, parameters: Mapping[str, str], *, key: str) -> None:
    """Draw a line of a list with its link."""
    with st.container(key=f"overview-row-{key}", horizontal=True, vertical_alignment="center", wrap=False):
        st.markdown(f":material/{icon}:", width="content")
        st.markdown(text, width="stretch")
        st.page_link(page, label=action, query_params=dict(parameters))


def draw_open_work(work: Sequence[OpenWork]) -> None:
    """Draw what waits; users who may label can mark an alert as seen."""
    st.header("Open work", anchor=False)
    if not work:
        st.markdown(":gray[No open alerts, falls, unfinished runs or disagreements.]")
    for number, one in enumerate(work[:_MOST_WORK]):
        draw_row(one.icon, one.text, one.action, one.page, one.parameters, key=f"work-{number}")
        if one.alert_id is not None and identity.can_label(identity.current_reviewer()):
            key = f"overview.seen.{one.alert_id}"
            st.button("Mark as seen", key=key, type="tertiary", on_click=partial(mark_seen, one.alert_id))
    if (more := len(work) - _MOST_WORK) > 0:
        st.caption(f"and {fmt.count(more)} more")


def mark_seen(alert_id: int) -> None:
    """Mark an alert as seen; the role is checked again, because the page may be out of date."""
    if identity.can_label(identity.current_reviewer()):
        with suppress(NotFound):  # its rule was deleted meanwhile, and the alert with it
            acknowledge(opened_store.store(), alert_id)


def draw_changes(loaded: trends.TrendData) -> None:
    """Draw the last significant change, by the judge's verdicts, and the recovery from it."""
    st.header("What changed last", anchor=False, help=_CHANGE_HELP)
    change = loaded.finding.level_change
    if change is None:
        draw_row("trending_flat", trends.finding_words(loaded), "See", navigation.TRENDS, {}, key="trend")
        return
    for number, row in enumerate(trends.change_rows(change, loaded.zone)):
        link = address.pair_link(row.baseline_id, row.candidate_id)
        icon = "north" if row.is_rise else "south"
        draw_row(icon, row.text, "Why", navigation.CHANGES, link, key=f"change-{number}")


def draw_runs(summaries: Sequence[RunSummary]) -> None:
    """Draw the newest runs, newest first; a click on a row opens the run."""
    corrected = correct_summaries(opened_store.store(), summaries)
    rows = [_run_row(one, better.score, summaries) for one, better in zip(summaries, corrected, strict=True)]
    # A column with the same value for all runs tells nothing.
    columns = {
        name: column
        for name, column in _COLUMNS.items()
        if name not in _OPTIONAL or len({row[name] for row in rows}) > 1
    }
    number = click_table(
        rows,
        columns,
        key=f"overview.runs.{series.in_view()}",
        alt="The runs, newest first, with their faithfulness, its interval, and the change from the previous run.",
    )
    if number is not None:
        st.switch_page(navigation.ANSWERS, query_params=address.link(summaries[number].run.run_id))


def _run_row(summary: RunSummary, corrected: RunScore, summaries: Sequence[RunSummary]) -> dict[str, object]:
    before = findings.previous(summary, summaries)
    return {
        "run": summary.run.name,
        "as_of": summary.run.as_of,
        "faithfulness": summary.score.mean,
        "interval": fmt.interval(summary.score),
        "n": summary.score.judged,
        "change": fmt.change(before.score.mean if before else None, summary.score.mean),
        "corrected": None if corrected.mean is None else fmt.score(corrected),
        "unsupported": fmt.percent(summary.hallucination_rate),
        "judge": summary.run.judge.name,
        "kb": summary.run.kb_version,
        "status": fmt.STATUS_WORDS[summary.run.status],
    }


def draw_archived() -> None:
    """Draw the archived runs; a click opens one, where it can be restored."""
    archived = list_runs(opened_store.store(), series=series.in_view(), archived=True)
    if not archived:
        return
    with st.expander(f"Archived ({fmt.plural(len(archived), 'run')})", icon=":material/archive:"):
        number = click_table(
            [{"run": run.name, "about": fmt.run_line(run), "note": run.note} for run in archived],
            {"run": "Run", "about": "Made by", "note": "Note"},
            key=f"overview.archived.{series.in_view()}",
            alt="The archived runs, newest first.",
        )
        if number is not None:
            st.switch_page(navigation.ANSWERS, query_params=address.link(archived[number].run_id))


_OPTIONAL = ("corrected", "judge", "kb", "status")
_COLUMNS = {
    "run": st.column_config.TextColumn("Run", width=150),
    "as_of": st.column_config.DateColumn("Answers of", format="D MMM YYYY", width=94),
    "faithfulness": st.column_config.NumberColumn("Faithfulness", format="%.2f", width=92, help="By the judge."),
    "interval": st.column_config.TextColumn("95% interval", width=95),
    "n": st.column_config.NumberColumn("n", width=48, help="Judged answers."),
    "change": st.column_config.TextColumn("Change", width=66, help="From the previous run by the same judge."),
    "corrected": st.column_config.TextColumn("Corrected", width=150),
    "unsupported": st.column_config.TextColumn("Unsupported", width=92, help="Share of the claims."),
    "judge": st.column_config.TextColumn("Judge", width=80),
    "kb": st.column_config.TextColumn("KB", width=70),
    "status": st.column_config.TextColumn("Status", width=80),
}
_CHANGE_HELP = (
    "By the judge: the mean change of the answers that both runs have, or the difference of the means if the runs "
    "have too few in common."
)
_CLAIMS_HELP = (
    "One claim per answer, contradictions first, then by severity times the judge's confidence. A "
    "reviewer's verdict replaces the judge's."
)

line = first_line("Overview")
if not empty_state.has_runs():
    empty_state.no_runs("This page will show how faithful the newest answers are, and what to read first.")
    draw_archived()
    st.stop()

summaries = list_summaries(opened_store.store(), series=series.in_view(), limit=_MOST_RUNS)
loaded = trends.load_trends()
latest = None if empty_state.is_one_at_a_time() else findings.latest_scored(summaries)
if empty_state.is_one_at_a_time():
    empty_state.one_at_a_time("They have no trend.")
elif latest is None:
    st.markdown("No run has a score yet.")
else:
    reviewed = get_summary(opened_store.store(), latest.run.run_id, view=View.REVIEWED)
    draw_first_line(line, latest, reviewed)
    left, right = st.container(key="overview-top").columns([5, 8], gap="large")
    with left:
        draw_score(latest, reviewed, findings.previous(latest, summaries))
    with right:
        draw_trend(loaded)
    draw_worst_claims(latest.run.run_id)
left, right = st.container(key="overview-lists").columns(2, gap="large")
with left:
    draw_open_work(list_open_work(opened_store.store(), summaries, loaded))
with right:
    draw_changes(loaded)
st.header("Runs", anchor=False)
draw_runs(summaries)
draw_archived()
