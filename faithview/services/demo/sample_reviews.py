"""What two invented reviewers found in the sample: spot-checks labelled from the file that says which parts are wrong.

The labels are made from `data/labels.jsonl`, in which the author of the sample marked what he made wrong. So people's
verdicts in the sample are right, and the corrected scores show what the judge missed. On three claims the second
reviewer is made to disagree, so that there is something to settle.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from faithview.domain.claim import Claim, Verdict
from faithview.domain.run import Run
from faithview.domain.spans import Span
from faithview.services.bundled_files import sample_folder
from faithview.services.container import Services
from faithview.services.results.answers import iterate_answers
from faithview.services.review.labels import LabelProvenance, build_label
from faithview.services.review.queue import list_items
from faithview.services.review.spot_check_design import DrawOrder, draw
from faithview.stats.spot_check import Unit
from faithview.store.review import labels

REVIEWERS = ("Mara Lind", "Deniz Acar")
DISAGREEMENTS = 3
_CLAIMS = 60
_UNFINISHED = ("Week of 2 November", "2026-w45", 40, 16)
_FINISHED = (("After the update of 14 October", "2026-w43"), ("Week of 9 November", "2026-w46"))
_SEED = 2  # any number: the same claims are drawn on every machine

# An error of the sample, as a reviewer would call it.
_VERDICTS: Mapping[str, Verdict] = {
    "contradiction": Verdict.CONTRADICTED,
    "conflation": Verdict.CONTRADICTED,
    "fabrication": Verdict.NOT_MENTIONED,
    "extrapolation": Verdict.NOT_MENTIONED,
}
# A claim of which the wrong part is at most this share says something right beside it.
_PARTIAL = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class _WrongPart:
    """A part of an answer that is wrong in the sample."""

    span: Span
    verdict: Verdict


def load_sample_reviews(services: Services, runs: Mapping[str, Run]) -> None:
    """Draw and label the sample's spot-checks: two finished ones by both reviewers, and one that is half done.

    Args:
        services: the services; the store holds the sample's runs.
        runs: those runs by the name of their week.
    """
    for number, (name, week) in enumerate(_FINISHED):
        disagreements = DISAGREEMENTS if number == 0 else 0
        _finished(services, name, runs[week], week, disagreements=disagreements)
    name, week, size, labelled = _UNFINISHED
    check = _draw(services, name, runs[week], size=size, reviewers=1)
    truth = _true_verdicts(services, runs[week], week)
    _label(services, runs[week], check, truth, REVIEWERS[0], first=labelled)


def _finished(services: Services, name: str, run: Run, week: str, *, disagreements: int) -> None:
    check = _draw(services, name, run, size=_CLAIMS, reviewers=len(REVIEWERS))
    truth = _true_verdicts(services, run, week)
    for reviewer in REVIEWERS:
        others = disagreements if reviewer == REVIEWERS[-1] else 0
        _label(services, run, check, truth, reviewer, disagreements=others)


def _draw(services: Services, name: str, run: Run, *, size: int, reviewers: int) -> int:
    order = DrawOrder(
        name=name,
        run_ids=[run.run_id],
        size=size,
        unit=Unit.CLAIM,
        prefers_uncertain=True,
        reviewers_per_item=reviewers,
        seed=_SEED,
    )
    return draw(services, order, created_by=REVIEWERS[0])


def _label(
    services: Services,
    run: Run,
    check: int,
    truth: Callable[[int, int], Verdict],
    reviewer: str,
    *,
    first: int | None = None,
    disagreements: int = 0,
) -> None:
    """Label the first claims of a spot-check, all by default, differing on so many of the first wrong ones."""
    given, left = [], disagreements
    for item in list_items(services, check)[:first]:
        verdict = truth(item.drawn.row, item.drawn.claim_number)
        if left and verdict is not Verdict.SUPPORTED:
            verdict, left = Verdict.PARTIALLY_SUPPORTED, left - 1
        provenance = LabelProvenance(
            reviewer=reviewer,
            is_blind=True,
            judge_seen=False,
            spot_check_id=check,
            inclusion_probability=item.drawn.inclusion_probability,
        )
        given.append((item.drawn.row, build_label(verdict.value, provenance, claim=item.drawn.claim_number)))
    labels.add_labels(services.db, run.run_id, given)


def _true_verdicts(services: Services, run: Run, week: str) -> Callable[[int, int], Verdict]:
    """Return what the sample's author would say of a claim, given its row and its number."""
    wrong = _wrong_parts(week)
    verdicts = {
        (answer.position, number): _true_verdict(claim, wrong.get(answer.sample.key or "", ()))
        for answer in iterate_answers(services, run.run_id)
        for number, claim in enumerate(answer.result.claims, start=1)
    }
    return lambda row, claim: verdicts[row, claim]


def _true_verdict(claim: Claim, wrong: Sequence[_WrongPart]) -> Verdict:
    touched = [(part, span) for part in wrong for span in claim.spans if part.span.overlaps(span)]
    if not touched:
        return Verdict.SUPPORTED
    part = touched[0][0]
    length = sum(span.end - span.start for span in claim.spans)
    shared = sum(min(p.span.end, s.end) - max(p.span.start, s.start) for p, s in touched)
    if part.verdict is Verdict.NOT_MENTIONED and shared <= _PARTIAL * length:
        return Verdict.PARTIALLY_SUPPORTED
    return part.verdict


@cache
def _all_wrong_parts() -> Mapping[str, Mapping[str, Sequence[_WrongPart]]]:
    parts: dict[str, dict[str, list[_WrongPart]]] = defaultdict(lambda: defaultdict(list))
    for line in (sample_folder() / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        span = Span(start=entry["start"], end=entry["end"])
        parts[entry["run"]][entry["id"]].append(_WrongPart(span=span, verdict=_VERDICTS[entry["type"]]))
    return parts


def _wrong_parts(week: str) -> Mapping[str, Sequence[_WrongPart]]:
    """Return, by the id of the answer, what is wrong in that week."""
    return _all_wrong_parts()[week]
