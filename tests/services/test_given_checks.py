"""An export brings its spot-checks back: the imported run has the same corrected score, with the same interval."""

import json
import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from faithview import Verdict
from faithview.domain.answer import View
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.label import NOT_A_CLAIM, LabelRole
from faithview.services.container import Store
from faithview.services.dataset_files import open_dataset
from faithview.services.exports import export_run
from faithview.services.imports import ImportedRun, ImportRequest, find_results, import_run
from faithview.services.results import get_summary
from faithview.services.review import carry_over, labels, queue
from faithview.services.review.corrected_score import Correction, correct_by_check, correct_run
from faithview.services.review.labels import LabelProvenance
from faithview.services.review.queue import assign_check
from faithview.services.review.spot_checks import Strata
from faithview.stats.corrected_score import CorrectedScore
from faithview.stats.spot_check import Unit
from faithview.store import queues, spot_checks
from tests.factories import C, N, P, S, draw_check, make_claim, make_row, say, store_rows

_runs = count(1)
_SAID = ("supported", "supported", "supported", "contradicted", NOT_A_CLAIM)
_FORMATS = ("jsonl", "csv", "parquet", "ragas", "deepeval", "langsmith")


def _store(services: Store, source: random.Random, *, answers: int, week: int = 0) -> str:
    """Store a run in which some answers have no claim, and return its id."""
    rows = []
    for number in range(answers):
        claims = [
            make_claim(f"claim {number}.{k}", source.choice((S, S, S, P, N, C)), "c", confidence=source.random())
            for k in range(source.choice((0, 1, 2, 3)) if number else 2)
        ]
        rows.append(make_row({"c": f"chunk {number}"}, *claims, question=f"q{number}", key=f"k{number}"))
    run_id = f"r{next(_runs)}"
    store_rows(services, run_id, rows, week=week)
    return run_id


def _label_at_random(services: Store, source: random.Random, check_id: int) -> None:
    """Let people label a part of the queue, change their minds, take back, and label elsewhere."""
    items = spot_checks.list_items(services.db, check_id)
    for item in items[: source.randint(0, len(items))]:
        for reviewer in source.sample(("ann", "bob", "eve"), source.choice((0, 1, 1, 2))):
            queue.label_and_advance(services, check_id, item.position, source.choice(_SAID), reviewer=reviewer)
            place = item.drawn
            match source.randint(0, 9):
                case 0:
                    _try(partial(queue.undo_last, services, check_id, reviewer=reviewer))
                case 1:  # outside the spot-check, after it
                    _try(partial(say, services, place.run_id, place.row, place.claim_number, "supported", by=reviewer))
                case 2:
                    chief = LabelProvenance(reviewer="zoe", role=LabelRole.ADJUDICATOR)
                    labels.label_claim(
                        services, place.run_id, place.row, place.claim_number, source.choice(_SAID), chief
                    )
                case 3:
                    own = LabelProvenance(reviewer=reviewer)
                    labels.label_missed_claim(
                        services, place.run_id, place.row, start=0, end=5, verdict="contradicted", provenance=own
                    )


def _try(act: Callable[[], object]) -> None:
    """Do what the rules of blind labels may refuse."""
    try:
        act()
    except (InvalidInput, NotFound):
        return


def _import(services: Store, path: Path, *, edit: Callable[[list[Any]], list[Any]] | None = None) -> ImportedRun:
    if edit is not None:
        rows = edit([json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()])
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return import_run(services, find_results(open_dataset(path)), ImportRequest())


def _figures(correction: Correction | None) -> Correction | None:
    """Return a correction without the spot-check, whose id and run are others after an import."""
    return None if correction is None else replace(correction, check=None)  # type: ignore[arg-type]  # equal for all


@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)
@settings(  # an example is two runs with their reviews, a file and an import
    max_examples=settings().max_examples * 2 // 5, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    seed=st.integers(0, 2**32),
    unit=st.sampled_from(Unit),
    strata=st.sampled_from(Strata),
    prefers_uncertain=st.booleans(),
    is_blind=st.booleans(),
    reviewers=st.integers(1, 2),
    size=st.integers(8, 30),
    checks=st.integers(1, 2),
    inherits=st.booleans(),
    shares=st.booleans(),
    file_format=st.sampled_from(_FORMATS),
    view=st.sampled_from([View.JUDGE, View.REVIEWED]),
)
def test_an_export_imported_has_the_same_corrected_score(
    services: Store,
    tmp_path: Path,
    seed: int,
    unit: Unit,
    strata: Strata,
    prefers_uncertain: bool,
    is_blind: bool,
    reviewers: int,
    size: int,
    checks: int,
    inherits: bool,
    shares: bool,
    file_format: str,
    view: View,
) -> None:
    source = random.Random(seed)
    answers = source.randint(3, 12)
    if inherits:
        earlier = _store(services, random.Random(seed), answers=answers)
        for row in range(1, answers + 1):
            _try(partial(say, services, earlier, row, 1, source.choice(_SAID), by="old"))
    run_id = _store(services, random.Random(seed), answers=answers, week=1)
    if inherits:
        carry_over.carry_labels(services.db, run_id)
    runs = [run_id, _store(services, source, answers=4, week=2)] if shares else [run_id]
    for _ in range(checks):
        try:
            check_id = draw_check(
                services,
                *runs,
                size=size,
                name="Weekly",
                unit=unit,
                strata=strata,
                prefers_uncertain=prefers_uncertain,
                is_blind=is_blind,
                reviewers_per_item=reviewers,
            )
        except InvalidInput:  # too few for these strata
            reject()
        _label_at_random(services, source, check_id)
    path = tmp_path / f"run.{file_format}"
    export_run(services, run_id, destination=path, file_format=file_format, view=view)
    done = _import(services, path)
    new_id = done.summary.run.run_id
    assert done.report.warnings == {}
    assert _figures(correct_run(services, new_id)) == _figures(correct_run(services, run_id))
    own = [part.check for part in spot_checks.list_drawn_from(services.db, new_id)]
    of_run = [part.check for part in spot_checks.list_drawn_from(services.db, run_id)]
    for check, before in zip(own, of_run, strict=True):
        new = correct_by_check(services, new_id, check.spot_check_id)
        assert _figures(new) == _figures(correct_by_check(services, run_id, before.spot_check_id))
        assert {**check.design, "runs": None} == {**before.design, "runs": None}
        assert (check.name, check.created_by, check.created_at) == (before.name, before.created_by, before.created_at)
        assert (check.is_blind, check.reviewers_per_item) == (is_blind, reviewers)
        ours = [item for item in spot_checks.list_items(services.db, before.spot_check_id)
                if item.drawn.run_id == run_id]  # fmt: skip
        assert [
            (item.key, item.drawn.claim_number, item.drawn.stratum, item.drawn.inclusion_probability)
            for item in spot_checks.list_items(services.db, check.spot_check_id)
        ] == [
            (item.key, item.drawn.claim_number, item.drawn.stratum, item.drawn.inclusion_probability) for item in ours
        ]
    reviewed = [get_summary(services, name, view=View.REVIEWED) for name in (run_id, new_id)]
    assert (reviewed[0].score, reviewed[0].states) == (reviewed[1].score, reviewed[1].states)


def _checked(services: Store, path: Path) -> tuple[str, int]:
    """Export a run with a spot-check of 12 claims, of which ann has labelled 8; return the run and the spot-check."""
    run_id = _store(services, random.Random(7), answers=12)
    check_id = draw_check(services, run_id, size=12, name="Weekly", seed=3)
    assign_check(services, check_id, ["bob"], assigned_by="ann")
    for item in spot_checks.list_items(services.db, check_id)[:8]:
        queue.label_and_advance(services, check_id, item.position, "supported", reviewer="ann")
    export_run(services, run_id, destination=path, file_format="jsonl")
    return run_id, check_id


def test_an_unfinished_spot_check_goes_on_where_it_was(services: Store, tmp_path: Path) -> None:
    run_id, check_id = _checked(services, tmp_path / "run.jsonl")
    new_id = _import(services, tmp_path / "run.jsonl").summary.run.run_id
    (part,) = spot_checks.list_drawn_from(services.db, new_id)
    new_check = part.check.spot_check_id
    assert queues.list_assignments(services.db)[new_check] == ("bob",)
    assert spot_checks.get_queue_progress(services.db, new_check) == spot_checks.get_queue_progress(
        services.db, check_id
    )
    for check in (check_id, new_check):
        for position in range(9, 13):
            queue.label_and_advance(services, check, position, "contradicted", reviewer="ann")
    before, after = correct_run(services, run_id), correct_run(services, new_id)
    assert after is not None
    assert after.is_final
    assert isinstance(after.score, CorrectedScore)
    assert _figures(after) == _figures(before)


def _without_a_drawn_row(rows: list[Any]) -> list[Any]:
    gone = next(at for at, row in enumerate(rows) if row["spot_checks"])
    return rows[:gone] + rows[gone + 1 :]


def _without_an_item(rows: list[Any]) -> list[Any]:
    next(row for row in rows if row["spot_checks"])["spot_checks"][0]["claims"].pop()
    return rows


def _edited(change: Callable[[dict[str, Any]], object]) -> Callable[[list[Any]], list[Any]]:
    """Return an edit of what every row says of the spot-check."""

    def edit(rows: list[Any]) -> list[Any]:
        for row in rows:
            for check in row["spot_checks"]:
                change(check)
        return rows

    return edit


@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (_without_a_drawn_row, "judged answers that it was drawn from"),
        (_without_an_item, "claims that it drew"),
        (_edited(lambda check: check["design"].update(unit="page")), "its design cannot be read"),
        (_edited(lambda check: check["design"].update(size=0)), "needs at least 1 label"),
        (_edited(lambda check: check.update(created_by="")), "A reviewer's name needs"),
        (_edited(lambda check: check.update(reviewers_per_item=99)), "reviewers can label a claim"),
        (_edited(lambda check: check["frame"]["strata"][0].update(weight=0.5, judged=0.1)), "add up to 0.5"),
        (_edited(lambda check: check["frame"]["strata"][0].update(judged=1.5)), "more than its weight"),
        (_edited(lambda check: check["frame"]["strata"][0].update(units=1)), "units from the stratum"),
        (_edited(lambda check: check["frame"].update(labels_per_unit="x")), "'labels_per_unit' is 'x'"),
        (_edited(lambda check: check["claims"][0].update(claim=9)), "does not have the claims that it drew"),
        (_edited(lambda check: check["claims"][0].update(inclusion_probability=0)), "is not valid"),
        (_edited(lambda check: check["claims"][0].update(place=1)), "is not valid"),
    ],
)
def test_a_spot_check_that_is_damaged_or_not_whole_stays_out_and_its_labels_do_not(
    services: Store, tmp_path: Path, edit: Callable[[list[Any]], list[Any]], why: str
) -> None:
    _checked(services, tmp_path / "run.jsonl")
    done = _import(services, tmp_path / "run.jsonl", edit=edit)
    new_id = done.summary.run.run_id
    (warning,) = done.report.warnings
    assert warning.startswith(
        "Spot-check 'Weekly' was not imported, and its labels count as given outside a spot-check: "
    )
    assert why in warning
    assert correct_run(services, new_id) is None
    assert done.labels >= 6


def test_an_imported_spot_check_is_exported_again_as_it_came(services: Store, tmp_path: Path) -> None:
    _checked(services, tmp_path / "run.jsonl")
    new_id = _import(services, tmp_path / "run.jsonl").summary.run.run_id
    export_run(services, new_id, destination=tmp_path / "again.jsonl", file_format="jsonl")
    rows, again = (
        [json.loads(line)["spot_checks"] for line in (tmp_path / name).read_text(encoding="utf-8").splitlines()]
        for name in ("run.jsonl", "again.jsonl")
    )
    for row in (*rows, *again):
        for check in row:
            del check["spot_check"]  # its id in the store that the file is of
    assert again == rows


def test_a_label_of_an_earlier_run_is_not_one_of_this_run(services: Store, tmp_path: Path) -> None:
    earlier = _store(services, random.Random(1), answers=3)
    say(services, earlier, 1, 1, "contradicted")
    run_id = _store(services, random.Random(1), answers=3, week=1)
    carry_over.carry_labels(services.db, run_id)
    export_run(services, run_id, destination=tmp_path / "run.jsonl", file_format="jsonl")
    new_id = _import(services, tmp_path / "run.jsonl").summary.run.run_id
    (label,) = labels.claim_history(services, new_id, 1)
    assert (label.verdict, label.origin is None) == (Verdict.CONTRADICTED, False)
    assert carry_over.count_carried(services, new_id) == carry_over.count_carried(services, run_id)
