"""The changed answers of a comparison as a list, one of them opened side by side; and the answers without a partner."""

from collections.abc import Callable, Mapping, Sequence

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from faithview.domain.comparison import Change, Unpaired
from faithview.domain.errors import FaithViewError
from faithview.domain.run import Run
from faithview.services.comparison.compare import get_pair
from faithview.services.comparison.compared_runs import (
    ChangeFilter,
    Comparison,
    Shown,
    count_sides,
    filter_changes,
    find_at,
    list_segments,
    main_side,
)
from faithview.services.review.labels import get_reviewed_answer
from faithview.ui import address, navigation, opened_store, page_addresses, session
from faithview.ui.address import AddressWidget, page_turner
from faithview.ui.changes.pair_view import pair_view
from faithview.ui.frontend.component_files import browser_styles, read_script, read_styles
from faithview.ui.page_addresses import cause_name, find_cause
from faithview.ui.widgets import label_bar
from faithview.ui.widgets.answer_list import RowPayload
from faithview.ui.widgets.selection import component_selection, keep_choice
from faithview.wording import numbers as fmt
from faithview.wording.causes import CAUSE_WORDS
from faithview.wording.verdict_styles import STATE_WORDS

_HEIGHT = 640  # px; the styles make the list as high as its rows where it is above the answers
_mount = st.components.v2.component(
    "faithview.change_list",
    css=read_styles("answer_list", "change_list"),
    js=read_script("answer_list"),
)


def change_list(changes: Sequence[Change], *, key: str, selected: str | None) -> str | None:
    """Draw the changes in the order given; return the row's own id of the one that is open.

    Args:
        changes: the changes of one page.
        key: the component's key, unique on the page.
        selected: the change that the page wants open, None for none.
    """
    known = {change.key for change in changes}
    selection = component_selection(key, subject="changes", requested=selected)
    chosen = selection.choice if isinstance(selection.choice, str) and selection.choice in known else None
    _mount(
        key=key,
        height="content",
        data={
            "subject": "changes",
            "turn": selection.turn,
            "selected": chosen,
            "height": _HEIGHT,
            "page_keys": {},
            "styles": browser_styles(),
            "rows": [build_row(change) for change in changes],
        },
        on_choice_change=keep_choice,
    )
    return chosen


def build_row(change: Change) -> RowPayload:
    """Return what the list draws of a change: question, score before and now, segment and main cause."""
    scores = [
        fmt.share(score) if score is not None else STATE_WORDS[state]
        for score, state in (
            (change.baseline, change.baseline_state),
            (change.candidate, change.candidate_state),
        )
    ]
    parts = [change.segment, _change_words(change)]
    return {
        "key": change.key,
        "score": " → ".join(scores),
        "state": STATE_WORDS[change.candidate_state],
        "fault": None,
        "counts": "",
        "title": change.question or change.key,
        "note": " · ".join(part for part in parts if part) or None,
        "labelled": None,
        "is_labelled": False,
    }


def _change_words(change: Change) -> str:
    side = main_side(change)
    if side is not None:
        return CAUSE_WORDS[side.cause].name(is_won=side.is_won)
    changed = [word for word, has in (("Answer", change.answer_changed), ("chunks", change.context_changed)) if has]
    words = " and ".join(changed).capitalize()
    return f"{words} changed, the score did not" if changed and change.difference == 0 else ""


def default_shown(comparison: Comparison) -> Shown:
    """Return what is listed first: worse answers, or, if there are none, better ones, or else all."""
    if comparison.difference.regressed:
        return Shown.REGRESSIONS
    return Shown.IMPROVEMENTS if comparison.difference.improved else Shown.ALL


def current_filter(comparison: Comparison) -> ChangeFilter:
    """Return the filter in effect; a segment that these two runs do not have is none."""
    segments = {segment.segment or "" for segment in comparison.segments}
    segments |= {change.segment or "" for change in comparison.changes}
    return page_addresses.change_filter(default=default_shown(comparison), segments=frozenset(segments))


def side_by_side(key: str, *, widths: tuple[float, float]) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return two containers beside each other, in the ratio of the widths; below each other on a narrow page.

    Streamlit's columns fall below each other only on a phone. The style sheet of the page uses the class that it gives
    to containers with a key.
    """
    with st.container(key=f"compare_pair_{key}"):
        left, right = st.columns(widths, gap="medium")
    return left, right


_PAGE_SIZE = 20
_SHOWN, _CAUSE, _SEGMENT = (AddressWidget(f"compare.{name}") for name in ("shown", "cause", "segment"))
_NO_SEGMENT = "(no segment)"
_SHOWN_WORDS = {
    Shown.REGRESSIONS: "worse",
    Shown.IMPROVEMENTS: "better",
    Shown.LEVEL: "same score",
    Shown.ALL: "all",
}


def changed_answers(comparison: Comparison) -> None:
    """Draw the list of changed answers with its filters, and the one that is open."""
    if not comparison.changes:
        st.header("Changed answers", anchor=False, help=_HELP)
        st.markdown(":gray[No answer, retrieved chunk or score changed.]")
        return
    wanted = _filters(comparison)
    changes = filter_changes(comparison.changes, wanted)
    if not changes:
        _nothing(wanted)
        return
    left, right = side_by_side("answers", widths=(1, 2.9))
    with left:
        change = _list(changes)
    with right:
        _detail(comparison, change)


def _filters(comparison: Comparison) -> ChangeFilter:
    wanted = current_filter(comparison)
    counts = {shown: len(filter_changes(comparison.changes, ChangeFilter(shown=shown))) for shown in Shown}
    words = dict(_SHOWN_WORDS)
    if any(change.difference is None for change in comparison.changes):
        words[Shown.LEVEL] = "same or no score"
    sides = {cause_name(side): number for side, number in count_sides(comparison.changes).items()}
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.header("Changed answers", anchor=False, width="content", help=_HELP)
        st.segmented_control(
            "Show",
            [shown.value for shown in Shown],
            format_func=lambda name: f"{words[Shown(name)]} ({fmt.count(counts[Shown(name)])})",
            required=True,
            key=_SHOWN.show(wanted.shown.value),
            label_visibility="collapsed",
            on_change=_SHOWN.on_choice(lambda: page_addresses.select_shown_changes(Shown(str(_SHOWN.value())))),
        )
        _select(_CAUSE, "Every cause", sides, cause_name(wanted.side) if wanted.side else None, _choose_side, 280)
        segments = dict.fromkeys(list_segments(comparison.changes), 0)
        _select(_SEGMENT, "Every segment", segments, wanted.segment, _choose_segment, 170)
    return wanted


def _select(
    field: AddressWidget,
    empty: str,
    options: Mapping[str, int],
    chosen: str | None,
    choose: Callable[[], None],
    width: int,
) -> None:
    st.selectbox(
        empty,
        list(options),
        index=None,
        format_func=lambda name: _option(name, options[name]),
        placeholder=empty,
        key=field.show(chosen if chosen in options else None),
        label_visibility="collapsed",
        on_change=field.on_choice(choose),
        width=width,
    )


def _option(name: str, answers: int) -> str:
    side = find_cause(name) if answers else None
    if side is None:
        return name or _NO_SEGMENT
    return f"{'▲' if side.is_won else '▼'} {CAUSE_WORDS[side.cause].name(is_won=side.is_won)} ({answers:,})"


def _choose_side() -> None:
    page_addresses.select_cause(find_cause(_CAUSE.text()))


def _choose_segment() -> None:
    segment = _SEGMENT.value()
    page_addresses.select_changed_segment(segment if isinstance(segment, str) else None)


def _nothing(wanted: ChangeFilter) -> None:
    st.markdown("No changed answer matches these filters.")
    if wanted != ChangeFilter(shown=Shown.ALL):
        st.button(
            "Show all changed answers",
            icon=":material/filter_alt_off:",
            key="compare.clear",
            on_click=page_addresses.select_change_filter,
            args=(ChangeFilter(shown=Shown.ALL),),
        )


def _list(changes: Sequence[Change]) -> Change:
    """Draw one page of the list; return the change that is open."""
    at = find_at(changes, page_addresses.selected_change({c.key: (c.baseline_row, c.candidate_row) for c in changes}))
    if at is None and page_addresses.is_change_selected():
        # The list was filtered since the link was made.
        page_addresses.select_change(None)
    pages = -(-len(changes) // _PAGE_SIZE)
    number = min(pages, at // _PAGE_SIZE + 1 if at is not None else session.COMPARE_PAGE.get())
    first = (number - 1) * _PAGE_SIZE
    page = changes[first : first + _PAGE_SIZE]
    opened = changes[at] if at is not None else page[0]
    name = change_list(page, key="compare.list", selected=opened.key)
    chosen = next((change for change in page if change.key == name), opened)
    if chosen is not opened:  # an address that changes by itself would be a step back that leads nowhere
        page_addresses.select_change(chosen)
    last = first + len(page)
    st.caption(
        f"{fmt.count(first + 1)}–{fmt.count(last)} of {fmt.plural(len(changes), 'answer')} · J, K next, previous"
    )
    page_turner("compare.pages", pages=pages, number=number, on_turn=page_addresses.turn_changes_page, most_shown=5)
    return chosen


def _detail(comparison: Comparison, change: Change) -> None:
    try:
        detail = get_pair(
            opened_store.store(), comparison, baseline_row=change.baseline_row, candidate_row=change.candidate_row
        )
    except FaithViewError as error:
        st.text(str(error))
        label_bar.label_bar("compare", None, words="")
        return
    selected = pair_view(
        detail,
        names=(comparison.baseline.name, comparison.candidate.name),
        reviewed=(
            get_reviewed_answer(opened_store.store(), detail.before),
            get_reviewed_answer(opened_store.store(), detail.after),
        ),
        row=change.key,
        key="compare.pair",
        scroll_into_view_token=session.COMPARE_SCROLL_TOKEN.get(),
    )
    label_bar.label_bar(
        "compare",
        None if selected is None else selected.place(detail),
        words="" if selected is None else f"Claim {selected.number} {'now' if selected.is_after else 'before'}",
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for word, side in (("Inspect the answer before", detail.before), ("Inspect the answer now", detail.after)):
            st.page_link(
                navigation.ANSWERS,
                label=word,
                icon=":material/find_in_page:",
                query_params=address.link(side.run_id, side.sample.key),
            )
        if selected is None and detail.claims:
            st.caption("Select a claim to label it.")


_HELP = (
    "Answers in which the text, the retrieved chunks or the score changed, largest loss first. Answers with the "
    "same score changed in text or chunks; those with no score have none before, or none now. Claims of the two "
    "answers are matched by equal or similar words; matched claims share a number. Verdicts are the judge's."
)


def unpaired_answers(comparison: Comparison) -> None:
    """Draw the answers without a partner; nothing if every answer has one."""
    pairing = comparison.pairing
    if not (pairing.only_in_baseline or pairing.only_in_candidate or pairing.key_conflicts):
        return
    st.header("Answers without a partner", anchor=False, help=_UNPAIRED_HELP)
    if pairing.key_conflicts:
        has, them = (fmt.verb(pairing.key_conflicts, *words) for words in (("has", "have"), ("it is", "they are")))
        st.markdown(
            f"{fmt.plural(pairing.key_conflicts, 'row')} {has} an id that the two runs use for different questions, so "
            f"{them} not paired by id."
        )
    left, right = st.columns(2, gap="medium")
    with left:
        _alone(pairing.only_in_baseline, comparison.baseline, word="before")
    with right:
        _alone(pairing.only_in_candidate, comparison.candidate, word="now")


def _alone(rows: Sequence[Unpaired], run: Run, *, word: str) -> None:
    st.markdown(f":small[**{fmt.plural(len(rows), 'answer')} only {word}**, in {fmt.literal(run.name)}]")
    if not rows:
        return
    frame = pd.DataFrame(
        [{"question": row.question or "–", "key": row.key, "state": STATE_WORDS[row.state]} for row in rows]
    )
    event = st.dataframe(
        frame,
        key=f"compare.alone.{word}",
        hide_index=True,
        height=min(280, 36 * (len(rows) + 1) + 2),
        on_select="rerun",
        selection_mode="single-row",
        column_config={
            "question": st.column_config.TextColumn("Question", width=300),
            "key": st.column_config.TextColumn("Row", width=80),
            "state": st.column_config.TextColumn("State", width=80),
        },
        alt=f"Answers that only the run {word} has.",
    )
    if event.selection.rows:
        st.switch_page(navigation.ANSWERS, query_params=address.link(run.run_id, rows[event.selection.rows[0]].key))


_UNPAIRED_HELP = (
    "Answers that only one run has; no figure above includes them. Answers are paired by the rows' own ids, or else by "
    "equal questions. Click a row to open the answer."
)
