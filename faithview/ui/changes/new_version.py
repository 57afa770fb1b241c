"""The new version of a knowledge base that is checked before it is published: uploaded files, or a stored version."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from faithview.domain.content_hashes import context_hash
from faithview.domain.errors import FaithViewError, UnreadableFile
from faithview.domain.knowledge import KnowledgeBase
from faithview.domain.sample import Chunk
from faithview.formats.files.report import ReadReport
from faithview.services.knowledge.uploads import NamedFile, name_files, read_files
from faithview.services.knowledge.versions import find_knowledge_base, load_version
from faithview.store.knowledge import list_knowledge_bases
from faithview.ui import opened_store
from faithview.ui.serving.upload_receiver import held_content
from faithview.wording import numbers as fmt

_FILES, _FOLDER, _STORED = "Files", "Folder", "Stored version"
_MOST_KEPT = 4
_SHOWN_PROBLEMS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class NewVersion:
    """A new version: its name on screen, its chunks, and the hash of their texts.

    `report` says what was left out of uploaded files.
    """

    name: str
    chunks: Sequence[Chunk] = field(repr=False)
    texts_hash: str
    report: ReadReport | None = None


def choose_new_version(version: str | None) -> NewVersion | None:
    """Draw the choice and return the new version; None if there is none yet, or it cannot be read.

    Args:
        version: the stored version that the answers used: it is not offered, and documents are split as it is.
    """
    others = [base for base in list_knowledge_bases(opened_store.store().db)[::-1] if base.version != version]
    kinds = [_FILES, _FOLDER, *([_STORED] if others else [])]
    kind = st.segmented_control("New version", kinds, default=_FILES, required=True, key="before.kind")
    try:
        if kind == _STORED and others:
            return _choose_stored(others)
        return _choose_files(version, is_folder=kind == _FOLDER)
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return None


def _choose_stored(bases: Sequence[KnowledgeBase]) -> NewVersion:
    known = {base.version: base for base in bases}
    chosen = st.selectbox(
        "Stored version",
        list(known),
        format_func=lambda name: f"{name} · {fmt.plural(known[name].chunks, 'chunk')}",
        key="before.stored",
        label_visibility="collapsed",
        width=460,
    )
    base = known[str(chosen)]
    return _load_stored(opened_store.store_key(), base.version, f"{base.created_at}")


@st.cache_resource(max_entries=_MOST_KEPT, show_spinner="Reading the version")
def _load_stored(store: str, version: str, created_at: str) -> NewVersion:
    chunks = load_version(opened_store.store(), version)
    return NewVersion(name=version, chunks=chunks, texts_hash=_hash(chunks))


def _hash(chunks: Sequence[Chunk]) -> str:
    return context_hash(chunk.chunk_hash for chunk in chunks)


def _choose_files(version: str | None, *, is_folder: bool) -> NewVersion | None:
    if is_folder:
        files = st.file_uploader(
            "The folder of the new version",
            accept_multiple_files="directory",
            key="before.folder",
            label_visibility="collapsed",
        )
    else:
        files = st.file_uploader(
            "The files of the new version", accept_multiple_files=True, key="before.files", label_visibility="collapsed"
        )
    if not files:
        st.caption(_FOLDER_HINT if is_folder else _FILES_HINT)
        return None
    named = [_named(file) for file in files]
    digest = hashlib.sha256("".join(f"{one.name}\t{mark}\n" for one, mark in named).encode()).hexdigest()
    base = find_knowledge_base(opened_store.store(), version)
    split_as = "" if base is None else f"{base.version} {base.created_at}"
    new = _read_files(opened_store.store_key(), digest, split_as, [one for one, _ in named], version)
    if new.report is not None:
        _say_left_out(new.report)
    return new


def _named(file: UploadedFile) -> tuple[NamedFile, str]:
    """Return an uploaded file with what tells its content from another."""
    held = held_content(file)
    if held is None:
        content = file.getvalue()
        return NamedFile(name=file.name, content=content), hashlib.sha256(content).hexdigest()
    if held.upload.file is None:
        raise UnreadableFile(f"The server could not store {file.name}: {held.upload.failure}.")
    return NamedFile(name=file.name, content=held.upload.file.path), held.upload.file.digest


@st.cache_resource(max_entries=_MOST_KEPT, show_spinner="Reading the new version")
def _read_files(
    store: str, digest: str, split_as: str, _files: Sequence[NamedFile], _version: str | None
) -> NewVersion:
    earlier = load_version(opened_store.store(), _version) if split_as and _version is not None else ()
    chunks, report = read_files(_files, split_as=earlier)
    return NewVersion(name=name_files(_files), chunks=chunks, texts_hash=_hash(chunks), report=report)


def _say_left_out(report: ReadReport) -> None:
    if report.problem_count:
        shown = [fmt.literal(str(problem)) for problem in report.problems[:_SHOWN_PROBLEMS]]
        more = report.problem_count - len(shown)
        text = f"{fmt.plural(report.problem_count, 'row or file', 'rows or files')} left out: {'; '.join(shown)}"
        st.info(text + (f"; and {fmt.count(more)} more" if more > 0 else ""), icon=":material/warning:")
    for note in report.notes:
        st.caption(fmt.literal(note))


_FILES_HINT = (
    "One file with one chunk per row (csv, json, jsonl, parquet or xlsx, as `faithview kb add` reads it), or the "
    "documents themselves: .md, .html and .txt."
)
_FOLDER_HINT = (
    "A folder of .md, .html and .txt documents with its subfolders. They are split as the stored version was, so "
    "unchanged passages stay the same."
)
