"""What each tool is asked for, in its own words, and what is special about one of them."""

from pathlib import Path

import pytest

from faithview.domain.errors import InvalidInput
from faithview.services.pulls.tools import find_tool
from tests.services.pulls import tool_server
from tests.services.pulls.pulling import SERVERS, Puller
from tests.services.pulls.tool_server import TRACES, Seen, serving, when

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
        "max_results": 100,
        "order_by": ["timestamp_ms ASC"],
    }


def test_langfuse_is_asked_for_whole_metadata_where_some_was_truncated(tmp_path: Path) -> None:
    first, again = _asked("langfuse", tmp_path)
    assert first.first["limit"] == "200"
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


def test_a_langfuse_key_of_another_project_is_refused(tmp_path: Path) -> None:
    with serving(tool_server.langfuse) as server:
        puller = Puller(tmp_path, server, "langfuse")
        with pytest.raises(InvalidInput, match="belongs to the project 'help desk', not 'billing'"):
            puller.pull(project="billing")
        assert puller.pull(project="").lines > TRACES


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


def test_headers_of_phoenix_are_sent_and_mlflow_logs_in_with_a_password() -> None:
    phoenix = find_tool("phoenix").address({"PHOENIX_CLIENT_HEADERS": "api_key=a%20b, x-team=t"}, None)
    assert phoenix.headers == {"api_key": "a b", "x-team": "t"}
    environment = {
        "MLFLOW_TRACKING_URI": "http://m",
        "MLFLOW_TRACKING_USERNAME": "ada",
        "MLFLOW_TRACKING_PASSWORD": "pw",
    }
    assert find_tool("mlflow").address(environment, None).login == ("ada", "pw")
