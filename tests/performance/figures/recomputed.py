"""The same figures worked out apart from FaithView, from the rows that it exports: with statsmodels, numpy and scipy.

Nothing of `faithview.stats` or of its queries is used here.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import statsmodels.api as sm
from numpy.typing import NDArray
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from tests.performance.figures.places import VERDICTS, Rows, Shown

Floats = NDArray[np.float64]

PLACE = "recomputed"
_WEIGHTS = {"supported": 1.0, "partially_supported": 0.5, "not_mentioned": 0.0, "contradicted": -1.0}
_THRESHOLD = 0.8
_NEVER_COUNTED = ("abstained", "no_claims")
_FLIPS = 40_000


def of_run(run: str, rows: Rows, view: str) -> Iterator[Shown]:
    """Yield a run's figures from its exported rows."""
    scored = [(row, verdicts) for row in rows if (verdicts := _verdicts(row, view)) and _is_judged(row, view)]
    scores = np.array([_score(verdicts) for _, verdicts in scored])
    mean = math.fsum(scores) / len(scores)
    unscored = sum(row["state"] in ("failed", "pending") for row in rows)
    counts = Counter(verdict for row in rows for verdict in (_verdicts(row, view) if _is_judged(row, view) else ()))
    low, high = _interval(scores, [row["question"] for row, _ in scored])
    figures = {
        "faithfulness": mean,
        "n": len(scores),
        "low": low,
        "high": high,
        "hallucination rate": 1 - counts["supported"] / counts.total(),
        "if unscored were 0": mean * len(scores) / (len(scores) + unscored),
        "if unscored were 1": (mean * len(scores) + unscored) / (len(scores) + unscored),
        "weighted": float(np.mean([_weighted(verdicts) for _, verdicts in scored])),
        "faithful answers": sum(_is_faithful(verdicts) for _, verdicts in scored),
        "coverage": len(scores) / sum(row["state"] not in _NEVER_COUNTED for row in rows),
        **{verdict: counts[verdict] for verdict in VERDICTS},
    }
    for figure, value in figures.items():
        yield Shown(subject=f"{run}, {view}", figure=figure, place=PLACE, value=value)
    for name in sorted({row["segment"] for row in rows if row["segment"]}):
        inside = [_score(verdicts) for row, verdicts in scored if row["segment"] == name]
        if inside:
            yield Shown(
                subject=f"{run}, {view}", figure=f"segment {name}", place=PLACE, value=math.fsum(inside) / len(inside)
            )
        yield Shown(subject=f"{run}, {view}", figure=f"segment {name}, n", place=PLACE, value=len(inside))


def of_pair(before: str, after: str, rows: tuple[Rows, Rows], view: str, *, is_tested: bool) -> Iterator[Shown]:
    """Yield how two runs differ on the answers with one key that have a score in both.

    `is_tested` is False where their labels are not alike, so that the product shows no p-value.
    """
    subject = f"{before} to {after}, {view}"
    others = {row["key"]: row for row in rows[1]}
    pairs = [
        (row, _verdicts(row, view), _verdicts(others[row["key"]], view))
        for row in rows[0]
        if row["key"] in others and _is_judged(row, view) and _is_judged(others[row["key"]], view)
    ]
    change = np.array([_score(now) - _score(then) for _, then, now in pairs])
    change[np.abs(change) < 1e-9] = 0.0
    question = np.unique([row["question"] for row, _, _ in pairs], return_inverse=True)[1]
    lost = np.array([_is_faithful(then) and not _is_faithful(now) for _, then, now in pairs])
    gained = np.array([_is_faithful(now) and not _is_faithful(then) for _, then, now in pairs])
    votes = np.bincount(question, gained.astype(int) - lost.astype(int))
    down, up = int((votes < 0).sum()), int((votes > 0).sum())
    delta = math.fsum(change) / len(change)
    figures = {
        "delta": delta,
        "pairs": len(pairs),
        "regressed": int((change < 0).sum()),
        "improved": int((change > 0).sum()),
        "unchanged": int((change == 0).sum()),
        "faithful lost": int(lost.sum()),
        "faithful gained": int(gained.sum()),
        "faithful p": _mcnemar_p(down, up) if is_tested else None,
        "sum of causes": delta,
        "sum of segments": delta,
    }
    for figure, value in figures.items():
        yield Shown(subject=subject, figure=figure, place=PLACE, value=value)
    segments = np.array([row["segment"] or "(none)" for row, _, _ in pairs])
    for name in sorted(set(segments)):
        inside = change[segments == name]
        yield Shown(subject=subject, figure=f"{name}, n", place=PLACE, value=len(inside))
        yield Shown(subject=subject, figure=f"{name}, delta", place=PLACE, value=math.fsum(inside) / len(inside))
        part = math.fsum(inside) / len(change)
        yield Shown(subject=subject, figure=f"{name}, contribution", place=PLACE, value=part)


def _mcnemar_p(down: int, up: int) -> float:
    return float(mcnemar([[0, down], [up, 0]], exact=True).pvalue) if down + up else 1.0


def adjusted_p(subject: str, segments: Sequence[Mapping[str, Any]]) -> Iterator[Shown]:
    """Yield the adjusted p-values (Benjamini and Hochberg 1995) of the segments' own p, where these are tested."""
    if all(part["p_value"] is None for part in segments):
        return  # the runs are not labelled alike, so nothing is tested
    adjusted = multipletests([part["p_value"] for part in segments], method="fdr_bh")[1]
    for part, value in zip(segments, adjusted, strict=True):
        name = part["segment"] or "(none)"
        yield Shown(subject=subject, figure=f"{name}, adjusted p", place=PLACE, value=float(value))


def paired_p(rows: tuple[Rows, Rows]) -> tuple[float, float, float]:
    """Return p of the sign-flip test with 40,000 draws, and of cluster-robust OLS and GEE for orientation."""
    others = {row["key"]: row for row in rows[1]}
    pairs = [
        (row["question"], others[row["key"]]["faithfulness"] - row["faithfulness"])
        for row in rows[0]
        if row["key"] in others and row["state"] == others[row["key"]]["state"] == "judged"
    ]
    question = np.unique([name for name, _ in pairs], return_inverse=True)[1]
    change = np.array([value for _, value in pairs])
    sums = np.bincount(question, change)
    flips = np.random.default_rng(0).choice([-1.0, 1.0], (_FLIPS, len(sums))) @ sums
    p_value = (1 + int((np.abs(flips) >= abs(sums.sum()) - 1e-9).sum())) / (1 + _FLIPS)
    ones = np.ones((len(change), 1))
    ols = sm.OLS(change, ones).fit(cov_type="cluster", cov_kwds={"groups": question})
    gee = sm.GEE(change, ones, groups=question, family=sm.families.Gaussian()).fit()
    return p_value, float(ols.pvalues[0]), float(gee.pvalues[0])


def of_labels(run: str, rows: Rows) -> Iterator[Shown]:
    """Yield the judge's quality by the labels of the run's one spot-check, weighted by one over their chance."""
    labelled = [
        (claim["verdict"], claim["effective_verdict"], claim["labels"][0]["inclusion_probability"])
        for row in rows
        for claim in row["claims"]
        if any(label["counts"] for label in claim["labels"])
    ]
    judge, people = (np.array([part[at] for part in labelled]) for at in (0, 1))
    weight = np.array([1 / part[2] for part in labelled])
    flagged, supported = judge != "supported", people == "supported"
    unsupported = ~supported & (people != "not_a_claim")  # what is no claim is neither
    verdicts = (*VERDICTS, "not_a_claim")
    table = np.zeros((len(verdicts), len(verdicts)))
    for said, meant, size in zip(judge, people, weight, strict=True):
        table[verdicts.index(said), verdicts.index(meant)] += size
    figures = {
        "labelled claims": len(labelled),
        "agreement": float(weight @ (judge == people) / weight.sum()),
        "kappa": float(cohens_kappa(table, return_results=False)),
        "recall": float(weight @ (flagged & unsupported) / (weight @ unsupported)),
        "specificity": float(weight @ (~flagged & supported) / (weight @ supported)),
        "precision": float(weight @ (flagged & unsupported) / (weight @ flagged)),
    }
    for figure, value in figures.items():
        yield Shown(subject=f"{run}, judge's quality", figure=figure, place=PLACE, value=value)


def of_correction(run: str, rows: Rows) -> Iterator[Shown]:
    """Yield the corrected score of a run whose spot-check drew claims singly and of which all are settled (PPI++).

    Angelopoulos, Duchi and Zrnic 2023, as the difference estimator of survey sampling, with Hájek's weights.
    """
    answers = [row for row in rows if row["state"] == "judged" and row["claims"]]
    drawn = []
    for row in answers:
        chances = {c["claim"]: c["inclusion_probability"] for check in row["spot_checks"] for c in check["claims"]}
        for number, claim in enumerate(row["claims"], start=1):
            if number in chances:
                size = 1 / len(answers) / len(row["claims"])
                drawn.append(
                    (size, chances[number], claim["verdict"] == "supported", claim["effective_verdict"] == "supported")
                )
    share, chance, judge, people = (np.array(column, dtype=float) for column in zip(*drawn, strict=True))
    weight = share / chance / (share / chance).sum()
    by_judge = math.fsum(_score([claim["verdict"] for claim in row["claims"]]) for row in answers) / len(answers)
    out = 1 - chance
    part = out * weight / (out @ weight)
    factor = out / (1 - part)

    def residuals(values: Floats) -> Floats:
        z = weight * (values - weight @ values)
        found: Floats = z - (out @ z) / out.sum()
        return found

    spread = (factor * residuals(judge)) @ residuals(judge)
    slope = min(1.0, max(0.0, float((factor * residuals(people)) @ residuals(judge) / spread))) if spread > 0 else 0.0
    estimate = slope * by_judge + weight @ (people - slope * judge)
    yield Shown(subject=f"{run}, corrected", figure="faithfulness", place=PLACE, value=float(estimate))


def _interval(scores: Floats, questions: Sequence[str | None]) -> tuple[float, float]:
    """Return the interval of a run's mean, by cluster-robust OLS and statsmodels' Wilson with Student's quantile.

    Scores of a question vary less than answers wholly right or wrong. With few questions that are not perfect that
    advantage is shrunk, as if one question without it had been seen too.
    """
    cluster = np.unique(
        [question or f"no question {at}" for at, question in enumerate(questions)], return_inverse=True
    )[1]
    number, mean = int(cluster.max()) + 1, float(scores.mean())
    fit = sm.OLS(scores, np.ones((len(scores), 1))).fit(
        cov_type="cluster", cov_kwds={"groups": cluster, "use_correction": False}
    )
    variance = float(fit.cov_params()[0, 0]) * number / (number - 1)
    most = mean * (1 - mean) / (number - 1)
    effective = float(number)
    if variance > 1e-12 and most > 1e-12:
        sums, sizes = np.bincount(cluster, scores), np.bincount(cluster)
        right, wrong = int((sums >= sizes * (1 - 1e-12)).sum()), int((sums <= 0).sum())
        mixed, ratio = min(number - right, number - wrong), variance / most
        effective = (number - 1) / max(ratio, (mixed * ratio + 1) / (mixed + 1))
    quantile = stats.t.ppf(0.975, max(1, number - 1))
    low, high = proportion_confint(mean * effective, effective, alpha=2 * stats.norm.sf(quantile), method="wilson")
    return float(low), float(high)


def _verdicts(row: Mapping[str, Any], view: str) -> list[str]:
    if view == "judge":
        return [claim["verdict"] for claim in row["claims"]]
    settled = [claim["effective_verdict"] for claim in row["claims"]]
    missed = [claim["verdict"] for claim in row["missed_claims"]]
    return [verdict for verdict in (*settled, *missed) if verdict != "not_a_claim"]


def _is_judged(row: Mapping[str, Any], view: str) -> bool:
    return bool(row["state"] == "judged") and bool(_verdicts(row, view))


def _score(verdicts: Sequence[str]) -> float:
    return sum(verdict == "supported" for verdict in verdicts) / len(verdicts)


def _weighted(verdicts: Sequence[str]) -> float:
    return min(1.0, max(0.0, sum(_WEIGHTS[verdict] for verdict in verdicts) / len(verdicts)))


def _is_faithful(verdicts: Sequence[str]) -> bool:
    return not {"not_mentioned", "contradicted"} & set(verdicts) and _score(verdicts) >= _THRESHOLD
