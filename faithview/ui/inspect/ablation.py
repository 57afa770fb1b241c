"""What happens to a claim if one of the answer's chunks is taken away: the drawer on the inspect page."""

from functools import partial

import streamlit as st

from faithview.domain.errors import FaithViewError
from faithview.domain.run import Run
from faithview.domain.views import AnswerDetail
from faithview.services.judge_catalogue import JudgeOffer, find_offer
from faithview.services.sources.chunk_ablation import Ablation, find_ablation, judge_without_chunk_once
from faithview.ui.inspect import ablation_words
from faithview.ui.parts.judge_notes import cost_line
from faithview.ui.shell import app, identity, write
from faithview.wording import numbers as fmt

# Judges on this machine answer for all chunks within a second.
_AT_ONCE = frozenset({"embedded", "lexical"})
_WRITE_PLACE = "ablation"


def what_if(run: Run, detail: AnswerDetail, number: int) -> None:
    """Draw the button that opens the drawer."""
    if detail.sample.chunks and st.button(
        "Without a chunk", type="tertiary", icon=":material/science:", key="what_if.open", help=_HELP
    ):
        _drawer(run, detail, number)


@st.dialog("What if a chunk were gone?", width="small", position="right")
def _drawer(run: Run, detail: AnswerDetail, number: int) -> None:
    st.text(detail.result.claims[number - 1].text)
    chunks = _ordered(detail, number)
    answers: dict[str, Ablation | None]
    if run.judge.name in _AT_ONCE:
        may_ask = False
        answers = _ask_all(run, detail.position, number, chunks)
    else:
        may_ask = _announce(run, find_offer(run.judge.name))
        answers = {
            chunk_id: find_ablation(app.services(), run.run_id, detail.position, number, chunk_id)
            for chunk_id in chunks
        }
    judged = [answer for answer in answers.values() if answer is not None]
    if sentence := ablation_words.what_if_finding(judged, chunks=len(chunks)):
        st.markdown(sentence)
    write.show_message(_WRITE_PLACE)
    for chunk_id, answer in answers.items():
        _line(run, detail.position, number, chunk_id, answer, may_ask=may_ask)
    _warn_if_judge_changed(run, judged)


def _ask_all(run: Run, row: int, number: int, chunks: list[str]) -> dict[str, Ablation | None]:
    answers: dict[str, Ablation | None] = {}
    for chunk_id in chunks:
        try:
            answers[chunk_id] = judge_without_chunk_once(app.services(), run.run_id, row, number, chunk_id)
        except FaithViewError as error:
            st.text(str(error))
            break
    return answers


def _announce(run: Run, offer: JudgeOffer | None) -> bool:
    """Draw what asking the judge costs; return whether it can be asked here."""
    name = fmt.literal(run.judge.name)
    if offer is None or offer.missing is not None:
        reason = "is not known here" if offer is None else fmt.literal(offer.missing or "")
        st.markdown(f":gray[{name} cannot be asked: {reason}]" if offer else f":gray[The judge {name} {reason}.]")
        return False
    if offer.host is None:
        st.caption(f"Each button makes {name} judge the whole answer again, on this machine.")
    else:
        st.caption(
            f"Each button makes {name} judge the whole answer again: it calls {fmt.literal(offer.host)}, sends "
            "question, answer and the other chunks there, and costs what judging one answer costs. Nothing is stored."
        )
    return True


def _line(run: Run, row: int, number: int, chunk_id: str, answer: Ablation | None, *, may_ask: bool) -> None:
    name = fmt.code(chunk_id)
    if answer is None:
        if not may_ask:
            return
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(name, width="content")
            st.button(
                "Ask the judge without it",
                key=f"what_if.ask.{run.run_id}.{row}.{number}.{chunk_id}",
                type="tertiary",
                icon=":material/send:",
                on_click=partial(_ask, run.run_id, row, number, chunk_id),
            )
        return
    cost = cost_line(answer.usage)
    st.markdown(
        f"{name} &nbsp; {ablation_words.effect_words(answer)}  \n:small[{ablation_words.coloured_change(answer)}]"
        + (f" &nbsp; :small[:gray[{cost}]]" if cost else "")
    )


def _ask(run_id: str, row: int, number: int, chunk_id: str) -> None:
    write.write(
        lambda: judge_without_chunk_once(app.services(), run_id, row, number, chunk_id),
        place=_WRITE_PLACE,
        refusal=identity.why_cannot_run(),
    )


def _warn_if_judge_changed(run: Run, answers: list[Ablation]) -> None:
    others = {answer.judge for answer in answers if answer.judge is not None} - {run.fingerprint}
    if others:
        now = " and ".join(fmt.literal(name) for name in sorted(others))
        st.caption(
            f":material/warning: The first verdict is by {fmt.literal(run.fingerprint)}, the others by {now}: a "
            "difference may come from the judge."
        )


def _ordered(detail: AnswerDetail, number: int) -> list[str]:
    """Return the ids of the answer's chunks, those that the claim cites first."""
    cited = detail.result.claims[number - 1].supporting_chunk_ids
    return list(dict.fromkeys([*cited, *(chunk.chunk_id for chunk in detail.sample.chunks)]))


_HELP = (
    "The run's judge judges the answer again without one chunk, for each chunk in turn. Necessary: the claim loses its "
    "support. Redundant: other chunks support it as well. Conflicting: without the chunk the claim is supported, or no "
    "longer contradicted. Several chunks that are redundant one by one may be necessary together."
)
