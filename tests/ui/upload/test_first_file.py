"""Without a file, Upload shows what one looks like, takes pasted rows, and names the files of the last runs."""

import pytest

from faithview import Sample
from faithview.services.container import Store
from faithview.services.dataset_files import open_dataset
from faithview.ui import navigation
from faithview.ui.upload.uploaded_file import TEMPLATE, pasted_name
from tests.factories import add_run
from tests.ui.conftest import OpenPage, words_of

_ROWS = "id\tquestion\tanswer\tcontexts\nq1\tHow long?\tTwo years.\tThe kettle has a two-year warranty."


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (_ROWS, "pasted.tsv"),
        (_ROWS.replace("\t", ","), "pasted.csv"),
        ('{"answer": "a\\tb"}', "pasted.jsonl"),
        ("\n[{}]", "pasted.json"),
    ],
)
def test_pasted_rows_say_what_they_are(text: str, name: str) -> None:
    assert pasted_name(text) == name


def test_pasted_rows_are_read_as_a_file_until_they_are_dropped(services: Store, open_page: OpenPage) -> None:
    app = open_page(navigation.UPLOAD)
    app.text_area(key="upload.pasted").set_value(_ROWS)
    app.button(key="upload.paste.use").click().run()
    assert "1 answer" in words_of(app)
    app.button(key="upload.unpaste").click().run()
    assert "1 answer" not in words_of(app)


def test_every_example_can_be_uploaded_as_it_is(services: Store, open_page: OpenPage) -> None:
    app = open_page(navigation.UPLOAD)
    examples = [code.value for code in app.code]
    assert len(examples) == 3
    for text in examples:
        dataset = open_dataset(text.encode(), name=pasted_name(text))
        if dataset.has_chunk_rows():
            dataset = dataset.override({"one_row_per": ("chunk",)})
        assert dataset.survey().answers == 1, text


def test_the_template_names_columns_that_need_no_mapping() -> None:
    dataset = open_dataset(f'{TEMPLATE}q1,Q?,A.,"[""C.""]",s,2026-11-24T10:00:00Z\n'.encode(), name="template.csv")
    survey = dataset.survey()
    assert (survey.answers, survey.segments, survey.timed, dict(survey.chunks)) == (1, 1, 1, {1: 1})


def test_the_last_files_lead_to_their_newest_runs(services: Store, open_page: OpenPage) -> None:
    for name in ("older", "newer"):
        add_run(services, [Sample(answer="Blue.")], name, source="answers.csv")
    app = open_page(navigation.UPLOAD)
    assert [button.label for button in app.button if str(button.key).startswith("upload.last.")] == ["answers\\.csv"]
    assert "newer" in words_of(app)
    assert "older\\," not in words_of(app)
    app.button(key="upload.last.0").click().run()
    assert not app.exception
    assert app.title[0].value == "Answers"
