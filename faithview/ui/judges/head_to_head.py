"""Two judges side by side, on the answers that both have judged."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from faithview.services.judge_quality.head_to_head import AnswerDifference, ClaimDifference, JudgePair, compare_judges
from faithview.services.judge_quality.scorecards import JudgeCard
from faithview.ui.judges.share_words import share_text
from faithview.ui.parts.downloads.table_download import table_download
from faithview.ui.parts.verdict_table import confusion, opened
from faithview.ui.shell import address, app, nav
from faithview.wording import numbers as fmt
from faithview.wording.verdicts import VERDICT_LABELS

_HEIGHT = 320


def side_by_side(cards: Sequence[JudgeCard]) -> None:
    """Draw the choice of two judges and their verdicts on the same answers."""
    if len(cards) < 2:
        st.markdown(
            "All runs are by one judge. Judge the same file with a second one (`faithview evaluate FILE --judge …`) to "
            "see where the two differ, and which of them people agree with."
        )
        return
    by_name = {_title(card): card for card in cards}
    names = list(by_name)
    left, right = st.columns(2)
    first = by_name[left.selectbox("First judge", names, index=0, key="pair.first") or names[0]]
    second = by_name[right.selectbox("Second judge", names, index=1, key="pair.second") or names[1]]
    if first.fingerprint == second.fingerprint:
        st.markdown("Choose two different judges.")
        return
    with st.spinner("Comparing", show_time=False):
        pair = compare_judges(app.services(), first.fingerprint, second.fingerprint)
    if not pair.answers:
        st.markdown("The two judges have no answer in common, so they cannot be compared.")
        return
    _finding(pair, first, second)
    table, figures = st.columns([4, 5], gap="medium")
    with table:
        st.markdown(
            ":small[:gray[Claims that both judged: the first judge's verdict (rows) by the second's (columns)]]"
        )
        confusion(pair.table, key="pair.table", rows="First judge")
    with figures:
        _figures(pair)
    _differences(pair)


def _title(card: JudgeCard) -> str:
    return f"{card.fingerprint} ({fmt.plural(card.answers, 'answer')})"


def _finding(pair: JudgePair, first: JudgeCard, second: JudgeCard) -> None:
    text = (
        f"On the {fmt.plural(pair.answers, 'answer')} that both have judged, they agree whether it is faithful on "
        f"**{fmt.percent(pair.same_answer.value)}**"
    )
    if pair.change is not None and pair.means is not None:
        text += f"; mean faithfulness {fmt.share(pair.means[0])} against {fmt.share(pair.means[1])}"
    if pair.rates is None or pair.better is None:
        text += ". Nobody has labelled a claim that both judged, so it is unknown which of them is right."
    else:
        interval = pair.better.interval
        is_sure = interval is not None and (interval.low > 0 or interval.high < 0)
        name = first.name if pair.better.value > 0 else second.name
        text += f". Of {fmt.plural(pair.labelled, 'labelled claim')} "
        text += (
            f"`{name}` gets more right: {fmt.signed(abs(pair.better.value))} in accuracy."
            if is_sure
            else "neither gets significantly more right."
        )
    st.markdown(text)


def _figures(pair: JudgePair) -> None:
    """Draw the measures, one column for each judge, and how far they agree."""
    rates = pair.rates
    rows: list[tuple[str, str, str, str]] = [
        (
            "Mean faithfulness",
            fmt.share(pair.means[0]) if pair.means else "–",
            fmt.share(pair.means[1]) if pair.means else "–",
            fmt.signed_measure(pair.change.value, pair.change.interval) if pair.change else "–",
        )
    ]
    if rates is not None:
        first, second = rates
        between = pair.better
        difference = fmt.signed_measure(between.value, between.interval) if between else ""
        rows += [
            ("Agrees with people", share_text(first.accuracy), share_text(second.accuracy), difference),
            ("Finds unsupported", share_text(first.sensitivity), share_text(second.sensitivity), ""),
            ("Passes supported", share_text(first.specificity), share_text(second.specificity), ""),
        ]
    rows.append(("Claims only this judge found", fmt.count(pair.apart[0]), fmt.count(pair.apart[1]), ""))
    st.markdown(
        f":small[Same verdict on a claim **{share_text(pair.same_claim)}**, kappa "
        f"**{fmt.measure(pair.claim_kappa.value, pair.claim_kappa.interval, pair.claim_kappa.claims)}**]  \n"
        f":small[Same result for an answer **{share_text(pair.same_answer)}**, kappa "
        f"**{fmt.measure(pair.answer_kappa.value, pair.answer_kappa.interval, pair.answer_kappa.claims)}**]",
        help=_HELP,
    )
    st.dataframe(
        pd.DataFrame(rows, columns=["", "First judge", "Second judge", "First − second"]),
        key="pair.figures",
        hide_index=True,
        column_config={
            "": st.column_config.TextColumn(width=140),
            "First judge": st.column_config.TextColumn(width=145),
            "Second judge": st.column_config.TextColumn(width=145),
            "First − second": st.column_config.TextColumn(width=150),
        },
        alt="Figures of the two judges over the same answers and labelled claims.",
    )


def _differences(pair: JudgePair) -> None:
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
        st.markdown(":small[:gray[Click to open the answer of]]", width="content")
        side = st.segmented_control(
            "Click to open the answer of",
            ["First judge", "Second judge"],
            default="First judge",
            required=True,
            key="pair.side",
            label_visibility="collapsed",
        )
    shown: Sequence[ClaimDifference | AnswerDifference] = (
        pair.claim_differences if what == "claims" else pair.answer_differences
    )
    if not shown:
        st.markdown(":gray[None: the two agree.]")
        return
    event = st.dataframe(
        pd.DataFrame([_row(item) for item in shown]),
        key=f"pair.differences.{what}",
        height=min(36 + 35 * len(shown), _HEIGHT),
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        selection_mode=["single-row", "single-cell"],
        column_config=_COLUMNS,
        alt="Differences between the two judges: those that people have settled first, then by size.",
    )
    table_download(lambda: map(_row, shown), name=("judges", str(what)), key=f"pair.download.{what}")
    number = opened(event, len(shown))
    if number is not None:
        st.switch_page(nav.INSPECT, query_params=_link(shown[number], is_first=side != "Second judge"))


def _row(item: ClaimDifference | AnswerDifference) -> dict[str, object]:
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


def _link(item: ClaimDifference | AnswerDifference, *, is_first: bool) -> dict[str, str]:
    if isinstance(item, ClaimDifference):
        place = item.first if is_first else item.second
        return address.link(place.run_id, str(place.row), place.claim_number)
    run_id, row = item.first if is_first else item.second
    return address.link(run_id, str(row))


_HELP = (
    "Claims are paired by their text within an answer; a claim that only one judge found is counted, not paired. "
    "Kappa is agreement beyond chance (Cohen 1960), with bootstrap intervals over answers. Accuracy is compared on the "
    "same labelled claims, with answers as clusters."
)
_COLUMNS = {
    "claim": st.column_config.TextColumn("Claim", width=520),
    "first": st.column_config.TextColumn("First judge", width=155),
    "second": st.column_config.TextColumn("Second judge", width=155),
    "people": st.column_config.TextColumn("People", width=155),
    "question": st.column_config.TextColumn("Question", width=330),
    "answer": st.column_config.TextColumn("Answer", width=420),
    "first_score": st.column_config.NumberColumn("First judge", format="%.2f"),
    "second_score": st.column_config.NumberColumn("Second judge", format="%.2f"),
}
