"""Calls of services that pages make: cached ones, and writes that a click starts.

A call is cached where a page would otherwise repeat the same work on every rerun. Queries of the store are not: they
take milliseconds, and a run's figures are stored with the run. A write is done if this session may, and explained on
the page that follows if it fails.
"""

import hashlib
from collections.abc import Callable

import streamlit as st

from faithview.domain.errors import FaithViewError
from faithview.domain.result import Result
from faithview.domain.run import JudgeSpec, Run
from faithview.domain.sample import Chunk, Sample
from faithview.services.dataset_files import Dataset, Survey, open_dataset
from faithview.services.guard.guard import FaithfulnessGuard, GuardedAnswer
from faithview.services.runs.budget import RunEstimate
from faithview.services.runs.create import estimate_run, iterate_samples
from faithview.services.runs.judge_answer import check_sample
from faithview.store import answers
from faithview.ui import identity, opened_store, session
from faithview.wording import numbers as fmt

_CACHED_FILES = 4  # each entry holds the whole file
_CACHED_CHECKS = 200
_LARGE_BYTES = 64_000_000
_SURVEYED_ROWS = 5_000


@st.cache_data(max_entries=_CACHED_CHECKS, show_spinner=False)
def check(question: str, answer: str, chunks: tuple[str, ...], judge: JudgeSpec) -> Result:
    """Judge one pasted answer; raises FaithViewError."""
    return check_sample(pasted_sample(question, answer, chunks), judge=judge)


@st.cache_data(max_entries=_CACHED_CHECKS, show_spinner=False)
def guard(question: str, answer: str, chunks: tuple[str, ...], judge: JudgeSpec, threshold: float) -> GuardedAnswer:
    """Guard and correct one pasted answer; raises FaithViewError."""
    with FaithfulnessGuard(judge.name, threshold, method=judge.method, options=judge.options) as built:
        return built.guard_and_correct(answer=answer, context=chunks, question=question.strip() or None)


def estimate(dataset: Dataset, judge: JudgeSpec, *, use_cache: bool, repeat: int, is_batch: bool) -> RunEstimate:
    """Return what judging a file will take (see `estimate_run`); raises FaithViewError."""
    file = f"{dataset.table.name} {dataset.content_key} {dataset.mapping!r}"
    return _estimate(opened_store.store_key(), file, judge, dataset, use_cache, repeat, is_batch)


# Short-lived: a run may add verdicts to the store meanwhile.
@st.cache_data(max_entries=20, ttl=30, show_spinner="Estimating")
def _estimate(
    store: str, file: str, judge: JudgeSpec, _dataset: Dataset, use_cache: bool, repeat: int, is_batch: bool
) -> RunEstimate:
    samples = (row.sample for row in _dataset.stream())
    return estimate_run(
        samples, judge, store=opened_store.store(), use_cache=use_cache, repeat=repeat, is_batch=is_batch
    )


def estimate_again(run: Run, judge: JudgeSpec) -> RunEstimate:
    """Return what judging a run's answers again will take (see `estimate_run`); raises FaithViewError."""
    return _estimate_again(opened_store.store_key(), f"{run.run_id} {run.revision}", judge, run)


@st.cache_data(max_entries=20, ttl=30, show_spinner="Estimating")
def _estimate_again(store: str, answers: str, judge: JudgeSpec, _run: Run) -> RunEstimate:
    samples = iterate_samples(opened_store.store(), _run)
    return estimate_run(samples, judge, store=opened_store.store())


def count_uncertain(run: Run) -> int:
    """Return how many claims of a complete run a cascade would send to a model (see `store.answers`)."""
    return _count_uncertain(opened_store.store_key(), run.run_id, run.revision)


@st.cache_data(max_entries=_CACHED_CHECKS, show_spinner=False)
def _count_uncertain(store: str, run_id: str, revision: int) -> int:
    return answers.count_uncertain(opened_store.store().db, run_id)


def survey(dataset: Dataset, *, needs_chunks: bool = True) -> Survey:
    """Return what a file's rows amount to under the dataset's mapping (see `Survey`); raises FaithViewError.

    Only the first rows of a large file are read, so the first verdict need not wait for all of them.
    """
    name = f"{dataset.table.name} {dataset.content_key} {dataset.detection.reader.name} {dataset.mapping!r}"
    return _survey(f"{name} {sorted(dataset.answered)}", needs_chunks, dataset)


@st.cache_data(max_entries=40, show_spinner="Reading the file")
def _survey(file: str, needs_chunks: bool, _dataset: Dataset) -> Survey:
    return _dataset.survey(needs_chunks=needs_chunks, most=_SURVEYED_ROWS if is_large(_dataset) else None)


def is_large(dataset: Dataset) -> bool:
    """Return whether a file is too large for pages to read to the end while the user waits."""
    return dataset.size > _LARGE_BYTES


def pasted_sample(question: str, answer: str, chunks: tuple[str, ...]) -> Sample:
    """Return the pasted texts as a sample; raises InvalidSample."""
    return Sample(answer=answer, question=question.strip() or None, chunks=tuple(Chunk(text=text) for text in chunks))


def open_upload(name: str, content: bytes) -> Dataset:
    """Open an uploaded file and detect what it is; raises FaithViewError."""
    return _open_upload(name, hashlib.sha256(content).hexdigest(), content)


@st.cache_resource(max_entries=_CACHED_FILES, show_spinner=False)
def _open_upload(name: str, digest: str, _content: bytes) -> Dataset:
    return open_dataset(_content, name=name)


def write(action: Callable[[], object], *, place: str, refusal: str | None) -> bool:
    """Do `action` in a callback; return whether it was done.

    Args:
        action: what writes; a FaithViewError that it raises becomes the message.
        place: names the part of the page that shows the message with `show_message`.
        refusal: why this session may not do it (`identity.why_cannot_label`, `identity.why_cannot_run`), None if it
            may.
    """
    if refusal is not None:
        identity.note_refusal(place, refusal)
        set_message(place, refusal)
        return False
    try:
        action()
    except FaithViewError as error:
        set_message(place, fmt.literal(str(error)))
        return False
    return True


def set_message(place: str, message: str) -> None:
    """Set the message, in Markdown, that `show_message` draws in the next run."""
    session.write_message(place).set(message)


def show_message(place: str) -> None:
    """Draw, once, why the last write at this place was not done."""
    if message := session.write_message(place).take():
        st.warning(message, icon=":material/info:")


def allow(refusal: str | None) -> bool:
    """Return whether a write may follow in this run of the script; draw the refusal where it may not."""
    if refusal is not None:
        identity.note_refusal(f"page {session.PAGE.get() or 'overview'}", refusal)
        st.error(refusal, icon=":material/lock:")
    return refusal is None
