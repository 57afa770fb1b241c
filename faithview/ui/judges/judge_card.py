"""Parts of the judges page: what is on it, how the judges stand beside each other, and a card for one of them."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from faithview.services.judge_quality.scorecards import JudgeCard, Mistake, list_judge_cards
from faithview.stats.judge_quality import Calibration
from faithview.stats.shares import Share
from faithview.ui.charts import calibration as charts
from faithview.ui.parts.downloads import cards_download, mistakes_download
from faithview.ui.parts.verdict_table import confusion, opened
from faithview.ui.shell import address, app, nav, session
from faithview.wording import numbers as fmt
from faithview.wording.verdicts import VERDICT_LABELS

CARDS, PAIR, REVIEWERS, FILES = "Judges", "Side by side", "Reviewers", "Labelled files"

_FEW_LABELS = 50
_SHOWN_MISTAKES = 200


def load_cards() -> list[JudgeCard]:
    """Return a card for every judge that has judged a run, the one that people have labelled most first."""
    return sorted(list_judge_cards(app.services()), key=lambda card: -card.labelled)


def choose_part() -> str:
    """Draw the choice of what the page shows, kept in the address, and return what is chosen."""
    chosen = st.segmented_control(
        "Part",
        [CARDS, PAIR, REVIEWERS, FILES],
        default=CARDS,
        required=True,
        key="judges",
        bind="query-params",
        label_visibility="collapsed",
    )
    return chosen or CARDS


def finding(cards: Sequence[JudgeCard]) -> None:
    """Draw the sentence that says how far the judges can be trusted, and the next step."""
    labelled = [card for card in cards if card.labelled]
    if not labelled:
        st.markdown("Nobody has labelled a claim yet, so nothing is known of how often the judge is wrong.")
        if st.button("Draw a spot-check", type="primary", icon=":material/checklist:", key="judges.draw"):
            st.switch_page(nav.QUEUE)
        return
    best = labelled[0]
    rates = best.rates
    text = f"People agree with `{best.name}` on {percent_of(rates.accuracy)} of the claims" if rates else ""
    if rates is not None and rates.sensitivity.value is not None:
        text += f"; it finds {percent_of(rates.sensitivity)} of those that are not supported"
    few = f" {fmt.plural(best.labelled, 'label')} are few: label more before relying on it."
    st.markdown(text + "." + (few if best.labelled < _FEW_LABELS else ""))


def choose(cards: Sequence[JudgeCard]) -> JudgeCard:
    """Draw the judges one line each, where there are several, and return the one whose card is wanted."""
    if len(cards) == 1:
        return cards[0]
    event = st.dataframe(
        pd.DataFrame([_line(card) for card in cards]),
        key="judges.list",
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        selection_mode=["single-row", "single-cell"],
        column_config=_LINE,
        alt="The judges, each with how far people agree with it.",
    )
    cards_download(cards)
    number = opened(event, len(cards))
    if number is not None:
        session.JUDGE_CARD.set(cards[number].fingerprint)
    wanted = session.JUDGE_CARD.get()
    return next((card for card in cards if card.fingerprint == wanted), cards[0])


def card(found: JudgeCard) -> None:
    """Draw one judge: its figures with intervals and n, confusion, calibration, limits, mistakes."""
    st.subheader(fmt.literal(found.name), anchor=False)
    st.caption(
        f"method {fmt.literal(found.method)} · {fmt.literal(found.fingerprint)} · "
        f"{fmt.plural(len(found.runs), 'run')} · {_cost(found)}"
    )
    if found.labelled and found.rates is not None:
        columns = st.columns(4)
        figures = (
            ("Agrees with people", share_text(found.rates.accuracy), _ACCURACY_HELP),
            ("Finds unsupported (sensitivity)", share_text(found.rates.sensitivity), _SENSITIVITY_HELP),
            ("Passes supported (specificity)", share_text(found.rates.specificity), _SPECIFICITY_HELP),
            ("Cohen's kappa", fmt.measure(found.kappa.value, found.kappa.interval, found.kappa.claims), _KAPPA_HELP),
        )
        for column, (label, value, help_) in zip(columns, figures, strict=True):
            column.markdown(f":small[:gray[{label}]]  \n**{value}**", help=help_)
        left, right = st.columns(2, gap="large")
        with left:
            if found.confusion is not None:
                st.markdown(":small[:gray[Judge's verdict (rows) against people's (columns), labelled claims]]")
                confusion(found.confusion.counts, key=f"judges.confusion.{found.fingerprint}", rows="Judge")
            _limits(found)
        with right:
            _calibration(found.calibration, key=found.fingerprint)
        _mistakes(found)
    else:
        st.markdown(":gray[No labels on its claims yet.]")
        _limits(found)


def percent_of(share: Share) -> str:
    """Write a share in a sentence: "87% (80–92%, n 60)"."""
    return "an unknown share" if share.value is None else fmt.percent_measure(share.value, share.interval, share.labels)


def share_text(share: Share) -> str:
    """Write a share with its interval and n: "0.87 (0.80–0.92, n 60)"; a dash where there is none."""
    return fmt.measure(share.value, share.interval, share.labels)


def _line(found: JudgeCard) -> dict[str, object]:
    rates = found.rates
    return {
        "judge": found.name,
        "method": found.method,
        "version": found.fingerprint,
        "answers": found.answers,
        "labelled": found.labelled,
        "accuracy": share_text(rates.accuracy) if rates else None,
        "sensitivity": share_text(rates.sensitivity) if rates else None,
        "specificity": share_text(rates.specificity) if rates else None,
        "kappa": found.kappa.value,
        "cost": found.cost_usd,
    }


def _cost(found: JudgeCard) -> str:
    parts = [fmt.plural(found.answers, "answer"), fmt.plural(found.labelled, "labelled claim")]
    if found.seconds is not None:
        parts.append(f"{found.seconds * 1000:,.0f} ms an answer")
    parts.append("no cost known" if found.cost_usd is None else f"\\{fmt.dollars(found.cost_usd)} an answer")
    return " · ".join(parts)


def _limits(found: JudgeCard) -> None:
    with st.expander("What it cannot see", icon=":material/visibility_off:"):
        if not found.limits:
            st.markdown(":gray[This judge does not say.]")
        st.markdown("\n".join(f"- {fmt.literal(limit)}" for limit in found.limits))


def _calibration(calibration: Calibration | None, *, key: str) -> None:
    if calibration is None or not calibration.bins:
        st.markdown(":small[:gray[The judge gives no confidence, so its calibration is not known.]]")
        return
    error = "" if calibration.error is None else f"; on average {calibration.error:.2f} apart"
    st.markdown(
        f":small[:gray[How often people find it right at the confidence that it states{error}]]", help=_CALIBRATION_HELP
    )
    is_dark = st.context.theme.type == "dark"
    st.plotly_chart(
        charts.calibration(calibration, colour="#86b4f5" if is_dark else "#1d5bb8", guide="#7c8490"),
        key=f"judges.calibration.{key}",
        config={"displayModeBar": False},
        alt=charts.calibration_in_words(calibration),
    )


def _mistakes(found: JudgeCard) -> None:
    if not found.mistakes:
        st.markdown(":small[:gray[No mistake among the labelled claims.]]")
        return
    shown = found.mistakes[:_SHOWN_MISTAKES]
    more = f", the {fmt.count(len(shown))} that it was surest of" if found.wrong > len(shown) else ", the surest first"
    st.markdown(f":small[:gray[{fmt.plural(found.wrong, 'mistake')}{more}; a click opens the claim]]")
    event = st.dataframe(
        pd.DataFrame([_mistake(mistake) for mistake in shown]),
        key=f"judges.mistakes.{found.fingerprint}",
        height=min(36 + 35 * len(shown), 390),
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
    mistakes_download(found)
    number = opened(event, len(shown))
    if number is not None:
        place = shown[number].place
        st.switch_page(nav.INSPECT, query_params=address.link(place.run_id, str(place.row), place.claim_number))


def _mistake(mistake: Mistake) -> dict[str, object]:
    return {
        "claim": mistake.text,
        "judge": VERDICT_LABELS[mistake.judge],
        "people": VERDICT_LABELS[mistake.people],
        "confidence": mistake.confidence,
    }


_ACCURACY_HELP = (
    "Share of labelled claims on which judge and people give the same verdict of the four, with a 95 % interval "
    "(Wilson's, on the effective number of labels: claims of one answer go together, and labels of a spot-check stand "
    "for claims that were not drawn)."
)
_SENSITIVITY_HELP = "Of the claims that people find not supported, the share that the judge does not call supported."
_SPECIFICITY_HELP = "Of the claims that people find supported, the share that the judge calls supported."
_KAPPA_HELP = "Agreement beyond chance (Cohen 1960): 0 is chance, 1 is perfect. A bootstrap interval over answers."
_CALIBRATION_HELP = (
    "Points on the line are as often right as the judge says. The distance is the expected calibration error (Naeini, "
    "Cooper and Hauskrecht 2015); bars are 95 % intervals."
)

_LINE = {
    "judge": st.column_config.TextColumn("Judge", width=125),
    "method": st.column_config.TextColumn("Method"),
    "version": st.column_config.TextColumn("Version", width=125),
    "answers": st.column_config.NumberColumn("Answers"),
    "labelled": st.column_config.NumberColumn("Labelled", help="Claims that people have settled."),
    "accuracy": st.column_config.TextColumn("Agrees with people", help=_ACCURACY_HELP),
    "sensitivity": st.column_config.TextColumn("Finds unsupported", help=_SENSITIVITY_HELP),
    "specificity": st.column_config.TextColumn("Passes supported", help=_SPECIFICITY_HELP),
    "kappa": st.column_config.NumberColumn("Kappa", format="%.2f", help=_KAPPA_HELP),
    "cost": st.column_config.NumberColumn(
        "Cost", format="$%.4f", help="Mean cost of an answer, where a price is known."
    ),
}
