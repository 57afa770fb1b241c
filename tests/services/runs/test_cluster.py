"""A run on a Ray cluster: two nodes, a worker or the command killed in the middle, and what is refused."""

import json
import os
import pickle
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from faithview import Sample, State
from faithview.domain.errors import InvalidInput, JudgeUnavailable
from faithview.domain.run import JudgeSpec, RunStatus
from faithview.services.container import Store
from faithview.services.exports import export_document
from faithview.services.results import get_progress, get_run, iterate_answers
from faithview.services.runs import cluster
from faithview.services.runs.budget import Limits
from faithview.services.runs.cluster import Cluster, RowJudge, check_cluster
from faithview.services.runs.judge_rows import JudgedRow
from faithview.settings import DATABASE_VARIABLE
from faithview.store.runs import count_runs
from tests.services.scripted import DEATH_VARIABLE, GATE_VARIABLE, LOG_VARIABLE, PROCESSES_VARIABLE

ROOT = Path(__file__).parents[3]
ROWS = 120
# The row whose process is killed.
DEADLY = 61

with_ray = pytest.mark.skipif(find_spec("ray") is None, reason="needs Ray: pip install 'ray[data]'")


# --- Without Ray ---


def test_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda _name: None)
    with pytest.raises(JudgeUnavailable, match=r"^--engine ray needs Ray\. Install it: pip install 'ray\[data\]'$"):
        check_cluster(Cluster())


def test_what_a_cluster_cannot_keep_is_refused_before_it_is_asked() -> None:
    with pytest.raises(InvalidInput, match="a budget cannot stop them"):
        check_cluster(Cluster(), limits=Limits(max_calls=3))
    with pytest.raises(InvalidInput, match="judged by the vendor"):
        check_cluster(Cluster(), by_batches=True)


def test_a_block_comes_back_with_the_results_of_its_rows() -> None:
    spec = JudgeSpec()
    judge = RowJudge(spec, _fingerprint(spec), 0.5, 2)
    samples = [Sample.of("Parking is free.", [f"Parking is {word}."], key=word) for word in ("free", "dear", "shut")]
    for again in range(2):  # the judge is used for one block after another
        rows = _judge_block(judge, [(again * 3 + n, sample) for n, sample in enumerate(samples, start=1)])
        assert [(position, sample) for position, sample, _ in rows] == [
            (again * 3 + n, sample) for n, sample in enumerate(samples, start=1)
        ]
        assert [result.state for _, _, result in rows] == [State.JUDGED] * 3
        assert {result.threshold for _, _, result in rows} == {0.5}


def test_a_machine_with_another_judge_is_refused() -> None:
    judge = RowJudge(JudgeSpec(), "embedded/of-another-version", 0.5, 2)
    with pytest.raises(JudgeUnavailable, match="Install the same FaithView and the same models on all machines"):
        _judge_block(judge, [(1, Sample.of("Parking is free.", ["Parking is free."]))])


def test_the_error_of_ours_is_told_and_not_ray_s() -> None:
    ours = JudgeUnavailable("A machine lacks the model.")
    wrapped = RuntimeError("ray::MapWorker() long traceback")
    wrapped.cause = ours  # type: ignore[attr-defined]  # as Ray does it
    outer = RuntimeError("Failed to process a block")
    outer.__cause__ = wrapped
    assert cluster._readable(outer) is ours
    assert str(cluster._readable(RuntimeError("no worker\nsecond line"))) == (
        "The Ray cluster stopped judging: RuntimeError: no worker. Resume the run to continue."
    )


def _fingerprint(spec: JudgeSpec) -> str:
    from faithview.judges.registry import create_judge

    return create_judge(spec).fingerprint


def _judge_block(judge: RowJudge, rows: list[tuple[int, Sample]]) -> list[JudgedRow]:
    block = pa.table({"row": [pickle.dumps(row) for row in rows]})
    return [pickle.loads(row) for row in judge(block)["row"]]


# --- On a cluster of two nodes ---


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment of a process that can reach the cluster and knows the scripted judge; its nodes have the same."""
    folder = tmp_path_factory.mktemp("nodes")
    plugin = folder / "plugin" / "scripted_judge-1.dist-info"
    plugin.mkdir(parents=True)
    (plugin / "METADATA").write_text("Metadata-Version: 2.1\nName: scripted-judge\nVersion: 1\n", encoding="utf-8")
    points = "[faithview.judges]\nscripted = tests.services.scripted:build\n"
    (plugin / "entry_points.txt").write_text(points, encoding="utf-8")
    # Not pytest's folder: names of sockets may have about a hundred characters.
    with tempfile.TemporaryDirectory(prefix="fv-ray-", ignore_cleanup_errors=True) as temporary:
        environment = {
            **os.environ,
            "PYTHONPATH": f"{plugin.parent}{os.pathsep}{ROOT}",
            "RAY_TMPDIR": temporary,
            "RAY_USAGE_STATS_ENABLED": "0",
            "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # off: Ray stays on 127.0.0.1, on Linux too
            # On two cores that are shared with other tests a node may be slow to answer.
            "RAY_health_check_failure_threshold": "60",
            LOG_VARIABLE: str(folder / "judged.log"),
            GATE_VARIABLE: str(folder / "gate"),
            PROCESSES_VARIABLE: str(folder / "processes.log"),
            DEATH_VARIABLE: str(folder / "death"),
        }
        log = folder / "cluster.log"
        with log.open("w") as errors:
            process = subprocess.Popen(
                [sys.executable, "-m", "tests.ray_cluster"],
                env=environment,
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            address = next((line for line in process.stdout if line.startswith("address ")), None)
            assert address is not None, log.read_text(encoding="utf-8")
            yield {**environment, "RAY_ADDRESS": address.split()[1]}
        finally:
            process.stdin.close()
            process.wait(60)
            process.stdout.close()


@pytest.fixture
def environment(nodes: dict[str, str], store_url: str) -> dict[str, str]:
    for variable in (LOG_VARIABLE, GATE_VARIABLE, PROCESSES_VARIABLE, DEATH_VARIABLE):
        Path(nodes[variable]).unlink(missing_ok=True)
    Path(nodes[DEATH_VARIABLE]).write_text("0", encoding="utf-8")
    return {**nodes, DATABASE_VARIABLE: store_url}


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """A file whose rows differ in verdict; some fail, and the process that gets one of them may be killed."""
    path = tmp_path / "rows.jsonl"
    answers = ["fail" if n % 40 == 7 else "die" if n == DEADLY else "x" * (n % 5 + 1) for n in range(1, ROWS + 1)]
    rows = [
        {"id": f"k{n}", "question": f"q{n % 30}", "answer": answer, "contexts": ["abc", f"chunk {n % 3}"]}
        for n, answer in enumerate(answers, start=1)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@with_ray
@pytest.mark.torch
@pytest.mark.timeout(900, func_only=False)
@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_a_killed_worker_changes_no_figure_and_no_row_is_there_twice(
    services: Store, environment: dict[str, str], dataset: Path
) -> None:
    Path(environment[DEATH_VARIABLE]).write_text("1", encoding="utf-8")
    on_nodes = _finish(_evaluate(environment, dataset, "nodes", "--engine", "ray"))
    assert Path(environment[DEATH_VARIABLE]).read_text(encoding="utf-8") == "0"  # the worker is dead
    judged = _lines(environment, LOG_VARIABLE)
    # This command, a judge on each node, and the one in the place of the killed one.
    assert len(_lines(environment, PROCESSES_VARIABLE)) == 4
    assert set(judged) == {f"k{n}" for n in range(1, ROWS + 1)} - {f"k{n}" for n in range(1, ROWS + 1) if n % 40 == 7}
    assert max(judged.values()) == 2  # the dead worker's block was judged again
    here = _finish(_evaluate(environment, dataset, "here"))
    for name in ("run_id", "name", "created_at", "as_of", "seconds"):
        on_nodes.pop(name)
        here.pop(name)
    assert on_nodes == here
    assert on_nodes["rows"] == ROWS
    assert _export(services, "nodes") == _export(services, "here")


@with_ray
@pytest.mark.torch
@pytest.mark.timeout(900, func_only=False)
@pytest.mark.parametrize("engine_name", ["postgresql"])
def test_a_killed_command_is_resumed_on_the_cluster(
    services: Store, environment: dict[str, str], dataset: Path
) -> None:
    gate = Path(environment[GATE_VARIABLE])
    gate.touch()
    process = _evaluate(environment, dataset, "cut", "--engine", "ray")
    deadline = time.monotonic() + 300
    while not (count_runs(services.db) and get_progress(services, "cut").done >= 5):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.1)
    process.kill()
    process.communicate()
    kept = get_progress(services, "cut").done
    assert 5 <= kept < ROWS
    gate.unlink()
    resumed = _finish(_start(environment, "resume", "cut", "--engine", "ray", "--json"))
    assert resumed["status"] == "complete"
    _finish(_evaluate(environment, dataset, "here"))
    assert _export(services, "cut") == _export(services, "here")


@with_ray
@pytest.mark.torch
@pytest.mark.timeout(900, func_only=False)
@pytest.mark.parametrize("engine_name", ["postgresql"])
def test_a_row_that_ends_every_process_ends_the_run_and_another_attempt_goes_on(
    services: Store, environment: dict[str, str], dataset: Path
) -> None:
    deaths = Path(environment[DEATH_VARIABLE])
    deaths.write_text("99", encoding="utf-8")
    process = _evaluate(environment, dataset, "cut", "--engine", "ray")
    _, errors = process.communicate()
    assert process.returncode == 3, errors  # the run is stored, with rows that have no verdict
    assert "The Ray cluster stopped judging" in errors
    run = get_run(services, "cut")
    assert run.status is RunStatus.FAILED
    assert (run.error or "").startswith("The Ray cluster stopped judging")
    assert deaths.read_text(encoding="utf-8") == "95"  # once, and three times again
    deaths.write_text("0", encoding="utf-8")
    assert _finish(_start(environment, "resume", "cut", "--json"))["states"]["pending"] == 0


@with_ray
@pytest.mark.torch
@pytest.mark.timeout(900, func_only=False)
@pytest.mark.parametrize("engine_name", ["postgresql"])
def test_a_cluster_without_room_is_refused_before_anything_is_stored(
    services: Store, environment: dict[str, str], dataset: Path
) -> None:
    process = _evaluate(environment, dataset, "large", "--engine", "ray", "--ray-workers", "3")
    _, errors = process.communicate()
    assert process.returncode == 2, errors
    assert "has 2 cores and 0 GPUs, enough for 2 judges, not for 3." in errors
    assert count_runs(services.db) == 0


def _evaluate(environment: dict[str, str], dataset: Path, name: str, *options: str) -> subprocess.Popen[str]:
    arguments = ("evaluate", str(dataset), "--judge", "scripted", "--concurrency", "2", "--name", name, "--json")
    return _start(environment, *arguments, *options)


def _start(environment: dict[str, str], *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "faithview", *arguments],
        env=environment,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _finish(process: subprocess.Popen[str]) -> dict[str, Any]:
    out, errors = process.communicate()
    assert process.returncode == 3, errors  # some rows fail
    document: dict[str, Any] = json.loads(out)
    return document


def _lines(environment: dict[str, str], variable: str) -> Counter[str]:
    return Counter(Path(environment[variable]).read_text(encoding="utf-8").split())


def _export(services: Store, name: str) -> list[dict[str, Any]]:
    run = get_run(services, name)
    assert run.status is RunStatus.COMPLETE
    documents = [export_document(detail) for detail in iterate_answers(services, run.run_id)]
    for document in documents:
        del document["seconds"]
        for claim in document["claims"]:
            claim["claim_id"] = claim["claim_id"].removeprefix(run.run_id)
    return documents
