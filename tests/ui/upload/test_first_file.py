"""Without a file, Upload shows what one looks like, and takes pasted rows."""

import pytest

from faithview.services.container import Store
from faithview.services.dataset_files import open_dataset
from faithview.ui import navigation
from faithview.ui.upload.file import TEMPLATE, pasted_name
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
