"""Upload before there is a file: what a file looks like, a template, pasted rows, and the files of the last runs."""

import streamlit as st

from faithview.services.results import list_runs
from faithview.ui import address, navigation, opened_store, session
from faithview.wording import numbers as fmt

# Each with the language that colours it, and rows that can be uploaded as they are.
_EXAMPLES = {
    "CSV, one row per answer": "id,question,answer,contexts,segment\n"
    'q1,How long is the warranty?,Two years.,"[""The kettle has a two-year warranty.""]",kettles\n',
    "JSON Lines": '{"id": "q1", "question": "How long is the warranty?", "answer": "Two years.", '
    '"contexts": [{"id": "kb-7", "text": "The kettle has a two-year warranty."}]}\n',
    "CSV, one row per chunk": "id,question,answer,context,chunk_id\n"
    "q1,How long is the warranty?,Two years.,The kettle has a two-year warranty.,kb-7\n"
    "q1,How long is the warranty?,Two years.,Send the kettle back in its box.,kb-8\n",
}
TEMPLATE = "id,question,answer,contexts,segment,timestamp\n"
_LAST_FILES = 4
# Runs that are looked through for files: several runs may be over one.
_LOOKED_AT = 40
_LARGE_ZONE = (
    "<style>.st-key-upload-file [data-testid='stFileUploaderDropzone'] "
    "{ min-height: 9rem; align-items: center; justify-content: center; }</style>"
)


def pasted_file() -> tuple[str, bytes] | None:
    """Return the rows that were pasted as a file with a name; None if there are none."""
    text = session.PASTED_ROWS.get()
    return None if text is None else (pasted_name(text), text.encode())


def pasted_name(text: str) -> str:
    """Return the name of a file with that text, which says what it is."""
    start = text.lstrip()
    first_line = start.partition("\n")[0]
    if start.startswith("["):
        return "pasted.json"
    if start.startswith("{"):
        return "pasted.jsonl"
    return "pasted.tsv" if "\t" in first_line else "pasted.csv"


def draw_pasted() -> None:
    """Draw, above pasted rows, the button that drops them."""
    st.button("Drop the pasted rows", icon=":material/close:", key="upload.unpaste", on_click=session.PASTED_ROWS.clear)


def draw() -> None:
    """Draw what helps to make a first file."""
    st.html(_LARGE_ZONE)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.download_button(
            "Download a template",
            TEMPLATE,
            "faithview-template.csv",
            "text/csv",
            on_click="ignore",
            icon=":material/download:",
            key="upload.template",
        )
        _paste_rows()
    with st.container(horizontal=True, gap="medium", key="upload-examples"):
        for title, text in _EXAMPLES.items():
            with st.container(border=True, width="stretch"):
                st.markdown(f"**{title}**")
                st.code(text, language=None, wrap_lines=True)  # the colours of a language are too faint
    _last_files()


def _paste_rows() -> None:
    with st.popover("Paste rows", icon=":material/content_paste:", key="upload.paste"):
        st.text_area(
            "Rows with a header, as from a spreadsheet, or JSON Lines",
            key="upload.pasted",
            height=200,
            placeholder=TEMPLATE.strip(),
        )
        st.button("Use these rows", type="primary", key="upload.paste.use", on_click=_keep_rows)


def _keep_rows() -> None:
    text = session.widget_text("upload.pasted")
    if text is not None:
        session.PASTED_ROWS.set(f"{text}\n")


def _last_files() -> None:
    """Draw the files of the newest runs, each with its newest run."""
    newest: dict[str, tuple[str, str]] = {}
    for run in list_runs(opened_store.store(), limit=_LOOKED_AT):
        if run.source and len(newest) < _LAST_FILES:
            newest.setdefault(run.source, (run.run_id, f"{run.name}, {fmt.day(run.created_at)}"))
    if not newest:
        return
    st.header("Last files", anchor=False)
    with st.container(gap="xxsmall"):
        for number, (source, (run_id, note)) in enumerate(newest.items()):
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                if st.button(fmt.literal(source), type="tertiary", key=f"upload.last.{number}"):
                    st.switch_page(navigation.ANSWERS, query_params=address.link(run_id))
                st.caption(fmt.literal(note))
