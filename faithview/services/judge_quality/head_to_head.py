"""Two judges on the same answers: how often they agree, which one reviewers agree with, and where they differ."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from faithview.domain.claim import ClaimRef, Verdict
from faithview.domain.errors import NotFound
from faithview.domain.label import NOT_A_CLAIM
from faithview.domain.run import Run
from faithview.domain.scoring import WEIGHTS
from faithview.services.container import Store
from faithview.services.results import list_runs
from faithview.stats.agreement import Estimate, kappa, paired_difference, share
from faithview.stats.judge_quality import JudgedLabel, JudgeFigures, judge_figures
from faithview.store import benchmarks, revisions, settled_claims
from faithview.store.benchmarks import JudgedClaim

# More than a reader opens; the counts next to the list cover all.
_MOST_DIFFERENCES = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimDifference:
    """A claim with different verdicts by two judges; `people` is None if it is not settled."""

    first: ClaimRef
    second: ClaimRef
    text: str
    verdicts: tuple[str, str]
    people: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgePair:
    """Two judges compared on the answers that both have judged.

    `answers` counts them, `means` are the judges' mean faithfulness over them and `change` is first minus second.
    `same_answer` is the share that both call faithful or both do not. `apart` counts the claims that only the first and
    only the second found; of the others, paired by their text, `table[first][second]` counts the verdicts, `same_claim`
    is the share with the same one and `kappa` that beyond chance. `labelled` counts the settled claims that are used:
    those that a spot-check of either judge's runs drew, or all if none was drawn. `figures` are each judge's on them,
    None without any, and `better` is the first's accuracy minus the second's. `differing` counts the claims on which
    the judges differ, and `differences` are the first of these: settled ones, since they show which judge is wrong,
    then the largest differences.
    """

    answers: int
    means: tuple[float, float]
    change: Estimate
    same_answer: Estimate
    apart: tuple[int, int]
    table: Mapping[str, Mapping[str, int]]
    same_claim: Estimate
    kappa: Estimate
    labelled: int
    figures: tuple[JudgeFigures, JudgeFigures] | None
    better: Estimate
    differing: int
    differences: tuple[ClaimDifference, ...]


def compare_judges(store: Store, first: str, second: str, *, series: str | None = None) -> JudgePair:
    """Compare two judges, given by their fingerprints. The result is cached until one of their runs changes.

    If a judge judged an answer more than once, its newest run counts. With a series only its runs count.

    Raises:
        NotFound: one of them has judged no run.
    """
    runs = list_runs(store, series=series)
    both = [[run for run in runs if run.fingerprint == fingerprint] for fingerprint in (first, second)]
    for fingerprint, judged in zip((first, second), both, strict=True):
        if not judged:
            raise NotFound(f"No run in this store was judged by {fingerprint!r}.")
    states = revisions.list_revisions(store.db, [run.run_id for part in both for run in part])
    state = tuple((run.run_id, states.get(run.run_id)) for part in both for run in part)
    return store.cache.get("judge pair", (first, second, series), state, lambda: _compare(store, *both))


def _compare(store: Store, first: list[Run], second: list[Run]) -> JudgePair:
    ours, theirs = (_answers(store, runs) for runs in (first, second))
    answers = ours.merge(theirs, on="content", suffixes=("_1", "_2"))
    sides = [_claims(store, judged[judged["content"].isin(answers["content"])]) for judged in (ours, theirs)]
    claims = sides[0].merge(sides[1], on=["content", "claim_hash", "nth"], suffixes=("_1", "_2"))
    claims["people"] = [_settled(*said) for said in zip(claims["people_1"], claims["people_2"], strict=True)]
    same = claims["verdict_1"] == claims["verdict_2"]
    table = {v.value: {w.value: 0 for w in Verdict} for v in Verdict}
    for (ours_said, theirs_said), count in Counter(zip(claims["verdict_1"], claims["verdict_2"], strict=True)).items():
        table[ours_said][theirs_said] = count
    labelled = _labelled(store, claims, [run.run_id for run in (*first, *second)])
    scores = answers["faithfulness_1"], answers["faithfulness_2"]
    return JudgePair(
        answers=len(answers),
        means=(float(scores[0].mean()), float(scores[1].mean())),
        change=paired_difference(*scores, clusters=answers["content"]),
        same_answer=share(answers["is_faithful_1"] == answers["is_faithful_2"], clusters=answers["content"]),
        apart=(len(sides[0]) - len(claims), len(sides[1]) - len(claims)),
        table=table,
        same_claim=share(same, clusters=claims["content"]),
        kappa=kappa(claims["verdict_1"], claims["verdict_2"], clusters=claims["content"]),
        labelled=len(labelled),
        figures=(_figures(labelled, "verdict_1"), _figures(labelled, "verdict_2")) if len(labelled) else None,
        better=paired_difference(
            labelled["verdict_1"] == labelled["people"],
            labelled["verdict_2"] == labelled["people"],
            clusters=labelled["content"],
            weights=labelled["weight"],
        ),
        differing=int((~same).sum()),
        differences=_differences(store, claims[~same]),
    )


def _answers(store: Store, runs: list[Run]) -> pd.DataFrame:
    judged = benchmarks.list_judged_answers(store.db, [run.run_id for run in runs])
    return pd.DataFrame(
        [(content, a.sample_id, a.run_id, a.row, a.faithfulness, a.is_faithful) for content, a in judged.items()],
        columns=["content", "sample_id", "run_id", "row", "faithfulness", "is_faithful"],
    )


def _claims(store: Store, answers: pd.DataFrame) -> pd.DataFrame:
    """Return the claims of a judge's answers; `nth` tells claims of equal text in one answer apart."""
    rows = benchmarks.list_judged_claims(store.db, set(answers["run_id"]))
    claims = pd.DataFrame(rows, columns=list(JudgedClaim._fields)).merge(answers, on="sample_id")
    return claims.assign(nth=claims.groupby(["content", "claim_hash"]).cumcount())


def _settled(ours: str | None, theirs: str | None) -> str | None:
    """Return the settled verdict of either run; None if there is none, or if the two differ."""
    said = {people for people in (ours, theirs) if isinstance(people, str)}
    return (said.pop() or NOT_A_CLAIM) if len(said) == 1 else None


def _labelled(store: Store, claims: pd.DataFrame, run_ids: list[str]) -> pd.DataFrame:
    """Return the settled claims that a spot-check of either judge drew, or all if it drew none, with their weights.

    Where all claims are settled, nothing was chosen, and each counts as drawn.
    """
    chances = settled_claims.list_chances(store.db, run_ids)
    settled = claims[claims["people"].notna()]
    otherwise = float(len(settled) == len(claims))
    pi = [
        max(chances.get(claim, otherwise) for claim in pair)
        for pair in zip(settled["claim_id_1"], settled["claim_id_2"], strict=True)
    ]
    settled = settled.assign(
        is_drawn=[chance > 0 for chance in pi], weight=[1 / chance if chance else 1.0 for chance in pi]
    )
    return settled[settled["is_drawn"]] if any(pi) else settled


def _figures(labelled: pd.DataFrame, verdict: str) -> JudgeFigures:
    columns = (labelled["content"], labelled[verdict], labelled["people"], labelled["weight"], labelled["is_drawn"])
    return judge_figures(
        [
            JudgedLabel(cluster=content, judge=judge, people=people, weight=weight, is_drawn=is_drawn)
            for content, judge, people, weight, is_drawn in zip(*columns, strict=True)
        ]
    )


def _differences(store: Store, claims: pd.DataFrame) -> tuple[ClaimDifference, ...]:
    distance = [
        abs(WEIGHTS[Verdict(first)] - WEIGHTS[Verdict(second)])
        for first, second in zip(claims["verdict_1"], claims["verdict_2"], strict=True)
    ]
    ordered = claims.assign(is_open=claims["people"].isna(), distance=distance)
    shown = ordered.sort_values(["is_open", "distance"], ascending=[True, False]).head(_MOST_DIFFERENCES)
    texts = benchmarks.list_claim_texts(store.db, shown["claim_id_1"].tolist())
    return tuple(
        ClaimDifference(
            first=ClaimRef(run_id=claim["run_id_1"], row=claim["row_1"], claim_number=claim["number_1"]),
            second=ClaimRef(run_id=claim["run_id_2"], row=claim["row_2"], claim_number=claim["number_2"]),
            text=texts[claim["claim_id_1"]],
            verdicts=(claim["verdict_1"], claim["verdict_2"]),
            people=claim["people"] if isinstance(claim["people"], str) else None,
        )
        for claim in shown.to_dict("records")
        if claim["claim_id_1"] in texts
    )
