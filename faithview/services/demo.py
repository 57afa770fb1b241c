"""The bundled sample: weekly runs over an invented help centre, with labels of two invented reviewers.

It also has the same answers under a second judge, and a benchmark.

The labels are made from `data/labels.jsonl`, in which the sample's author marked the errors he put in. So the
reviewers' verdicts in the sample are right, and the corrected scores show what the judge missed. On three claims the
second reviewer disagrees on purpose, which leaves a disagreement to settle.

"""

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from faithview.domain.claim import Claim, Verdict
from faithview.domain.run import DEFAULT_JUDGE, JudgeSpec, Run
from faithview.domain.spans import Span
from faithview.domain.spot_check import Design
from faithview.services.bundled_files import sample_folder
from faithview.services.container import Store
from faithview.services.dataset_files import open_dataset
from faithview.services.events import add_event
from faithview.services.judge_quality.benchmarks import bench, store_benchmark
from faithview.services.knowledge.versions import read_knowledge_base, save_knowledge_base
from faithview.services.results import iterate_answers, list_runs
from faithview.services.review.labels import LabelProvenance, build_label
from faithview.services.review.spot_checks import DrawOrder, draw
from faithview.services.runs.create import RunRequest, create_run, judge_here
from faithview.store import labels, spot_checks
from faithview.store import runs as stored_runs
from faithview.store import series as stored_series

SERIES = "Help centre"


def load_sample_runs(store: Store, *, on_run: Callable[[Run], None] | None = None) -> int:
    """Judge the bundled runs, store them and return how many; a store that already has runs is left unchanged."""
    if stored_runs.count_runs(store.db):
        return 0
    folder = sample_folder()
    manifest = read_manifest()
    for entry in manifest["runs"]:
        judge_week(store, entry["name"], judge=JudgeSpec(), on_run=on_run)
    for entry in manifest["knowledge_bases"]:
        file = folder / entry["file"]
        chunks, _ = read_knowledge_base(file)
        save_knowledge_base(store, entry["version"], chunks, source=file.name)
    for entry in manifest["events"]:
        at = datetime.fromisoformat(entry["at"])
        add_event(store, entry["label"], at=at, kb_version=entry["kb_version"])
    return len(manifest["runs"])


def judge_week(
    store: Store, week: str, *, judge: JudgeSpec, note: str = "", on_run: Callable[[Run], None] | None = None
) -> Run:
    """Judge the answers of one week and return the stored run.

    Args:
        store: the store.
        week: the name of a run of the sample: "2026-w43".
        judge: the judge.
        note: what to add to the run's name.
        on_run: called with the run once it is judged.
    """
    folder = sample_folder()
    manifest = read_manifest()
    entry = next(entry for entry in manifest["runs"] if entry["name"] == week)
    file = folder / entry["file"]
    samples, _ = open_dataset(file).read()
    request = RunRequest(
        name=f"{SERIES} {week}{note}", judge=judge, kb_version=entry["kb_version"], source=file.name, series=SERIES
    )
    run = create_run(store, samples, request)
    judge_here(store, run)
    if on_run is not None:
        on_run(run)
    return run


def sample_week_names() -> list[str]:
    """Return the names of the sample's weeks, the earliest first."""
    return [entry["name"] for entry in read_manifest()["runs"]]


@cache
def read_manifest() -> Mapping[str, Any]:
    """Return the list of the sample's files: runs, knowledge bases, events, benchmark."""
    manifest: dict[str, Any] = json.loads((sample_folder() / "demo.json").read_text(encoding="utf-8"))
    return manifest


REVIEWERS = ("Mara Lind", "Deniz Acar")
DISAGREEMENTS = 3
_CLAIMS = 60
_UNFINISHED = ("Week of 2 November", "2026-w45", 40, 16)
_FINISHED = (
    ("After the update of 14 October", "2026-w43", Design.BALANCED),
    ("Week of 9 November", "2026-w46", Design.RANDOM),
)
# Any numbers, which make the draws the same on every machine, but different ones: equal seeds draw equal claims.
_SEEDS = (2, 3, 4)

# Error types of the sample, as a reviewer would name them.
_VERDICTS: Mapping[str, Verdict] = {
    "contradiction": Verdict.CONTRADICTED,
    "conflation": Verdict.CONTRADICTED,
    "fabrication": Verdict.NOT_MENTIONED,
    "extrapolation": Verdict.NOT_MENTIONED,
}
# A claim whose wrong part is at most this share also says something right.
_PARTIAL = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class _WrongPart:
    """A part of an answer that is wrong in the sample."""

    span: Span
    verdict: Verdict


def load_sample_reviews(store: Store, runs: Mapping[str, Run]) -> None:
    """Draw and label the sample's spot-checks: two finished by both reviewers, and one half done.

    Args:
        store: the store, which has the sample's runs.
        runs: those runs by the name of their week.
    """
    checks = [
        _draw(store, name, runs[week], size=_CLAIMS, design=design, reviewers=len(REVIEWERS), seed=seed)
        for (name, week, design), seed in zip(_FINISHED, _SEEDS, strict=False)
    ]
    # A claim that the second spot-check drew too would be settled there.
    again = {item.text for item in spot_checks.list_items(store.db, checks[-1])}
    for check, (_, week, _) in zip(checks, _FINISHED, strict=True):
        truth = _true_verdicts(store, runs[week], week)
        for reviewer in REVIEWERS:
            others = DISAGREEMENTS if check == checks[0] and reviewer == REVIEWERS[-1] else 0
            _label_claims(store, runs[week], check, truth, reviewer, disagreements=others, agreed=again)
    name, week, size, labelled = _UNFINISHED
    check = _draw(store, name, runs[week], size=size, design=Design.RANDOM, reviewers=1, seed=_SEEDS[-1])
    _label_claims(store, runs[week], check, _true_verdicts(store, runs[week], week), REVIEWERS[0], first=labelled)


def _draw(store: Store, name: str, run: Run, *, size: int, design: Design, reviewers: int, seed: int) -> int:
    order = DrawOrder(
        name=name,
        run_ids=[run.run_id],
        size=size,
        design=design,
        reviewers_per_item=reviewers,
        seed=seed,
    )
    return draw(store, order, created_by=REVIEWERS[0])


def _label_claims(
    store: Store,
    run: Run,
    check: int,
    truth: Callable[[int, int], Verdict],
    reviewer: str,
    *,
    first: int | None = None,
    disagreements: int = 0,
    agreed: Collection[str] = (),
) -> None:
    """Label the first claims of a spot-check, all by default, and disagree on some wrong ones that are not `agreed`."""
    given, left = [], disagreements
    for item in spot_checks.list_items(store.db, check)[:first]:
        verdict = truth(item.place.row, item.place.claim_number)
        if left and verdict is not Verdict.SUPPORTED and item.text not in agreed:
            verdict, left = Verdict.PARTIALLY_SUPPORTED, left - 1
        provenance = LabelProvenance(reviewer=reviewer, is_blind=True, spot_check_id=check)
        label = build_label(verdict.value, provenance, claim=item.place.claim_number)
        given.append((run.run_id, item.place.row, label))
    labels.add_labels(store.db, given)


def _true_verdicts(store: Store, run: Run, week: str) -> Callable[[int, int], Verdict]:
    """Return the verdict of the sample's author on a claim, given its row and its number."""
    wrong = _wrong_parts(week)
    verdicts = {
        (answer.position, number): _true_verdict(claim, wrong.get(answer.sample.key or "", ()))
        for answer in iterate_answers(store, run.run_id)
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
    """Return the wrong parts of that week, by the answer's id."""
    return _all_wrong_parts()[week]


SECOND_JUDGE = "lexical"
_WEEK_OF_SECOND_JUDGE = "2026-w43"
_NOTE = ", rules alone"
_SECOND_RUN = f"{_WEEK_OF_SECOND_JUDGE}{_NOTE}"


def load_sample(store: Store, *, on_step: Callable[[str], object] = lambda _: None) -> int:
    """Load the sample into a store without runs; return how many runs it made, 0 if the store already had runs.

    Args:
        store: the store.
        on_step: called with a short sentence after each step.
    """
    runs: dict[str, Run] = {}

    def judged(run: Run) -> None:
        runs[run.name.removeprefix(f"{SERIES} ")] = run
        on_step(f"Judged {run.name}.")

    count = load_sample_runs(store, on_run=judged)
    if not count:
        return 0
    second = JudgeSpec(name=SECOND_JUDGE)
    # Before the reviews: a new run carries over labels from earlier ones, disagreements included.
    judge_week(store, _WEEK_OF_SECOND_JUDGE, judge=second, note=_NOTE, on_run=judged)
    load_sample_reviews(store, runs)
    on_step("Labelled three spot-checks as two reviewers would.")
    for judge in (JudgeSpec(name=DEFAULT_JUDGE), second):
        _bench(store, judge)
        on_step(f"Measured the judge {judge.name} on labelled answers.")
    return len(runs)


def sample_weeks(store: Store) -> dict[str, Run]:
    """Return the sample's runs by the name of their week ("2026-w43").

    Empty unless the store contains the whole sample and no other series.
    """
    if [series.name for series in stored_series.list_series(store.db)] != [SERIES]:
        return {}
    runs = {run.name.removeprefix(f"{SERIES} "): run for run in list_runs(store, series=SERIES)}
    return runs if {*sample_week_names(), _SECOND_RUN} <= set(runs) else {}


def _bench(store: Store, judge: JudgeSpec) -> None:
    name = read_manifest()["bench"]
    rows, _ = open_dataset(sample_folder() / name).read_labelled()
    store_benchmark(store, judge, bench(rows, file=name, judge=judge))
