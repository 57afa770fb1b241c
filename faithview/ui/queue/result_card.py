"""Parts of the queue page: a finished spot-check as a card: agreement, corrected score, mistakes, what comes next."""

from functools import partial

import streamlit as st

from faithview.domain.errors import InvalidInput
from faithview.domain.spot_check import SpotCheck
from faithview.domain.views import View
from faithview.services.review.checks.check_result import CheckResult, get_check_result
from faithview.services.review.checks.listed_claims import draw_more
from faithview.ui.queue import result_words as words
from faithview.ui.queue.part_choice import DISAGREEMENTS, part_link
from faithview.ui.shell import address, app, identity, nav, write
from faithview.wording import numbers as fmt

MESSAGES = "queue.result"  # where the reason stands why no more was drawn
_MOST_SCORES = 3


def result_card(check: SpotCheck, name: str | None, *, in_list: bool) -> CheckResult:
    """Draw what a finished spot-check found, with the buttons that lead on, and return it.

    Args:
        check: the spot-check; no claim of it waits for a label.
        name: who looks; None for somebody without a name.
        in_list: whether the card stands in the list of spot-checks: then it is headed by the spot-check's name.
    """
    result = get_check_result(app.services(), check.spot_check_id)
    with st.container(border=True, key=f"result.{check.spot_check_id}", gap="xsmall"):
        if in_list:
            st.markdown(
                f"**{fmt.literal(check.name)}** &nbsp; :small[:gray[{fmt.day(check.created_at)} · "
                f"{fmt.plural(result.claims, 'claim')} · {'blind' if check.is_blind else 'not blind'}]]"
            )
        st.markdown(f"{'' if in_list else '## '}{words.agreement_words(result)}", help=words.AGREEMENT_HELP)
        for found in result.scores[:_MOST_SCORES]:
            st.markdown(words.score_words(found, with_name=len(result.scores) > 1), help=words.score_help(found))
        if len(result.scores) > _MOST_SCORES:
            st.caption(f"and {fmt.plural(len(result.scores) - _MOST_SCORES, 'more run')}")
        lines = [words.mistakes_words(result), *words.limits_words(result)]
        st.markdown(f":small[{' '.join(line for line in lines if line)}]")
        _buttons(result, name, in_list=in_list)
    if not in_list:
        write.show_message(MESSAGES)
    return result


def _buttons(result: CheckResult, name: str | None, *, in_list: bool) -> None:
    check_id = result.check.spot_check_id
    key = f"result.{check_id}"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if in_list:
            several = f"See the {fmt.plural(len(result.mistakes), 'mistake')}" if result.mistakes else "See the result"
            st.button(several, key=f"{key}.open", on_click=partial(address.select_check, check_id))
        if result.tied and st.button("Settle the disagreements", key=f"{key}.settle"):
            st.switch_page(nav.QUEUE, query_params=part_link(DISAGREEMENTS))
        if (
            result.more is not None
            and name is not None
            and st.button(
                words.more_words(result.more),
                key=f"{key}.more",
                type="secondary" if in_list else "primary",
                help="Draws more claims in the same way and opens them.",
            )
        ):
            _draw_more(check_id, result.more.labels, name)
            # The card may stand in a part of the page that reruns alone, and another spot-check is another page.
            st.rerun()
        runs = [found.run_id for found in result.scores if found.run_id is not None]
        if runs and st.button("Open the corrected view", key=f"{key}.corrected", type="tertiary"):
            if len(runs) == 1:
                parameters = {**address.link(runs[0]), **address.view_link(View.CORRECTED)}
                st.switch_page(nav.INSPECT, query_params=parameters)
            st.switch_page(nav.OVERVIEW, query_params=address.view_link(View.CORRECTED))


def _draw_more(spot_check_id: int, labels: int, name: str) -> None:
    opened: list[int] = []

    def draw() -> None:
        if labels < 1:
            raise InvalidInput("No more labels are needed.")
        opened.append(draw_more(app.services(), spot_check_id, labels, created_by=name))

    if write.write(draw, place=MESSAGES, refusal=identity.why_cannot_label(name)):
        address.select_check(opened[0])
