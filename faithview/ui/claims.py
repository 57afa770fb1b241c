"""The page Claims: claims that are not fully supported, over all runs of the series in view.

The list is drawn before its facets, because these take longer to count.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict
from urllib.parse import urlencode

import streamlit as st

from faithview.domain.certainty import CALIBRATED
from faithview.domain.inbox import (
    OPEN_VERDICTS,
    TO_CHECK,
    ClaimGroup,
    Facet,
    FacetValue,
    InboxFilter,
    InboxPage,
    LabelOutcome,
    make_filter,
)
from faithview.domain.label import NOT_A_CLAIM
from faithview.services.review.inbox import (
    CHECK_THIS,
    PAGE_SIZE,
    TO_LABEL,
    assign_groups,
    count_claims,
    count_facets,
    label_groups,
    retract_together,
)
from faithview.services.review.labels import LabelProvenance
from faithview.stats.search_words import find_words
from faithview.ui import address, identity, navigation, opened_store, page_addresses, series, session
from faithview.ui.address import AddressWidget, page_turner
from faithview.ui.frontend.component_files import browser_styles, read_script, read_styles
from faithview.ui.service_calls import show_message, write
from faithview.ui.widgets.first_line import FirstLine
from faithview.ui.widgets.label_bar import CHOICES
from faithview.ui.widgets.listed_claims import forget_order, load_claims
from faithview.wording import numbers as fmt
from faithview.wording.findings import what_to_check
from faithview.wording.inbox import FACETS, LABEL_STATES, group_words, latest_words, value_words
from faithview.wording.verdict_styles import (
    CHECK_STYLE,
    NOT_A_CLAIM_WORD,
    claim_verdict_words,
    style_name,
    verdict_word,
)

_FIND = AddressWidget("inbox.find")
_TAB = AddressWidget("inbox.tab")
_HELP = (
    "All words must be in the claim, in any order and any form: *invitations* finds *invitation*. Words in quotation "
    'marks must follow each other: "members limit".'
)


def choose_words() -> None:
    """Draw the field for words; what is entered goes to the address."""
    st.text_input(
        "Find in claims",
        key=_FIND.show(page_addresses.inbox_filter().words),
        type="search",
        placeholder='Words of a claim, in any order; "a phrase" in quotation marks',
        help=_HELP,
        label_visibility="collapsed",
        on_change=_FIND.on_choice(_find),
    )


def choose_tab() -> None:
    """Draw the tabs, which say how many claims they list."""
    now = page_addresses.inbox_filter()
    tabs = {"all": ("Not fully supported", InboxFilter()), "to label": ("To label", TO_LABEL)}
    name = identity.current_reviewer()
    if name is not None:
        tabs["mine"] = ("Assigned to me", make_filter("", {**TO_LABEL.chosen, Facet.ASSIGNEE: [name]}))
    tabs["check"] = (CHECK_STYLE.word.capitalize(), CHECK_THIS)
    counts = {
        key: count_claims(opened_store.store(), filters, series=series.in_view()) for key, (_, filters) in tabs.items()
    }
    if not counts["check"] and now != CHECK_THIS:
        del tabs["check"]  # most judges have no such claims

    def open_tab() -> None:
        chosen = tabs.get(str(_TAB.value()))
        # None comes from the tab that is open, pressed again, and from Streamlit when the page is reopened.
        if chosen is not None:
            page_addresses.write_inbox(chosen[1])

    st.segmented_control(
        "Tabs",
        list(tabs),
        format_func=lambda key: f"{tabs[key][0]} {fmt.count(counts[key])}",
        key=_TAB.show(next((key for key, (_, filters) in tabs.items() if filters == now), None)),
        label_visibility="collapsed",
        on_change=_TAB.on_choice(open_tab),
    )


def choose_page(total_groups: int) -> None:
    """Draw the pages of the list where there are several."""
    pages = -(-total_groups // PAGE_SIZE)
    page_turner("inbox.pages", pages=pages, number=min(page_addresses.inbox_page(), max(1, pages)), on_turn=_turn)


def _find() -> None:
    filters = page_addresses.inbox_filter()
    page_addresses.write_inbox(make_filter(_FIND.text() or "", filters.chosen))


def _turn(number: int) -> None:
    page_addresses.write_inbox(page_addresses.inbox_filter(), page_number=number)


_mount_facets = st.components.v2.component(
    "faithview.facet_bar",
    css=read_styles("facet_bar"),
    js=read_script("facet_bar"),
)
_FACETS_KEY = "inbox.facets"
_NOTES: Mapping[Facet, str] = {
    Facet.VERDICT: "The agreed label, or the judge's verdict if there is none.",
    Facet.DOCUMENT: "The document of the first chunk that a claim cites. Lists the 30 documents with the most claims.",
}


def facet_bar(filters: InboxFilter, facets: Mapping[Facet, Sequence[FacetValue]]) -> None:
    """Draw the facets; what is ticked goes to the address."""
    _mount_facets(
        key=_FACETS_KEY,
        height="content",
        data={
            "facets": [_facet(facet, facets[facet], filters) for facet in Facet],
            "isFiltered": bool(filters.chosen or filters.words),
        },
        on_chosen_change=_choose,
    )


def _facet(facet: Facet, values: Sequence[FacetValue], filters: InboxFilter) -> dict[str, object]:
    chosen = filters.chosen.get(facet, ())
    return {
        "name": facet.value,
        "title": FACETS[facet],
        "note": what_to_check(None) if TO_CHECK in [value.value for value in values] else _NOTES.get(facet, ""),
        "standing": "not fully supported" if facet is Facet.VERDICT and _lists_open_only(filters) else "",
        "values": [
            {
                "value": value.value,
                "words": value_words(facet, value.value, value.name),
                "count": fmt.count(value.claims),
                "isChosen": value.value in chosen,
            }
            for value in values
        ],
    }


def _choose() -> None:
    reported = session.widget_value(_FACETS_KEY)
    chosen = reported.get("chosen") if isinstance(reported, Mapping) else None
    if not isinstance(chosen, Mapping):
        return
    facet, values = chosen.get("facet"), chosen.get("values")
    if facet == "":
        page_addresses.write_inbox(InboxFilter())
    elif facet in [known.value for known in Facet] and isinstance(values, Sequence):
        page_addresses.write_inbox(
            page_addresses.inbox_filter().with_facet(Facet(facet), [str(value) for value in values])
        )


_mount_groups = st.components.v2.component(
    "faithview.group_list",
    css=read_styles("group_list"),
    js=read_script("group_list"),
)
_GROUPS_KEY = "inbox.groups"
_MAX_TICKED = 500
_ID_DIGITS = 18


class ClaimPart(TypedDict):
    """A stretch of a claim; `isMatch` marks the words that were looked for. The parts of a claim join to its text."""

    text: str
    isMatch: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Press:
    """What was pressed over ticked rows: a label ("label"), or a reviewer to assign them to ("assign", "" for none)."""

    action: str
    value: str
    claim_ids: tuple[int, ...]


def group_list(
    page: InboxPage,
    filters: InboxFilter,
    *,
    reviewers: Sequence[str],
    refusal: str | None,
    on_press: Callable[[Press], None],
) -> None:
    """Draw one page of the inbox.

    Args:
        page: the page.
        filters: what lists them; the claims mark the words that were looked for.
        reviewers: names that are offered to assign claims to.
        refusal: why this user may not label now, as a sentence; None if they may.
        on_press: does what was pressed over ticked rows, before the next run of the script.
    """
    walk = page_addresses.walk_link(filters, page.offset // PAGE_SIZE + 1)
    first, last = page.offset + 1, page.offset + len(page.groups)
    several = "different claims" if page.total_groups > 1 else "claim"
    _mount_groups(
        key=_GROUPS_KEY,
        height="content",
        data={
            "groups": [_payload(group, filters.words, walk) for group in page.groups],
            "summary": f"{fmt.count(first)}–{fmt.count(last)} of {fmt.count(page.total_groups)} {several}, "
            f"{fmt.plural(page.total_claims, 'time')} in all. Most harm first.",
            "choices": [{"value": choice, "word": verdict_word(choice)} for choice in CHOICES],
            "reviewers": list(reviewers),
            "refusal": refusal,
            "styles": browser_styles(),
        },
        on_pressed_change=lambda: _report(on_press),
    )


def _report(on_press: Callable[[Press], None]) -> None:
    reported = session.widget_value(_GROUPS_KEY)
    press = parse_press(reported.get("pressed") if isinstance(reported, Mapping) else None)
    if press is not None:
        on_press(press)


def parse_press(reported: object) -> Press | None:
    """Return what a browser reported, which comes from outside, as a press; None for anything else."""
    if not isinstance(reported, Mapping):
        return None
    action, value, ids = reported.get("action"), reported.get("value"), reported.get("groups")
    if action not in ("label", "assign") or not isinstance(value, str) or not isinstance(ids, Sequence):
        return None
    texts = [str(one) for one in ids[:_MAX_TICKED]]
    kept = [text for text in texts if text.isascii() and text.isdecimal() and len(text) <= _ID_DIGITS]
    return Press(action=action, value=value, claim_ids=tuple(map(int, kept))) if kept else None


def _payload(group: ClaimGroup, words: str, walk: Mapping[str, str]) -> dict[str, object]:
    verdict = group.verdict
    is_labelled = group.label_state is not LabelOutcome.UNLABELLED
    parameters = {**address.link(group.run_id, group.key, group.claim_number), **walk}
    return {
        "id": str(group.claim_id),
        "href": f"{navigation.ADDRESSES[navigation.ANSWERS]}?{urlencode(parameters)}",
        "verdict": style_name(verdict, group.certainty) if verdict else NOT_A_CLAIM,
        "words": claim_verdict_words(verdict, group.certainty) if verdict else NOT_A_CLAIM_WORD,
        "parts": mark_words(group.text, words),
        # The judge's reasons speak of the judge's verdict.
        "explanation": "" if group.label_state is LabelOutcome.OVERRULED else group.explanation,
        "question": group.question,
        "where": group_words(group),
        "latest": latest_words(group),
        "state": LABEL_STATES[group.label_state] if is_labelled else None,
        "assigned": f"assigned to {fmt.listed(group.assignees)}" if group.assignees else None,
        "listed": group.listed,
    }


def mark_words(text: str, query: str) -> list[ClaimPart]:
    """Return a text in parts, cut where it holds words of a query."""
    parts: list[ClaimPart] = []
    done = 0
    for start, end in find_words(text, query):
        if start > done:
            parts.append({"text": text[done:start], "isMatch": False})
        parts.append({"text": text[start:end], "isMatch": True})
        done = end
    if done < len(text) or not parts:
        parts.append({"text": text[done:], "isMatch": False})
    return parts


_LABELS_PLACE = "inbox"
_UNDO = "inbox.undo"


def answer_press(press: Press) -> None:
    """Do what was pressed over the rows that were listed; call it in a callback."""
    reviewer, filters = identity.current_reviewer(), page_addresses.inbox_filter()
    session.INBOX_DONE.clear()
    session.INBOX_NOTE.clear()
    action = _label if press.action == "label" else _assign
    write(
        lambda: action(press, filters, reviewer or ""), place=_LABELS_PLACE, refusal=identity.why_cannot_label(reviewer)
    )


def draw_outcome(filters: InboxFilter) -> None:
    """Draw what the last press did over the page, with the button that takes labels back, until the list is another."""
    told = session.INBOX_NOTE.get()
    if told is not None and told[0] == filters:
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="toast"):
            st.markdown(told[1], width="content")
            if session.INBOX_DONE.is_set():
                st.button("Undo", icon=":material/undo:", type="tertiary", key=_UNDO, on_click=_undo)
            st.button(
                "Close",
                icon=":material/close:",
                type="tertiary",
                key="inbox.outcome.close",
                on_click=session.INBOX_NOTE.clear,
            )
    show_message(_LABELS_PLACE)


def _label(press: Press, filters: InboxFilter, reviewer: str) -> None:
    given = label_groups(
        opened_store.store(),
        press.claim_ids,
        filters,
        press.value,
        LabelProvenance(reviewer=reviewer),
        series=series.in_view(),
    )
    session.INBOX_DONE.set(given)
    _tell(
        f":material/check: Labelled {fmt.plural(len(given), 'claim')}: {verdict_word(press.value)}. "
        "The label counts for equal claims on the same chunks."
    )


def _assign(press: Press, filters: InboxFilter, reviewer: str) -> None:
    to = press.value.strip() or None
    number = assign_groups(
        opened_store.store(),
        press.claim_ids,
        filters,
        reviewer=to,
        series=series.in_view(),
    )
    claims = fmt.plural(number, "claim")
    who = f"assigned to {fmt.literal(to)}" if to else "unassigned"
    _tell(f":material/check: {claims} {who}.")


def _undo() -> None:
    given = session.INBOX_DONE.get()
    reviewer = identity.current_reviewer()
    if not isinstance(given, list):
        return
    done = write(
        lambda: retract_together(opened_store.store(), given, LabelProvenance(reviewer=reviewer or "")),
        place=_LABELS_PLACE,
        refusal=identity.why_cannot_label(reviewer),
    )
    if done:
        session.INBOX_DONE.clear()
        _tell(f":material/undo: Took {fmt.plural(len(given), 'label')} back.")


def _tell(note: str) -> None:
    session.INBOX_NOTE.set((page_addresses.inbox_filter(), note))


def draw_claims(line: FirstLine) -> None:
    """Draw the facets, the list, what the last press did, and the download."""
    filters = page_addresses.inbox_filter()
    facet_place, list_place = st.container(), st.container()
    if not page_addresses.is_list_of_claims_kept():
        forget_order()
    page = load_claims(filters, page_addresses.inbox_page())
    with list_place:
        if page.groups:
            group_list(
                page,
                filters,
                reviewers=session.INBOX_REVIEWERS.get(),
                refusal=_refusal(),
                on_press=answer_press,
            )
            choose_page(page.total_groups)
        elif filters == InboxFilter():
            st.markdown("Every claim in these runs is supported or already resolved.")
        elif filters == CHECK_THIS:
            judges = fmt.listed([f"`{name}`" for name in sorted(CALIBRATED)])
            st.markdown(f"No claim in these runs is left to check. Only claims of {judges} read *check this*.")
        else:
            st.markdown("No claim matches. Try fewer words, or clear the filters.")
    facets = count_facets(opened_store.store(), filters, series=series.in_view())
    _remember_reviewers(facets[Facet.ASSIGNEE])
    with facet_place:
        facet_bar(filters, facets)
    with line.what:
        st.caption(_summary(filters, len(facets[Facet.RUN])))
    with line.next_step:
        if identity.current_reviewer() is None:
            with st.popover("Your name", icon=":material/person:", key="inbox.name"):
                identity.ask_reviewer()
    draw_outcome(filters)


def _summary(filters: InboxFilter, runs: int) -> str:
    in_view = series.in_view()
    of_series = f" of {fmt.literal(in_view)}" if in_view else ""
    which = " that are not fully supported," if _lists_open_only(filters) else ""
    return f"Claims{which} in {fmt.plural(runs, 'run')}{of_series}"


def _lists_open_only(filters: InboxFilter) -> bool:
    is_open = set(filters.values(Facet.VERDICT)) <= set(OPEN_VERDICTS)
    return is_open and TO_CHECK not in filters.values(Facet.LABEL)


def _refusal() -> str | None:
    name = identity.current_reviewer()
    return identity.why_no_name("at the top right") if name is None else identity.why_cannot_label(name)


def _remember_reviewers(assignees: tuple[FacetValue, ...]) -> None:
    """Keep the names that the next list offers: those who have claims already, and the person who looks."""
    names = {value.value for value in assignees} | {identity.current_reviewer() or ""}
    session.INBOX_REVIEWERS.set(tuple(sorted(names - {""})))
