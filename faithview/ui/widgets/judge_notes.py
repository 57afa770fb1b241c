"""What a judge returns besides verdicts: relevance metrics, warnings, remarks, an unusable reply, and its cost."""

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


def judge_notes(result: Result) -> None:
    """Draw what the judge returned besides verdicts; nothing if there is nothing."""
    line = metrics_line(result)
    if line:
        st.caption(line, help=_METRICS_HELP)
    for warning in result.warnings:
        st.caption(f":material/warning: {fmt.literal(warning)}")
    if result.suggestions:
        with st.expander(f"{fmt.plural(len(result.suggestions), 'remark')} by the judge on the whole answer"):
            for suggestion in result.suggestions:
                st.text(suggestion)
    if result.raw_reply is not None:
        with st.expander("The reply that could not be used"):
            st.code(result.raw_reply, language=None, wrap_lines=True)


def metrics_line(result: Result) -> str:
    """Return faithfulness and the other metrics in Markdown; empty if there are no others."""
    named = [(label, result.metrics[name]) for name, label in _NAMED.items() if name in result.metrics]
    chunks = [
        (name.partition("[")[2].removesuffix("]"), value)
        for name, value in result.metrics.items()
        if name.startswith("context_relevance[")
    ]
    # Metrics of another tool, by its own names.
    named += [
        (fmt.literal(name), value)
        for name, value in result.metrics.items()
        if name not in _NAMED and not name.startswith("context_relevance[")
    ]
    if not named:
        return ""
    parts = [f"Faithfulness **{fmt.share(result.faithfulness)}**"]
    parts += [f"{label} **{fmt.share(value)}**" for label, value in named]
    if chunks:
        parts.append("chunks: " + ", ".join(f"{fmt.literal(name)} {fmt.share(value)}" for name, value in chunks))
    return " · ".join(parts)


def cost_line(usage: Usage) -> str:
    """Return the calls, tokens and cost of judging one answer, in Markdown; empty if no model was asked."""
    if usage.cached_calls:
        return f"no call: the answer was judged before, with {fmt.plural(usage.cached_calls, 'call')}"
    if not usage.llm_calls:
        return ""
    cost = "" if usage.cost_usd is None else rf", \{fmt.dollars(usage.cost_usd)}"
    tokens = f"{fmt.count(usage.prompt_tokens)} + {fmt.count(usage.completion_tokens)} tokens"
    return f"{fmt.plural(usage.llm_calls, 'call')}, {tokens}{cost}"


_METRICS_HELP = (
    "*Answer relevance*: does the answer answer the question? *Context relevance*: do the chunks concern it? Neither "
    "is part of faithfulness."
)
