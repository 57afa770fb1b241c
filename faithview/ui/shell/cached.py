"""Calls of services that are cached because a page would otherwise repeat the same work on every rerun.

Queries of the store are not cached here: they take milliseconds, and a run's figures are stored with the run.
"""

import hashlib

import streamlit as st

from faithview.domain.result import Result
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Chunk, Sample
from faithview.services.datasets import Dataset, Survey, open_dataset
from faithview.services.runs.estimate import RunEstimate, estimate_run
from faithview.services.runs.judge_answer import check_sample
from faithview.ui.shell import app

_CACHED_FILES = 4  # each entry holds the whole file
_CACHED_CHECKS = 200


@st.cache_data(max_entries=_CACHED_CHECKS, show_spinner=False)
def check(question: str, answer: str, chunks: tuple[str, ...], judge: JudgeSpec) -> Result:
    """Judge one pasted answer; raises FaithViewError."""
    return check_sample(pasted_sample(question, answer, chunks), judge=judge)


def estimate(dataset: Dataset, judge: JudgeSpec, *, use_cache: bool, repeat: int, is_batch: bool) -> RunEstimate:
    """Return what judging a file will take (see `estimate_run`); raises FaithViewError."""
    file = f"{dataset.table.name} {dataset.content_key} {dataset.mapping!r}"
    return _estimate(file, judge, dataset, use_cache, repeat, is_batch)


# Short-lived: a run may add verdicts to the store meanwhile.
@st.cache_data(max_entries=20, ttl=30, show_spinner="Estimating")
def _estimate(
    file: str, judge: JudgeSpec, _dataset: Dataset, use_cache: bool, repeat: int, is_batch: bool
) -> RunEstimate:
    samples, _ = _dataset.read()
    return estimate_run(samples, judge, store=app.services(), use_cache=use_cache, repeat=repeat, is_batch=is_batch)


def survey(dataset: Dataset) -> Survey:
    """Return what a file's rows amount to under the dataset's mapping (see `Survey`); raises FaithViewError."""
    return _survey(f"{dataset.table.name} {dataset.content_key} {dataset.mapping!r}", dataset)


@st.cache_data(max_entries=40, show_spinner="Reading the file")
def _survey(file: str, _dataset: Dataset) -> Survey:
    return _dataset.survey()


def pasted_sample(question: str, answer: str, chunks: tuple[str, ...]) -> Sample:
    """Return the pasted texts as a sample; raises InvalidSample."""
    return Sample(answer=answer, question=question.strip() or None, chunks=tuple(Chunk(text=text) for text in chunks))


def open_upload(name: str, content: bytes) -> Dataset:
    """Open an uploaded file and detect what it is; raises FaithViewError."""
    return _open_upload(name, hashlib.sha256(content).hexdigest(), content)


@st.cache_resource(max_entries=_CACHED_FILES, show_spinner=False)
def _open_upload(name: str, digest: str, _content: bytes) -> Dataset:
    return open_dataset(_content, name=name)
