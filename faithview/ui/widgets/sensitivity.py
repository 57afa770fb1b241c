"""Would you conclude the same under another definition of the score? On the compare and the trends page."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, takewhile
from types import MappingProxyType

import pandas as pd
import streamlit as st
from streamlit.elements.lib.mutable_expander_container import ExpanderContainer

from faithview.domain.answer import View
from faithview.domain.run import Run
from faithview.services.comparison.sensitivity import Ranking, rank_runs
from faithview.stats.sensitivity import Average, Failed, NoClaims, Sensitivity, Setting, SettingResult
from faithview.ui import opened_store
from faithview.wording import figure_help
from faithview.wording import numbers as fmt

_SAME = 1e-9
# Up to this many pairs that swap places are named; of more, only the number is shown.
_NAMED_PAIRS = 3

_AVERAGE: Mapping[object, str] = MappingProxyType({Average.MACRO: "answers", Average.MICRO: "claims"})
_PARTIAL: Mapping[object, str] = MappingProxyType({0.0: "0", 0.5: "0.5", 1.0: "1"})
_NO_CLAIMS: Mapping[object, str] = MappingProxyType({NoClaims.OUT: "out", NoClaims.IN: "in, as 1"})
_FAILED: Mapping[object, str] = MappingProxyType({Failed.OUT: "out", Failed.WORST: "in, as 0", Failed.BEST: "in, as 1"})
ANY = "any"
# The choices as the table's columns, and as the end of a sentence after "where".
CHOICES: Mapping[str, Mapping[object, str]] = MappingProxyType(
    {"average": _AVERAGE, "partial": _PARTIAL, "no_claims": _NO_CLAIMS, "failed": _FAILED}
)
_WHERE: Mapping[str, Mapping[object, str]] = MappingProxyType(
    {
        "average": {Average.MACRO: "the mean is over answers", Average.MICRO: "the mean is over claims"},
        "partial": {
            0.0: "a partially supported claim counts 0",
            0.5: "a partially supported claim counts 0.5",
            1.0: "a partially supported claim counts 1",
        },
        "no_claims": {
            NoClaims.OUT: "answers without claims are left out",
            NoClaims.IN: "answers without claims count as 1",
        },
        "failed": {
            Failed.OUT: "answers without a verdict are left out",
            Failed.WORST: "answers without a verdict count as 0",
            Failed.BEST: "answers without a verdict count as 1",
        },
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SensitivityRow:
    """Definitions under which the runs have equal scores.

    `choices` has a value for each of `CHOICES`: those that make no difference joined, `ANY` where none does.
    `definitions` counts the definitions. `ranking` names the runs that change places, "" if none do.
    """

    choices: Mapping[str, str]
    definitions: int
    is_standard: bool
    scores: tuple[float | None, ...]
    ranking: str

    @property
    def is_changed(self) -> bool:
        """Whether the ranking differs from the one by the standard definition."""
        return bool(self.ranking)


@dataclass(slots=True)
class _Block:
    place: int
    chosen: dict[str, tuple[object, ...]]
    result: SettingResult
    is_standard: bool
    definitions: int = 1


def sensitivity_rows(sensitivity: Sensitivity, names: Sequence[str]) -> list[SensitivityRow]:
    """Return the definitions with the runs' scores, the standard one first, those with equal scores as one row."""
    blocks = [
        _Block(
            place=place,
            chosen={name: (getattr(result.setting, name),) for name in CHOICES},
            result=result,
            is_standard=result.setting == sensitivity.standard.setting,
        )
        for place, result in enumerate(sensitivity.settings)
    ]
    for name in reversed(list(CHOICES)):
        blocks = _merge(blocks, name)
    return [
        SensitivityRow(
            choices={
                name: ANY
                if len(values) == len(CHOICES[name])
                else " or ".join(CHOICES[name][value] for value in values)
                for name, values in block.chosen.items()
            },
            definitions=block.definitions,
            is_standard=block.is_standard,
            scores=block.result.scores,
            ranking=_ranking(block.result, sensitivity.standard, names),
        )
        for block in blocks
    ]


def pair_sentence(sensitivity: Sensitivity, names: Sequence[str]) -> str:
    """Return, in Markdown, whether other definitions rank candidate and baseline the same way."""
    total = len(sensitivity.settings)
    baseline, candidate = (f"*{fmt.literal(name)}*" for name in names)
    counts = {sign: [r for r in sensitivity.settings if _sign(r) == sign] for sign in (-1, 0, 1, None)}
    standard = _sign(sensitivity.standard)
    if standard is None:
        definitions = _share_of(len(counts[None]), total)
        return f"One of the runs has no score, so they cannot be ranked under {definitions} definitions."
    words = {-1: "worse", 0: "equal", 1: "better"}
    than = {-1: f"worse than {baseline}", 0: f"as good as {baseline}", 1: f"better than {baseline}"}
    same = counts[standard]
    if len(same) == total:
        return f"**Yes.** {candidate} is {than[standard]} under all {total} definitions of the score."
    parts = [f"{candidate} is {than[standard]} under {len(same)} of {total} definitions of the score"]
    for sign in (1, 0, -1):
        if sign != standard and counts[sign]:
            parts.append(f"it is {words[sign]} {_settings_words(counts[sign], sensitivity.settings)}")
    lead = "**Not under every definition:** " if counts[-standard] else "**Nearly:** "
    return f"{lead}{'; '.join(parts)}."


def ranking_sentence(sensitivity: Sensitivity, names: Sequence[str]) -> str:
    """Return, in Markdown, which runs are too close to rank, because their order depends on the definition.

    Neighbouring runs whose order changes form a group; the order of two groups is always the same.
    """
    total, changed = len(sensitivity.settings), sensitivity.changed
    signs = _signs(sensitivity, len(names))
    runs = fmt.plural(len(names), "run")
    if all(found == {0} for found in signs.values()):
        return f"**No difference.** The {runs} score the same under all {total} definitions of the score."
    if not changed:
        ties = ", ties included," if any(found == {0} for found in signs.values()) else ""
        return f"**Yes.** The order of the {runs}{ties} is the same under all {total} definitions of the score."
    groups = _groups([pair for pair, found in signs.items() if found >= {-1, 1}])
    if not groups:
        some = f"Under {len(changed)} of {total} definitions of the score"
        return f"**Nearly.** {some}, a tie is made or broken; no two runs swap places."
    first, *others = (fmt.listed([f"*{fmt.literal(names[at])}*" for at in sorted(group)]) for group in groups)
    text = f"{first} are too close to rank: their order depends on how the score is defined."
    text += "".join(f" So are {group}." for group in others)
    apart = [found for pair, found in signs.items() if not any(group >= set(pair) for group in groups)]
    if apart and all(len(found) == 1 for found in apart):
        which = "Between these groups" if others else "All other pairs of runs keep their order"
        order = " the order is the same" if others else ""
        text += f" {which}{order} under all {total} definitions."
    return text


def _signs(sensitivity: Sensitivity, runs: int) -> dict[tuple[int, int], set[int]]:
    """Return for each pair of runs what their order is under some definition: -1, 0 for a tie, or 1."""
    return {
        (i, j): {
            (a < b) - (a > b)
            for result in sensitivity.settings
            if (a := result.ranks[i]) is not None and (b := result.ranks[j]) is not None
        }
        for i, j in combinations(range(runs), 2)
    }


def _groups(pairs: Iterable[tuple[int, int]]) -> list[set[int]]:
    """Return the runs that are linked by these pairs, the group of the first run first."""
    groups: list[set[int]] = []
    for pair in pairs:
        linked = [group for group in groups if group & set(pair)]
        groups = [*(group for group in groups if group not in linked), set(pair).union(*linked)]
    return sorted(groups, key=min)


_IN_WORDS = "_([{<«“„‘\"'"


def short_names(names: Sequence[str]) -> list[str]:
    """Return the names without their common first words, which would take the room of the numbers."""
    common = [letters[0] for letters in takewhile(lambda them: len(set(them)) == 1, zip(*names, strict=False))]
    # Back to where a word begins: "2026-w42" and "2026-w43" are "w42" and "w43", not "2" and "3"; "run_a" is one word,
    # and so is "(2)".
    start = max((at + 1 for at, c in enumerate(common) if not c.isalnum() and c not in _IN_WORDS), default=0)
    short = [name[start:] for name in names]
    return short if all(short) else list(names)


def without_difference(rows: Sequence[SensitivityRow]) -> list[str]:
    """Return the choices that change no run's score under any of the others."""
    return [name for name in CHOICES if all(row.choices[name] == ANY for row in rows)]


def _merge(blocks: Iterable[_Block], name: str) -> list[_Block]:
    """Join blocks that differ in one choice only, where all its values score alike."""
    groups: dict[tuple[object, ...], list[_Block]] = {}
    for block in blocks:
        groups.setdefault(tuple(values for other, values in block.chosen.items() if other != name), []).append(block)
    merged = []
    for group in groups.values():
        if len(group) == 1 or not all(_score_alike(block.result, group[0].result) for block in group):
            merged += group
            continue
        first = group[0]
        first.chosen[name] = tuple(value for block in group for value in block.chosen[name])
        first.definitions = sum(block.definitions for block in group)
        first.is_standard = any(block.is_standard for block in group)
        merged.append(first)
    return sorted(merged, key=lambda block: (not block.is_standard, block.place))


def _score_alike(first: SettingResult, other: SettingResult) -> bool:
    return all(
        (a is None and b is None) or (a is not None and b is not None and abs(a - b) < _SAME)
        for a, b in zip(first.scores, other.scores, strict=True)
    )


def _ranking(result: SettingResult, standard: SettingResult, names: Sequence[str]) -> str:
    if result.ranks == standard.ranks:
        return ""
    if not result.overturned:
        return "level" if any(result.ranks.count(rank) > 1 for rank in result.ranks if rank) else "no longer tied"
    if len(result.overturned) > _NAMED_PAIRS:
        return f"{len(result.overturned)} pairs swap places"
    return ", ".join(f"{names[j]} above {names[i]}" for i, j in result.overturned)


def _sign(result: SettingResult) -> int | None:
    """Return whether the second run is better (1) or worse (-1) than the first, or equal (0)."""
    first, second = result.ranks
    if first is None or second is None:
        return None
    return (first > second) - (first < second)


def _settings_words(results: Sequence[SettingResult], every: Sequence[SettingResult]) -> str:
    """Return what these definitions have in common, and their number where that does not identify them."""
    settings = [result.setting for result in results]
    common = {name: {getattr(setting, name) for setting in settings} for name in CHOICES}
    fixed = {name: next(iter(values)) for name, values in common.items() if len(values) == 1}
    if not fixed:
        return f"under {len(results)}"
    fitting = [result for result in every if _fits(result.setting, fixed)]
    clause = " and ".join(_WHERE[name][value] for name, value in fixed.items())
    # Without a number the clause must hold for all of them and for no other.
    return (
        f"where {clause}" if len(fitting) == len(results) else f"under {len(results)} of the definitions where {clause}"
    )


def _fits(setting: Setting, fixed: Mapping[str, object]) -> bool:
    return all(getattr(setting, name) == value for name, value in fixed.items())


def _share_of(number: int, total: int) -> str:
    return f"all {total}" if number == total else f"{number} of {total}"


_ROWS = 12
# With fewer judged answers a run is not ranked, because one answer could reverse the order.
_FEWEST_ANSWERS = 20


def same_conclusion(runs: Sequence[Run], *, view: View, key: str) -> None:
    """Draw whether other definitions rank several runs alike, and the runs' scores under each, folded away.

    Args:
        runs: two or more.
        view: whose verdicts count. A corrected score cannot be recomputed, so reviewers' verdicts replace it.
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

    A sentence is drawn above it only if a significant difference has the opposite sign under another definition,
    because a sign change of other differences means nothing.
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
    recomputed = View.REVIEWED if view is View.CORRECTED else view
    return rank_runs(opened_store.store(), [run.run_id for run in runs], view=recomputed)


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


def _cells(row: SensitivityRow, labels: Sequence[str]) -> dict[str, object]:
    ranking = f"⇅ {row.ranking}" if row.is_changed else "standard" if row.is_standard else "same"
    return {**row.choices, **dict(zip(labels, row.scores, strict=True)), "ranking": ranking}


_LEFT_OUT = (
    "Other definitions count claims differently, so they cannot be applied to scores that another tool gave without "
    "claims."
)
# Neither a verdict's colour nor the accent, which is for what can be clicked.
_SHADE = "background-color: rgba(120, 130, 150, 0.18)"
_CHOICE_WORDS = {
    "average": ("Mean over", 85),
    "partial": ("Partially supported as", 140),
    "no_claims": ("Answers without claims", 170),
    "failed": ("Answers without verdict", 170),
}
_IDLE_WORDS = {
    "average": "whether the mean is over answers or over claims",
    "partial": "how much a partially supported claim counts",
    "no_claims": "how answers without claims are counted",
    "failed": "how answers without a verdict are counted",
}
_HELP = (
    "The score depends on four choices that other tools make differently: whether the mean is over answers or over "
    "claims, how much a partially supported claim counts, and whether answers without claims and answers without a "
    "verdict (failed or not judged yet) are left out or count. The runs are scored under each combination; "
    "combinations with equal scores share a row. A row is marked if it ranks the runs differently from the standard "
    "definition. Whether a difference could be chance is a separate question."
)
