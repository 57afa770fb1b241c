"""The changed answers of a comparison as a list with its filters, the one that is open, and those without a partner."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from faithview.domain.comparison import Cause, Change
from faithview.domain.errors import FaithViewError
from faithview.services.comparison.compare import get_pair
from faithview.services.comparison.compared_runs import (
    CauseSide,
    ChangeFilter,
    Comparison,
    Shown,
    count_sides,
    filter_changes,
    list_segments,
    main_side,
)
from faithview.ui import address, navigation, opened_store
from faithview.ui.address import AddressWidget, Param, go, page_turner
from faithview.ui.changes.pair import show_pair
from faithview.ui.reader.payload import Payload
from faithview.ui.reader.reader import Choice, reader
from faithview.ui.tables import click_table
from faithview.wording import numbers as fmt
from faithview.wording.causes import CAUSE_WORDS
from faithview.wording.verdict_styles import STATE_WORDS

_PAGE_SIZE = 50
_HEIGHT = "36rem"
_NO_SEGMENT = "(no segment)"
_SHOWN_WORDS = {
    Shown.REGRESSIONS: "worse",
    Shown.IMPROVEMENTS: "better",
    Shown.LEVEL: "same or no score",
    Shown.ALL: "all",
}
# Which answers are listed, for which cause and of which segment, and the pair that is open. The segment is not named as
# that of Answers is: who goes from one page to the other takes neither along.
SHOWN, CAUSE, WITHIN, PAIR = Param("changes", str), Param("cause", str), Param("within", str), Param("pair", str)
_SHOWN, _CAUSE, _SEGMENT = (AddressWidget(f"compare.{name}") for name in ("shown", "cause", "segment"))


def changed_answers(comparison: Comparison) -> None:
    """Draw the changed answers, and the one that is open as it was and as it is."""
    if not comparison.changes:
        st.header("Changed answers", anchor=False)
        st.markdown(":gray[No answer, retrieved chunk or score changed.]")
        return
    wanted = _choose_filter(comparison)
    changes = filter_changes(comparison.changes, wanted)
    if not changes:
        st.markdown("No changed answer matches these filters.")
        everything = {"changes": Shown.ALL.value, "cause": None, "within": None, "pair": None}
        st.button(
            "Show all changed answers",
            icon=":material/filter_alt_off:",
            key="compare.clear",
            on_click=partial(
                go, baseline=comparison.baseline.run_id, candidate=comparison.candidate.run_id, **everything
            ),
        )
        return
    change = _open_change(changes)
    st.markdown(f"**{fmt.literal(change.question or change.key)}**")
    with st.container(key="compare_pair_answers"):
        left, *sides = st.columns((1, 1.5, 1.5), gap="medium")
    with left:
        _draw_list(comparison, changes, change)
    rows = {"baseline_row": change.baseline_row, "candidate_row": change.candidate_row}
    try:
        detail = get_pair(opened_store.store(), comparison, **rows)
    except FaithViewError as error:
        sides[0].text(str(error))
        return
    show_pair(comparison, detail, sides, height=_HEIGHT)


def _choose_filter(comparison: Comparison) -> ChangeFilter:
    """Draw the filters of the changed answers and return what they show; at first what became worse."""
    changes, difference = comparison.changes, comparison.difference
    usual = Shown.REGRESSIONS if difference.regressed else Shown.IMPROVEMENTS if difference.improved else Shown.ALL
    named, segments = SHOWN.get(), list_segments(changes)
    shown = Shown(named) if named in set(Shown) else usual
    side, segment = find_cause(CAUSE.get()), WITHIN.get() if WITHIN.get() in segments else None
    counts = {one: len(filter_changes(changes, ChangeFilter(shown=one))) for one in Shown}
    causes = {
        cause_name(one): f"{'▲' if one.is_won else '▼'} {CAUSE_WORDS[one.cause].name(is_won=one.is_won)} ({number:,})"
        for one, number in count_sides(changes).items()
    }
    go_on = partial(
        go, baseline=comparison.baseline.run_id, candidate=comparison.candidate.run_id, pair=None, claim=None
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.header("Changed answers", anchor=False, width="content")
        st.segmented_control(
            "Show",
            [one.value for one in Shown],
            format_func=lambda name: f"{_SHOWN_WORDS[Shown(name)]} ({fmt.count(counts[Shown(name)])})",
            required=True,
            key=_SHOWN.show(shown.value),
            label_visibility="collapsed",
            on_change=_SHOWN.on_choice(lambda: go_on(changes=str(_SHOWN.value()))),
        )
        st.selectbox(
            "Every cause",
            list(causes),
            index=None,
            format_func=lambda name: causes.get(name, name),
            placeholder="Every cause",
            key=_CAUSE.show(cause_name(side) if side and cause_name(side) in causes else None),
            label_visibility="collapsed",
            on_change=_CAUSE.on_choice(lambda: go_on(cause=_CAUSE.text())),
            width=280,
        )
        st.selectbox(
            "Every segment",
            segments,
            index=None,
            format_func=lambda name: name or _NO_SEGMENT,
            placeholder="Every segment",
            key=_SEGMENT.show(segment),
            label_visibility="collapsed",
            on_change=_SEGMENT.on_choice(lambda: go_on(within=_chosen_segment())),
            width=170,
        )
    return ChangeFilter(shown=shown, side=side, segment=segment)


def cause_name(side: CauseSide) -> str:
    """Return a cause in one direction as the address names it: "document_edited.lost"."""
    return f"{side.cause.value}.{'won' if side.is_won else 'lost'}"


def find_cause(name: str | None) -> CauseSide | None:
    """Return the cause and direction that `cause_name` named; None for anything else, since it comes from outside."""
    cause, _, direction = (name or "").partition(".")
    if cause not in set(Cause) or direction not in ("won", "lost"):
        return None
    return CauseSide(cause=Cause(cause), is_won=direction == "won")


def _chosen_segment() -> str | None:
    """Return the segment in its select box; "" are the answers without one."""
    chosen = _SEGMENT.value()
    return chosen if isinstance(chosen, str) else None


def _open_change(changes: Sequence[Change]) -> Change:
    """Return the change that the address names, by its key or as "before-now" in rows; else the first."""
    name = PAIR.get()
    named = (one for one in changes if name in (one.key, f"{one.baseline_row}-{one.candidate_row}"))
    return next(named, changes[0])


def _draw_list(comparison: Comparison, changes: Sequence[Change], change: Change) -> None:
    """Draw the page of the list that the open change is on."""
    go_on = partial(go, baseline=comparison.baseline.run_id, candidate=comparison.candidate.run_id, claim=None)

    def choose(choice: Choice) -> None:
        if choice.row is not None and choice.row != change.key:
            go_on(pair=choice.row)

    first = changes.index(change) // _PAGE_SIZE * _PAGE_SIZE
    page = changes[first : first + _PAGE_SIZE]
    reader(
        None,
        key="compare.list",
        on_choice=choose,
        claim=None,
        row=change.key,
        rows=[_change_row(one) for one in page],
        height=_HEIGHT,
    )
    of = fmt.plural(len(changes), "answer")
    st.caption(f"{fmt.count(first + 1)}–{fmt.count(first + len(page))} of {of} · J, K next, previous")
    page_turner(
        "compare.pages",
        pages=-(-len(changes) // _PAGE_SIZE),
        number=first // _PAGE_SIZE + 1,
        on_turn=lambda number: go_on(pair=changes[(number - 1) * _PAGE_SIZE].key),
        most_shown=5,
    )


def _change_row(change: Change) -> Payload:
    """Return a changed answer as one line of the list: its question, the scores, the segment and the main cause."""
    sides = ((change.baseline, change.baseline_state), (change.candidate, change.candidate_state))
    scores = [fmt.share(score) if score is not None else STATE_WORDS[state] for score, state in sides]
    main = main_side(change)
    cause = None if main is None else CAUSE_WORDS[main.cause].name(is_won=main.is_won)
    return {
        "key": change.key,
        "score": " → ".join(scores),
        "state": STATE_WORDS[change.candidate_state],
        "fault": {"verdict": "", "words": change.question or change.key, "quoted": False},
        "counts": "",
        "title": " · ".join(part for part in (change.segment, cause or _changed_words(change)) if part),
        "labelled": None,
        "is_labelled": False,
    }


def _changed_words(change: Change) -> str:
    """Return what changed in an answer whose score no claim moved."""
    parts = [word for word, has in (("answer", change.answer_changed), ("chunks", change.context_changed)) if has]
    return f"{' and '.join(parts).capitalize()} changed" if parts else ""


def unpaired_answers(comparison: Comparison) -> None:
    """Draw the answers that only one run has, folded away; a click opens one."""
    pairing = comparison.pairing
    sides = (
        ("before", comparison.baseline, pairing.only_in_baseline),
        ("now", comparison.candidate, pairing.only_in_candidate),
    )
    alone = [(word, run, one) for word, run, answers in sides for one in answers]
    if not alone:
        return
    with st.expander(f"Answers without a partner ({fmt.count(len(alone))})", icon=":material/link_off:"):
        number = click_table(
            [
                {"only": word, "question": one.question, "key": one.key, "state": STATE_WORDS[one.state]}
                for word, _, one in alone
            ],
            {"only": "Only", "question": "Question", "key": "Row", "state": "State"},
            key=f"compare.alone.{comparison.baseline.run_id}.{comparison.candidate.run_id}",
            alt="Answers that only one of the runs has.",
        )
    if number is not None:
        _, run, one = alone[number]
        st.switch_page(navigation.ANSWERS, query_params=address.link(run.run_id, one.key))
