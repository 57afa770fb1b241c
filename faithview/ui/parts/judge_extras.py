"""What a judge says besides verdicts: further figures, advice, what is missing, and a reply that could not be used."""

from collections.abc import Mapping

import streamlit as st

from faithview.domain.result import Result, Usage
from faithview.wording import numbers as fmt

_NAMED: Mapping[str, str] = {
    "claims": "By claims",
    "nli": "By entailment",
    "qa": "By questions",
    "sentence": "By sentences",
    "combined": "Combined",
    "answer_relevance": "Answer relevance",
    "context_relevance": "Context relevance",
}


def beside(result: Result) -> None:
    """Draw it; nothing where there is nothing."""
    line = figures_line(result)
    if line:
        st.caption(line, help=_FIGURES_HELP)
    for warning in result.warnings:
        st.caption(f":material/warning: {fmt.literal(warning)}")
    if result.suggestions:
        with st.expander(fmt.plural(len(result.suggestions), "suggestion")):
            for suggestion in result.suggestions:
                st.text(suggestion)
    if result.raw_reply is not None:
        with st.expander("The reply that could not be used"):
            st.code(result.raw_reply, language=None, wrap_lines=True)


def figures_line(result: Result) -> str:
    """Return faithfulness and the figures beside it, in Markdown; empty where there are none beside it."""
    named = [(label, result.metrics[name]) for name, label in _NAMED.items() if name in result.metrics]
    chunks = [
        (name.partition("[")[2].removesuffix("]"), value)
        for name, value in result.metrics.items()
        if name.startswith("context_relevance[")
    ]
    if not named:
        return ""
    parts = [f"Faithfulness **{fmt.share(result.faithfulness)}**"]
    parts += [f"{label} **{fmt.share(value)}**" for label, value in named]
    if chunks:
        parts.append("chunks: " + ", ".join(f"{fmt.literal(name)} {fmt.share(value)}" for name, value in chunks))
    return " · ".join(parts)


def cost_line(result: Result) -> str:
    """Return what judging one answer took, in Markdown; empty where no model was asked."""
    return cost_of(result.usage)


def cost_of(usage: Usage) -> str:
    """Return the same for what was used."""
    if usage.cached_calls:
        return f"no call: judged before, with {fmt.plural(usage.cached_calls, 'call')}"
    if not usage.llm_calls:
        return ""
    cost = "" if usage.cost_usd is None else rf", \{fmt.dollars(usage.cost_usd)}"
    tokens = f"{fmt.count(usage.prompt_tokens)} + {fmt.count(usage.completion_tokens)} tokens"
    return f"{fmt.plural(usage.llm_calls, 'call')}, {tokens}{cost}"


_FIGURES_HELP = (
    "Beside faithfulness, and never mixed into it: whether the answer answers the question, and whether the chunks "
    "speak of what was asked. A well-grounded answer can still be useless. Methods with several parts show each."
)
