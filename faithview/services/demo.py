"""The bundled sample: weekly runs over an invented help centre, with labels of two invented reviewers.

It also has the same answers under a second judge, and a benchmark.

The labels are made from `data/labels.jsonl`, in which the sample's author marked the errors he put in. So the
reviewers' verdicts in the sample are right, and the corrected scores show what the judge missed. On three claims the
second reviewer disagrees on purpose, which leaves a disagreement to settle.

"""

import json
from collections.abc import Callable, Collection, Mapping
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
REVIEWERS = ("Mara Lind", "Deniz Acar")
DISAGREEMENTS = 3
_SECOND_JUDGE = JudgeSpec(name="lexical")
_SECOND_WEEK = "2026-w43"
_SECOND_NOTE = ", rules alone"

# Spot-checks: name, week, design, claims, how many reviewers, how many claims each labels, and a seed, which makes the
# draw the same on every machine; seeds differ, because equal ones draw equal claims.
_CHECKS = (
    ("After the update of 14 October", "2026-w43", Design.BALANCED, 60, 2, 60, 2),
    ("Week of 9 November", "2026-w46", Design.RANDOM, 60, 2, 60, 3),
    ("Week of 2 November", "2026-w45", Design.RANDOM, 40, 1, 16, 4),
)

# Error types of the sample, as a reviewer would name them.
_VERDICTS = {
    "contradiction": Verdict.CONTRADICTED,
    "conflation": Verdict.CONTRADICTED,
    "fabrication": Verdict.NOT_MENTIONED,
    "extrapolation": Verdict.NOT_MENTIONED,
}


@cache
def read_manifest() -> Mapping[str, Any]:
    """Return the list of the sample's files: runs, knowledge bases, events, benchmark."""
    manifest: dict[str, Any] = json.loads((sample_folder() / "demo.json").read_text(encoding="utf-8"))
    return manifest


def sample_week_names() -> list[str]:
    """Return the names of the sample's weeks, the earliest first."""
    return [entry["name"] for entry in read_manifest()["runs"]]


def sample_weeks(store: Store) -> dict[str, Run]:
    """Return the sample's runs by the name of their week ("2026-w43").

    Empty unless the store contains the whole sample and no other series.
    """
    if [series.name for series in stored_series.list_series(store.db)] != [SERIES]:
        return {}
    runs = {run.name.removeprefix(f"{SERIES} "): run for run in list_runs(store, series=SERIES)}
    return runs if {*sample_week_names(), f"{_SECOND_WEEK}{_SECOND_NOTE}"} <= set(runs) else {}


def load_sample_runs(store: Store, *, on_run: Callable[[Run], object] = lambda run: None) -> int:
    """Judge the bundled runs, store them and return how many; a store that already has runs is left unchanged."""
    if stored_runs.count_runs(store.db):
        return 0
    manifest = read_manifest()
    for entry in manifest["runs"]:
        on_run(_judge_week(store, entry, JudgeSpec()))
    for entry in manifest["knowledge_bases"]:
        file = sample_folder() / entry["file"]
        chunks, _ = read_knowledge_base(file)
        save_knowledge_base(store, entry["version"], chunks, source=file.name)
    for entry in manifest["events"]:
        add_event(store, entry["label"], at=datetime.fromisoformat(entry["at"]), kb_version=entry["kb_version"])
    return len(manifest["runs"])


def load_sample(store: Store, *, on_step: Callable[[str], object] = lambda _: None) -> int:
    """Load the sample into a store without runs; return how many runs it made, 0 if the store already had runs.

    Args:
        store: the store.
        on_step: called with a short sentence after each step.
    """
    weeks: dict[str, Run] = {}

    def judged(run: Run) -> None:
        weeks[run.name.removeprefix(f"{SERIES} ")] = run
        on_step(f"Judged {run.name}.")

    if not load_sample_runs(store, on_run=judged):
        return 0
    entry = next(entry for entry in read_manifest()["runs"] if entry["name"] == _SECOND_WEEK)
    judged(_judge_week(store, entry, _SECOND_JUDGE, note=_SECOND_NOTE))
    _review(store, weeks)
    on_step("Labelled three spot-checks as two reviewers would.")
    name = read_manifest()["bench"]
    for judge in (JudgeSpec(name=DEFAULT_JUDGE), _SECOND_JUDGE):
        rows, _ = open_dataset(sample_folder() / name).read_labelled()
        store_benchmark(store, judge, bench(rows, file=name, judge=judge))
        on_step(f"Measured the judge {judge.name} on labelled answers.")
    return len(weeks)


def _judge_week(store: Store, entry: Mapping[str, Any], judge: JudgeSpec, *, note: str = "") -> Run:
    """Judge the answers of one week of the manifest and return the stored run."""
    file = sample_folder() / entry["file"]
    samples, _ = open_dataset(file).read()
    name = f"{SERIES} {entry['name']}{note}"
    request = RunRequest(name=name, judge=judge, kb_version=entry["kb_version"], source=file.name, series=SERIES)
    run = create_run(store, samples, request)
    judge_here(store, run)
    return run


def _review(store: Store, weeks: Mapping[str, Run]) -> None:
    """Draw the sample's spot-checks and label them: two are finished by both reviewers, and one is half done.

    The second reviewer disagrees on some wrong claims of the first spot-check, but on none that the second one drew
    too, because there the disagreement would be settled.
    """
    checks = []
    for name, week, design, size, reviewers, _, seed in _CHECKS:
        order = DrawOrder(
            name=name,
            run_ids=[weeks[week].run_id],
            size=size,
            design=design,
            reviewers_per_item=reviewers,
            seed=seed,
        )
        checks.append(draw(store, order, created_by=REVIEWERS[0]))
    agreed = {item.text for item in spot_checks.list_items(store.db, checks[1])}
    for check, (_, week, _, _, reviewers, labelled, _) in zip(checks, _CHECKS, strict=True):
        for reviewer in REVIEWERS[:reviewers]:
            disagreements = DISAGREEMENTS if check == checks[0] and reviewer == REVIEWERS[-1] else 0
            _label_claims(store, weeks[week], week, check, reviewer, labelled, disagreements, agreed)


def _label_claims(
    store: Store,
    run: Run,
    week: str,
    check: int,
    reviewer: str,
    first: int,
    disagreements: int,
    agreed: Collection[str],
) -> None:
    """Label the first claims of a spot-check, and disagree on some wrong ones whose text is not `agreed`."""
    wrong = _wrong_parts()
    truth = {
        (answer.position, number): _true_verdict(claim, wrong.get((week, answer.sample.key), []))
        for answer in iterate_answers(store, run.run_id)
        for number, claim in enumerate(answer.result.claims, start=1)
    }
    given = []
    for item in spot_checks.list_items(store.db, check)[:first]:
        verdict = truth[item.place.row, item.place.claim_number]
        if disagreements and verdict is not Verdict.SUPPORTED and item.text not in agreed:
            verdict, disagreements = Verdict.PARTIALLY_SUPPORTED, disagreements - 1
        provenance = LabelProvenance(reviewer=reviewer, is_blind=True, spot_check_id=check)
        label = build_label(verdict.value, provenance, claim=item.place.claim_number)
        given.append((run.run_id, item.place.row, label))
    labels.add_labels(store.db, given)


@cache
def _wrong_parts() -> Mapping[tuple[str, str], list[tuple[Span, Verdict]]]:
    """Return the wrong parts of the answers, by week and the answer's id."""
    parts: dict[tuple[str, str], list[tuple[Span, Verdict]]] = {}
    for line in (sample_folder() / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        part = Span(start=entry["start"], end=entry["end"]), _VERDICTS[entry["type"]]
        parts.setdefault((entry["run"], entry["id"]), []).append(part)
    return parts


def _true_verdict(claim: Claim, wrong: list[tuple[Span, Verdict]]) -> Verdict:
    """Return the verdict of the sample's author; a claim of which at most half is made up also says something right."""
    touched = [(part, verdict, span) for part, verdict in wrong for span in claim.spans if part.overlaps(span)]
    if not touched:
        return Verdict.SUPPORTED
    shared = sum(min(part.end, span.end) - max(part.start, span.start) for part, _, span in touched)
    is_partial = shared <= sum(span.end - span.start for span in claim.spans) / 2
    verdict = touched[0][1]
    return Verdict.PARTIALLY_SUPPORTED if is_partial and verdict is Verdict.NOT_MENTIONED else verdict
