"""The changed answers of a comparison as a list, and one of them opened side by side."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from faithview.domain.comparison import Change, ClaimPair
from faithview.domain.errors import FaithViewError
from faithview.services.comparison.comparison import Comparison
from faithview.services.comparison.filters import (
    ChangeFilter,
    Shown,
    count_sides,
    filter_changes,
    find_at,
    list_segments,
)
from faithview.services.comparison.pair_decisions import PairDecision
from faithview.services.comparison.pair_detail import PairDetail, get_pair
from faithview.services.review.labels import get_reviewed_answer
from faithview.ui.compare import address
from faithview.ui.compare.address import find_side, side_name
from faithview.ui.compare.change_filter import current_filter
from faithview.ui.compare.change_list import change_list
from faithview.ui.compare.page_layout import side_by_side
from faithview.ui.compare.pair.pair_payload import order_claims
from faithview.ui.compare.pair.pair_view import pair_view
from faithview.ui.compare.pair_decisions import deciding_reviewer, sign_in_button, store_decisions
from faithview.ui.parts.downloads.page_downloads import changes_download
from faithview.ui.parts.labels import claim_labels
from faithview.ui.shell import address as state
from faithview.ui.shell import app, nav, session
from faithview.ui.shell.address_widget import AddressWidget, page_turner
from faithview.wording import numbers as fmt
from faithview.wording.causes import CAUSE_WORDS

_PAGE_SIZE = 20
_SHOWN, _CAUSE, _SEGMENT = (AddressWidget(f"compare.{name}") for name in ("shown", "cause", "segment"))
_PICK = "compare.repair"
_NO_SEGMENT = "(no segment)"


def changed_answers(comparison: Comparison) -> None:
    """Draw the list of changed answers with its filters, and the one that is open."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.header("Changed answers", anchor=False, width="content")
        with st.popover("How answers are matched", type="tertiary", icon=":material/help:"):
            st.markdown(_HELP)
    if not comparison.changes:
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
    sides = {side_name(side): number for side, number in count_sides(comparison.changes).items()}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.segmented_control(
            "Show",
            [shown.value for shown in Shown],
            format_func=lambda name: f"{name} ({fmt.count(counts[Shown(name)])})",
            required=True,
            key=_SHOWN.show(wanted.shown.value),
            label_visibility="collapsed",
            on_change=_SHOWN.on_choice(lambda: address.select_shown(Shown(str(_SHOWN.value())))),
        )
        _select(_CAUSE, "Every cause", sides, side_name(wanted.side) if wanted.side else None, _choose_side, 330)
        segments = dict.fromkeys(list_segments(comparison.changes), 0)
        _select(_SEGMENT, "Every segment", segments, wanted.segment, _choose_segment, 190)
        changes_download(comparison, filter_changes(comparison.changes, wanted))
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
    side = find_side(name) if answers else None
    if side is None:
        return name or _NO_SEGMENT
    return f"{'▲' if side.is_won else '▼'} {CAUSE_WORDS[side.cause].name(is_won=side.is_won)} ({answers:,})"


def _choose_side() -> None:
    address.select_side(find_side(_CAUSE.text()))


def _choose_segment() -> None:
    segment = _SEGMENT.value()
    address.select_segment(segment if isinstance(segment, str) else None)


def _nothing(wanted: ChangeFilter) -> None:
    st.markdown("No changed answer matches these filters.")
    if wanted != ChangeFilter(shown=Shown.ALL):
        st.button(
            "Show all changed answers",
            icon=":material/filter_alt_off:",
            key="compare.clear",
            on_click=address.select_filter,
            args=(ChangeFilter(shown=Shown.ALL),),
        )


def _list(changes: Sequence[Change]) -> Change:
    """Draw one page of the list; return the change that is open."""
    at = find_at(changes, address.selected_rows({c.key: (c.baseline_row, c.candidate_row) for c in changes}))
    if at is None and address.is_pair_selected():
        # The list was filtered, or people have paired these answers differently since the link was made.
        address.select_change(None)
    pages = -(-len(changes) // _PAGE_SIZE)
    number = min(pages, at // _PAGE_SIZE + 1 if at is not None else session.COMPARE_PAGE.get())
    first = (number - 1) * _PAGE_SIZE
    page = changes[first : first + _PAGE_SIZE]
    opened = changes[at] if at is not None else page[0]
    name = change_list(page, key="compare.list", selected=opened.key)
    chosen = next((change for change in page if change.key == name), opened)
    if chosen is not opened:  # an address that changes by itself would be a step back that leads nowhere
        address.select_change(chosen)
    last = first + len(page)
    st.caption(
        f"{fmt.count(first + 1)}–{fmt.count(last)} of {fmt.plural(len(changes), 'answer')} · J, K next, previous"
    )
    page_turner("compare.pages", pages=pages, number=number, on_turn=address.select_page, most_shown=5)
    return chosen


def _detail(comparison: Comparison, change: Change) -> None:
    try:
        detail = get_pair(
            app.services(), comparison, baseline_row=change.baseline_row, candidate_row=change.candidate_row
        )
    except FaithViewError as error:
        st.text(str(error))
        claim_labels.label_bar("compare", None, words="")
        return
    selected = pair_view(
        detail,
        names=(comparison.baseline.name, comparison.candidate.name),
        reviewed=(
            get_reviewed_answer(app.services(), detail.before),
            get_reviewed_answer(app.services(), detail.after),
        ),
        row=change.key,
        key="compare.pair",
        scroll_into_view_token=session.COMPARE_SCROLL_TOKEN.get(),
    )
    claim_labels.label_bar(
        "compare",
        None if selected is None else selected.place(detail),
        words="" if selected is None else f"Claim {selected.number} {'now' if selected.is_after else 'before'}",
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for word, side in (("Inspect before", detail.before), ("Inspect now", detail.after)):
            st.page_link(
                nav.INSPECT,
                label=word,
                icon=":material/find_in_page:",
                query_params=state.link(side.run_id, side.sample.key),
            )
        if selected is not None:
            _change_pairing(comparison, detail, order_claims(detail)[selected.number - 1], number=selected.number)
        elif detail.claims:
            st.caption("Select a claim to label it, or to pair it with another one.")


def _change_pairing(comparison: Comparison, detail: PairDetail, pair: ClaimPair, *, number: int) -> None:
    """Draw the buttons that part the selected claims, or pair one with another claim."""
    judged = (len(detail.before.result.claims), len(detail.after.result.claims))
    if (pair.baseline or 0) >= judged[0] or (pair.candidate or 0) >= judged[1]:
        return  # people found this claim: it has no number of the judge that a decision could name
    name = deciding_reviewer()
    if name is None:
        sign_in_button("Give your name to pair claims", key="compare.sign_claims")
        return
    rows = {"baseline_row": detail.change.baseline_row, "candidate_row": detail.change.candidate_row}
    if pair.baseline is not None and pair.candidate is not None:
        apart = PairDecision(
            **rows, baseline_claim=pair.baseline + 1, candidate_claim=pair.candidate + 1, belong_together=False
        )
        st.button(
            f"Claim {number}: not the same on both sides",
            icon=":material/link_off:",
            key="compare.apart",
            on_click=store_decisions,
            args=(comparison, [apart], name),
        )
        return
    others = _partners(detail, pair)
    if not others:
        st.caption("Every claim of the other answer has a partner.")
        return
    key = f"{_PICK}.{detail.change.baseline_row}-{detail.change.candidate_row}.{number}"
    st.selectbox(
        "Same as",
        list(others),
        index=None,
        format_func=others.__getitem__,
        placeholder=f"Claim {number} is the same as…",
        key=key,
        label_visibility="collapsed",
        on_change=_pair_with,
        args=(key, comparison, rows, pair, name),
        width=300,
    )


def _partners(detail: PairDetail, pair: ClaimPair) -> dict[int, str]:
    """Return the claims of the other answer without a partner, by their index."""
    if pair.baseline is not None:
        claims = detail.after.result.claims
        alone = [other.candidate for other in detail.claims if other.baseline is None]
    else:
        claims = detail.before.result.claims
        alone = [other.baseline for other in detail.claims if other.candidate is None]
    return {at: claims[at].text for at in alone if at is not None and at < len(claims)}


def _pair_with(key: str, comparison: Comparison, rows: Mapping[str, int], pair: ClaimPair, name: str) -> None:
    other = session.widget_value(key)
    if not isinstance(other, int):
        return
    old, new = (pair.baseline, other) if pair.baseline is not None else (other, pair.candidate)
    if old is None or new is None:
        return
    together = PairDecision(
        baseline_row=rows["baseline_row"],
        candidate_row=rows["candidate_row"],
        baseline_claim=old + 1,
        candidate_claim=new + 1,
        belong_together=True,
    )
    store_decisions(comparison, [together], name)


_HELP = (
    "Answers in which the text, the retrieved chunks or the score changed, largest loss first. Claims of the two "
    "answers are matched by their meaning; matched claims share a number. Verdicts are those of the view chosen above."
)
