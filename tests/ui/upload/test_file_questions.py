"""What Upload asks of a file besides its columns: what lies inside a column, and the scale of a tool's scores."""

import json
from pathlib import Path

from streamlit.testing.v1 import AppTest

from tests.formats.made_files import as_jsonl

_RUN = {
    "id": "r", "trace_id": "r", "run_type": "chain", "start_time": "2026-03-02T09:00:00Z",
    "inputs": {"question": "q", "context": "given"}, "outputs": {"answer": "a", "documents": ["found"]},
    "feedback_stats": {},
}  # fmt: skip


def _page(path: str, for_results: bool) -> None:
    from pathlib import Path

    import streamlit as st

    from faithview.services.dataset_files import open_dataset
    from faithview.ui.upload.columns import choose_columns
    from faithview.ui.upload.file import ask_rest

    dataset, questions = choose_columns(open_dataset(Path(path)), for_results=for_results)
    dataset, is_settled = ask_rest(dataset, for_results=for_results)
    mapping = dataset.mapping
    found = {"contexts": mapping.contexts, "scale": mapping.score_range}
    st.json({"asked": questions, "settled": is_settled, **found})


def _open(path: Path, *, for_results: bool) -> AppTest:
    app = AppTest.from_function(_page, args=(str(path), for_results), default_timeout=30).run()
    assert not app.exception
    return app


def _said(app: AppTest) -> object:
    return json.loads(app.json[0].value)


def test_chunks_that_lie_in_two_places_inside_columns_are_asked_about(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(as_jsonl([_RUN]))
    for for_results in (True, False):
        app = _open(path, for_results=for_results)
        (question,) = app.selectbox
        places = ["outputs.documents", "inputs.context"]
        assert question.options == ([*places, "None of them"] if for_results else places)
        assert _said(app) == {"asked": [], "settled": False, "contexts": [], "scale": None}
        question.select("inputs.context").run()
        assert _said(app) == {"asked": [], "settled": True, "contexts": ["inputs.context"], "scale": None}
    app = _open(path, for_results=True)
    app.selectbox[0].select("None of them").run()
    assert _said(app) == {"asked": [], "settled": True, "contexts": [], "scale": None}


def test_the_scale_is_asked_for_only_where_the_scores_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "stars.jsonl"
    path.write_bytes(as_jsonl([{"answer": "a", "contexts": ["c"], "faithfulness": score} for score in (5, 1)]))
    assert not _open(path, for_results=False).selectbox
    app = _open(path, for_results=True)
    app.selectbox[0].select("1-5").run()
    assert _said(app) == {"asked": [], "settled": True, "contexts": ["contexts"], "scale": "1-5"}


def test_the_scale_is_asked_for_because_of_a_row_far_down_too(tmp_path: Path) -> None:
    path = tmp_path / "stars.jsonl"
    path.write_bytes(as_jsonl([{"answer": "a", "contexts": ["c"], "faithfulness": n} for n in (*[1] * 30, 4)]))
    assert not _open(path, for_results=False).selectbox
    app = _open(path, for_results=True)
    (question,) = app.selectbox
    assert "holds 4 in row" in question.label
    assert _said(app) == {"asked": [], "settled": False, "contexts": ["contexts"], "scale": None}
    question.select("1-5").run()
    assert _said(app) == {"asked": [], "settled": True, "contexts": ["contexts"], "scale": "1-5"}


def test_a_column_that_nothing_tells_apart_is_asked_about(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_bytes(b"Text A,Text B,passages\nIt has 50 members.,IT HAS 50 MEMBERS.,It has 20 members.\n")
    (question,) = _said(_open(path, for_results=False))["asked"]
    assert "Which column is **Answer**?" in question


def _rows_page(path: str) -> None:
    from pathlib import Path

    import streamlit as st

    from faithview.services.dataset_files import open_dataset
    from faithview.ui.upload.file import choose_rows

    dataset, is_settled = choose_rows(open_dataset(Path(path)))
    st.json({"settled": is_settled, "answers": len(dataset.read()[0])})


def test_what_a_row_is_is_asked_where_it_may_be_a_chunk(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    row = {"question": "When?", "answer": "In 1889."}
    for more, asked, answers in (({}, [], 1), ({"model": "m"}, [None], 2)):
        rows = [
            {**row, "passage": f"Chunk {n}.", **{name: f"{value}{n}" for name, value in more.items()}} for n in "12"
        ]
        path.write_bytes(as_jsonl(rows))
        app = AppTest.from_function(_rows_page, args=(str(path),), default_timeout=30).run()
        assert not app.exception
        (choice,) = app.button_group
        assert _said(app) == {"settled": not asked, "answers": answers}
        choice.set_value("chunk" if asked else "answer").run()
        assert _said(app) == {"settled": True, "answers": 1 if asked else 2}
