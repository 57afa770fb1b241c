"""Inspect's logs as JSON."""

import json

from faithview.domain.result import State
from faithview.formats.read import detect, open_table
from tests.formats.made_files import texts
from tests.formats.readers.reading import FILES, read_file

LOG = "inspect-0.3.285.json"


def test_scores_come_with_their_explanations_chunks_and_errors() -> None:
    read = read_file(LOG)
    assert (read.detection.reader.name, read.judge) == ("inspect", "Inspect")
    assert read.detection.mapping.contexts == ("metadata.contexts",)
    assert [(s.key, s.question, s.answer) for s in read.samples] == [
        ("s0", "How tall is the tower?", "It is 330 m tall."),
        ("s1", "When did it open?", "It opened in 1887."),
        ("s2", "Who designed it?", "Nobody knows."),
    ]
    assert texts(read.samples[1]) == ["It opened in 1889."]
    good, bad, failed = read.results
    assert (good.faithfulness, good.metrics, bad.faithfulness) == (1.0, {"length": 0.85}, 0.0)
    assert bad.suggestions == ("Inspect: The context says 1889.",)
    assert (failed.state, failed.error) == (State.FAILED, "RuntimeError('the model is down')")


def test_all_but_the_events_is_kept() -> None:
    extra = read_file(LOG).samples[0].extra
    assert "events" not in extra
    assert (extra["metadata"], extra["inspect_task"]) == (
        {"contexts": ["The tower is 330 m tall."], "topic": "tower"},
        "tower",
    )
    assert "events" in read_file(LOG, "ignore=").samples[0].extra


def _log(**changes: object) -> bytes:
    log = json.loads((FILES / LOG).read_text(encoding="utf-8"))
    for sample in log["samples"]:
        sample.update(changes)
    return json.dumps(dict(reversed(list(log.items())))).encode()


def test_what_could_be_the_chunks_and_the_score_is_asked_about() -> None:
    detection = detect(open_table(_log(store={"docs": ["b"]}, scores={"match": {"value": "C"}}), name="x"))
    assert [question.options for question in detection.questions] == [
        ("--map contexts=metadata.contexts", "--map contexts=store.docs"),
        ("--map score=scores.match",),
    ]


def test_grades_and_scores_with_parts_are_read() -> None:
    scores = {"judge": {"value": {"faithfulness": "P", "tone": 1}}}
    read = read_file(_log(scores=scores, error=None))
    assert [(result.faithfulness, result.metrics) for result in read.results] == [(0.5, {"judge.tone": 1.0})] * 3
