"""Judges: can a judge be trusted, and where is it wrong?

Four parts: one judge against reviewers, two judges side by side, reviewers against each other, labelled files.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from faithview.domain.certainty import Certainty
from faithview.domain.errors import FaithViewError
from faithview.domain.scoring import Interval
from faithview.services.judge_quality.head_to_head import ClaimDifference, JudgePair, compare_judges
from faithview.services.judge_quality.scorecards import (
    JudgeCard,
    list_judge_cards,
    list_labelled_runs,
    measure_agreement,
    verdict_name,
)
from faithview.services.results import list_runs
from faithview.services.review.disagreements import LabelledClaim, get_labelled_claim
from faithview.services.review.key_presses import mark_claim
from faithview.stats.agreement import Estimate
from faithview.stats.judge_quality import CalibrationBin
from faithview.store.benchmarks import list_benchmarks
from faithview.ui import address, navigation, opened_store, page_setup, series, session
from faithview.ui.frontend.component_files import FRONTEND
from faithview.ui.widgets import empty_state, label_bar
from faithview.ui.widgets.answer_view import claim_view
from faithview.ui.widgets.first_line import first_line
from faithview.ui.widgets.new_spot_check import spot_check_list
from faithview.ui.widgets.run_menu import judge_again_button
from faithview.ui.widgets.verdict_table import confusion, opened
from faithview.wording import figure_help
from faithview.wording import numbers as fmt
from faithview.wording.judge_rates import counts_behind, finding, is_narrow, not_known, rate_text
from faithview.wording.verdict_styles import VERDICT_LABELS, judged_label

_PAGE = "judges"
_CARDS, _PAIR, _REVIEWERS, _FILES = "Judges", "Side by side", "Reviewers", "Labelled files"
_LAYOUT = FRONTEND / "judge_card.css"  # fewer columns where the page is narrow
_TABLE_HEIGHT = 355  # px
_CLAIM_HEIGHT = 380

_RANDOM = " Known from a spot-check only: labels on claims that were picked by their verdict say nothing about it."
_ACCURACY_HELP = (
    "Share of claims on which judge and reviewers give the same one of the four verdicts, with a 95% interval "
    "(Wilson's, with the effective number of labels, which allows for answers to the same question and for the "
    "weights)."
)
_RECALL_HELP = (
    "Recall: of the claims that reviewers call not supported, the share that the judge does not call supported. "
    "Claims that the judge missed and reviewers added count as not found." + _RANDOM
)
_SPECIFICITY_HELP = (
    "Specificity: of the claims that reviewers call supported, the share that the judge calls supported." + _RANDOM
)
_PRECISION_HELP = (
    "Precision: of the claims that the judge does not call supported, the share that reviewers call not supported."
)
_KAPPA_HELP = (
    "Agreement beyond chance (Cohen 1960): 0 is chance, 1 is perfect. The interval is that of the share with the same "
    "verdict. Labels of a spot-check are weighted by their inclusion probability; n counts claims."
)
_RATES = (
    ("accuracy", "Agrees with reviewers", _ACCURACY_HELP),
    ("sensitivity", "Finds unsupported (recall)", _RECALL_HELP),
    ("specificity", "Passes supported (specificity)", _SPECIFICITY_HELP),
    ("precision", "Flags correctly (precision)", _PRECISION_HELP),
)
_PAIR_HELP = (
    "Claims are paired by their text within an answer; a claim that only one judge found is counted, not paired. "
    "Kappa is agreement beyond chance (Cohen 1960). Accuracy is compared on the same labelled claims."
)
_FILE_FIGURES = {
    "balanced_accuracy": (
        "Balanced accuracy",
        120,
        "The mean of two shares: faithful rows and unfaithful rows that the judge gets right.",
    ),
    "f1_unfaithful": ("F1", 50, "The harmonic mean of precision and recall."),
    "precision_unfaithful": ("Precision", 64, "Of the answers that the judge flags, the share labelled unfaithful."),
    "recall_unfaithful": ("Recall", 54, "Of the answers labelled unfaithful, the share that the judge flags."),
    "auroc": ("AUROC", 60, "The chance that an unfaithful answer gets a lower score than a faithful one."),
    "claim_auroc": ("Claim AUROC", 88, "The same for claims that overlap a labelled span, where the file has spans."),
    "span_f1": ("Span F1", 60, "F1 over the characters of the answers, where the file has spans."),
}


def _draw_cards(cards: Sequence[JudgeCard]) -> None:
    """Draw how far the judge with the most labels can be trusted, the judges, and the card of the chosen one."""
    if cards[0].figures.used:
        st.markdown(finding(fmt.code(cards[0].name), cards[0].figures))
    elif not cards[0].labelled:
        st.markdown("No claim has a label yet, so it is unknown how often the judge is wrong.")
        if st.button("Draw a spot-check", type="primary", icon=":material/checklist:", key="judges.draw"):
            st.switch_page(navigation.REVIEW)
    card = _choose_card(cards)
    st.header(fmt.literal(card.name), anchor=False)
    st.caption(
        f"method {fmt.literal(card.method)} · {fmt.literal(card.fingerprint)} · "
        f"{fmt.plural(len(card.runs), 'run')} · {_cost(card)}"
    )
    if not card.figures.used:
        st.markdown(":gray[No labels on its claims yet.]")
        _draw_limits(card)
        return
    st.html(_LAYOUT)
    with st.container(key="judges_card"):
        _draw_rates(card)
        with st.container(key="judges_details"):
            left, right = st.columns(2, gap="large")
        with left:
            number = fmt.plural(card.figures.used, "labelled claim")
            st.markdown(f":small[:gray[Judge's verdict (rows) against reviewers' (columns): {number}]]")
            confusion(card.figures.confusion, key=f"judges.confusion.{card.fingerprint}", rows="Judge")
            _draw_limits(card)
        with right:
            _draw_calibration(card.figures.calibration, key=card.fingerprint)
    _draw_mistakes(card)


def _choose_card(cards: Sequence[JudgeCard]) -> JudgeCard:
    """Draw a table of the judges, where there are several, and return the chosen one."""
    if len(cards) == 1:
        return cards[0]
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    weighted = " Of labels that stand for different numbers of claims, weighted to the whole run."
    columns = {
        "judge": text("Judge", width=98),
        "answers": number("Answers", width=66, help=figure_help.ANSWERS),
        "labelled": number(
            "Labelled",
            width=70,
            help="Claims with an agreed label. A claim whose label was carried over to other runs counts once.",
        ),
        "accuracy": text("Agrees", width=118, help=_ACCURACY_HELP + weighted),
        "sensitivity": text("Finds unsupported", width=156, help=_RECALL_HELP + weighted),
        "specificity": text("Passes supported", width=112, help=_SPECIFICITY_HELP + weighted),
        "precision": text("Flags correctly", width=146, help=_PRECISION_HELP + weighted),
        "cost": number("Cost", format="$%.4f", help="Mean cost per answer, if the price is known."),
    }
    event = st.dataframe(
        pd.DataFrame(
            [
                {
                    "judge": card.name,
                    "answers": card.answers,
                    "labelled": card.labelled,
                    **{name: _rate(card, name) if card.figures.used else None for name, _, _ in _RATES},
                    "cost": card.cost_usd,
                }
                for card in cards
            ]
        ),
        key="judges.list",
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        selection_mode="single-cell",  # a mode for rows would put a column of boxes before the first
        column_config=columns,
        column_order=[name for name in columns if name != "cost" or any(card.cost_usd for card in cards)],
        alt="The judges, each with how far reviewers agree with it.",
    )
    number_of_card = opened(event, len(cards))
    if number_of_card is not None:
        session.JUDGE_CARD.set(cards[number_of_card].fingerprint)
    wanted = session.JUDGE_CARD.get()
    return next((card for card in cards if card.fingerprint == wanted), cards[0])


def _rate(card: JudgeCard, name: str) -> str:
    unknown = not_known(card.figures) if name in ("sensitivity", "specificity") else None
    return unknown or rate_text(getattr(card.figures, name))


def _cost(card: JudgeCard) -> str:
    parts = [fmt.plural(card.answers, "answer"), fmt.plural(card.labelled, "labelled claim")]
    if card.answers:
        parts.append(
            "time per answer – (judged elsewhere)"
            if card.seconds is None
            else f"{fmt.fixed(1000 * card.seconds, 0)} ms per answer"
        )
    if card.cost_usd is not None:
        parts.append(f"\\{fmt.dollars(card.cost_usd)} per answer")
    else:
        parts.append("no cost: it runs on this machine" if card.is_free else "cost unknown")
    return " · ".join(parts)


def _draw_rates(card: JudgeCard) -> None:
    """Draw the shares, in bold where the interval is narrow enough, each over the counts behind it, and kappa."""
    figures, kappa = card.figures, card.figures.kappa
    unknown = not_known(figures)
    with st.container(key="judges_figures", horizontal=True, gap="medium"):
        for name, label, help_ in _RATES:
            share: Estimate = getattr(figures, name)
            value = _rate(card, name)
            if value != unknown:
                behind = counts_behind(share, missed=figures.missed if name == "sensitivity" else 0)
                value = f"{f'**{value}**' if is_narrow(share) else value}  \n:small[:gray[{behind}]]"
            st.markdown(f":small[:gray[{label}]]  \n{value}", help=help_)
        value = fmt.agreement(kappa.value, kappa.interval, kappa.labels)
        st.markdown(f":small[:gray[Cohen's kappa]]  \n**{value}**", help=_KAPPA_HELP)
    words = []
    if figures.is_weighted:
        runs = "run" if len(card.runs) == 1 else "runs"
        words.append(f"The figures are weighted to the whole {runs}; the counts are plain counts of labels.")
    if unknown is not None:
        words.append("These figures describe only the labelled claims, which were not drawn at random.")
    elif others := card.labelled - figures.used:
        words.append(
            f"{fmt.plural(others, 'label')} given outside a spot-check {fmt.verb(others, 'is', 'are')} left out."
        )
    if words:
        st.caption(" ".join(words))


def _draw_limits(card: JudgeCard) -> None:
    with st.expander("Known limits", icon=":material/visibility_off:"):
        if not card.limits:
            st.markdown(":gray[This judge states none.]")
        st.markdown("\n".join(f"- {fmt.literal(limit)}" for limit in card.limits))


def _draw_calibration(bins: Sequence[CalibrationBin], *, key: str) -> None:
    if not bins:
        st.markdown(":small[:gray[The judge states no confidence, so its calibration is unknown.]]")
        return
    st.markdown(
        ":small[:gray[How often it is right, by the confidence that it states]]",
        help="A calibrated judge is right as often as it says: its mean confidence is in the interval beside it.",
    )
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "states": fmt.ends(Interval(low=item.low, high=item.high), decimals=1),
                    "mean": item.confidence,
                    "right": rate_text(item.right),
                    "n": item.right.labels,
                }
                for item in bins
            ]
        ),
        key=f"judges.calibration.{key}",
        hide_index=True,
        column_config={
            "states": st.column_config.TextColumn("It states", width=76),
            "mean": st.column_config.NumberColumn("On average", format="%.2f", width=86),
            "right": st.column_config.TextColumn("It is right", width=190, help=_ACCURACY_HELP),
            "n": st.column_config.NumberColumn("n", width=52, help="Labelled claims."),
        },
        alt="How often reviewers agree with the judge, by the confidence that it states.",
    )


def _draw_mistakes(card: JudgeCard) -> None:
    """Draw the mistakes, the most confident first; a click opens the claim."""
    shown = card.mistakes
    if not shown:
        st.markdown(":small[:gray[No mistakes among the labelled claims.]]")
        return
    order = f"the {fmt.count(len(shown))} most confident" if card.wrong > len(shown) else "the most confident first"
    st.markdown(f":small[:gray[{fmt.plural(card.wrong, 'mistake')}, {order}. Click one to open the claim.]]")
    text = st.column_config.TextColumn
    event = st.dataframe(
        pd.DataFrame(
            [
                {
                    "claim": claim.text,
                    "judge": judged_label(claim.judged, Certainty(claim.confidence)),
                    "people": VERDICT_LABELS[verdict_name(claim.people)],
                    "confidence": claim.confidence,
                }
                for claim in shown
            ]
        ),
        key=f"judges.mistakes.{card.fingerprint}",
        height=min(36 + 35 * len(shown), _TABLE_HEIGHT),
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        selection_mode="single-cell",
        column_config={
            "claim": text("Claim", width=338),
            "judge": text("Judge", width=184),
            "people": text("Reviewers", width=150),
            "confidence": st.column_config.NumberColumn(
                "Confidence", format="%.2f", width=86, help=figure_help.CONFIDENCE
            ),
        },
        alt="Claims where reviewers overruled the judge.",
    )
    number = opened(event, len(shown))
    if number is not None:
        claim = shown[number]
        st.switch_page(navigation.ANSWERS, query_params=address.link(claim.run_id, str(claim.row), claim.number))


def _draw_pair(cards: Sequence[JudgeCard]) -> None:
    """Draw the choice of two judges, their figures on the same answers, and the claims on which they differ."""
    newest = next(iter(list_runs(opened_store.store(), series=series.in_view())), None)
    if len(cards) < 2:
        st.markdown(
            "All runs are by one judge. Judge the same answers with a second one to see where the two differ, and "
            "which one reviewers agree with."
        )
        if newest is not None:
            judge_again_button(newest, "Judge again with …", key="pair.again")
        return
    names = _judge_names(cards)
    prints = list(names)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        first, second = (
            st.selectbox(label, prints, index=index, format_func=names.__getitem__, key=key, width=330)
            for label, index, key in (("First judge", 0, "pair.first"), ("Second judge", 1, "pair.second"))
        )
        if newest is not None:
            judge_again_button(newest, "Judge again with …", key="pair.again")
    if first == second:
        st.markdown("Choose two different judges.")
        return
    with st.spinner("Comparing", show_time=False):
        pair = compare_judges(opened_store.store(), first, second, series=series.in_view())
    if not pair.answers:
        st.markdown("The two judges have no answer in common, so they cannot be compared.")
        return
    both = names[first], names[second]
    st.markdown(_pair_finding(pair, both))
    with st.container(key="compare_pair_judges"):  # below each other on a narrow page
        left, right = st.columns([5, 7], gap="medium")
    with left:
        st.markdown(
            f":small[:gray[Claims that both judged: {fmt.literal(both[0])} (rows) by {fmt.literal(both[1])} (columns)]]"
        )
        confusion(pair.table, key="pair.table", rows="First judge")
    with right:
        _draw_pair_figures(pair, both)
    _draw_differences(pair, both)


def _judge_names(cards: Sequence[JudgeCard]) -> Mapping[str, str]:
    """Return a name for each judge by its fingerprint, whose end is in it where two judges would have the same."""
    names = {c.fingerprint: " · ".join([c.name, c.method, fmt.day(c.newest)]) for c in cards}
    counts = Counter(names.values())
    return {end: name if counts[name] == 1 else f"{name} · {end[-6:]}" for end, name in names.items()}


def _pair_finding(pair: JudgePair, names: tuple[str, str]) -> str:
    text = (
        f"Both have judged {fmt.plural(pair.answers, 'answer')}, and agree on "
        f"**{fmt.percent(pair.same_answer.value)}** of them whether the answer is faithful; mean faithfulness "
        f"{fmt.share(pair.means[0])} against {fmt.share(pair.means[1])}"
    )
    if pair.figures is None:
        return text + ". No claim that both judged has a label, so it is unknown which of them is right."
    if not_known(pair.figures[0]):
        return text + ". Which of them is right more often is unknown: the labelled claims were not drawn at random."
    text += f". On {fmt.plural(pair.labelled, 'labelled claim')} "
    value, between = pair.better.value, pair.better.interval
    if value is None or between is None or between.low <= 0 <= between.high:
        return text + "neither is significantly more accurate."
    low, high = sorted((abs(between.low), abs(between.high)))
    more = f"{fmt.fixed(abs(value), 2)} ({fmt.ends(Interval(low=low, high=high))})"
    return text + f"*{fmt.literal(names[0] if value > 0 else names[1])}* is more accurate by {more}."


def _draw_pair_figures(pair: JudgePair, names: tuple[str, str]) -> None:
    """Draw the same figures for both judges, and how far the two agree."""
    change, better = (
        fmt.signed_measure(item.value, item.interval) if item.value is not None else ""
        for item in (pair.change, pair.better)
    )
    rows = [("Mean faithfulness", fmt.share(pair.means[0]), fmt.share(pair.means[1]), change)]
    if pair.figures is not None:
        for name, label, _ in _RATES:
            unknown = not_known(pair.figures[0]) if name in ("sensitivity", "specificity") else None
            first, second = (unknown or _measured(getattr(figures, name)) for figures in pair.figures)
            rows.append((label, first, second, better if name == "accuracy" else ""))
    rows.append(("Claims only this judge found", fmt.count(pair.apart[0]), fmt.count(pair.apart[1]), ""))
    st.markdown(
        f":small[Same verdict on a claim **{_measured(pair.same_claim)}**, kappa "
        f"**{fmt.agreement(pair.kappa.value, pair.kappa.interval, pair.kappa.labels)}**]  \n"
        f":small[Same result for an answer **{_measured(pair.same_answer)}**]",
        help=_PAIR_HELP,
    )
    text = st.column_config.TextColumn
    st.dataframe(
        pd.DataFrame(rows, columns=["", "First judge", "Second judge", "First − second"]),
        key="pair.figures",
        hide_index=True,
        column_config={
            "": text(width=165),
            "First judge": text(names[0], width=132),
            "Second judge": text(names[1], width=132),
            "First − second": text(width=142),
        },
        alt="Figures of the two judges over the same answers and labelled claims.",
    )


def _measured(share: Estimate) -> str:
    """Write a share with its interval and n: "0.87 (0.80–0.92, n 60)"; never 1.00 where a label says otherwise."""
    return fmt.agreement(share.value, share.interval, share.labels)


def _draw_differences(pair: JudgePair, names: tuple[str, str]) -> None:
    """Draw the claims with different verdicts; a click opens one below, where it can be labelled."""
    shown = pair.differences
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f":small[:gray[Claims with different verdicts: {fmt.count(pair.differing)}]]", width="content")
        label = f"Spot-check these {fmt.count(len(shown))}"
        if shown and st.button(label, icon=":material/checklist:", key="pair.check"):
            most = " most" if len(shown) < pair.differing else ""
            spot_check_list([item.first for item in shown], f"claims on which {names[0]} and {names[1]} differ{most}")
    if not shown:
        return
    text = st.column_config.TextColumn
    event = st.dataframe(
        pd.DataFrame(
            [
                {
                    "claim": item.text,
                    "first": VERDICT_LABELS[item.verdicts[0]],
                    "second": VERDICT_LABELS[item.verdicts[1]],
                    "people": VERDICT_LABELS[item.people] if item.people else None,
                }
                for item in shown
            ]
        ),
        key="pair.differences",
        height=min(36 + 35 * len(shown), _TABLE_HEIGHT),
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        selection_mode="single-cell",
        column_config={
            "claim": text("Claim", width=310),
            "first": text(names[0], width=150),
            "second": text(names[1], width=150),
            "people": text("Reviewers", width=150),
        },
        alt="Differences between the two judges: claims with an agreed label first, then by size.",
    )
    number = opened(event, len(shown))
    if number is not None:
        _draw_opened_claim(shown[number], names)
        return
    st.caption("Click a row to open it here.")
    label_bar.label_bar(_PAGE, None, words="")


def _draw_opened_claim(item: ClaimDifference, names: tuple[str, str]) -> None:
    """Draw the claim; a label is stored with the first judge's run, and counts for both."""
    try:
        claims = [get_labelled_claim(opened_store.store(), place) for place in (item.first, item.second)]
    except FaithViewError as error:
        st.text(str(error))
        label_bar.label_bar(_PAGE, None, words="")
        return
    for column, name, claim in zip(st.columns(2), names, claims, strict=True):
        with column:
            _draw_reasons(name, claim)
    first = claims[0]
    mark = mark_claim(item.first.run_id, item.first.row, item.first.claim_number, first.judged.text)
    claim_view(
        first.sample,
        first.judged.text,
        [(span.start, span.end) for span in first.judged.spans],
        subject=mark,
        judged=None,
        key="judges.claim",
        height=_CLAIM_HEIGHT,
        mark=mark,
    )
    label_bar.label_bar(_PAGE, item.first, words="This claim")


def _draw_reasons(name: str, claim: LabelledClaim) -> None:
    """Draw a judge's verdict on the claim, its explanation and the words of the chunks that it quotes."""
    st.markdown(f"**{fmt.literal(name)}** &nbsp; {label_bar.coloured_judged(claim.judged.verdict, claim.certainty)}")
    if claim.judged.explanation:
        st.text(claim.judged.explanation)
    texts = {chunk.chunk_id: chunk.text for chunk in claim.sample.chunks}
    quotes = [
        f"{item.chunk_id}: “{' '.join(texts[item.chunk_id][item.span.start : item.span.end].split())}”"
        for item in claim.judged.grounds
        if item.span is not None and item.chunk_id in texts
    ]
    for quote in quotes:
        st.text(quote)
    if not quotes:
        st.caption("It quotes no chunk.")
    st.page_link(
        navigation.ANSWERS,
        label=f"Inspect with {name}",
        icon=":material/find_in_page:",
        query_params=address.link(claim.place.run_id, str(claim.place.row), claim.place.claim_number),
    )


def _draw_reviewers() -> None:
    """Draw how far each pair of reviewers of one run agrees, and how far the judge agrees with them."""
    runs = {run.run_id: run for run in list_labelled_runs(opened_store.store(), series=series.in_view())}
    if not runs:
        st.markdown(
            "No claim has a label yet. Once two reviewers label the same claims, this shows how far they agree."
        )
        return
    wanted, ids = address.selected_run(), list(runs)
    chosen = st.selectbox(
        "Run",
        ids,
        index=ids.index(wanted) if wanted in runs else 0,
        format_func=lambda run_id: f"{runs[run_id].name}   {fmt.run_line(runs[run_id])}",
        key="judges.run",
        width=420,
    )
    agreement = measure_agreement(opened_store.store(), chosen or ids[0])
    judge = agreement.judge
    text = (
        "Cohen's kappa of each two reviewers, on the claims that both labelled"
        if agreement.pairs
        else "No claim of this run has labels by two reviewers, so it is unknown how far they agree"
    )
    if judge.labels:
        text += (
            f"; of the judge and the agreed labels it is **{fmt.agreement(judge.value, judge.interval, judge.labels)}**"
        )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"{text}.", help=_KAPPA_HELP, width="content")
        if agreement.disagreements and st.button(
            f"Settle {fmt.plural(agreement.disagreements, 'disagreement')}",
            icon=":material/gavel:",
            key="judges.settle",
        ):
            st.switch_page(navigation.REVIEW, query_params={"part": "Disagreements"})
    if not agreement.pairs:
        return
    column = st.column_config.TextColumn
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "what": " and ".join(pair),
                    "value": fmt.agreement(kappa.value, kappa.interval, kappa.labels),
                    "same": f"{fmt.count(kappa.hits)} of {fmt.count(kappa.labels)}",
                }
                for pair, kappa in agreement.pairs.items()
            ]
        ),
        key="judges.pairs",
        hide_index=True,
        column_config={
            "what": column("Reviewers", width=220),
            "value": column("Cohen's kappa", width=190, help=_KAPPA_HELP),
            "same": column("Same verdict", width=110, alignment="right", help=figure_help.SAME_VERDICT),
        },
        alt="Pairs of reviewers: Cohen's kappa with its interval and the number of claims.",
    )


def _draw_files() -> None:
    """Draw what judges scored on labelled files, the newest result of each judge on each file."""
    results = list_benchmarks(opened_store.store().db)
    if not results:
        st.markdown(
            "No results yet. `faithview bench FILE` measures a judge on labelled answers; its result appears here."
        )
        return
    newest = results[0]
    document = newest.document
    st.markdown(
        f"Last measured: {fmt.code(document['judge'])} ({fmt.literal(newest.fingerprint)}) on "
        f"*{fmt.literal(document['file'])}*, balanced accuracy "
        f"**{fmt.share(document['macro'].get('balanced_accuracy'))}** "
        f"(n {fmt.count(document['rows'])}, {fmt.day(newest.at)})."
    )
    rows = [
        {
            "judge": result.document["judge"],
            "version": result.fingerprint,
            "file": result.document["file"],
            "n": result.document["rows"],
            "failed": result.document.get("failed"),
            **{name: result.document["macro"].get(name) for name in _FILE_FIGURES},
            "rate": result.document.get("answers_per_second"),
            "at": result.at,
        }
        for result in results
    ]
    # Columns that say nothing here would push others out of a narrow window.
    told = [name for name in rows[0] if any(row[name] for row in rows)]
    if len({(row["judge"], row["file"]) for row in rows}) == len(rows):
        told = [name for name in told if name not in ("version", "at")]
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    st.dataframe(
        pd.DataFrame(rows),
        key="judges.benches",
        column_order=told,
        hide_index=True,
        placeholder="–",
        column_config={
            "judge": text("Judge", width=72),
            "version": text("Version", width=130),
            "file": text("File", width=80),
            "n": number("n", width=44, help="Labelled rows."),
            "failed": number("Failed", help="Rows that could not be judged; the figures leave them out."),
            **{
                name: number(label, width=width, format="%.3f", help=help_)
                for name, (label, width, help_) in _FILE_FIGURES.items()
            },
            "rate": number("Answers/s", format="%.0f", width=74, help=figure_help.SPEED),
            "at": st.column_config.DateColumn("Measured", format="D MMM YYYY", width=88),
        },
        alt="Figures of judges on labelled files, each the mean over the file's tasks.",
    )
    st.caption("Each figure is the mean over the file's tasks, for the class *unfaithful*, of the judge as shipped.")


page_setup.require_app()
label_bar.answer_keys(_PAGE)
line = first_line("Judges")
if not empty_state.has_runs():
    empty_state.no_runs("This page will compare each judge with reviewers' labels.")
    st.stop()
part = st.segmented_control(
    "Part",
    [_CARDS, _PAIR, _REVIEWERS, _FILES],
    default=_CARDS,
    required=True,
    key="judges",
    bind="query-params",
    label_visibility="collapsed",
)
if part in (_REVIEWERS, _FILES):
    series.say_all(line.what)
    if part == _REVIEWERS:
        _draw_reviewers()
    else:
        _draw_files()
    st.stop()
judges = sorted(list_judge_cards(opened_store.store(), series=series.in_view()), key=lambda card: -card.labelled)
if not judges:
    st.markdown("All runs of this series are archived, so no judge is shown.")
elif part == _PAIR:
    _draw_pair(judges)
else:
    _draw_cards(judges)
