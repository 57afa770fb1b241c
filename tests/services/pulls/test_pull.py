"""Pulling from the servers of four tools: nothing is lost or doubled, whatever the server does, and no key leaks."""

import base64
import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from faithview.domain.errors import InvalidInput, PullFailed
from faithview.formats.files.report import RowProblem
from faithview.formats.read import detect, open_any, read_rows
from faithview.services.pulls.pull import PullStopped
from faithview.services.pulls.tools import find_tool
from tests.services.pulls.pulling import SERVERS, Puller
from tests.services.pulls.tool_server import (
    ANNOTATED,
    TRACES,
    Reply,
    Seen,
    ToolServer,
    phoenix,
    question,
    score,
    serving,
    when,
)

pytestmark = pytest.mark.process  # takes long

SLOW_DOWN = Reply(status=429, headers={"Retry-After": "7"}, body={"message": "rate limited"})
DOWN = Reply(status=503, body={"detail": "down"})
CUT = Reply(body={"data": ["x" * 500]}, broken=True)
NOT_WHOLE = Reply(text='{"data": [')


@pytest.fixture(params=SERVERS)
def puller(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Puller]:
    tool, answers, _ = SERVERS[request.param]
    with serving(answers) as server:
        yield Puller(tmp_path, server, tool)


@pytest.fixture
def pages(request: pytest.FixtureRequest) -> str:
    """Where this test's server is asked for pages."""
    return SERVERS[request.node.callspec.params["puller"]][2]


@pytest.fixture
def of_phoenix(tmp_path: Path) -> Iterator[Puller]:
    with serving(phoenix) as server:
        yield Puller(tmp_path, server, "phoenix")


def _questions(lines: list[dict[str, Any]]) -> Counter[str]:
    """Return how often each question is in what was pulled, at the place where the trace itself has it."""
    found: Counter[str] = Counter()
    for line in lines:
        if line.get("parent_run_id") or line.get("parentObservationId"):
            continue
        attributes = line.get("attributes", {})
        asked = line.get("inputs") or line.get("input") or line.get("info", {}).get("request_preview")
        if line.get("span_kind") == "CHAIN":
            asked = {"question": attributes["input.value"]}
        if asked:
            found[(json.loads(asked) if isinstance(asked, str) else asked)["question"]] += 1
    return found


def _once(numbers: range) -> Counter[str]:
    return Counter(question(number) for number in numbers)


def test_every_trace_comes_once(puller: Puller) -> None:
    pulled = puller.pull()
    assert _questions(puller.lines) == _once(range(TRACES))
    assert pulled.lines == len(puller.lines)
    assert not puller.part.exists()


@pytest.mark.parametrize("source", SERVERS)
def test_the_tools_reader_finds_the_chunks_the_scores_and_the_annotations(source: str, tmp_path: Path) -> None:
    tool, answers, _ = SERVERS[source]
    with serving(answers) as server:
        puller = Puller(tmp_path, server, tool)
        puller.pull()
    detection = detect(open_any(puller.file, name="pulled"))
    assert detection.match.schema == find_tool(tool).reader
    rows = [row for row in read_rows(detection.table, detection.mapping) if not isinstance(row, RowProblem)]
    by_question = {row.sample.question or "": row for row in rows}
    assert sorted(by_question) == sorted(map(question, range(TRACES)))
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


def test_a_server_in_trouble_is_asked_again_and_what_it_asks_to_wait_is_waited(puller: Puller, pages: str) -> None:
    puller.server.fail(pages, SLOW_DOWN, DOWN, CUT, NOT_WHOLE, SLOW_DOWN)
    puller.pull()
    assert _questions(puller.lines) == _once(range(TRACES))
    assert puller.waits.count(7.0) == 2
    assert len(puller.waits) == 5
    assert all(0 < wait <= 30 for wait in puller.waits)
    assert sum("status 429" in text and "7 s" in text for text in puller.said) == 2


def test_a_pull_that_was_stopped_goes_on_behind_its_last_page(puller: Puller, pages: str) -> None:
    server = puller.server
    whole = Puller(puller.folder / "whole", server, puller.tool)
    whole.folder.mkdir()
    whole.pull(page_size=3)
    places = _places(server, pages)
    assert len(places) >= 3
    server.seen.clear()
    server.refuses = lambda seen: seen in _pages(server, pages) and seen.place == places[2]
    with pytest.raises(
        PullStopped, match=r"418.*no more for now.*records are kept in .*run the same command to continue"
    ):
        puller.pull(page_size=3)
    assert puller.part.exists()
    assert not puller.file.exists()
    server.refuses = lambda _: False
    pulled = puller.pull(page_size=3)
    assert _places(server, pages) == places
    assert puller.lines == whole.lines
    assert pulled.resumed > 0
    assert any("Continuing after the" in text for text in puller.said)


def _places(server: ToolServer, pages: str) -> list[str]:
    """Return the pages that were asked for, one that was asked for twice in a row once."""
    return [place for place, _ in groupby(seen.place for seen in _pages(server, pages))]


def _pages(server: ToolServer, pages: str) -> list[Seen]:
    """Return the requests for pages; Langfuse is asked for one trace first, to see which version it is."""
    return [seen for seen in server.asked(pages) if seen.first.get("limit") != "1"]


def test_only_whole_traces_of_the_window_come(puller: Puller) -> None:
    pulled = puller.pull(since=when(2), until=when(5))
    assert _questions(puller.lines) == _once(range(2, 5))
    assert (pulled.since, pulled.until) == (when(2).replace("Z", "+00:00"), when(5).replace("Z", "+00:00"))
    # A trace that began a moment before the window is not there with its second half.
    Path(puller.file).unlink()
    puller.pull(since=when(2, 0.5), until=when(5))
    assert _questions(puller.lines) == _once(range(3, 5))
    assert "2" not in {line.get("id", "x")[-1] for line in puller.lines}


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (
            Reply(status=401, body={"message": "no"}),
            r"does not accept the key \(status 401\); check [A-Z_]+",
        ),
        (Reply(status=403, body={"message": "no"}), r"does not let this key read /\S+ \(status 403\)"),
        (Reply(text="<!doctype html><p>Log in", headers={"Content-Type": "text/html"}), r"web page .*\(status 200\)"),
        (Reply(body={"data": 5, "experiment": 5}), r"check --url"),
    ],
    ids=["401", "403", "page", "other JSON"],
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
        return Reply(status=400, body={"detail": f"Not so: {sent} {decoded}"})

    puller.server.answers = answers
    with pytest.raises(PullFailed, match=r"status 400\)\. It says: Not so: (Bearer |Basic )?\*\*\*"):
        puller.pull()


def test_a_project_that_is_not_there_is_named(puller: Puller) -> None:
    with pytest.raises((PullFailed, InvalidInput), match="'no such'"):
        puller.pull(project="no such")
    assert list(puller.folder.iterdir()) == []


def test_the_time_that_a_server_names_is_waited_for(of_phoenix: Puller) -> None:
    of_phoenix.server.fail(
        "/spans$",
        Reply(status=429, headers={"Retry-After": "Sun, 01 Mar 2020 09:00:00 GMT"}),
        Reply(status=429, headers={"Retry-After": "soon"}),
    )
    of_phoenix.pull()
    assert of_phoenix.waits[0] == 0.0
    assert 0 < of_phoenix.waits[1] <= 1


def test_the_key_goes_to_no_other_host(of_phoenix: Puller) -> None:
    with serving(lambda _: Reply(body={"data": []})) as other:
        of_phoenix.server.fail(".", Reply(status=302, headers={"Location": f"{other.url}/v1/projects"}))
        with pytest.raises(
            PullFailed, match=r"redirects to http://127.0.0.1:\d+/v1/projects, where the key is not sent"
        ):
            of_phoenix.pull()
        assert other.seen == []
    of_phoenix.server.fail("/spans$", Reply(status=308, headers={"Location": "/v1/elsewhere"}))
    with pytest.raises(PullFailed, match="redirects to /v1/elsewhere"):
        of_phoenix.pull()


@pytest.mark.parametrize(
    "url",
    [
        "ftp://127.0.0.1",
        "file:///etc/passwd",
        "127.0.0.1:6006",
        "http://",
        "http://h/?key=phx-secret-key",
        "http://h:x",
    ],
)
def test_only_addresses_of_web_servers_are_asked(of_phoenix: Puller, url: str) -> None:
    with pytest.raises(InvalidInput, match="must begin with https:// or http://") as error:
        of_phoenix.pull(url=url)
    assert "phx" not in str(error.value)


@pytest.mark.parametrize("source", ["langfuse", "langsmith"])
def test_a_missing_key_is_asked_for_by_the_name_of_its_variable(source: str, of_phoenix: Puller) -> None:
    of_phoenix.tool, of_phoenix.environment = source, {}
    with pytest.raises(InvalidInput, match=r"set [A-Z_]+( and [A-Z_]+)? in the environment"):
        of_phoenix.pull()


def test_no_other_file_is_taken_for_one_of_a_pull(of_phoenix: Puller) -> None:
    of_phoenix.part.write_text("my notes", encoding="utf-8")
    with pytest.raises(InvalidInput, match="is damaged or not from a pull"):
        of_phoenix.pull()
    assert of_phoenix.part.read_text(encoding="utf-8") == "my notes"
    assert of_phoenix.server.seen == []


def test_a_page_that_was_cut_off_by_a_kill_is_fetched_again(of_phoenix: Puller) -> None:
    of_phoenix.server.refuses = lambda seen: seen.place != ""
    with pytest.raises(PullStopped):
        of_phoenix.pull()
    with open(of_phoenix.part, "ab") as part:
        part.write(b'{"records": [{"half')
    of_phoenix.server.refuses = lambda _: False
    of_phoenix.pull()
    assert _questions(of_phoenix.lines) == _once(range(TRACES))


def test_a_request_that_differs_does_not_go_on_with_another_ones_records(of_phoenix: Puller) -> None:
    of_phoenix.server.refuses = lambda seen: seen.place != ""
    with pytest.raises(PullStopped):
        of_phoenix.pull()
    of_phoenix.server.refuses = lambda _: False
    with pytest.raises(InvalidInput, match="different --since"):
        of_phoenix.pull(since="7d")
    of_phoenix.pull(since=when(2), restart=True)
    assert _questions(of_phoenix.lines) == _once(range(2, TRACES))


def test_a_server_that_names_the_same_page_twice_is_left(puller: Puller, pages: str) -> None:
    answers = puller.server.answers
    names = {"phoenix": "next_cursor", "mlflow": "next_page_token"}

    def endless(seen: Seen) -> Reply:
        reply = answers(seen)
        if re.search(pages, seen.path):
            held = {"langsmith": {"cursors": {"next": "MA=="}}, "langfuse": {"meta": {"cursor": "MA=="}}}
            reply.body.update(held.get(puller.tool) or {names[puller.tool]: "MA=="})
        return reply

    puller.server.answers = endless
    with pytest.raises(PullStopped, match="named the same next page twice"):
        puller.pull()
