"""What the page says of a file, and what it takes from the browser."""

from datetime import UTC, datetime

import pytest

from faithview.formats.files.report import ReadReport
from faithview.services.dataset_files import Survey, open_dataset
from faithview.ui.upload.columns import mapping_of, roles_of
from faithview.ui.upload.file import survey_words

_DAY = datetime(2026, 10, 19, 9, tzinfo=UTC)
_NEXT = datetime(2026, 10, 25, 9, tzinfo=UTC)


def _survey(chunks: dict[int, int], *, segments: int = 0, days: tuple[datetime, ...] = (), untimed: int = 0) -> Survey:
    answers = sum(chunks.values())
    return Survey(
        answers=answers,
        chunks=chunks,
        segments=segments,
        first=min(days, default=None),
        last=max(days, default=None),
        timed=answers - untimed if days else 0,
        report=ReadReport(),
    )


@pytest.mark.parametrize(
    ("survey", "words"),
    [
        (_survey({4: 120}, days=(_DAY,)), "120 answers, 4 chunks each, 19 Oct 2026"),
        (_survey({1: 1}), "1 answer, 1 chunk each"),
        (
            _survey({2: 3, 5: 1, 0: 1}, segments=2, days=(_DAY, _NEXT), untimed=2),
            "5 answers, 0 to 5 chunks each (1 answer without any), 2 segments, 19 Oct 2026 to 25 Oct 2026, "
            "2 without a time",
        ),
    ],
)
def test_a_file_is_summed_up_in_a_line(survey: Survey, words: str) -> None:
    assert survey_words(survey) == words


def test_the_survey_counts_what_would_be_read() -> None:
    file = b'bot_reply,ctx_blob,day\n"It is so here, always.","A b c---D e f",05/06/2026\n,"A",25/06/2026\n'
    dataset = open_dataset(file, name="x.csv").override(
        {"answer": ("bot_reply",), "contexts": ("ctx_blob",), "timestamp": ("day",), "context_separator": ("---",)}
    )
    survey = dataset.survey()
    assert (survey.answers, dict(survey.chunks), survey.timed) == (1, {2: 1}, 0)
    assert survey.report.ambiguous_date == "05/06/2026"
    assert (survey.told_date_order, survey.report.problem_count) == (None, 1)
    read = dataset.override({"date_order": ("month-first",)}).survey()
    assert read.first == datetime(2026, 5, 6, tzinfo=UTC)


def test_roles_are_those_of_the_guess_and_a_change_becomes_the_mapping() -> None:
    dataset = open_dataset(
        b'bot_reply,ctx,x\nIt is always so here.,"[""It is always so here and there for us""]",1\n', name="f"
    )
    guessed = roles_of(dataset.guess(), dataset.table.columns)
    assert guessed == ("answer", "contexts", "")
    changed = dataset.override(mapping_of(dataset, ("contexts", "contexts", "answer")))
    assert (changed.mapping.answer, changed.mapping.contexts) == ("x", ("bot_reply", "ctx"))


def test_columns_of_results_have_roles_only_where_results_are_taken() -> None:
    dataset = open_dataset(b"answer,contexts,groundedness,who\nIt is so.,It is so.,0.5,me\n", name="f.csv")
    columns = dataset.table.columns
    assert roles_of(dataset.guess(), columns) == ("answer", "contexts", "", "")
    assert roles_of(dataset.guess(), columns, for_results=True) == ("answer", "contexts", "score", "")
    roles = ("answer", "contexts", "", "judge")
    assert mapping_of(dataset, roles, for_results=True)["judge"] == ("who",)
    assert "judge" not in mapping_of(dataset, roles)
