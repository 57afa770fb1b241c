"""A finished spot-check: agreement, corrected score, the judge's mistakes, the reviewer's labels, what comes next."""

from collections import Counter
from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from faithview.domain.answer import View
from faithview.domain.claim import ClaimRef
from faithview.domain.spot_check import SpotCheck
from faithview.services.judge_quality.scorecards import verdict_name
from faithview.services.review.corrected_score import Correction, why_no_score
from faithview.services.review.queue import QueueResult
from faithview.services.review.spot_check_result import (
    CheckResult,
    Mistake,
    MistakeKind,
    get_check_result,
)
from faithview.services.review.spot_checks import draw_more
from faithview.stats.corrected_score import CorrectedScore
from faithview.ui import address, identity, navigation, opened_store, service_calls
from faithview.ui.review.navigator import DISAGREEMENTS, part_link
from faithview.ui.widgets.verdict_table import opened
from faithview.wording import numbers as fmt
from faithview.wording.corrected_score import CORRECTED_HELP
from faithview.wording.verdict_styles import VERDICT_LABELS

_KIND_WORDS = {
    MistakeKind.MISSED: "missed (the judge says supported, reviewers do not)",
    MistakeKind.FALSE_ALARM: "wrongly flagged (reviewers say supported, the judge does not)",
    MistakeKind.OTHER: "flagged as the wrong kind of error",
    MistakeKind.NOT_A_CLAIM: "not claims at all",
}


_SCORE_HELP = f"{CORRECTED_HELP} Of several spot-checks of a run, the one with most labels corrects its score."
_LABELS_HELP = "Claims of the spot-check with a label; those on which reviewers disagree count too."
AGREEMENT_HELP = (
    "Claims of this spot-check with an agreed label, and on how many of them the judge gave the same one of the four "
    "verdicts. These are plain counts. *Judges* weights each label by one over its claim's chance of being drawn, so "
    "its agreement can differ."
)


def agreement_words(result: CheckResult) -> str:
    """Return how often reviewers and judge agree: "Reviewers and judge agree on 13 of 16 claims."."""
    if not result.compared:
        return "No claim has an agreed label yet."
    agreed = fmt.count(result.agreed)
    return f"Reviewers and judge agree on {agreed} of {fmt.plural(result.compared, 'claim')}."


def mistakes_words(result: CheckResult) -> str:
    """Return the judge's mistakes by kind, the most frequent first."""
    if not result.compared:
        return ""
    if not result.mistakes:
        return "The judge made no mistakes."
    kinds = Counter(mistake.kind for mistake in result.mistakes).most_common()
    parts = [f"{fmt.count(number)} {_KIND_WORDS[kind]}" for kind, number in kinds]
    return f"The judge made {fmt.plural(len(result.mistakes), 'mistake')}: {'; '.join(parts)}."


def limits_words(result: CheckResult) -> list[str]:
    """Return what limits the result, a sentence each: ties, missing labels, labels that were not blind."""
    words = []
    if result.tied:
        disagree = fmt.plural(result.tied, "claim")
        words.append(f"Reviewers disagree on {disagree}. Disputed claims do not count until a reviewer settles them.")
    if result.unlabelled:
        words.append(f"{fmt.plural(result.unlabelled, 'claim')} {fmt.verb(result.unlabelled, 'has', 'have')} no label.")
    seen = result.compared - result.blind
    if result.check.is_blind and seen:
        words.append(
            f"{fmt.count(seen)} of the {fmt.plural(result.compared, 'claim')} "
            f"{fmt.verb(seen, 'was', 'were')} labelled by a reviewer who had seen the judge's verdict."
        )
    return words


def score_words(correction: Correction, *, with_name: bool) -> str:
    """Return the corrected score with the judge's in Markdown, or why there is none; its subject comes first."""
    about = f"*{fmt.literal(correction.run_name)}*: " if with_name else "Faithfulness: "
    score, reason = correction.score, why_no_score(correction)
    if reason is not None or not isinstance(score, CorrectedScore):
        return f"{about}{fmt.literal(reason or '')}"
    estimate = score.corrected
    figure = f"**{fmt.share(estimate.score)}** ({fmt.ends(estimate.interval)})"
    rests = f", from {fmt.plural(correction.labels, 'label')}"
    return f"{about}corrected score {figure} instead of the judge's {fmt.share(score.judge)}{rests}."


def more_words(result: CheckResult) -> str:
    """Return what more labels would give, as a button's words: "Label 24 more for ±0.05"."""
    return f"Label {fmt.count(result.needed)} more for {fmt.plus_minus(result.half_width)}"


MESSAGES = "queue.result"  # where the page shows why no more was drawn
_MOST_SCORES = 3


def result_card(check: SpotCheck, name: str | None) -> CheckResult:
    """Draw what a finished spot-check found, with the buttons that lead on, and return it.

    Args:
        check: the spot-check; no claim of it waits for a label.
        name: the reviewer; None if no name was given.
    """
    result = get_check_result(opened_store.store(), check.spot_check_id)
    with st.container(border=True, key=f"result.{check.spot_check_id}", gap="xsmall"):
        st.markdown(f"## {agreement_words(result)}", help=AGREEMENT_HELP)
        for found in result.scores[:_MOST_SCORES]:
            st.markdown(score_words(found, with_name=len(result.scores) > 1), help=CORRECTED_HELP)
        if len(result.scores) > _MOST_SCORES:
            st.caption(f"and {fmt.plural(len(result.scores) - _MOST_SCORES, 'more run')}")
        lines = [mistakes_words(result), *limits_words(result)]
        st.markdown(f":small[{' '.join(line for line in lines if line)}]")
        _buttons(result, name)
    service_calls.show_message(MESSAGES)
    return result


def results_table(checks: Sequence[SpotCheck]) -> None:
    """Draw what finished spot-checks found, one a row; a click opens one."""
    found = [get_check_result(opened_store.store(), check.spot_check_id) for check in checks]
    event = st.dataframe(
        pd.DataFrame([_check_row(result) for result in found]),
        key="checks.results",
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        selection_mode="single-cell",  # a mode for rows would put a column of boxes before the first
        column_config={
            "name": st.column_config.TextColumn("Spot-check", width=200),
            "labels": st.column_config.NumberColumn("Labels", width=65, format="localized", help=_LABELS_HELP),
            "agree": st.column_config.TextColumn("Agree", width=85, help=AGREEMENT_HELP),
            "score": st.column_config.TextColumn("Judge → corrected", width=190, help=_SCORE_HELP),
            "at": st.column_config.TextColumn("Drawn", width=100),
        },
        alt="Finished spot-checks: labels, agreement of reviewers and judge, and the judge's and the corrected score.",
    )
    st.caption(f"Click a row for its mistakes, and to label more. {_disputed_words(found)}".rstrip())
    number = opened(event, len(checks))
    if number is not None:
        address.select_check(checks[number].spot_check_id)
        st.rerun()


def _disputed_words(found: Sequence[CheckResult]) -> str:
    """Say why fewer claims are compared than labelled: "*Agree* leaves out disputed claims: 3 of *Week 46*."; or ""."""
    disputed = [f"{fmt.count(result.tied)} of *{fmt.literal(result.check.name)}*" for result in found if result.tied]
    return f"*Agree* leaves out claims on which reviewers disagree: {fmt.listed(disputed)}." if disputed else ""


def _check_row(result: CheckResult) -> dict[str, object]:
    return {
        "name": result.check.name,
        "labels": result.claims - result.unlabelled,
        "agree": f"{fmt.count(result.agreed)} of {fmt.count(result.compared)}" if result.compared else None,
        "score": "; ".join(_score_cell(found, with_name=len(result.scores) > 1) for found in result.scores) or None,
        "at": fmt.day(result.check.created_at),
    }


def _score_cell(correction: Correction, *, with_name: bool) -> str:
    """Write the judge's score and the corrected one: "0.92 → 0.96 (0.90–0.98)"."""
    about = f"{correction.run_name}: " if with_name else ""
    score = correction.score
    if not isinstance(score, CorrectedScore):
        return f"{about}too few labels"
    estimate = score.corrected
    figure = fmt.share(estimate.score) if why_no_score(correction) is None else "not known"
    return f"{about}{fmt.share(score.judge)} → {figure} ({fmt.ends(estimate.interval)})"


def _buttons(result: CheckResult, name: str | None) -> None:
    check_id = result.check.spot_check_id
    key = f"result.{check_id}"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if (
            result.needed
            and name is not None
            and st.button(
                more_words(result),
                key=f"{key}.more",
                type="primary",
                help="Draws more claims in the same way. The score is corrected again after the last of them.",
            )
        ):
            _draw_more(check_id, result.needed, name)
            st.rerun()
        if result.tied and st.button("Settle the disagreements", key=f"{key}.settle"):
            st.switch_page(navigation.REVIEW, query_params=part_link(DISAGREEMENTS))
        runs = [found.run_id for found in result.scores]
        if runs and st.button("Open the corrected view", key=f"{key}.corrected", type="tertiary"):
            if len(runs) == 1:
                parameters = {**address.link(runs[0]), **address.view_link(View.CORRECTED)}
                st.switch_page(navigation.ANSWERS, query_params=parameters)
            st.switch_page(navigation.OVERVIEW, query_params=address.view_link(View.CORRECTED))


def _draw_more(spot_check_id: int, labels: int, name: str) -> None:
    store = opened_store.store()
    draw = partial(draw_more, store, spot_check_id, labels)
    if service_calls.write(draw, place=MESSAGES, refusal=identity.why_cannot_label(name)):
        address.select_check(spot_check_id)


_MOST_SHOWN = 500


def show_mistakes(mistakes: Sequence[Mistake], *, key: str) -> None:
    """Draw the claims whose agreed label differs from the judge's verdict; a click opens one."""
    if not mistakes:
        return
    shown = mistakes[:_MOST_SHOWN]
    event = st.dataframe(
        pd.DataFrame(
            [
                {
                    "claim": mistake.text,
                    "people": VERDICT_LABELS[verdict_name(mistake.people)],
                    "judge": VERDICT_LABELS[mistake.judged.value],
                }
                for mistake in shown
            ]
        ),
        key=key,
        height=min(36 + 35 * len(shown), 460),
        hide_index=True,
        on_select="rerun",
        selection_mode="single-cell",
        column_config={
            "claim": st.column_config.TextColumn("Claim", width=460),
            "people": st.column_config.TextColumn("Reviewers", width=150),
            "judge": st.column_config.TextColumn("Judge", width=150),
        },
        alt="The judge's mistakes: claims with the reviewers' verdict and the judge's.",
    )
    _open(event, [mistake.place for mistake in shown])


def show_results(results: Sequence[QueueResult], *, key: str) -> None:
    """Draw how often the reviewer and the judge agree, and their labels, where they differ first; a click opens one."""
    if not results:
        return
    st.markdown(_finding(results))
    ordered = sorted(results, key=lambda result: result.agrees)[:_MOST_SHOWN]
    has_second_thoughts = any(result.second_thought is not None for result in ordered)
    event = st.dataframe(
        pd.DataFrame([_result_row(result, has_second_thoughts=has_second_thoughts) for result in ordered]),
        key=key,
        height=min(36 + 35 * len(ordered), 460),
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        selection_mode="single-cell",
        column_config={
            "claim": st.column_config.TextColumn("Claim", width=290),
            "you": st.column_config.TextColumn("You", width=145),
            "judge": st.column_config.TextColumn("Judge", width=145),
            "after": st.column_config.TextColumn("You, after seeing the judge", width=185),
        },
        alt="The claims that you labelled, with your verdict and the judge's.",
    )
    _open(event, [result.place for result in ordered])


def _open(event: object, places: Sequence[ClaimRef]) -> None:
    number = opened(event, len(places))
    if number is not None:
        place = places[number]
        st.switch_page(navigation.ANSWERS, query_params=address.link(place.run_id, str(place.row), place.claim_number))


def _finding(results: Sequence[QueueResult]) -> str:
    agreed = sum(result.agrees for result in results)
    words = f"**You and the judge agree on {fmt.count(agreed)} of {fmt.plural(len(results), 'claim')}.**"
    if agreed < len(results):
        words += " Claims on which you differ come first; click one to open it."
    changed = sum(result.second_thought is not None for result in results)
    if changed:
        words += f" You changed your mind on {fmt.count(changed)} after seeing the judge; your blind label counts."
    return words


def _result_row(result: QueueResult, *, has_second_thoughts: bool) -> dict[str, str | None]:
    after = result.second_thought
    row: dict[str, str | None] = {
        "claim": result.text,
        "you": VERDICT_LABELS[verdict_name(result.label.verdict)],
        "judge": VERDICT_LABELS[result.judged.value],
    }
    if not has_second_thoughts:
        return row
    return {**row, "after": None if after is None else VERDICT_LABELS[verdict_name(after.verdict)]}


def finished_result(check: SpotCheck, name: str | None, own: Sequence[QueueResult] = ()) -> None:
    """Draw the result of a spot-check in which every claim has all its labels.

    Args:
        check: the spot-check.
        name: the reviewer; None if no name was given.
        own: the reviewer's labels in it.
    """
    result = result_card(check, name)
    mistakes, labels = f"Mistakes ({fmt.count(len(result.mistakes))})", f"Your labels ({fmt.count(len(own))})"
    parts = [part for part, rows in ((mistakes, result.mistakes), (labels, own)) if rows]
    if not parts:
        return
    key = f"queue.result.{check.spot_check_id}"
    chosen = st.segmented_control(
        "Show", parts, default=parts[0], required=True, key=f"{key}.part", label_visibility="collapsed"
    )
    if chosen == labels:
        show_results(own, key=f"{key}.own")
    else:
        show_mistakes(result.mistakes, key=f"{key}.mistakes")
