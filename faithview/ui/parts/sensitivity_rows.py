"""Runs under other definitions of the score, as a sentence and as table rows. Pure, without Streamlit."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, takewhile
from types import MappingProxyType

from faithview.stats.sensitivity import Average, Failed, NoClaims, Sensitivity, Setting, SettingResult
from faithview.wording import numbers as fmt

_SAME = 1e-9
# So many pairs that swap places are named; of more, only the number is shown.
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
            0.0: "a partly supported claim counts 0",
            0.5: "a partly supported claim counts 0.5",
            1.0: "a partly supported claim counts 1",
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
    `definitions` counts the definitions. `ranking` names the runs that change places, "" where none do.
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
            parts.append(f"it is {words[sign]} {_where(counts[sign], sensitivity.settings)}")
    lead = "**Not under every definition:** " if counts[-standard] else "**Nearly:** "
    return f"{lead}{'; '.join(parts)}."


def ranking_sentence(sensitivity: Sensitivity, names: Sequence[str]) -> str:
    """Return, in Markdown, which runs are too close to rank, because their order depends on the definition.

    Runs of which the order of one and the next changes form a group; the order of two groups is always the same.
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
        return "level" if any(result.ranks.count(rank) > 1 for rank in result.ranks if rank) else "no longer level"
    if len(result.overturned) > _NAMED_PAIRS:
        return f"{len(result.overturned)} pairs swap places"
    return ", ".join(f"{names[j]} above {names[i]}" for i, j in result.overturned)


def _sign(result: SettingResult) -> int | None:
    """Return whether the second run is better (1) or worse (-1) than the first, or equal (0)."""
    first, second = result.ranks
    if first is None or second is None:
        return None
    return (first > second) - (first < second)


def _where(results: Sequence[SettingResult], every: Sequence[SettingResult]) -> str:
    """Return what these definitions have in common, and their number where that does not identify them."""
    settings = [result.setting for result in results]
    common = {name: {getattr(setting, name) for setting in settings} for name in CHOICES}
    fixed = {name: next(iter(values)) for name, values in common.items() if len(values) == 1}
    if not fixed:
        return f"under {len(results)}"
    fitting = [result for result in every if _fits(result.setting, fixed)]
    clause = " and ".join(_WHERE[name][value] for name, value in fixed.items())
    # Without a number the clause must hold for all of them and for no other.
    return f"where {clause}" if len(fitting) == len(results) else f"under {len(results)}, in all of which {clause}"


def _fits(setting: Setting, fixed: Mapping[str, object]) -> bool:
    return all(getattr(setting, name) == value for name, value in fixed.items())


def _share_of(number: int, total: int) -> str:
    return f"all {total}" if number == total else f"{number} of {total}"
