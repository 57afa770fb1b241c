"""Parts of the judges page: a card for each judge, its mistakes, and what it scored on labelled files."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from faithview.domain.claim import Verdict
from faithview.services.agreement import JudgeCard, list_judge_cards
from faithview.services.bench_log import list_benches
from faithview.stats.agreement import Agreement
from faithview.stats.judge_quality import Calibration, Confusion
from faithview.stats.shares import Share
from faithview.ui import format as fmt
from faithview.ui import nav, shell, state
from faithview.ui.components.verdicts import VERDICTS

_FEW_LABELS = 50
_SHOWN_MISTAKES = 25


def load_cards() -> list[JudgeCard]:
    """Return a card for every judge that has judged a run."""
    return list_judge_cards(shell.services())


def finding(cards: Sequence[JudgeCard]) -> None:
    """Draw the sentence that says how far the judges can be trusted, and the next step."""
    labelled = [card for card in cards if card.labelled]
    if not labelled:
        st.markdown("Nobody has labelled a claim yet, so nothing is known of how often the judge is wrong.")
        if st.button("Draw a spot-check", type="primary", icon=":material/checklist:", key="judges.draw"):
            st.switch_page(nav.QUEUE)
        return
    best = max(labelled, key=lambda card: card.labelled)
    rates = best.rates
    text = f"People agree with `{best.name}` on {percent_of(rates.accuracy)} of the claims" if rates else ""
    if rates is not None and rates.sensitivity.value is not None:
        text += f"; it finds {percent_of(rates.sensitivity)} of those that are not supported"
    few = f" {fmt.plural(best.labelled, 'label')} are few: label more before relying on it."
    st.markdown(text + "." + (few if best.labelled < _FEW_LABELS else ""))


def card(found: JudgeCard) -> None:
    """Draw one judge: its figures with intervals and n, confusion, calibration, mistakes."""
    st.subheader(fmt.literal(found.name), anchor=False)
    st.caption(f"{fmt.literal(found.fingerprint)} · {fmt.plural(len(found.runs), 'run')} · {_cost(found)}")
    if not found.labelled or found.rates is None:
        st.markdown(":gray[No labels on its claims yet.]")
        return
    columns = st.columns(4)
    figures = (
        ("Agrees with people", share_text(found.rates.accuracy), _ACCURACY_HELP),
        ("Finds unsupported", share_text(found.rates.sensitivity), _SENSITIVITY_HELP),
        ("Passes supported", share_text(found.rates.specificity), _SPECIFICITY_HELP),
        ("Cohen's kappa", agreement_text(found.kappa), _KAPPA_HELP),
    )
    for column, (label, value, help_) in zip(columns, figures, strict=True):
        column.markdown(f":small[:gray[{label}]]  \n**{value}**", help=help_)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _confusion(found.confusion, key=found.fingerprint)
    with right:
        _calibration(found.calibration, key=found.fingerprint)
    _mistakes(found)


def benches() -> None:
    """Draw what judges scored on labelled files."""
    st.subheader("On labelled files", anchor=False)
    kept = list_benches(shell.services())
    if not kept:
        st.markdown(":gray[Nothing yet: `faithview bench FILE` measures a judge on labelled answers.]")
        return
    rows = [
        {
            "judge": document["judge"],
            "version": fingerprint,
            "file": document["file"],
            "n": document["rows"],
            **{name: document["macro"].get(name) for name in _BENCH},
            "at": at,
        }
        for at, fingerprint, document in kept
    ]
    number = st.column_config.NumberColumn
    st.dataframe(
        pd.DataFrame(rows),
        key="judges.benches",
        hide_index=True,
        placeholder="–",
        column_config={
            "judge": "Judge",
            "version": "Version",
            "file": "File",
            "n": number("n"),
            **{name: number(label, format="%.3f") for name, label in _BENCH.items()},
            "at": st.column_config.DateColumn("Measured", format="D MMM YYYY"),
        },
        alt="Figures of judges on labelled files, the mean of the file's tasks.",
    )


def percent_of(share: Share) -> str:
    """Write a share in a sentence: "87% (80–92%, n 60)"."""
    if share.value is None:
        return "an unknown share"
    if share.interval is None:
        return f"**{share.value:.0%}** (n {fmt.count(share.labels)})"
    return f"**{share.value:.0%}** ({share.interval.low:.0%}–{share.interval.high:.0%}, n {fmt.count(share.labels)})"


def share_text(share: Share) -> str:
    """Write a share with its interval and n: "0.87 (0.80–0.92, n 60)"; what is missing where there is none."""
    if share.value is None:
        return f"– (n {fmt.count(share.labels)})"
    if share.interval is None:
        return f"{share.value:.2f} (n {fmt.count(share.labels)})"
    return f"{share.value:.2f} ({share.interval.low:.2f}–{share.interval.high:.2f}, n {fmt.count(share.labels)})"


def agreement_text(agreement: Agreement) -> str:
    """Write a measure of agreement with its interval and n."""
    if agreement.value is None:
        return f"– (n {fmt.count(agreement.claims)})"
    if agreement.interval is None:
        return f"{agreement.value:.2f} (n {fmt.count(agreement.claims)})"
    low, high = agreement.interval.low, agreement.interval.high
    return f"{agreement.value:.2f} ({low:.2f}–{high:.2f}, n {fmt.count(agreement.claims)})"


def _cost(found: JudgeCard) -> str:
    parts = [fmt.plural(found.answers, "answer"), fmt.plural(found.labelled, "labelled claim")]
    if found.seconds is not None:
        parts.append(f"{found.seconds * 1000:,.0f} ms an answer")
    parts.append("no cost" if found.cost_usd is None else f"${found.cost_usd:.4f} an answer")
    return " · ".join(parts)


def _confusion(confusion: Confusion | None, *, key: str) -> None:
    if confusion is None:
        return
    st.markdown(":small[:gray[Judge's verdict (rows) against people's (columns), labelled claims]]")
    words = {**{v.value: VERDICTS[v].word for v in Verdict}, "not_a_claim": "not a claim"}
    rows = [
        {"judge": words.get(judge, judge), **{words.get(p, p): n for p, n in row.items()}}
        for judge, row in confusion.counts.items()
    ]
    st.dataframe(
        pd.DataFrame(rows),
        key=f"judges.confusion.{key}",
        hide_index=True,
        column_config={"judge": st.column_config.TextColumn("Judge", width=130)},
        alt="Confusion of the judge's verdicts and people's.",
    )


def _calibration(calibration: Calibration | None, *, key: str) -> None:
    if calibration is None or not calibration.bins:
        st.markdown(":small[:gray[The judge gives no confidence, so its calibration is not known.]]")
        return
    error = "" if calibration.error is None else f", mean error {calibration.error:.2f}"
    st.markdown(f":small[:gray[How often it is right at which confidence{error}]]")
    rows = [
        {"confidence": f"{b.low:.1f}–{b.high:.1f}", "stated": b.confidence, "right": share_text(b.right)}
        for b in calibration.bins
    ]
    st.dataframe(
        pd.DataFrame(rows),
        key=f"judges.calibration.{key}",
        hide_index=True,
        column_config={
            "confidence": "Confidence",
            "stated": st.column_config.NumberColumn("Stated", format="%.2f", help="Mean confidence in this range."),
            "right": st.column_config.TextColumn("Right, by people"),
        },
        alt="Stated confidence against the share of verdicts that people found right.",
    )


def _mistakes(found: JudgeCard) -> None:
    if not found.mistakes:
        st.markdown(":small[:gray[No mistake among the labelled claims.]]")
        return
    shown = found.mistakes[:_SHOWN_MISTAKES]
    total = len(found.mistakes)
    st.markdown(f":small[:gray[{fmt.plural(total, 'mistake')}, {len(shown)} shown; a click opens the claim]]")
    words = {**{v.value: f"{VERDICTS[v].glyph} {VERDICTS[v].word}" for v in Verdict}, "not_a_claim": "not a claim"}
    rows = [
        {"claim": m.text, "judge": words[m.judge], "people": words[m.people], "confidence": m.confidence} for m in shown
    ]
    event = st.dataframe(
        pd.DataFrame(rows),
        key=f"judges.mistakes.{found.fingerprint}",
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        selection_mode=["single-row", "single-cell"],
        column_config={
            "claim": st.column_config.TextColumn("Claim", width=520),
            "judge": st.column_config.TextColumn("Judge", width=150),
            "people": st.column_config.TextColumn("People", width=150),
            "confidence": st.column_config.NumberColumn("Confidence", format="%.2f"),
        },
        alt="Claims on which people settled on another verdict than the judge.",
    )
    rows_chosen = [*event.selection.rows, *(cell[0] for cell in event.selection.cells)]
    if rows_chosen:
        place = shown[rows_chosen[0]].place
        query = state.link(place.run_id, str(place.row), place.claim_number)
        st.switch_page(nav.INSPECT, query_params=query)


_BENCH = {
    "balanced_accuracy": "Balanced accuracy",
    "f1_unfaithful": "F1",
    "precision_unfaithful": "Precision",
    "recall_unfaithful": "Recall",
    "auroc": "AUROC",
    "claim_auroc": "Claim AUROC",
    "span_f1": "Span F1",
}

_ACCURACY_HELP = "Share of labelled claims on which judge and people give the same verdict, with a 95 % interval."
_SENSITIVITY_HELP = "Of the claims that people find not supported, the share that the judge does not call supported."
_SPECIFICITY_HELP = "Of the claims that people find supported, the share that the judge calls supported."
_KAPPA_HELP = "Agreement beyond chance (Cohen 1960): 0 is chance, 1 is perfect."
