"""Claims without one of the answer's chunks: the drawer on Answers, and its words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

import streamlit as st

from faithview.domain.answer import AnswerDetail
from faithview.domain.claim import Verdict
from faithview.domain.errors import FaithViewError
from faithview.domain.run import Run
from faithview.services.chunk_ablation import Ablation, Effect, find_ablation, judge_without_chunk_once
from faithview.services.judge_catalogue import JudgeOffer, find_offer
from faithview.ui import identity, opened_store, service_calls
from faithview.ui.widgets.judge_notes import cost_line
from faithview.wording import numbers as fmt
from faithview.wording.verdict_styles import VERDICTS


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectStyle:
    """An effect's word and its icon as Streamlit names it."""

    word: str
    icon: str


EFFECTS: Mapping[Effect, EffectStyle] = MappingProxyType(
    {
        Effect.NECESSARY: EffectStyle(word="necessary", icon=":material/key:"),
        Effect.REDUNDANT: EffectStyle(word="redundant", icon=":material/content_copy:"),
        Effect.CONFLICTING: EffectStyle(word="conflicting", icon=":material/call_split:"),
        Effect.NONE: EffectStyle(word="no difference", icon=":material/remove:"),
        Effect.UNKNOWN: EffectStyle(word="unknown", icon=":material/question_mark:"),
    }
)


def what_if_finding(answers: Sequence[Ablation], *, chunks: int) -> str:
    """Return the sentence, in Markdown, that says which chunks a claim rests on.

    Args:
        answers: the effects of some or all of the answer's chunks.
        chunks: how many chunks the answer has.
    """
    if not answers:
        return ""
    necessary, conflicting, redundant = (
        [ablation for ablation in answers if ablation.effect is effect]
        for effect in (Effect.NECESSARY, Effect.CONFLICTING, Effect.REDUNDANT)
    )
    parts = []
    if necessary:
        parts.append(f"The claim is based on {_names(necessary)}.")
    if conflicting:
        verb = fmt.verb(len(conflicting), "conflicts", "conflict")
        parts.append(f"{_names(conflicting)} {verb} with the claim.")
    if not parts and redundant:
        parts.append("No single chunk is necessary: the claim stays supported whichever one is left out.")
    if not parts and all(ablation.effect is Effect.NONE for ablation in answers):
        verdict = VERDICTS[answers[0].before].word
        parts.append(f"No single chunk makes a difference: the claim stays {verdict} whichever one is left out.")
    if len(answers) < chunks:
        parts.append(f":small[:gray[Tried so far: {fmt.count(len(answers))} of {fmt.plural(chunks, 'chunk')}.]]")
    return " ".join(parts)


def effect_words(ablation: Ablation) -> str:
    """Return what taking one chunk away does to the claim, in Markdown."""
    style = EFFECTS[ablation.effect]
    before, after = VERDICTS[ablation.before].word, None if ablation.after is None else VERDICTS[ablation.after].word
    match ablation.effect:
        case Effect.NECESSARY | Effect.CONFLICTING:
            text = f"without it the claim is {after} instead of {before}"
        case Effect.REDUNDANT:
            text = "without it the claim stays supported"
        case Effect.NONE:
            unlike = after != before
            text = f"without it the claim is {after}, no better than {before}" if unlike else f"it stays {before}"
        case Effect.UNKNOWN:
            text = "judged without it, the answer no longer has this claim"
    return f"{style.icon} **{style.word}**: {text}"


def coloured_change(ablation: Ablation) -> str:
    """Return the verdict before and after, in Markdown."""
    return f"{_coloured(ablation.before)} → {'–' if ablation.after is None else _coloured(ablation.after)}"


def _coloured(verdict: Verdict) -> str:
    style = VERDICTS[verdict]
    return f":{style.streamlit_colour}[{style.material} {style.word}]"


def _names(answers: Sequence[Ablation]) -> str:
    return fmt.listed([f"**{fmt.literal(answer.chunk_id)}**" for answer in answers])


# Judges on this machine answer for all chunks within a second.
_AT_ONCE = frozenset({"embedded", "lexical"})
_WRITE_PLACE = "ablation"


def what_if(run: Run, detail: AnswerDetail, number: int) -> None:
    """Draw the button that opens the drawer."""
    if detail.sample.chunks and st.button(
        "Without a chunk", type="tertiary", icon=":material/science:", key="what_if.open", help=_HELP
    ):
        _drawer(run, detail, number)


@st.dialog("What if a chunk were missing?", width="small", position="right")
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
            chunk_id: find_ablation(opened_store.store(), run.run_id, detail.position, number, chunk_id)
            for chunk_id in chunks
        }
    judged = [answer for answer in answers.values() if answer is not None]
    if sentence := what_if_finding(judged, chunks=len(chunks)):
        st.markdown(sentence)
    service_calls.show_message(_WRITE_PLACE)
    for chunk_id, answer in answers.items():
        _line(run, detail.position, number, chunk_id, answer, may_ask=may_ask)
    _warn_if_judge_changed(run, judged)


def _ask_all(run: Run, row: int, number: int, chunks: list[str]) -> dict[str, Ablation | None]:
    answers: dict[str, Ablation | None] = {}
    for chunk_id in chunks:
        try:
            answers[chunk_id] = judge_without_chunk_once(opened_store.store(), run.run_id, row, number, chunk_id)
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
            f"Each button makes {name} judge the whole answer again: it calls {fmt.literal(offer.host)}, sends the "
            "question, the answer and the other chunks there, and costs as much as judging one answer. Nothing is "
            "stored."
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
                "Judge without this chunk",
                key=f"what_if.ask.{run.run_id}.{row}.{number}.{chunk_id}",
                type="tertiary",
                icon=":material/send:",
                on_click=partial(_ask, run.run_id, row, number, chunk_id),
            )
        return
    cost = cost_line(answer.usage)
    st.markdown(
        f"{name} &nbsp; {effect_words(answer)}  \n:small[{coloured_change(answer)}]"
        + (f" &nbsp; :small[:gray[{cost}]]" if cost else "")
    )


def _ask(run_id: str, row: int, number: int, chunk_id: str) -> None:
    service_calls.write(
        lambda: judge_without_chunk_once(opened_store.store(), run_id, row, number, chunk_id),
        place=_WRITE_PLACE,
        refusal=identity.why_cannot_run(),
    )


def _warn_if_judge_changed(run: Run, answers: list[Ablation]) -> None:
    others = {answer.judge for answer in answers if answer.judge is not None} - {run.fingerprint}
    if others:
        now = " and ".join(fmt.literal(name) for name in sorted(others))
        st.caption(
            f":material/warning: The first verdict is by {fmt.literal(run.fingerprint)}, the others by {now}. A "
            "difference may be due to the judge."
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
