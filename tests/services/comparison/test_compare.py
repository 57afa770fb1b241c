"""Two runs compared: figures, causes, what is kept, and what people say about pairs."""

import json
import math
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from faithview import Chunk, State
from faithview.domain.comparison import Cause, ClaimChange, PairRule
from faithview.domain.errors import InvalidInput, NotFound
from faithview.services.bundled_files import app_folder
from faithview.services.comparison.compare import compare_runs, get_pair
from faithview.services.comparison.compared_runs import Comparison
from faithview.services.comparison.comparison_document import compare_document
from faithview.services.container import Store
from faithview.services.knowledge.versions import save_knowledge_base
from faithview.services.results import delete_run, list_runs
from tests.factories import C, N, S, make_claim, make_row, open_services, say, store_rows

OPEN = {"open": "The office opens at 9 am on weekdays."}
EDITED = {"open": "The office opens at 10 am on weekdays."}
PARK = {"park": "Parking is free for all guests of the house."}

OLD = [
    make_row(OPEN, make_claim("It opens at 9.", S, "open"), question="When does it open?", key="a"),
    make_row(PARK, make_claim("Parking is free.", S, "park"), question="Is parking free?", key="b"),
    make_row(PARK, make_claim("Guests park.", N), question="Who parks?", key="c"),
]
NEW = [
    make_row(EDITED, make_claim("It opens at 9.", C, "open"), question="When does it open?", key="a"),
    make_row(PARK, make_claim("Parking is free.", S, "park"), question="Is parking free?", key="b"),
    make_row(PARK, make_claim("Guests park.", N), make_claim("It is free.", S, "park"), question="Who parks?", key="c"),
    make_row(PARK, make_claim("Dogs too.", N), question="And dogs?", key="d"),
]


def _compare(services: Store) -> Comparison:
    return compare_runs(services, "old", "new")


@pytest.fixture
def compared(services: Store) -> Store:
    store_rows(services, "old", OLD)
    store_rows(services, "new", NEW, week=1)
    return services


def test_difference_is_over_the_answers_that_both_runs_have(compared: Store) -> None:
    found = _compare(compared)
    # Scores 1, 1, 0 and then 0, 1, 0.5.
    assert found.difference.mean == pytest.approx(-0.5 / 3)
    assert (found.difference.regressed, found.difference.improved, found.difference.unchanged) == (1, 1, 1)
    assert (found.no_longer_faithful, found.newly_faithful) == (1, 0)
    assert dict(found.pairing.rules) == {PairRule.KEY: 3}
    assert [row.key for row in found.pairing.only_in_candidate] == ["d"]
    assert not found.is_significant


def test_causes_add_up_and_the_worst_change_comes_first(compared: Store) -> None:
    found = _compare(compared)
    assert {share.cause: round(share.total, 9) for share in found.causes} == {
        Cause.DOCUMENT_EDITED: round(-1 / 3, 9),
        Cause.OTHER: round(0.5 / 3, 9),
    }
    assert [change.key for change in found.changes] == ["a", "c"]
    assert found.changes[0].chunks_edited == ("open",)


def test_pair_opens_with_both_answers_and_everything_matched(compared: Store) -> None:
    detail = get_pair(compared, _compare(compared), baseline_row=3, candidate_row=3)
    assert [(pair.baseline, pair.candidate, pair.change) for pair in detail.claims] == [
        (0, 0, ClaimChange.SAME),
        (None, 1, ClaimChange.NEW),
    ]
    assert detail.after.result.verdicts == (N, S)
    assert detail.after.sample.key == "c"
    with pytest.raises(NotFound, match="Nothing changed between row 2"):
        get_pair(compared, _compare(compared), baseline_row=2, candidate_row=2)


def test_opening_a_pair_keeps_the_comparisons_causes_and_reads_no_knowledge_base(
    services: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_rows(services, "old", OLD, kb_version="1")
    new = make_row(PARK, make_claim("It opens at 9.", N), question="When does it open?", key="a")
    store_rows(services, "new", [new], week=1, kb_version="1")
    save_knowledge_base(services, "1", [Chunk(text=text) for text in (*OPEN.values(), *PARK.values())])
    found = _compare(services)

    def read(*_: object) -> None:
        pytest.fail("The knowledge base was read for a single pair.")

    monkeypatch.setattr("faithview.store.knowledge.load_knowledge", read)
    detail = get_pair(services, found, baseline_row=1, candidate_row=1)
    assert detail.change == found.changes[0]
    assert detail.change.terms


def test_comparison_is_kept_until_one_of_the_runs_changes(compared: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    first = _compare(compared)

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("worked out again")

    monkeypatch.setattr("faithview.services.comparison.compare.pair_runs", refuse)
    assert _compare(compared) == first
    say(compared, "new", 1, 1, "supported")
    with pytest.raises(AssertionError, match="worked out again"):
        _compare(compared)


def test_labels_do_not_move_a_comparison(compared: Store) -> None:
    first = _compare(compared)
    say(compared, "new", 1, 1, "supported")
    again = _compare(compared)
    assert (again.difference, again.causes, again.changes) == (first.difference, first.causes, first.changes)


def test_deleting_a_run_deletes_its_comparisons(compared: Store) -> None:
    _compare(compared)
    delete_run(compared, "old")
    with pytest.raises(NotFound):
        _compare(compared)


@pytest.mark.parametrize(
    ("knowledge", "cause"),
    [
        (None, Cause.NOT_RETRIEVED),
        ("Opening hours. The office opens at 9 am on weekdays. It closes at 5.", Cause.NOT_RETRIEVED),
        ("The house has a garden.", Cause.DOCUMENT_REMOVED),
    ],
)
def test_knowledge_base_tells_removed_from_not_retrieved(services: Store, knowledge: str | None, cause: Cause) -> None:
    store_rows(services, "old", [OLD[0]])
    question, key = "When does it open?", "a"
    rows = [make_row(PARK, make_claim("It opens at 9.", N), question=question, key=key)]
    store_rows(services, "new", rows, week=1, kb_version="2")
    assert _compare(services).causes[0].cause is Cause.NOT_RETRIEVED
    if knowledge is not None:
        # Whole documents, of which the retriever returns parts.
        save_knowledge_base(services, "2", [Chunk(text=knowledge, chunk_id="doc-1")], source="kb.jsonl")
    assert _compare(services).causes[0].cause is cause


def test_rows_judged_on_one_side_only_are_counted_and_change_no_figure(services: Store) -> None:
    store_rows(services, "old", OLD)
    store_rows(services, "new", [*NEW[:2], make_row(PARK, question="Who parks?", key="c")], week=1)
    found = _compare(services)
    assert found.difference.pairs == 2
    assert dict(found.pairing.unscored) == {"judged, no_claims": 1}
    (change,) = [change for change in found.changes if change.key == "c"]
    assert (change.difference, change.candidate_state, change.terms) == (None, State.NO_CLAIMS, ())


def test_two_judges_are_compared_behind_a_warning(services: Store) -> None:
    store_rows(services, "old", OLD)
    store_rows(services, "new", NEW, week=1, fingerprint="another judge")
    found = _compare(services)
    assert found.cautions[0].code == "different_judges"
    assert "Judge the earlier answers again" in found.cautions[0].text


def test_runs_without_common_ids_and_questions_are_not_compared(services: Store) -> None:
    store_rows(services, "old", OLD[:1])
    store_rows(services, "new", NEW[1:2], week=1)
    with pytest.raises(InvalidInput, match="no ids or questions in common"):
        _compare(services)


def test_a_run_is_not_compared_with_itself(compared: Store) -> None:
    with pytest.raises(InvalidInput, match="cannot be compared with itself"):
        compare_runs(compared, "old", "old")


def test_document_is_the_contract_s(compared: Store) -> None:
    document = compare_document(compared, _compare(compared)).to_dict()
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert list(document)[:14] == [
        "schema_version", "baseline", "candidate", "paired_rows", "delta", "delta_ci", "p_value", "regressed",
        "improved", "unchanged", "only_in_baseline", "only_in_candidate", "segments", "changes",
    ]  # fmt: skip
    assert (document["baseline"], document["candidate"], document["only_in_candidate"]) == ("old", "new", 1)
    change = document["changes"][0]
    assert list(change)[:10] == [
        "key", "baseline", "candidate", "cause", "answer_changed", "context_changed", "chunks_added",
        "chunks_removed", "claims_broken", "claims_fixed",
    ]  # fmt: skip
    assert (change["cause"], document["corrected_delta"]) == ("document_edited", None)
    (broken,) = change["claims_broken"]
    assert (broken["text"], broken["cause"]) == ("It opens at 9.", "document_edited")
    assert (broken["baseline"]["verdict"], broken["candidate"]["verdict"]) == ("supported", "contradicted")


@pytest.fixture(scope="module")
def demo(demo_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    copy = shutil.copy(demo_file, tmp_path_factory.mktemp("compared") / "demo.db")
    with open_services(copy) as services:
        yield services


def _chunks(version: str) -> dict[str, str]:
    lines = (app_folder() / "data" / "kb" / f"kb-{version}.jsonl").read_text(encoding="utf-8").splitlines()
    return {row["id"]: row["text"] for row in map(json.loads, lines)}


def _made_wrong(run: str) -> Counter[str]:
    """Return how many answers of each segment the authors of the sample made wrong in that week."""
    lines = (app_folder() / "data" / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    rows = {(row["id"], row["segment"]) for row in map(json.loads, lines) if row["run"] == run}
    return Counter(segment for _, segment in rows)


def test_drop_in_the_sample_is_found_where_it_was_built_in_with_its_cause(demo: Store) -> None:
    before, after = _made_wrong("2026-w42"), _made_wrong("2026-w43")
    (built_in,) = [segment for segment in after if after[segment] - before[segment] > 5]
    old, new = _chunks("2026-09"), _chunks("2026-10")
    assert set(new) > set(old)
    assert all(new[name] == text for name, text in old.items())  # articles were added and none was edited

    found = compare_runs(demo, "Help centre 2026-w42", "Help centre 2026-w43")

    assert found.is_regression
    worst = min(found.segments, key=lambda segment: segment.contribution)
    assert worst.segment == built_in
    assert round(found.difference.mean or 0, 2) == -0.08
    assert round(worst.share_of_delta or 0, 2) == 0.88
    assert [segment.segment for segment in found.segments if segment.is_significant] == [built_in]
    assert found.causes[0].cause is Cause.RETRIEVED
    assert found.causes[0].total < 0.6 * (found.difference.mean or 0)


def test_recovery_in_the_sample_is_found_with_its_cause(demo: Store) -> None:
    old, new = _chunks("2026-10"), _chunks("2026-11")
    assert any(new.get(name, text) != text for name, text in old.items())  # terms and figures were fixed

    found = compare_runs(demo, "Help centre 2026-w44", "Help centre 2026-w45")

    assert found.is_significant
    assert (found.difference.mean or 0) > 0
    assert max(found.segments, key=lambda segment: segment.contribution).segment == "Handovers"
    assert found.causes[-1].cause is Cause.DOCUMENT_EDITED


@pytest.mark.parametrize("weeks", [("2026-w43", "2026-w44"), ("2026-w45", "2026-w46")])
def test_weeks_without_an_update_do_not_differ_by_more_than_chance(demo: Store, weeks: tuple[str, str]) -> None:
    found = compare_runs(demo, *(f"Help centre {week}" for week in weeks))
    assert not found.is_significant
    assert not any(segment.is_significant for segment in found.segments)


def test_causes_add_up_in_every_pair_of_the_sample_s_runs(demo: Store) -> None:
    names = [run.name for run in list_runs(demo)]
    for baseline in names:
        for candidate in names:
            if baseline != candidate:
                found = compare_runs(demo, baseline, candidate)
                assert math.fsum(share.total for share in found.causes) == pytest.approx(
                    found.difference.mean, abs=1e-12
                )
