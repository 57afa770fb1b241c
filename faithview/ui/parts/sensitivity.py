"""Would you conclude the same under another definition of the score? On the compare and the trends page."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st
from streamlit.elements.lib.mutable_expander_container import ExpanderContainer

from faithview.domain.run import Run
from faithview.domain.views import View
from faithview.services.comparison.sensitivity import Ranking, rank_runs
from faithview.services.exports.tables import TableRow
from faithview.stats.sensitivity import Sensitivity
from faithview.ui.parts.downloads.table_download import table_download
from faithview.ui.parts.sensitivity_rows import (
    CHOICES,
    SensitivityRow,
    pair_sentence,
    ranking_sentence,
    sensitivity_rows,
    short_names,
    without_difference,
)
from faithview.ui.shell import app
from faithview.wording import figure_help
from faithview.wording import numbers as fmt

_ROWS = 12
# With fewer judged answers a run is not ranked: an order of runs that one answer turns round is no conclusion.
_FEWEST_ANSWERS = 20


def same_conclusion(runs: Sequence[Run], *, view: View, key: str) -> None:
    """Draw whether other definitions rank several runs alike, and the runs' scores under each, folded away.

    Args:
        runs: two or more.
        view: whose verdicts count. A corrected score cannot be recomputed, so people's verdicts replace it.
        key: what the widgets' keys begin with.
    """
    if len(runs) < 2:
        return
    ranking = _rank(runs, view)
    st.header("Would you conclude the same?", anchor=False, help=_HELP)
    _say_left_out(ranking, runs)
    few = [run_id for run_id, n in zip(ranking.ranked, ranking.answers, strict=True) if n < _FEWEST_ANSWERS]
    if few:
        listed = ", ".join(fmt.literal(name) for name in _names(few, runs))
        st.caption(f"Too few answers to rank, fewer than {_FEWEST_ANSWERS}: {listed}.")
        runs = [run for run in runs if run.run_id in ranking.ranked and run.run_id not in few]
        ranking = _rank(runs, view)
    if len(ranking.ranked) < 2:
        return
    names = _names(ranking.ranked, runs)
    short = short_names(names)
    sensitivity = ranking.sensitivity
    st.markdown(ranking_sentence(sensitivity, short))
    box = _box(sensitivity, short, key=key)
    if box.open:
        with box:
            _table(sensitivity_rows(sensitivity, short), names, short, key=key)


def pair_under_definitions(baseline: Run, candidate: Run, *, view: View, key: str, is_significant: bool) -> None:
    """Draw the scores of two runs under every definition, folded away.

    A sentence is drawn above it only where a difference that is more than chance has the other sign under another
    definition: that differences within chance do says nothing.
    """
    names, short = [baseline.name, candidate.name], ["before", "now"]
    ranking = _rank((baseline, candidate), view)
    if ranking.left_out:
        _say_left_out(ranking, (baseline, candidate))
        return
    sensitivity = ranking.sensitivity
    sentence = pair_sentence(sensitivity, names)
    is_overturned = is_significant and any(result.overturned for result in sensitivity.changed)
    if is_overturned:
        st.markdown(f":material/warning: {sentence}")
    box = _box(sensitivity, short, key=key)
    if box.open:
        with box:
            if not is_overturned:
                st.markdown(sentence)
            st.caption(_HELP)
            _table(sensitivity_rows(sensitivity, short), names, short, key=key)


def _names(run_ids: Sequence[str], runs: Sequence[Run]) -> list[str]:
    by_id = {run.run_id: run.name for run in runs}
    return [by_id[run_id] for run_id in run_ids]


def _say_left_out(ranking: Ranking, runs: Sequence[Run]) -> None:
    """Draw which runs no other definition can be applied to, if there are any."""
    if ranking.left_out:
        names = ", ".join(fmt.literal(name) for name in _names(ranking.left_out, runs))
        st.caption(f"{_LEFT_OUT} Left out: {names}.")


def _rank(runs: Sequence[Run], view: View) -> Ranking:
    people = View.REVIEWED if view is View.CORRECTED else view
    return rank_runs(app.services(), [run.run_id for run in runs], view=people)


def _box(sensitivity: Sensitivity, short: Sequence[str], *, key: str) -> ExpanderContainer:
    different, total = len(sensitivity_rows(sensitivity, short)), len(sensitivity.settings)
    results = "" if different == total else f" ({fmt.plural(different, 'different result')})"
    return st.expander(
        f"All {total} definitions of the score{' (the same result)' if different == 1 else results}",
        icon=":material/table:",
        key=f"{key}.sensitivity",
        on_change="rerun",
    )


def _table(rows: Sequence[SensitivityRow], names: Sequence[str], short: Sequence[str], *, key: str) -> None:
    labels = [f"s{at}" for at in range(len(names))]
    frame = pd.DataFrame([_cells(row, labels) for row in rows])
    changed = [row.is_changed for row in rows]
    # The last column has the words; the shade only helps to find them.
    shaded = frame.style.apply(lambda column: [_SHADE if mark else "" for mark in changed], axis=0)
    number = st.column_config.NumberColumn
    idle = without_difference(rows)
    columns = {
        **{
            name: st.column_config.TextColumn(label, width=width)
            for name, (label, width) in _CHOICE_WORDS.items()
            if name not in idle
        },
        **{
            label: number(name, format="%.3f", width=76, help=figure_help.MEAN_BY_DEFINITION)
            for label, name in zip(labels, short, strict=True)
        },
        "ranking": st.column_config.TextColumn("Ranking", width=260),
    }
    st.dataframe(
        shaded,
        key=f"{key}.sensitivity.table",
        height=min(36 + 35 * len(rows), 36 + 35 * _ROWS),
        hide_index=True,
        placeholder="–",
        column_config=columns,
        column_order=list(columns),
        alt="The runs' scores under each definition, and which definitions rank the runs differently.",
    )
    if idle:
        st.caption(f"No difference here: {', '.join(_IDLE_WORDS[name] for name in idle)}.")
    table_download(
        lambda: [_record(row, names) for row in rows], name=("definitions",), key=f"{key}.sensitivity.download"
    )


def _cells(row: SensitivityRow, labels: Sequence[str]) -> dict[str, object]:
    ranking = f"⇅ {row.ranking}" if row.is_changed else "standard" if row.is_standard else "same"
    return {**row.choices, **dict(zip(labels, row.scores, strict=True)), "ranking": ranking}


def _record(row: SensitivityRow, names: Sequence[str]) -> TableRow:
    return {
        **{name: row.choices[name] for name in CHOICES},
        "definitions": row.definitions,
        "is_standard": row.is_standard,
        "ranking_changed": row.is_changed,
        "ranking": row.ranking,
        "runs": [{"run": name, "score": score} for name, score in zip(names, row.scores, strict=True)],
    }


_LEFT_OUT = (
    "Other definitions count claims differently, so they cannot be applied to scores that another tool gave without "
    "claims."
)
# Neither a verdict's colour nor the accent, which is for what can be clicked.
_SHADE = "background-color: rgba(120, 130, 150, 0.18)"
_CHOICE_WORDS = {
    "average": ("Mean over", 85),
    "partial": ("Partly supported as", 140),
    "no_claims": ("Answers without claims", 170),
    "failed": ("Answers without verdict", 170),
}
_IDLE_WORDS = {
    "average": "what the mean is over",
    "partial": "how much a partly supported claim counts",
    "no_claims": "what becomes of answers without claims",
    "failed": "what becomes of answers without a verdict",
}
_HELP = (
    "The score rests on four choices that other tools make differently: whether the mean is over answers or over "
    "claims, how much a partly supported claim counts, and whether answers without claims and answers without a "
    "verdict (failed or not judged yet) are left out or count. The runs are scored under each combination; "
    "combinations with equal scores share a row. A row is marked if it ranks the runs differently from the standard "
    "definition. This says nothing about chance."
)
