"""Pulling from the servers of four tools: nothing is lost or doubled, whatever the server does, and no key leaks."""

import base64
import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from faithview.domain.errors import InvalidInput, PullFailed
from faithview.formats.files.report import RowProblem
from faithview.formats.read import detect, open_table, read_rows
from faithview.services.pulls.pull import Pulled, PullStopped, pull_file
from faithview.services.pulls.tools import TOOLS
from tests.services.pulls import tool_server
from tests.services.pulls.tool_server import (
    ANNOTATED,
    PROJECT,
    TRACES,
    Answers,
    Reply,
    Seen,
    ToolServer,
    question,
    score,
    serving,
    when,
)

KEYS = {
    "LANGFUSE_PUBLIC_KEY": "pk-lf-public",
    "LANGFUSE_SECRET_KEY": "sk-lf-secret",
    "PHOENIX_API_KEY": "phx-secret-key",
    "MLFLOW_TRACKING_TOKEN": "mlf-secret-key",
    "LANGSMITH_API_KEY": "lsv2_pt_secret_key",
}
# The server that answers as a tool does, and where it is asked for pages.
SERVERS: dict[str, tuple[Answers, str]] = {
    "phoenix": (tool_server.phoenix, "/spans$"),
    "mlflow": (tool_server.mlflow, "/traces/search$"),
    "langfuse": (tool_server.langfuse, "/v2/observations$"),
    "langsmith": (tool_server.langsmith, "/runs/query$"),
}
SLOW_DOWN = Reply(status=429, headers={"Retry-After": "7"}, body={"message": "rate limited"})
DOWN = Reply(status=503, body={"detail": "down"})
CUT = Reply(body={"data": ["x" * 500]}, broken=True)
NOT_WHOLE = Reply(text='{"data": [')


@dataclass(slots=True)
class Puller:
    """Pulls into one file, and keeps what was said and how long was waited."""

    folder: Path
    server: ToolServer
    tool: str
    waits: list[float]
    said: list[str] = field(default_factory=list)

    @property
    def file(self) -> Path:
        return self.folder / "pulled.jsonl"

    @property
    def part(self) -> Path:
        return self.folder / "pulled.jsonl.part"

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.file.read_text(encoding="utf-8").splitlines()]

    @property
    def pages(self) -> list[Seen]:
        """The requests for pages."""
        return self.server.asked(SERVERS[self.tool][1])

    def fail(self, *replies: Reply) -> None:
        """Answer the next requests for pages with these."""
        self.server.fail(SERVERS[self.tool][1], *replies)

    def pull(self, *, project: str = PROJECT, page_size: int = 2, **options: Any) -> Pulled:
        """Pull; whatever becomes of it, no key is in anything that was said or written."""
        try:
            return pull_file(
                TOOLS[self.tool],
                self.file,
                project=project,
                page_size=page_size,
                say=self.said.append,
                **{"url": self.server.url, **options},
            )
        except Exception as error:
            self.said.append(str(error))
            raise
        finally:
            left = "".join(path.read_text(encoding="utf-8") for path in self.folder.iterdir())
            assert not [key for key in KEYS.values() if key in " ".join(self.said) or key in left]

    def questions(self) -> list[str]:
        """Return the questions of the file, as the tool's reader finds them."""
        detection = detect(open_table(self.file, name="pulled"))
        rows = read_rows(detection.table, detection.mapping)
        return sorted(row.sample.question or "" for row in rows if not isinstance(row, RowProblem))


@pytest.fixture
def open_puller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    waits: list[float] = []
    monkeypatch.setattr("faithview.services.pulls.server.sleep", waits.append)
    for name, key in KEYS.items():
        monkeypatch.setenv(name, key)

    @contextmanager
    def opened(tool: str) -> Iterator[Puller]:
        with serving(SERVERS[tool][0]) as server:
            yield Puller(tmp_path, server, tool, waits)

    return opened


@pytest.fixture(params=SERVERS)
def puller(request: pytest.FixtureRequest, open_puller: Any) -> Iterator[Puller]:
    with open_puller(request.param) as puller:
        yield puller


@pytest.fixture
def of_phoenix(open_puller: Any) -> Iterator[Puller]:
    with open_puller("phoenix") as puller:
        yield puller


@pytest.fixture
def of_langfuse(open_puller: Any) -> Iterator[Puller]:
    with open_puller("langfuse") as puller:
        yield puller


def _questions(numbers: range) -> list[str]:
    return [question(number) for number in numbers]


def test_the_tools_reader_finds_each_answer_with_chunks_scores_and_annotations(puller: Puller) -> None:
    pulled = puller.pull()
    assert pulled.lines == len(puller.lines)
    assert not puller.part.exists()
    detection = detect(open_table(puller.file, name="pulled"))
    assert detection.reader.name == TOOLS[puller.tool].reader
    rows = [row for row in read_rows(detection.table, detection.mapping) if not isinstance(row, RowProblem)]
    by_question = {row.sample.question or "": row for row in rows}
    assert sorted(by_question) == _questions(range(TRACES))
    judged = detection.reader.judged
    assert judged is not None
    for number in range(1, TRACES):  # MLflow's first trace has lost its spans
        row = by_question[question(number)]
        found = judged(row)
        assert found is not None
        assert row.sample.answer == "Up to 50 members."
        assert [chunk.text for chunk in row.sample.chunks] == ["Up to 20 members."]
        assert (found.score, found.reason) == (score(number), "Counted.")
        assert len(found.annotations) == (number == ANNOTATED)


def test_a_server_in_trouble_is_asked_again_and_what_it_asks_to_wait_is_waited(puller: Puller) -> None:
    puller.fail(SLOW_DOWN, DOWN, CUT, NOT_WHOLE, SLOW_DOWN)
    puller.pull()
    assert puller.questions() == _questions(range(TRACES))
    assert puller.waits == [7.0, 2.0, 4.0, 8.0, 16.0]
    assert sum("429" in text and "in 7 s" in text for text in puller.said) == 1


@pytest.mark.parametrize("reply", [DOWN, CUT, Reply(status=429, headers={"Retry-After": "3600"})])
def test_a_server_that_stays_in_trouble_ends_the_pull(of_phoenix: Puller, reply: Reply) -> None:
    of_phoenix.fail(*[reply] * 6)
    with pytest.raises(PullFailed) as error:
        of_phoenix.pull()
    assert not isinstance(error.value, PullStopped)
    assert sum(of_phoenix.waits) <= 31
    assert list(of_phoenix.folder.iterdir()) == []


def test_a_stopped_pull_goes_on_behind_its_last_page_and_takes_nothing_twice(puller: Puller) -> None:
    puller.pull(page_size=3)
    whole, places = puller.lines, [seen.place for seen in puller.pages]
    later = list(dict.fromkeys(places))[2]
    puller.file.unlink()
    puller.server.seen.clear()
    puller.server.refuses = lambda seen: bool(re.search(SERVERS[puller.tool][1], seen.path)) and seen.place == later
    with pytest.raises(PullStopped, match=r"418.*no more for now.*records are kept in .*run the same command"):
        puller.pull(page_size=3)
    assert not puller.file.exists()
    with open(puller.part, "ab") as part:
        part.write(b'\n{"rows": [["half')  # as after a kill
    puller.server.refuses = lambda _: False
    pulled = puller.pull(page_size=3)
    assert puller.lines == whole
    assert [seen.place for seen in puller.pages].count(places[0]) == places.count(places[0])
    assert 0 < pulled.resumed < pulled.records


def test_only_whole_traces_that_began_in_the_window_come(puller: Puller) -> None:
    pulled = puller.pull(since=when(2), until=when(5))
    assert puller.questions() == _questions(range(2, 5))
    assert (pulled.since, pulled.until) == (when(2), when(5))
    # The later half of a trace that began a moment before the window is not there.
    puller.pull(since=when(2, 0.5), until=when(5))
    assert puller.questions() == _questions(range(3, 5))


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (Reply(status=401, body={"message": "no"}), r"does not accept the key; check [A-Z_]+.* \(status 401\)"),
        (Reply(status=403, body={"message": "no"}), r"does not let this key read /\S+; .*\(status 403\)"),
        (Reply(status=404, body={"message": "no"}), r"has nothing at /\S+; .*\(status 404\)"),
        (Reply(text="<!doctype html><p>Log in", headers={"Content-Type": "text/html"}), r"check --url \(status 200\)"),
        (Reply(body={"data": 5, "experiment": 5}), r"check --url"),
    ],
    ids=["401", "403", "404", "page", "other JSON"],
)
def test_a_refusal_is_one_sentence_with_the_host_and_nothing_is_written(
    puller: Puller, reply: Reply, told: str
) -> None:
    puller.server.fail(".", reply)
    host = puller.server.url.removeprefix("http://")
    with pytest.raises(PullFailed, match=rf"^{host} .*{told}") as error:
        puller.pull()
    assert not isinstance(error.value, PullStopped)
    assert list(puller.folder.iterdir()) == []
    assert len(puller.server.seen) == 1


def test_a_server_that_repeats_the_key_is_not_repeated(puller: Puller) -> None:
    def answers(seen: Seen) -> Reply:
        sent = seen.headers.get("authorization") or seen.headers["x-api-key"]
        decoded = base64.b64decode(sent.removeprefix("Basic ")).decode() if sent.startswith("Basic ") else ""
        return Reply(status=401, body={"detail": f"Not so: {sent} {decoded}"})

    puller.server.answers = answers
    with pytest.raises(PullFailed, match=r"Not so: (Bearer |Basic )?\*\*\*"):
        puller.pull()


def test_no_key_is_in_a_log(puller: Puller, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        puller.pull()
    assert "HTTP Request" in caplog.text
    assert not [key for key in KEYS.values() if key in caplog.text]


def test_a_project_that_is_not_there_is_named(puller: Puller) -> None:
    with pytest.raises((PullFailed, InvalidInput), match="no such"):
        puller.pull(project="no such")
    assert list(puller.folder.iterdir()) == []


def test_the_key_goes_to_no_other_host(of_phoenix: Puller) -> None:
    with serving(lambda _: Reply(body={"data": []})) as other:
        of_phoenix.fail(Reply(status=302, headers={"Location": f"{other.url}/v1/projects"}))
        with pytest.raises(PullFailed, match=r"status 302.*http://127.0.0.1:\d+/v1/projects"):
            of_phoenix.pull()
        assert other.seen == []


@pytest.mark.parametrize(
    "url", ["ftp://127.0.0.1", "file:///etc/passwd", "127.0.0.1:6006", "http://", "http://h/?key=phx", "http://h:x"]
)
def test_only_addresses_of_web_servers_are_asked(of_phoenix: Puller, url: str) -> None:
    with pytest.raises(InvalidInput, match="must begin with https:// or http://"):
        of_phoenix.pull(url=url)


def test_a_login_in_the_address_is_sent_and_written_nowhere(
    of_phoenix: Puller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PHOENIX_API_KEY")
    with pytest.raises(PullFailed, match="does not accept the key") as error:
        of_phoenix.pull(url=of_phoenix.server.url.replace("://", "://ada:pass-word@"))
    assert base64.b64decode(of_phoenix.pages[0].headers["authorization"].split()[1]) == b"ada:pass-word"
    assert "pass-word" not in str(error.value)


def test_others_on_the_network_could_read_a_key(of_phoenix: Puller) -> None:
    with TOOLS["phoenix"].connect("http://phoenix.example", of_phoenix.said.append):
        assert "others on the network can read the key" in of_phoenix.said.pop()
    with TOOLS["phoenix"].connect("https://phoenix.example", of_phoenix.said.append):
        assert not of_phoenix.said


@pytest.mark.parametrize("tool", ["langfuse", "langsmith"])
def test_a_missing_or_unusable_key_is_asked_for_by_the_name_of_its_variable(
    tool: str, of_phoenix: Puller, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_phoenix.tool = tool
    monkeypatch.setenv("LANGSMITH_API_KEY", "a\nb")
    monkeypatch.delenv("LANGFUSE_SECRET_KEY")
    with pytest.raises(InvalidInput, match=rf"{tool.upper()}_[A-Z_]+"):
        of_phoenix.pull()


@pytest.mark.parametrize("written", ["my notes", '{"rows": []}\n'])
def test_no_other_file_is_taken_for_one_of_a_pull(of_phoenix: Puller, written: str) -> None:
    of_phoenix.part.write_text(written, encoding="utf-8")
    with pytest.raises(InvalidInput, match="is not from a pull"):
        of_phoenix.pull()
    assert of_phoenix.part.read_text(encoding="utf-8") == written
    assert of_phoenix.server.seen == []


def test_a_request_that_differs_does_not_go_on_with_another_ones_records(of_phoenix: Puller) -> None:
    of_phoenix.server.refuses = lambda seen: seen.place != ""
    with pytest.raises(PullStopped):
        of_phoenix.pull()
    with pytest.raises(InvalidInput, match="is not from a pull with this"):
        of_phoenix.pull(since="7d")


def test_a_server_that_names_the_same_page_twice_is_left(puller: Puller) -> None:
    answers = puller.server.answers

    def endless(seen: Seen) -> Reply:
        reply = answers(seen)
        if re.search(SERVERS[puller.tool][1], seen.path):
            held = {"langsmith": {"cursors": {"next": "MA=="}}, "langfuse": {"meta": {"cursor": "MA=="}}}
            reply.body.update(held.get(puller.tool, {"next_cursor": "MA==", "next_page_token": "MA=="}))
        return reply

    puller.server.answers = endless
    with pytest.raises(PullStopped, match="named the same next page twice"):
        puller.pull()


@pytest.mark.parametrize(
    ("since", "until", "told"),
    [
        ("soon", "", "--since 'soon' is not a valid time"),
        ("", "7x", "--until '7x' is not"),
        ("1h", "2h", "must be earlier"),
    ],
)
def test_a_time_that_cannot_be_meant_is_refused(of_phoenix: Puller, since: str, until: str, told: str) -> None:
    with pytest.raises(InvalidInput, match=told):
        of_phoenix.pull(since=since, until=until)
    assert of_phoenix.server.seen == []


def test_phoenix_versions_without_annotations_of_traces_are_read(of_phoenix: Puller) -> None:
    of_phoenix.server.fail("/trace_annotations$", *[Reply(status=404, text="Not Found")] * TRACES)
    of_phoenix.pull()
    assert of_phoenix.questions() == _questions(range(TRACES))


def test_langfuse_is_asked_for_whole_metadata_where_some_was_cut_off(of_langfuse: Puller) -> None:
    of_langfuse.pull(page_size=100)
    first, again = of_langfuse.pages
    assert "expandMetadata" not in first.first
    assert again.first == {**first.first, "expandMetadata": "prompt"}
    assert max(len(line["metadata"].get("prompt", "")) for line in of_langfuse.lines if "metadata" in line) > 200


def test_a_langfuse_key_needs_no_project(of_langfuse: Puller) -> None:
    assert of_langfuse.pull(project="").lines > TRACES


def test_a_langsmith_workspace_is_named(open_puller: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGSMITH_WORKSPACE_ID", "workspace-one")
    with open_puller("langsmith") as puller:
        puller.pull()
        assert {seen.headers["x-tenant-id"] for seen in puller.server.seen} == {"workspace-one"}


@pytest.mark.parametrize(
    ("tool", "variables", "url"),
    [
        ("phoenix", {}, "http://localhost:6006"),
        ("phoenix", {"PHOENIX_COLLECTOR_ENDPOINT": "https://px.example/s/me/v1/traces"}, "https://px.example/s/me/"),
        ("langfuse", {}, "https://cloud.langfuse.com"),
        ("langfuse", {"LANGFUSE_HOST": "https://lf.example"}, "https://lf.example"),
        ("langsmith", {}, "https://api.smith.langchain.com"),
        ("langsmith", {"LANGCHAIN_ENDPOINT": '"https://ls.example/api/v1"'}, "https://ls.example/api/v1/"),
        ("mlflow", {"MLFLOW_TRACKING_URI": "https://ml.example"}, "https://ml.example"),
    ],
)
def test_the_address_is_that_of_the_tools_own_variables(
    open_puller: Any, monkeypatch: pytest.MonkeyPatch, tool: str, variables: dict[str, str], url: str
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with TOOLS[tool].connect(None, print) as server:
        assert str(server.base_url) == url
    with TOOLS[tool].connect("https://mine.example", print) as server:
        assert str(server.base_url) == "https://mine.example"


def test_headers_of_phoenix_are_sent_and_mlflow_logs_in_with_a_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PHOENIX_CLIENT_HEADERS", "api_key=a%20b, authorization=Bearer mine")
    monkeypatch.setenv("PHOENIX_API_KEY", "phx")
    monkeypatch.setenv("MLFLOW_TRACKING_USERNAME", "ada")
    monkeypatch.setenv("MLFLOW_TRACKING_PASSWORD", "pw")
    with TOOLS["phoenix"].connect(None, print) as server:
        assert server.headers["api_key"] == "a b"
        assert server.headers.get_list("authorization") == ["Bearer mine"]
    with TOOLS["mlflow"].connect("https://ml.example", print) as server:
        assert server.headers["authorization"] == "Basic " + base64.b64encode(b"ada:pw").decode()


def test_the_project_is_that_of_the_tools_own_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLFLOW_EXPERIMENT_ID", "12")
    assert [TOOLS[name].project("") for name in ("langfuse", "mlflow")] == ["", "12"]
    assert TOOLS["phoenix"].project(" help desk ") == "help desk"
    with pytest.raises(InvalidInput, match="--source-project"):
        TOOLS["phoenix"].project("")
