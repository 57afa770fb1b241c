"""A run in figures, at the head of the inspect page: the finding, the score, the counts, and the run's report."""

from collections.abc import Mapping
from urllib.parse import urlencode

import streamlit as st

from faithview.domain.claim import Verdict
from faithview.domain.run import Run, RunSummary
from faithview.domain.views import View
from faithview.services.report.run import ReportScope
from faithview.services.results.runs import get_summary
from faithview.services.review.carry_over import count_carried
from faithview.ui.inspect import answer_filters
from faithview.ui.inspect.place import Place
from faithview.ui.parts import corrected_score
from faithview.ui.parts.downloads.page_downloads import run_report
from faithview.ui.parts.inherited_labels import carried_sentence
from faithview.ui.parts.share import share
from faithview.ui.parts.view_switch import view_note
from faithview.ui.runs import run_menu
from faithview.ui.runs.run_troubles import run_troubles
from faithview.ui.shell import address, app
from faithview.ui.shell.shell_line import ShellLine, draw_score
from faithview.wording import numbers as fmt
from faithview.wording import run_findings
from faithview.wording.corrected import CORRECTED_HELP
from faithview.wording.figure_help import FAITHFUL_IN_RUN
from faithview.wording.live import inclusion_words, sample_words
from faithview.wording.verdicts import VERDICTS


def run_header(run: Run, view: View, line: ShellLine, at: Place) -> None:
    """Draw the finding and the figures under that view, with the answers that the score leaves out.

    Claims and answers have no corrected score: in the corrected view only the run's score is corrected, if it can be.
    """
    figures_view = View.REVIEWED if view is View.CORRECTED else view
    summary = get_summary(app.services(), run.run_id, view=figures_view)
    score, note, score_help = summary.score, "", _FIGURES_HELP
    if view is View.CORRECTED:
        score, note = corrected_score.header_score(run, summary.score)
        score_help = _FIGURES_HELP if score is summary.score else CORRECTED_HELP
    draw_score(line, score, score_help, note=note)
    with line.next_step:
        run_menu.run_menu(summary.run, page="inspect")
        named = {**address.link(run.run_id), **address.view_link(view)}
        run_report(summary.run, view, _scope(at, named))
        share(
            run_findings.shared_finding(summary, score=score, whose=note),
            parameters=named,
            key="inspect.share",
        )
    run_menu.archived_note(summary.run)
    carried = carried_sentence(count_carried(app.services(), run.run_id))
    parts = [_verdict_count(verdict, summary) for verdict in Verdict if any(summary.claims.values())]
    if summary.score.mean is not None:
        faithful = f"{fmt.count(summary.faithful_rows)} of {fmt.plural(summary.score.judged, 'answer')} faithful"
        faithful += f" ({fmt.thresholds(run.threshold)})"
        parts.append(f":gray[{faithful}]")
    if left_out := fmt.left_out(summary.states):
        parts.append(f":gray[{left_out}]")
    if summary.score.unscored and summary.score.bounds:
        parts.append(f":gray[bounds {fmt.ends(summary.score.bounds)}]")
    parts += [
        f":gray[{fmt.literal(words)}]"
        for words in (sample_words(summary), inclusion_words(*summary.inclusion))
        if words
    ]
    sentence = " ".join(part for part in (run_findings.run_finding(summary), carried, view_note(figures_view)) if part)
    figures = "&nbsp; ".join(f":small[{part}]" for part in parts)
    st.markdown(f"{sentence}  \n{figures}" if figures else sentence)
    run_troubles(summary)


def _scope(at: Place, named: Mapping[str, str]) -> ReportScope:
    """Return what the list shows, with the address that opens it for others too."""
    page = st.context.url
    query = urlencode({**st.query_params.to_dict(), **named})
    return ReportScope(
        filters=at.filters,
        words=answer_filters.filter_words(at.filters),
        order=at.order,
        link=f"{page}?{query}" if page else None,
    )


def _verdict_count(verdict: Verdict, summary: RunSummary) -> str:
    style = VERDICTS[verdict]
    return f":{style.streamlit_colour}[{style.material} {fmt.count(summary.claims[verdict])} {style.word}]"


_FIGURES_HELP = (
    "Faithfulness is the share of an answer's claims that its chunks support, averaged over the judged answers, with a "
    "95 % interval over questions (Wilson's). In the reviewed view claims that people added because the judge missed "
    "them count too. Weighted counts a partial support half and a contradiction minus one. "
    f"{FAITHFUL_IN_RUN} Bounds are the "
    "means if every answer without a score had scored 0, and 1. Answers that are not judged are counted beside the "
    "score and not in it. A judge can be wrong, and faithful is not the same as "
    "correct: it says that the chunks support the answer, not that the chunks are right."
)
