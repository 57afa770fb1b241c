"""Parts of the inspect page: the run in view, its figures, filters, the list of answers, one answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

import streamlit as st

from faithview.domain.claim import HallucinationType, Verdict
from faithview.domain.errors import NotFound
from faithview.domain.result import State
from faithview.domain.run import Run, RunSummary
from faithview.domain.views import AnswerDetail, AnswerFilter, AnswerPage, AnswerRow, Order, View
from faithview.services.results.answers import get_answer, list_answers, list_segments
from faithview.services.results.runs import get_run, get_summary, list_runs
from faithview.services.review.carry_over import count_carried
from faithview.services.review.reviewed_answer import review_answer
from faithview.ui.components.answer_list import answer_list
from faithview.ui.components.answer_view import answer_view
from faithview.ui.inspect.ablation import what_if
from faithview.ui.inspect.label_bar import label_in_place
from faithview.ui.inspect.missed_claims import mark_button, missed_claim
from faithview.ui.parts.downloads import answers_download, run_report
from faithview.ui.parts.inherited_labels import carried_sentence
from faithview.ui.parts.judge_extras import beside
from faithview.ui.parts.view_switch import view_note
from faithview.ui.shell import address, app, session
from faithview.wording import numbers as fmt
from faithview.wording import run_findings
from faithview.wording.verdicts import STATE_WORDS, VERDICTS
from faithview.wording.views import VIEW_WORDS

_T = TypeVar("_T")

_PAGE_SIZE = 50
_SEARCH = "Search the answers"
_NOTE = ".st-key-labels_note input"
_PAGE_KEYS = {
    "/": f'input[aria-label="{_SEARCH}"]',
    "?": ".st-key-inspect_keys button",
    "n": _NOTE,
    "Escape": _NOTE,
}
_HEIGHT = 545
_ANSWER_HEIGHT = 455  # leaves room beneath for the label buttons
_LISTED_RUNS = 200

# The filters' keys are their names in the address.
FILTERS: dict[str, object] = {"state": None, "verdict": None, "type": None, "segment": None, "q": ""}

_ORDER_WORDS = {Order.WORST: "Worst first", Order.BEST: "Best first", Order.FILE: "File order"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """One page of the list, and what it was asked for."""

    run: Run
    filters: AnswerFilter
    order: Order
    view: View
    page: AnswerPage
    number: int

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return max(1, -(-self.page.total // _PAGE_SIZE))


def choose_run() -> Run | None:
    """Draw the choice of the run and return the one in view; None if there are no runs."""
    services = app.services()
    runs = list_runs(services, limit=_LISTED_RUNS)
    if not runs:
        return None
    run = _find_run(address.selected_run()) or runs[0]
    address.keep_run(run.run_id)
    known = {r.run_id: r for r in ([] if run in runs else [run]) + runs}
    # The key holds the run, so that a link to another one is not overruled by what the widget remembers.
    chosen = st.selectbox(
        "Run",
        list(known),
        index=list(known).index(run.run_id),
        format_func=lambda run_id: f"{known[run_id].name}   {fmt.run_line(known[run_id])}",
        key=f"inspect.run.{run.run_id}",
        label_visibility="collapsed",
    )
    if chosen != run.run_id:
        address.select_run(chosen)
        st.rerun()
    return run


def figures(run: Run, view: View) -> None:
    """Draw the finding and the run's figures with what they leave out, and whose verdicts they show."""
    summary = get_summary(app.services(), run.run_id, view=view)
    carried = carried_sentence(count_carried(app.services(), run.run_id))
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        sentence = " ".join(part for part in (run_findings.run_finding(summary), carried, view_note(view)) if part)
        st.markdown(sentence, width="stretch")
        run_report(summary.run, view)
    parts = [_verdict_count(verdict, summary) for verdict in Verdict if any(summary.claims.values())]
    if summary.score.mean is not None:
        parts.append(f":gray[{fmt.count(summary.faithful_rows)} faithful]")
    if left_out := fmt.left_out(summary.states):
        parts.append(f":gray[{left_out}]")
    if summary.score.unscored and summary.score.bounds:
        parts.append(f":gray[bounds {fmt.ends(summary.score.bounds)}]")
    # The question mark goes with the score, so that it never stands on a line of its own where the counts are long.
    with st.container(horizontal=True, gap="small"):
        if summary.score.mean is not None:
            score = f":small[Faithfulness {VIEW_WORDS[view]} **{fmt.score(summary.score)}**]"
            st.markdown(score, help=_FIGURES_HELP, width="content")
        st.markdown(" &nbsp; ".join(f":small[{part}]" for part in parts), width="content")


def filters(run: Run) -> tuple[AnswerFilter, Order]:
    """Draw the filters, kept in the address, and return what they ask for."""
    segments = list_segments(app.services(), run.run_id)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        chosen_state = _choice("State", "state", {s: STATE_WORDS[s] for s in State})
        verdict = _choice("Verdict", "verdict", {v: VERDICTS[v].word for v in Verdict})
        kind = _choice("Hallucination", "type", {h: h.value for h in HallucinationType})
        segment = _choice("Segment", "segment", {s: s for s in segments}, width=180)
        search = st.text_input(
            _SEARCH,
            key="q",
            bind="query-params",
            placeholder="Question, answer or id",
            type="search",
            label_visibility="collapsed",
            width="stretch",
        )
        order = st.selectbox(
            "Order",
            list(Order),
            format_func=_ORDER_WORDS.__getitem__,
            key="order",
            bind="query-params",
            label_visibility="collapsed",
            width=135,
        )
    found = AnswerFilter(
        state=chosen_state, verdict=verdict, hallucination_type=kind, segment=segment, search=search or None
    )
    if found != AnswerFilter():
        address.name_run()
    return found, order or Order.WORST


def load_list(run: Run, filters: AnswerFilter, order: Order, view: View) -> Listing:
    """Return the page of the list that holds the row in view; without one, the page that was turned to."""
    services = app.services()
    row = address.selected_row()
    turned = 1 if row is not None else session.INSPECT_PAGE.get()
    page = list_answers(
        services,
        run.run_id,
        filters,
        view=view,
        order=order,
        offset=(turned - 1) * _PAGE_SIZE,
        limit=_PAGE_SIZE,
        around=row,
    )
    if not page.rows and turned > 1:  # the list has become shorter than the page that was turned to: another run, say
        page = list_answers(services, run.run_id, filters, view=view, order=order, limit=_PAGE_SIZE)
    number = page.offset // _PAGE_SIZE + 1
    session.INSPECT_PAGE.set(number)
    return Listing(run=run, filters=filters, order=order, view=view, page=page, number=number)


def settle_row(run: Run) -> None:
    """Turn a row that the address gives by its position into one by its key; say so if there is no such row."""
    row = address.selected_row()
    if row is None:
        return
    try:
        key = get_answer(app.services(), run.run_id, row).sample.key
    except NotFound:
        st.info(f"The run has no row {fmt.literal(row)}; the first of the list is shown.", icon=":material/link_off:")
        address.select_row(None)
        return
    if key != row:
        claim = address.selected_claim()
        address.select_row(key)
        address.select_claim(claim)


def choose_answer(listing: Listing) -> str:
    """Draw the list with the way to its other pages; return the key of the answer that is open."""
    rows = listing.page.rows
    keys = [row.key for row in rows]
    row = address.selected_row()
    opened = row if row in keys else keys[0]
    chosen = answer_list(rows, key="inspect.list", selected=opened, height=_HEIGHT, page_keys=_PAGE_KEYS) or opened
    if row is not None or chosen != keys[0] or listing.number > 1:
        # The first row goes without saying: an address that changes by itself cannot be left with the back button.
        address.select_row(chosen)
    if listing.pages > 1:
        # A key for each page: the page in view follows the row, and a widget cannot be told its value and keep its key.
        turn = f"inspect.turn.{listing.number}"
        st.pagination(
            listing.pages, default=listing.number, key=turn, max_visible_pages=5, on_change=lambda: _turn_to(turn)
        )
    first = listing.page.offset + 1
    last = first + len(rows) - 1
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", gap="xxsmall"):
        st.caption(f"{fmt.count(first)}–{fmt.count(last)} of {fmt.count(listing.page.total)}", width="content")
        answers_download(listing.run, listing.filters, listing.order, listing.view)
        if st.button("Keys", type="tertiary", icon=":material/keyboard:", key="inspect_keys"):
            _key_sheet()
    return chosen


def _turn_to(turn: str) -> None:
    session.INSPECT_PAGE.set(session.widget_page(turn))
    address.select_row(None)


@st.dialog("Keys")
def _key_sheet() -> None:
    st.markdown("\n".join(["| Key | Does |", "| --- | --- |", *(f"| {key} | {what} |" for key, what in _KEYS)]))
    st.caption("Keys rest while you type in a field.")


def answer(run: Run, key: str, listing: Listing, view: View) -> None:
    """Draw one answer beside its chunks; the claim that is selected goes into the address and can be labelled."""
    detail = get_answer(app.services(), run.run_id, key)
    _answer_line(detail, next(row for row in listing.page.rows if row.key == key), view)
    reviewed = review_answer(app.services(), detail)
    chosen = answer_view(
        detail.sample,
        detail.result,
        key="inspect.answer",
        claim=address.selected_claim(),
        height=_ANSWER_HEIGHT,
        reviewed=reviewed,
        view=view,
    )
    if chosen is not None:
        address.select_row(key)
    address.select_claim(chosen)
    beside(detail.result)
    judged = len(detail.result.claims)
    if chosen is not None and chosen <= judged:
        label_in_place(run.run_id, detail.position, chosen)
        what_if(run, detail, chosen)
    elif chosen is not None:
        missed_claim(detail, reviewed.missed[chosen - judged - 1], chosen)
    elif judged:
        st.caption("Select a claim, with ← → or a click, to label it.")
    if detail.result.state is not State.PENDING:
        mark_button(detail)


def _verdict_count(verdict: Verdict, summary: RunSummary) -> str:
    style = VERDICTS[verdict]
    return f":{style.streamlit_colour}[{style.material} {fmt.count(summary.claims[verdict])} {style.word}]"


def _answer_line(detail: AnswerDetail, row: AnswerRow, view: View) -> None:
    result, sample = detail.result, detail.sample
    # An id stands as code, to be copied; a code span can hold neither a backtick nor a line break.
    is_plain = "`" not in sample.key and sample.key.isprintable()
    parts = [f"`{sample.key}`" if is_plain else fmt.literal(sample.key)]
    if row.faithfulness is not None:
        faithful = "faithful" if row.is_faithful else "not faithful"
        parts.append(f"faithfulness {VIEW_WORDS[view]} **{fmt.share(row.faithfulness)}**, {faithful}")
    if result.faithfulness_weighted is not None and view is View.JUDGE:
        parts.append(f"weighted {fmt.share(result.faithfulness_weighted)}")
    if sample.segment:
        parts.append(fmt.literal(sample.segment))
    if sample.timestamp:
        parts.append(fmt.day(sample.timestamp))
    st.caption(" · ".join(parts))


def _find_run(reference: str | None) -> Run | None:
    if reference is None:
        return None
    try:
        return get_run(app.services(), reference)
    except NotFound:
        st.info(
            f"There is no run {fmt.literal(reference)} in this store; the newest is shown.", icon=":material/link_off:"
        )
        address.forget_run()
        return None


def _choice(label: str, key: str, options: Mapping[_T, str], *, width: int = 150) -> _T | None:
    """Draw a filter that is kept in the address; None means that it does not restrict. Its label stands inside."""
    return st.selectbox(
        label,
        list(options),
        index=None,
        format_func=options.__getitem__,
        key=key,
        bind="query-params",
        placeholder=label,
        label_visibility="collapsed",
        width=width,
    )


_KEYS = (
    ("J, K", "next and previous answer"),
    ("← →", "next and previous claim; within the claim list also ↑ ↓, Home and End"),
    ("Esc", "no claim selected"),
    ("Enter", "open the answer in focus"),
    ("1 – 5", "label the selected claim: a verdict in their order, 5 for not a claim"),
    ("U", "take your label of the selected claim back"),
    ("N", "write a note; Esc leaves it"),
    ("/", "search the answers"),
    ("?", "this sheet"),
)

_FIGURES_HELP = (
    "Faithfulness is the share of an answer's claims that its chunks support, averaged over the judged answers, with a "
    "95 % bootstrap interval over questions. Weighted counts a partial support half and a contradiction minus one. "
    "An answer is faithful with no contradiction and at least the run's threshold of supported claims. Bounds are the "
    "means if every answer without a score had scored 0, and 1. Answers that are not judged are counted beside the "
    "score and not in it. A judge can be wrong, and faithful is not the same as "
    "correct: it says that the chunks support the answer, not that the chunks are right."
)
