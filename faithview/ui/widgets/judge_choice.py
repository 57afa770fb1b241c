"""The choice of a judge: which ones can run here, what the others need, and which host they call."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from faithview.domain.errors import FaithViewError
from faithview.domain.run import CASCADE, DEFAULT_JUDGE, JudgeErrors, JudgeSpec
from faithview.services.judge_catalogue import (
    JudgeOffer,
    caution_about,
    default_method,
    find_errors,
    find_offer,
    list_askable,
    list_methods,
    list_offers,
    make_spec,
)
from faithview.services.runs.budget import RunEstimate
from faithview.ui import navigation, session
from faithview.wording import numbers as fmt
from faithview.wording.findings import how_counted, what_to_check

_VENDORS = {"api.openai.com": "OpenAI", "api.anthropic.com": "Anthropic"}
_STRICTNESS_WORDS = {"lenient": "Lenient", "balanced": "Balanced", "strict": "Strict"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The chosen judge; `spec` is None if it cannot run as configured, which the page explains.

    `strictness` is what counts as support; "" for a judge that has only one way.
    """

    offer: JudgeOffer
    spec: JudgeSpec | None
    method: str
    strictness: str

    @property
    def why_not(self) -> str:
        """Why the judge cannot run, in plain text, for a button that is therefore disabled; "" if it can."""
        if self.spec is not None:
            return ""
        if self.offer.missing is not None:
            return f"The judge is not set up. {self.offer.missing}"
        return "Choose the judge's model first, and settings that it supports."


def choose_judge(
    page: str,
    *,
    takes_prompt: bool = True,
    has_companions: bool = True,
    beside: Callable[[], None] | None = None,
    says_where: bool = True,
) -> Choice:
    """Draw the choice, under keys that begin with the page's name.

    Args:
        page: the page's name.
        takes_prompt: whether to offer the prompt that was edited under Try one answer.
        has_companions: whether to offer the relevance metrics.
        beside: draws further widgets on the line of the judge.
        says_where: whether to say which host receives the texts; a page that asks another model too says it itself.
    """
    offers = {offer.name: offer for offer in list_offers()}
    model, method, strictness, share = None, None, "", None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox(
            "Judge",
            list(offers),
            format_func=lambda n: offers[n].title if offers[n].missing is None else f"{offers[n].title} (not set up)",
            key=f"{page}.judge",
        )
        offer = offers[name or next(iter(offers))]
        if offer.needs_model:
            model = st.selectbox(
                "Model",
                list(list_askable() or offer.models) if offer.is_cascade else list(offer.models),
                index=None if offer.default_model is None else offer.models.index(offer.default_model),
                key=f"{page}.model.{offer.name}",
                accept_new_options=True,
                placeholder="Choose one, or type its name",
                help=_OWN_MODEL_HELP if offer.runs_model else None,
                width=340 if offer.runs_model else 220,
            )
        if offer.is_cascade:
            share = st.select_slider(
                "Claims to ask about",
                _SHARES,
                format_func=_share_words,
                key=f"{page}.cascade_share",
                help=_SHARE_HELP,
                width=200,
            )
            # The judge that it asks decides what is missing here and which host receives the texts.
            offer = find_offer(f"{offer.name}:{model}") or offer if model else offer
        if offer.has_methods:
            methods, usual = list_methods(), default_method(f"{offer.name}:{model or ''}")
            method = st.selectbox(
                "Method",
                list(methods),
                index=list(methods).index(usual),
                format_func=lambda m: f"{m}: {methods[m]}",
                key=f"{page}.method.{usual}",  # a method chosen for models of one kind does not apply to the other
            )
        if offer.strictness:
            strictness = st.segmented_control(
                "What counts as support",
                [level for level in _STRICTNESS_WORDS if level in offer.strictness],
                format_func=_STRICTNESS_WORDS.__getitem__,
                default=offer.strictness[0],
                required=True,
                key=f"{page}.strictness.{'model' if offer.has_methods else offer.name}",
                help=_STRICTNESS_HELP if offer.has_methods else _CUT_HELP,
            )
        if beside is not None:
            beside()
    companions = has_companions and st.checkbox(
        "Also measure answer and context relevance", key=f"{page}.companions", help=_COMPANIONS_HELP
    )
    method = method or default_method(offer.name)
    prompt = edited_prompt(method) if offer.has_methods and takes_prompt else None
    if prompt is not None and not st.checkbox(
        "Use the prompt edited on *Try one answer*", True, key=f"{page}.own_prompt"
    ):
        prompt = None
    spec = _spec(offer, model, method, strictness, companions=companions, prompt=prompt, share=share)
    if spec is not None and says_where:
        st.caption(where_it_goes(offer))
    return Choice(offer=offer, spec=spec, method=method, strictness=strictness)


def edited_prompt(method: str) -> str | None:
    """Return the prompt that this session edited for a method; None if it edited none."""
    edited = session.EDITED_PROMPT.get()
    return edited[1] if edited is not None and edited[0] == method else None


def where_it_goes(offer: JudgeOffer) -> str:
    """Return, in Markdown, which host receives the texts."""
    if offer.host is None and offer.runs_model:
        return "Runs on this machine. The model is fetched once, unless you name its folder."
    if offer.host is None:
        return "Runs on this machine: no calls, no cost."
    sent = f"question, answer and chunks are sent to **{fmt.literal(offer.host)}**."
    return f"Where a claim is uncertain, {sent}" if offer.is_cascade else f"{sent[:1].upper()}{sent[1:]}"


def where_both_go(judge: JudgeOffer, generator: JudgeOffer) -> str:
    """Return, in Markdown, which texts go where, if one model answers and another one judges."""
    judging = (
        "on this machine" if judge.host is None else f"sends the question, the answer and the chunks to {_host(judge)}"
    )
    answering = "on this machine"
    if generator.host is not None:
        answering = f"sends the question and the chunks to {_host(generator)}"
    return f"Judge: {judging}. Answering model: {answering}."


def _host(offer: JudgeOffer) -> str:
    """Return who receives the texts: the vendor by name, or the user's own server."""
    vendor = _VENDORS.get(offer.host or "")
    host = fmt.literal(offer.host or "")
    return f"**{host}**" if vendor is None else f"**{vendor}** ({host})"


def caution_line(spec: JudgeSpec, *, before: str = "", if_unmeasured: str = "") -> None:
    """Draw how often this judge is wrong, where that was measured, after other words about the verdict.

    Args:
        spec: the judge.
        before: Markdown.
        if_unmeasured: the words where it was not measured, in Markdown.
    """
    errors = find_errors(spec)
    if errors is None:
        if words := f"{before} {if_unmeasured}".strip():
            st.markdown(f":small[:gray[{words}]]")
        return
    link = f"[{_MEASURE}]({navigation.ADDRESSES[navigation.JUDGES]})"
    caution = f"{before} {fmt.literal(caution_about(spec))}".strip()
    st.markdown(f":small[:gray[{caution}] {link}]", help=_counted(errors))


def _counted(errors: JudgeErrors) -> str:
    """Return how the figures of the line were counted, and what is known of claims that read "check this"."""
    return f"{how_counted(errors)}\n\n{what_to_check(errors)}" if errors.near_cut else how_counted(errors)


UNMEASURED = (
    "It was not measured how often this judge is wrong with these settings. A spot-check on *Review* shows it for your "
    "answers."
)


def estimate_line(estimate: RunEstimate) -> str:
    """Return, in Markdown, what a run will take."""
    if not estimate.calls and estimate.examined_answers == estimate.answers:
        return "No call is needed: the default judge decides every claim."
    parts = [f"About {fmt.plural(estimate.calls, 'call')}"]
    parts.append(f"{fmt.count(estimate.prompt_tokens)} tokens in and {fmt.count(estimate.completion_tokens)} out")
    if estimate.cost_usd is None:
        parts.append("price unknown")
    else:
        parts.append(rf"about \{fmt.dollars(estimate.cost_usd)} at prices of {estimate.prices_as_of}")
    if estimate.cached_answers:
        answers = fmt.plural(estimate.answers, "answer")
        parts.append(f"{fmt.count(estimate.cached_answers)} of {answers} were judged before and need no call")
    return " · ".join(parts)


def _spec(
    offer: JudgeOffer,
    model: str | None,
    method: str,
    strictness: str,
    *,
    companions: bool,
    prompt: str | None,
    share: float | None,
) -> JudgeSpec | None:
    if offer.missing is not None:
        st.info(fmt.literal(offer.missing), icon=":material/key_off:")
        return None
    if offer.needs_model and not (model or "").strip():
        return None
    name = f"{offer.name}:{(model or '').strip()}" if offer.needs_model else offer.name
    try:
        return make_spec(
            name,
            method=method if offer.has_methods else None,
            strictness=_given(offer, strictness),
            prompt_text=prompt,
            prompt_name=None if prompt is None else "edited",
            companions=companions,
            cascade_share=share,
        )
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return None


def _given(offer: JudgeOffer, strictness: str) -> str | None:
    """Return the strictness for the spec; the default of a judge on this machine stays unsaid, as in other runs."""
    is_unsaid = not offer.has_methods and strictness in ("", *offer.strictness[:1])
    return None if is_unsaid else strictness


def ask_model_button(page: str, *, uncertain: int | None = None) -> None:
    """Draw the button that chooses a cascade on this page instead of the default judge.

    Draws nothing where another judge is chosen, no model can be asked here, or no claim is uncertain.

    Args:
        page: the page's name, as in `choose_judge`.
        uncertain: how many claims the judge is unsure of; None before it has judged.
    """
    is_default = session.widget_value(f"{page}.judge") in (None, DEFAULT_JUDGE)
    if not is_default or uncertain == 0 or not list_askable():
        return
    which = "the uncertain claims" if uncertain is None else fmt.plural(uncertain, "uncertain claim")
    st.button(
        f"Ask a model about {which}",
        icon=":material/help_center:",
        type="tertiary",
        key=f"{page}.ask_model",
        on_click=session.set_widget,
        args=(f"{page}.judge", CASCADE),
        help=ASK_MODEL_HELP,
    )


ASK_MODEL_HELP = (
    "A model decides only the claims that the default judge is unsure of. You see the number of calls before any text "
    "is sent."
)
_SHARES = (None, *(number / 20 for number in range(1, 21)))
_SHARE_HELP = (
    "*Uncertain*: claims to which the default judge gives a probability from 0.2 to 0.8. A percentage: that share of "
    "the claims, the most uncertain first."
)


def _share_words(share: float | None) -> str:
    return "uncertain" if share is None else fmt.percent(share)


_MEASURE = "On your answers?"
_STRICTNESS_HELP = (
    "*Strict*: stated in the chunks or directly inferred from them. *Lenient*: reasonable conclusions count too."
)
_OWN_MODEL_HELP = "A model on the Hugging Face Hub (OWNER/NAME), or the path of its folder."
_CUT_HELP = (
    "How sure the judge must be to call a claim supported. *Strict* flags more claims, also correct ones; *lenient* "
    "misses more errors."
)
_COMPANIONS_HELP = (
    "Does the answer answer the question, and do the chunks concern it? These are not part of faithfulness. An LLM "
    "judge needs one more call per answer; other judges compare words."
)
