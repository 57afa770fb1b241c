"""What is to be guarded: an answer that was pasted, or one that a model is asked for."""

from dataclasses import dataclass

import streamlit as st

from faithview.domain.run import JudgeSpec
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.services.judge_catalogue import JudgeOffer, list_offers
from faithview.ui.parts.judge_choice import choose_judge, where_both_go
from faithview.ui.parts.pasted.paste_form import Pasted, choose_example, paste_form
from faithview.ui.shell import session
from faithview.ui.shell.shell_line import ShellLine
from faithview.wording.figure_help import FAITHFUL_FROM

_MINE = "I have the answer"
_GENERATED = "Generate the answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Controls:
    """How answers are guarded on this page.

    `spec` is None where the judge is not usable, which the page explains. `generator` is the model to ask for an answer
    ("openai:MODEL") and `generator_host` where it is; both are None where the pasted answer is guarded, and `generator`
    is None too where none is chosen. `why_not` says why nothing can be guarded with these settings; "" if it can.
    """

    offer: JudgeOffer
    spec: JudgeSpec | None
    threshold: float
    is_generated: bool
    generator: str | None = None
    generator_host: str | None = None
    max_retries: int = 0
    why_not: str = ""

    def is_ready(self, pasted: Pasted) -> bool:
        """Return whether there is enough to begin with: an answer, or a question and a model to ask."""
        if self.spec is None:
            return False
        if self.is_generated:
            return self.generator is not None and bool(pasted.question.strip())
        return bool(pasted.answer.strip())

    def hash_of(self, pasted: Pasted) -> int:
        """Return a hash of all that is asked: the texts, the judge, and the model where one is asked."""
        judge = () if self.spec is None else (self.spec.name, self.spec.method, *self.spec.options.items())
        texts = (pasted.question, pasted.answer, pasted.chunks)
        return hash((texts, judge, self.threshold, self.generator, self.max_retries))


def choose_mode(line: ShellLine) -> bool:
    """Draw whose answer is guarded, on the page's first line; return whether it is to be generated."""
    with line.view:
        mode = st.segmented_control(
            "Answer", [_MINE, _GENERATED], default=_MINE, required=True, key="guard.mode", label_visibility="collapsed"
        )
    return mode == _GENERATED


def choose_controls(*, is_generated: bool) -> Controls:
    """Draw what stands above the form: examples, the judge with the threshold, and the model to ask."""
    choose_example()
    choice = choose_judge("guard", has_companions=False, beside=_choose_threshold, says_where=not is_generated)
    generator = _choose_generator() if is_generated else _Generator()
    if generator.offer is not None:
        st.caption(where_both_go(choice.offer, generator.offer))
    return Controls(
        offer=choice.offer,
        spec=choice.spec,
        threshold=session.widget_number("guard.threshold", DEFAULT_THRESHOLD),
        is_generated=is_generated,
        generator=generator.name,
        generator_host=generator.offer.host if generator.offer else None,
        max_retries=generator.max_retries,
        why_not=choice.why_not or generator.why_not,
    )


def _choose_threshold() -> None:
    st.number_input(
        "Threshold",
        min_value=0.0,
        max_value=1.0,
        value=DEFAULT_THRESHOLD,
        step=0.05,
        key="guard.threshold",
        width=140,
        help=_THRESHOLD_HELP,
    )


def paste(controls: Controls) -> Pasted:
    """Draw the form, without an answer where one is generated."""
    if controls.is_generated:
        action, icon = "Generate and check", ":material/auto_awesome:"
        return paste_form(action, icon=icon, has_answer=False, why_not=controls.why_not)
    return paste_form("Guard the answer", icon=":material/shield:", why_not=controls.why_not)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Generator:
    """The model to ask for an answer; `name` is None where there is none to ask, and `why_not` then says why."""

    name: str | None = None
    offer: JudgeOffer | None = None
    max_retries: int = 0
    why_not: str = ""


def _choose_generator() -> _Generator:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        return _generator_fields()


def _generator_fields() -> _Generator:
    offers = {offer.name: offer for offer in list_offers() if offer.has_methods}
    name = st.selectbox("Model of", list(offers), key="guard.vendor", width=150, help=_GENERATOR_HELP)
    offer = offers[name]
    model = st.selectbox(
        "Model that answers",
        list(offer.models),
        index=None,
        key=f"guard.model_to_ask.{offer.name}",
        accept_new_options=True,
        placeholder="Choose one, or type its name",
        width=240,
    )
    retries = st.number_input(
        "Retries", min_value=0, max_value=5, value=2, step=1, key="guard.retries", width=130, help=_RETRIES_HELP
    )
    if offer.missing is not None:
        return _Generator(offer=offer, why_not=f"The answering model is not set up. {offer.missing}")
    if not (model or "").strip():
        return _Generator(offer=offer, why_not="Choose the model that answers first.")
    return _Generator(name=f"{offer.name}:{(model or '').strip()}", offer=offer, max_retries=int(retries))


_THRESHOLD_HELP = (
    f"An answer passes if it is faithful, or states nothing. {FAITHFUL_FROM} Answers that cannot be judged never pass."
)
_GENERATOR_HELP = "The vendor whose model answers the question. The judge above checks what it says."
_RETRIES_HELP = (
    "How often the model is asked again, with the claims named that are not supported. The best attempt is kept."
)
