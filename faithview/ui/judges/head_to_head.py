"""Two judges side by side, on the answers that both have judged, and a claim on which they differ, opened."""

from collections import Counter
from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from faithview.domain.errors import FaithViewError, NotFound
from faithview.domain.scoring import Interval
from faithview.services.judge_quality.head_to_head import AnswerDifference, ClaimDifference, JudgePair, compare_judges
from faithview.services.judge_quality.scorecards import JudgeCard
from faithview.services.results import get_run, list_runs
from faithview.services.review.disagreements import LabelledClaim, get_labelled_claim
from faithview.services.review.key_presses import mark_claim
from faithview.stats.judge_quality import JudgeFigures
from faithview.stats.shares import Share
from faithview.ui import address, navigation, opened_store, series, session
from faithview.ui.judges.reviewers import share_text
from faithview.ui.widgets import label_bar
from faithview.ui.widgets.answer_view import claim_view
from faithview.ui.widgets.label_bar import coloured_judged
from faithview.ui.widgets.new_spot_check import spot_check_list
from faithview.ui.widgets.run_menu import judge_again_button
from faithview.ui.widgets.verdict_table import confusion, opened
from faithview.wording import figure_help
from faithview.wording import numbers as fmt
from faithview.wording.judge_rates import not_known
from faithview.wording.verdict_styles import VERDICT_LABELS

_VERSION_CHARACTERS = 6


def judge_names(cards: Sequence[JudgeCard]) -> Mapping[str, str]:
    """Return a short name for each judge, by its fingerprint: "openai:gpt-5 · claims · 9 Nov 2026".

    The day is that of its newest answers. The end of the fingerprint is added only where two names would be equal.
    """
    names = {card.fingerprint: _name(card) for card in cards}
    counts = Counter(names.values())
    return {
        fingerprint: name if counts[name] == 1 else f"{name} · {fingerprint[-_VERSION_CHARACTERS:]}"
        for fingerprint, name in names.items()
    }


def _name(card: JudgeCard) -> str:
    days = []
    for run_id in card.runs:
        try:
            days.append(get_run(opened_store.store(), run_id).as_of)
        except NotFound:  # deleted meanwhile
            continue
    newest = [fmt.day(max(days))] if days else []
    return " · ".join([card.name, card.method, *newest])


PAGE = "judges"
_CLAIM_HEIGHT = 380


def opened_claim(item: ClaimDifference, names: tuple[str, str]) -> None:
    """Draw the claim; a label is stored with the first judge's run, and counts for both.

    Args:
        item: the claim in either judge's run.
        names: the judges' names.
    """
    try:
        claims = [get_labelled_claim(opened_store.store(), place) for place in (item.first, item.second)]
    except FaithViewError as error:
        st.text(str(error))
        label_bar.label_bar(PAGE, None, words="")
        return
    for column, name, claim in zip(st.columns(2), names, claims, strict=True):
        with column:
            _reasons(name, claim)
    first = claims[0]
    mark = mark_claim(item.first.run_id, item.first.row, item.first.claim_number, first.judged.text)
    claim_view(
        first.sample,
        first.judged.text,
        [(span.start, span.end) for span in first.judged.spans],
        subject=mark,
        judged=None,
        key="judges.claim",
        height=_CLAIM_HEIGHT,
        mark=mark,
    )
    label_bar.label_bar(PAGE, item.first, words="This claim")


def _reasons(name: str, claim: LabelledClaim) -> None:
    st.markdown(f"**{fmt.literal(name)}** &nbsp; {coloured_judged(claim.judged.verdict, claim.certainty)}")
    if claim.judged.explanation:
        st.text(claim.judged.explanation)
    texts = {chunk.chunk_id: chunk.text for chunk in claim.sample.chunks}
    quotes = [item for item in claim.judged.grounds if item.span is not None and item.chunk_id in texts]
    for item in quotes:
        assert item.span is not None  # noqa: S101 - those without a place in their chunk are left out above
        words = " ".join(texts[item.chunk_id][item.span.start : item.span.end].split())
        st.text(f"{item.chunk_id}: “{words}”")
    if not quotes:
        st.caption("It quotes no chunk.")
    st.page_link(
        navigation.ANSWERS,
        label=f"Inspect with {name}",
        icon=":material/find_in_page:",
        query_params=address.link(claim.place.run_id, str(claim.place.row), claim.place.claim_number),
    )


_TABLE_HEIGHT = 320


def side_by_side(cards: Sequence[JudgeCard]) -> None:
    """Draw the choice of two judges and their verdicts on the same answers."""
    newest = next(iter(list_runs(opened_store.store(), series=series.in_view())), None)
    if len(cards) < 2:
        st.markdown(
            "All runs are by one judge. Judge the same answers with a second one to see where the two differ, and "
            "which one reviewers agree with."
        )
        if newest is not None:
            judge_again_button(newest, "Judge again with …", key="pair.again")
        return
    names = judge_names(cards)
    by_print = {card.fingerprint: card for card in cards}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        first = by_print[_choose("First judge", cards, names, index=0, key="pair.first")]
        second = by_print[_choose("Second judge", cards, names, index=1, key="pair.second")]
        if newest is not None:
            judge_again_button(newest, "Judge again with …", key="pair.again")
    if first.fingerprint == second.fingerprint:
        st.markdown("Choose two different judges.")
        return
    with st.spinner("Comparing", show_time=False):
        pair = compare_judges(opened_store.store(), first.fingerprint, second.fingerprint, series=series.in_view())
    if not pair.answers:
        st.markdown("The two judges have no answer in common, so they cannot be compared.")
        return
    both = (names[first.fingerprint], names[second.fingerprint])
    _finding(pair, both)
    with st.container(key="compare_pair_judges"):  # below each other on a narrow page
        table, figures = st.columns([5, 7], gap="medium")
    with table:
        st.markdown(
            f":small[:gray[Claims that both judged: {fmt.literal(both[0])} (rows) by {fmt.literal(both[1])} (columns)]]"
        )
        confusion(pair.table, key="pair.table", rows="First judge")
    with figures:
        _figures(pair, both)
    _differences(pair, both)


def _choose(label: str, cards: Sequence[JudgeCard], names: Mapping[str, str], *, index: int, key: str) -> str:
    """Draw the choice of a judge and return its fingerprint, which the tooltip shows."""
    prints = [card.fingerprint for card in cards]
    now = session.widget_value(key)
    shown = str(now) if now in prints else prints[index]
    return str(
        st.selectbox(
            label,
            prints,
            index=index,
            format_func=names.__getitem__,
            key=key,
            help=f"Version {fmt.code(shown)}",
            width=330,
        )
        or shown
    )


def _finding(pair: JudgePair, names: tuple[str, str]) -> None:
    text = (
        f"Both have judged {fmt.plural(pair.answers, 'answer')}, and agree on "
        f"**{fmt.percent(pair.same_answer.value)}** of them whether the answer is faithful"
    )
    if pair.change is not None and pair.means is not None:
        text += f"; mean faithfulness {fmt.share(pair.means[0])} against {fmt.share(pair.means[1])}"
    unknown = None if pair.figures is None else not_known(pair.figures[0].basis)
    if pair.figures is None or pair.better is None:
        text += ". No claim that both judged has a label, so it is unknown which of them is right."
    elif unknown is not None:
        text += ". Which of them is right more often is unknown: the labelled claims were not drawn at random."
    else:
        interval = pair.better.interval
        is_sure = interval is not None and (interval.low > 0 or interval.high < 0)
        name = names[0] if pair.better.value > 0 else names[1]
        text += f". On {fmt.plural(pair.labelled, 'labelled claim')} "
        if is_sure and interval is not None:
            low, high = sorted((abs(interval.low), abs(interval.high)))
            more = f"{fmt.fixed(abs(pair.better.value), 2)} ({fmt.ends(Interval(low=low, high=high))})"
            text += f"*{fmt.literal(name)}* is more accurate by {more}."
        else:
            text += "neither is significantly more accurate."
    st.markdown(text)


def _figures(pair: JudgePair, names: tuple[str, str]) -> None:
    """Draw the measures, one column for each judge, and how far they agree."""
    rows: list[tuple[str, str, str, str]] = [
        (
            "Mean faithfulness",
            fmt.share(pair.means[0]) if pair.means else "–",
            fmt.share(pair.means[1]) if pair.means else "–",
            fmt.signed_measure(pair.change.value, pair.change.interval) if pair.change else "–",
        )
    ]
    if pair.figures is not None:
        between = pair.better
        difference = fmt.signed_measure(between.value, between.interval) if between else ""
        for label, name in (
            ("Agrees with reviewers", "accuracy"),
            ("Finds unsupported", "sensitivity"),
            ("Passes supported", "specificity"),
            ("Flags correctly", "precision"),
        ):
            first, second = (_rate(figures, name) for figures in pair.figures)
            rows.append((label, first, second, difference if name == "accuracy" else ""))
    rows.append(("Claims only this judge found", fmt.count(pair.apart[0]), fmt.count(pair.apart[1]), ""))
    st.markdown(
        f":small[Same verdict on a claim **{share_text(pair.same_claim)}**, kappa "
        f"**{fmt.agreement(pair.claim_kappa.value, pair.claim_kappa.interval, pair.claim_kappa.claims)}**]  \n"
        f":small[Same result for an answer **{share_text(pair.same_answer)}**, kappa "
        f"**{fmt.agreement(pair.answer_kappa.value, pair.answer_kappa.interval, pair.answer_kappa.claims)}**]",
        help=_HELP,
    )
    st.dataframe(
        pd.DataFrame(rows, columns=["", "First judge", "Second judge", "First − second"]),
        key="pair.figures",
        hide_index=True,
        column_config={
            "": st.column_config.TextColumn(width=130),
            "First judge": st.column_config.TextColumn(names[0], width=139),
            "Second judge": st.column_config.TextColumn(names[1], width=139),
            "First − second": st.column_config.TextColumn(width=142),
        },
        alt="Figures of the two judges over the same answers and labelled claims.",
    )


def _rate(figures: JudgeFigures, name: str) -> str:
    share: Share = getattr(figures.rates, name)
    unknown = not_known(figures.basis)
    return unknown if unknown and name in ("sensitivity", "specificity") else share_text(share)


def _differences(pair: JudgePair, names: tuple[str, str]) -> None:
    answers, claims = pair.differing
    words = {
        "claims": f"Claims with different verdicts ({fmt.count(claims)})",
        "answers": f"Answers with different results ({fmt.count(answers)})",
    }
    with st.container(horizontal=True, vertical_alignment="center"):
        what = st.segmented_control(
            "Differences",
            list(words),
            format_func=words.__getitem__,
            default="claims" if claims or not answers else "answers",
            required=True,
            key="pair.what",
            label_visibility="collapsed",
        )
        listed = [item.first for item in pair.claim_differences]
        label = f"Spot-check these {fmt.count(len(listed))}"
        if listed and st.button(label, icon=":material/checklist:", key="pair.check"):
            most = " most" if len(listed) < claims else ""
            spot_check_list(listed, f"claims on which {names[0]} and {names[1]} differ{most}")
    shown: Sequence[ClaimDifference | AnswerDifference] = (
        pair.claim_differences if what == "claims" else pair.answer_differences
    )
    if not shown:
        st.markdown(":gray[None: the two agree.]")
        return
    event = st.dataframe(
        pd.DataFrame([_difference_row(item) for item in shown]),
        key=f"pair.differences.{what}",
        height=min(36 + 35 * len(shown), _TABLE_HEIGHT),
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        selection_mode="single-cell",
        column_config=_columns(names),
        alt="Differences between the two judges: claims with an agreed label first, then by size.",
    )
    number = opened(event, len(shown))
    item = None if number is None else shown[number]
    if isinstance(item, ClaimDifference):
        opened_claim(item, names)
        return
    if item is None:
        st.caption("Click a row to open it here.")
    else:
        _opened_answer(item, names)
    label_bar.label_bar(PAGE, None, words="")


def _opened_answer(item: AnswerDifference, names: tuple[str, str]) -> None:
    if item.question:
        st.markdown(f"**{fmt.literal(item.question)}**")
    st.text(item.answer)
    with st.container(horizontal=True, gap="small"):
        for name, (run_id, row), score in zip(names, (item.first, item.second), item.scores, strict=True):
            st.page_link(
                navigation.ANSWERS,
                label=f"Inspect with {name}: {fmt.share(score)}",
                icon=":material/find_in_page:",
                query_params=address.link(run_id, str(row)),
            )


def _difference_row(item: ClaimDifference | AnswerDifference) -> dict[str, object]:
    if isinstance(item, ClaimDifference):
        return {
            "claim": item.text,
            "first": VERDICT_LABELS[item.verdicts[0]],
            "second": VERDICT_LABELS[item.verdicts[1]],
            "people": VERDICT_LABELS[item.people] if item.people else None,
        }
    return {
        "question": item.question,
        "answer": item.answer,
        "first_score": item.scores[0],
        "second_score": item.scores[1],
    }


_HELP = (
    "Claims are paired by their text within an answer; a claim that only one judge found is counted, not paired. "
    "Kappa is agreement beyond chance (Cohen 1960), with bootstrap intervals over answers. Accuracy is compared on the "
    "same labelled claims, with answers as clusters."
)


def _columns(names: tuple[str, str]) -> dict[str, ColumnConfig]:
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    return {
        "claim": text("Claim", width=310),
        "first": text(names[0], width=150),
        "second": text(names[1], width=150),
        "people": text("Reviewers", width=150),
        "question": text("Question", width=250),
        "answer": text("Answer", width=290),
        "first_score": number(names[0], format="%.2f", help=figure_help.SCORE_BY_JUDGE),
        "second_score": number(names[1], format="%.2f", help=figure_help.SCORE_BY_JUDGE),
    }
