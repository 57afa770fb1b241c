"""What each tool is asked for, in its own words, and what is special about one of them."""

from pathlib import Path
from typing import Any

import pytest

from faithview.domain.errors import InvalidInput, PullFailed
from faithview.services.pulls.pull import TOOLS, find_tool
from tests.services.pulls import tool_server
from tests.services.pulls.pulling import SERVERS, Puller
from tests.services.pulls.tool_server import TRACES, Reply, Seen, serving, when

SINCE, UNTIL = when(2), when(5)


def _asked(source: str, folder: Path) -> list[Seen]:
    tool, answers, pages = SERVERS[source]
    with serving(answers) as server:
        Puller(folder, server, tool).pull(since=SINCE, until=UNTIL, page_size=500)
        return server.asked(pages)


def test_phoenix_is_asked_for_spans_around_the_window(tmp_path: Path) -> None:
    (seen,) = _asked("phoenix", tmp_path)
    # An hour more on both sides: a trace is taken by its first span, and whole.
    assert seen.first == {
        "limit": "500",
        "start_time": "2026-03-01T10:00:00+00:00",
        "end_time": "2026-03-01T15:00:00+00:00",
    }


def test_mlflow_is_asked_for_traces_by_their_time(tmp_path: Path) -> None:
    (seen,) = _asked("mlflow", tmp_path)
    assert seen.body == {
        "locations": [{"type": "MLFLOW_EXPERIMENT", "mlflow_experiment": {"experiment_id": "12"}}],
        "filter": "timestamp_ms >= 1772362800000 AND timestamp_ms < 1772373600000",
        "max_results": 500,
        "order_by": ["timestamp_ms ASC"],
    }


def test_langfuse_3_is_asked_for_a_hundred_at_most_and_the_oldest_first(tmp_path: Path) -> None:
    _, seen = _asked("langfuse-3", tmp_path)
    assert seen.first == {
        "page": "1",
        "limit": "100",
        "orderBy": "timestamp.asc",
        "fields": "core",
        "fromTimestamp": SINCE,
        "toTimestamp": UNTIL,
    }


def test_langfuse_4_is_asked_for_whole_metadata_where_some_was_truncated(tmp_path: Path) -> None:
    first, again = _asked("langfuse-4", tmp_path)
    assert first.first["limit"] == "500"
    assert {"io", "metadata", "trace_context"} <= set(first.first["fields"].split(","))
    assert "expandMetadata" not in first.first
    assert again.first == {**first.first, "expandMetadata": "prompt"}


def test_langsmith_is_asked_for_feedback_on_the_runs_that_have_any(tmp_path: Path) -> None:
    with serving(tool_server.langsmith) as server:
        puller = Puller(tmp_path, server, "langsmith")
        puller.environment["LANGSMITH_WORKSPACE_ID"] = "workspace-one"
        puller.pull(since=SINCE, until=UNTIL, page_size=500)
        (seen,) = server.asked("/runs/query$")
        assert seen.body["session"] == ["6a3ce3a5-0000-4000-8000-000000000001"]
        assert seen.body["start_time"] == "2026-03-01T10:00:00+00:00"
        assert seen.body["filter"] == 'lt(start_time, "2026-03-01T15:00:00+00:00")'
        assert (seen.body["limit"], seen.headers["x-tenant-id"]) == (100, "workspace-one")
        (feedback,) = server.asked("/feedback$")
        assert set(feedback.params["run"]) == {f"root-{number}" for number in range(1, 6)}


def test_feedback_without_ids_does_not_take_each_other_s_place(tmp_path: Path) -> None:
    given = [{"run_id": "root-1", "key": "faithfulness", "score": score} for score in (0.25, 0.75)]
    with serving(tool_server.langsmith) as server:
        server.fail("/feedback$", Reply(body=given))
        puller = Puller(tmp_path, server, "langsmith")
        puller.pull()
    (line,) = [line for line in puller.lines if line["id"] == "root-1"]
    assert sorted(item["score"] for item in line["feedback"]) == [0.25, 0.75]


def test_annotations_beyond_one_answer_are_asked_for_too(tmp_path: Path) -> None:
    with serving(tool_server.phoenix) as server:
        puller = Puller(tmp_path, server, "phoenix")
        puller.pull()
        notes = [note["id"] for line in puller.lines for note in line.get("annotations", [])]
        assert sorted(notes) == sorted([*(f"n{number}" for number in range(TRACES)), "person"])
        assert len(server.asked("/span_annotations$")) == 2
        assert any("trace annotations" in text and "404" in text for text in puller.said)


def test_a_langfuse_key_of_another_project_is_refused(tmp_path: Path) -> None:
    with serving(tool_server.langfuse_3) as server:
        puller = Puller(tmp_path, server, "langfuse")
        with pytest.raises(InvalidInput, match="belongs to the project 'help desk', not 'billing'"):
            puller.pull(project="billing")
        assert puller.pull(project="").lines == TRACES


def test_langfuse_3_is_asked_again_where_a_deletion_moved_a_trace_between_pages(tmp_path: Path) -> None:
    calls = 0

    def answers(seen: Seen) -> Reply:
        nonlocal calls
        reply = tool_server.langfuse_3(seen)
        if seen.path == "/api/public/traces" and seen.first["limit"] != "1":
            calls += 1
            if calls == 2:  # the third trace has slipped onto the page that was read already
                del reply.body["data"][0]
        return reply

    with serving(answers) as server:
        puller = Puller(tmp_path, server, "langfuse")
        assert puller.pull().lines == TRACES
        assert calls == 8


def test_a_trace_that_is_deleted_meanwhile_is_left_out_and_named(tmp_path: Path) -> None:
    with serving(tool_server.langfuse_3) as server:
        server.fail("/traces/trace-2$", Reply(status=404, body={"message": "Trace trace-2 not found"}))
        puller = Puller(tmp_path, server, "langfuse")
        assert puller.pull().lines == TRACES - 1
        assert any("trace-2 was deleted during the pull" in text for text in puller.said)


def test_the_runs_of_a_circle_and_of_a_deep_chain_come_once(tmp_path: Path) -> None:
    def run(number: int, parent: int | None) -> dict[str, Any]:
        return {"id": str(number), "trace_id": "0", "parent_run_id": None if parent is None else str(parent),
                "start_time": when(0, number), "dotted_order": f"{number:06}", "feedback_stats": {}}  # fmt: skip

    chain = [run(0, None), *(run(number, number - 1) for number in range(1, 3000))]
    circle = [run(5000, 5001), run(5001, 5000)]
    with serving(tool_server.langsmith) as server:
        server.fail("/runs/query$", Reply(body={"runs": [*chain, *circle], "cursors": {}}))
        puller = Puller(tmp_path, server, "langsmith")
        puller.pull()
    (line,) = puller.lines
    waiting, seen = [line], []
    while waiting:
        item = waiting.pop()
        seen.append(item["id"])
        waiting += item.get("child_runs", [])
    assert sorted(map(int, seen)) == [*range(3000), 5000, 5001]


@pytest.mark.parametrize(
    ("source", "variables", "url"),
    [
        ("phoenix", {}, "http://localhost:6006"),
        ("phoenix", {"PHOENIX_HOST": "0.0.0.0", "PHOENIX_PORT": "7000"}, "http://127.0.0.1:7000"),
        ("phoenix", {"PHOENIX_COLLECTOR_ENDPOINT": "https://px.example/s/me/v1/traces"}, "https://px.example/s/me"),
        ("langfuse", {}, "https://cloud.langfuse.com"),
        ("langfuse", {"LANGFUSE_HOST": "https://lf.example"}, "https://lf.example"),
        ("langsmith", {}, "https://api.smith.langchain.com"),
        ("langsmith", {"LANGCHAIN_ENDPOINT": '"https://ls.example/api/v1"'}, "https://ls.example/api/v1"),
        ("mlflow", {"MLFLOW_TRACKING_URI": "http://ml.example"}, "http://ml.example"),
    ],
)
def test_the_address_is_that_of_the_tools_own_variables(source: str, variables: dict[str, str], url: str) -> None:
    keys = {"LANGFUSE_PUBLIC_KEY": "p", "LANGFUSE_SECRET_KEY": "s", "LANGCHAIN_API_KEY": "k"}
    tool = find_tool(source)
    assert tool.address({**keys, **variables}, None).url == url
    assert tool.address({**keys, **variables}, "https://mine.example").url == "https://mine.example"


@pytest.mark.parametrize("uri", ["", "sqlite:///x.db", "databricks", "./mlruns"])
def test_mlflow_without_a_server_says_how_to_start_one(uri: str) -> None:
    with pytest.raises(InvalidInput, match="`mlflow server` starts one"):
        find_tool("mlflow").address({"MLFLOW_TRACKING_URI": uri}, None)


def test_headers_of_phoenix_are_sent_and_mlflow_logs_in_with_a_password() -> None:
    phoenix = find_tool("phoenix").address({"PHOENIX_CLIENT_HEADERS": "api_key=a%20b, x-team=t"}, None)
    assert phoenix.headers == {"api_key": "a b", "x-team": "t"}
    environment = {
        "MLFLOW_TRACKING_URI": "http://m",
        "MLFLOW_TRACKING_USERNAME": "ada",
        "MLFLOW_TRACKING_PASSWORD": "pw",
    }
    assert find_tool("mlflow").address(environment, None).headers == {"Authorization": "Basic YWRhOnB3"}


def test_an_unknown_source_is_answered_with_those_that_there_are() -> None:
    with pytest.raises(InvalidInput, match=f"pulls from {', '.join(TOOLS)}"):
        find_tool("opik")


def test_mlflow_of_another_version_says_what_is_missing(tmp_path: Path) -> None:
    with serving(tool_server.mlflow) as server:
        server.fail("/traces/search$", Reply(body={"traces": [{"request_id": "old"}]}))
        with pytest.raises(PullFailed, match="MLflow 3 and newer"):
            Puller(tmp_path, server, "mlflow").pull()
