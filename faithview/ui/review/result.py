"""A finished spot-check: agreement, corrected score and the judge's mistakes; and all finished ones as a table."""

from collections import Counter
from collections.abc import Sequence
from functools import partial

import streamlit as st

from faithview.domain.spot_check import SpotCheck
from faithview.services.judge_quality.scorecards import verdict_name
from faithview.services.review.corrected_score import Correction, why_no_score
from faithview.services.review.spot_check_result import CheckResult, Mistake, MistakeKind, get_check_result
from faithview.services.review.spot_checks import draw_more
from faithview.stats.corrected_score import CorrectedScore
from faithview.ui import address, identity, navigation, opened_store, service_calls
from faithview.ui.address import go
from faithview.ui.tables import click_table
from faithview.wording import numbers as fmt
from faithview.wording.corrected_score import CORRECTED_HELP
from faithview.wording.verdict_styles import VERDICT_LABELS

_KIND_WORDS = {
    MistakeKind.MISSED: "missed (the judge says supported, reviewers do not)",
    MistakeKind.FALSE_ALARM: "wrongly flagged (reviewers say supported, the judge does not)",
    MistakeKind.OTHER: "flagged as the wrong kind of error",
    MistakeKind.NOT_A_CLAIM: "not claims at all",
}
_AGREEMENT_HELP = (
    "Counts claims with an agreed label. *Judges* weights each of them by its chance of being drawn, so its figure can "
    "differ."
)
_MESSAGES = "queue.result"
_MOST_SCORES = 3
_MOST_MISTAKES = 500
_TEXT, _NUMBER = st.column_config.TextColumn, st.column_config.NumberColumn


def show_result(check: SpotCheck, name: str | None) -> None:
    """Draw the result of a spot-check, with the buttons that lead on, and the judge's mistakes.

    Args:
        check: the spot-check; no claim of it waits for a label.
        name: the reviewer; None for a user who may not label.
    """
    result = get_check_result(opened_store.store(), check.spot_check_id)
    with st.container(border=True, gap="xsmall"):
        st.markdown(f"## {agreement_words(result)}", help=_AGREEMENT_HELP)
        for found in result.scores[:_MOST_SCORES]:
            about = f"*{fmt.literal(found.run_name)}*" if len(result.scores) > 1 else "Faithfulness"
            st.markdown(f"{about}: {score_words(found)}", help=CORRECTED_HELP)
        if len(result.scores) > _MOST_SCORES:
            st.caption(f"and {fmt.plural(len(result.scores) - _MOST_SCORES, 'more run')}")
        st.markdown(f":small[{' '.join([*_mistakes_words(result), *limits_words(result)])}]")
        with st.container(horizontal=True):
            if result.needed and name is not None:
                st.button(
                    f"Label {fmt.count(result.needed)} more for {fmt.plus_minus(result.half_width)}",
                    key="result.more",
                    type="primary",
                    help="Draws more claims in the same way.",
                    on_click=partial(_draw_more, check, result.needed, name),
                )
            if result.tied and st.button("Settle the disagreements", key="result.settle"):
                st.switch_page(navigation.REVIEW, query_params=address.tab_link(navigation.DISAGREEMENTS))
    service_calls.show_message(_MESSAGES)
    _show_mistakes(result.mistakes)


def _draw_more(check: SpotCheck, labels: int, name: str) -> None:
    draw = partial(draw_more, opened_store.store(), check.spot_check_id, labels)
    service_calls.write(draw, place=_MESSAGES, refusal=identity.why_cannot_label(name))


def agreement_words(result: CheckResult) -> str:
    """Return how often reviewers and judge agree: "Reviewers and judge agree on 13 of 16 claims."."""
    if not result.compared:
        return "No claim has an agreed label yet."
    return f"Reviewers and judge agree on {fmt.count(result.agreed)} of {fmt.plural(result.compared, 'claim')}."


def score_words(correction: Correction) -> str:
    """Return the corrected score with the judge's in Markdown, or why there is none."""
    score, reason = correction.score, why_no_score(correction)
    if reason is not None or not isinstance(score, CorrectedScore):
        return fmt.literal(reason or "")
    estimate = score.corrected
    return (
        f"corrected **{fmt.share(estimate.score)}** ({fmt.ends(estimate.interval)}) instead of the judge's "
        f"{fmt.share(score.judge)}, from {fmt.plural(correction.labels, 'label')}."
    )


def _mistakes_words(result: CheckResult) -> list[str]:
    """Return the judge's mistakes by kind, the most frequent first."""
    if not result.compared:
        return []
    kinds = Counter(mistake.kind for mistake in result.mistakes).most_common()
    parts = "; ".join(f"{fmt.count(number)} {_KIND_WORDS[kind]}" for kind, number in kinds)
    number = fmt.plural(len(result.mistakes), "mistake")
    return [f"The judge made {number}: {parts}." if parts else "The judge made no mistakes."]


def limits_words(result: CheckResult) -> list[str]:
    """Return what limits the result, one sentence per limit: ties, missing labels, labels that were not blind."""
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


def _show_mistakes(mistakes: Sequence[Mistake]) -> None:
    """Draw the claims whose agreed label differs from the judge's verdict; a click opens one on Answers."""
    if not mistakes:
        return
    shown = mistakes[:_MOST_MISTAKES]
    number = click_table(
        [
            {
                "claim": mistake.text,
                "people": VERDICT_LABELS[verdict_name(mistake.people)],
                "judge": VERDICT_LABELS[mistake.judged.value],
            }
            for mistake in shown
        ],
        {
            "claim": _TEXT("The judge's mistakes", width=460),
            "people": _TEXT("Reviewers", width=150),
            "judge": _TEXT("Judge", width=150),
        },
        key="result.mistakes",
        alt="The judge's mistakes: claims with the reviewers' verdict and the judge's.",
    )
    if number is not None:
        place = shown[number].place
        st.switch_page(navigation.ANSWERS, query_params=address.link(place.run_id, str(place.row), place.claim_number))


def results_table(checks: Sequence[SpotCheck]) -> None:
    """Draw the results of finished spot-checks, one per row; a click opens one."""
    results = [get_check_result(opened_store.store(), check.spot_check_id) for check in checks]
    number = click_table(
        [
            {
                "name": result.check.name,
                "labels": result.claims - result.unlabelled,
                "agree": f"{fmt.count(result.agreed)} of {fmt.count(result.compared)}" if result.compared else None,
                "disputed": result.tied,
                "score": _scores_cell(result),
                "at": fmt.day(result.check.created_at),
            }
            for result in results
        ],
        {
            "name": _TEXT("Spot-check", width=200),
            "labels": _NUMBER("Labels", width=65, format="localized"),
            "agree": _TEXT("Agree", width=85),
            "disputed": _NUMBER("Disputed", width=65, help="Claims on which reviewers disagree; not in *Agree*."),
            "score": _TEXT("Judge → corrected", width=190),
            "at": _TEXT("Drawn", width=100),
        },
        key="checks.results",
        alt="Finished spot-checks: labels, agreement of reviewers and judge, and the judge's and the corrected score.",
    )
    if number is not None:
        go(check=str(checks[number].spot_check_id))
        st.rerun()


def _scores_cell(result: CheckResult) -> str | None:
    """Write the judge's score and the corrected one, of each run: "0.92 → 0.96 (0.90–0.98)"."""
    cells = []
    for found in result.scores:
        score, cell = found.score, "too few labels"
        if isinstance(score, CorrectedScore):
            estimate = score.corrected
            figure = fmt.share(estimate.score) if why_no_score(found) is None else "not known"
            cell = f"{fmt.share(score.judge)} → {figure} ({fmt.ends(estimate.interval)})"
        cells.append(f"{found.run_name}: {cell}" if len(result.scores) > 1 else cell)
    return "; ".join(cells) or None
