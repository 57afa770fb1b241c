"""How an upload is read where it leaves it open: what separates chunks, what a row is, and which day 05/06 is."""

from collections.abc import Collection
from datetime import UTC, datetime

import streamlit as st

from faithview.services.datasets import (
    DAY_FIRST,
    MONTH_FIRST,
    OFFERED_SEPARATORS,
    PER_ANSWER,
    PER_CHUNK,
    Dataset,
    Separator,
    Survey,
    parse_timestamp,
)
from faithview.ui.shell import cached
from faithview.wording import numbers as fmt

_ONE_CHUNK = ""
_OTHER = "other"
_LEAVE_OUT = "leave out"


def choose_separator(dataset: Dataset) -> Dataset:
    """Draw what may separate the chunks of one cell, each with the chunks that it makes; nothing for lists."""
    found = dataset.find_separators()
    if found is None:
        return dataset
    labels = {_ONE_CHUNK: "Nothing: one chunk per cell"}
    labels |= {s.text: f"{OFFERED_SEPARATORS.get(s.text, s.text)} ({_chunk_counts(s)})" for s in found.offered}
    known = dataset.mapping.context_separator
    if known is not None and known not in labels:
        labels[known] = known
    labels[_OTHER] = "Something else"
    columns = " ".join(dataset.mapping.contexts)
    key = f"upload.separator.{dataset.content_key}.{columns}"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.segmented_control(
            f"What separates the chunks in {fmt.listed([f'*{fmt.literal(c)}*' for c in dataset.mapping.contexts])}?",
            list(labels),
            default=_default_separator(dataset, found.guessed, labels),
            format_func=lambda text: fmt.literal(labels[text]),
            required=True,
            key=key,
            help="In brackets: chunks per cell in the first 20 rows.",
        )
        if chosen == _OTHER:
            chosen = st.text_input("Separator", key=f"{key}.other", width=160, placeholder="For example ###")
    return dataset.override({"context_separator": (chosen,) if chosen else ()})


def _default_separator(dataset: Dataset, guessed: str | None, labels: Collection[str]) -> str:
    known = dataset.mapping.context_separator
    return known if known in labels and known is not None else guessed or _ONE_CHUNK


def choose_rows(dataset: Dataset) -> tuple[Dataset, bool]:
    """Ask whether an answer has a row for each of its chunks, where it looks so.

    Return the dataset with the answer, and whether nothing is left to ask.
    """
    looks_so = dataset.has_chunk_rows()
    if looks_so is False:
        return dataset, True
    labels = {PER_CHUNK: "One row per chunk", PER_ANSWER: "One row per answer"}
    chosen = st.segmented_control(
        "Several rows have the same question and answer. What is a row?",
        list(labels),
        default=dataset.mapping.one_row_per or (PER_CHUNK if looks_so else None),
        format_func=lambda unit: labels[unit],
        key=f"upload.rows.{dataset.content_key}",
        help="With one row per chunk, rows with the same question and answer are read as one answer with their chunks.",
    )
    return (dataset, False) if chosen is None else (dataset.override({"one_row_per": (chosen,)}), True)


DATES_FIRST = "Choose how to read the dates first."


def choose_date_order(dataset: Dataset, *, needs_chunks: bool = True) -> tuple[Dataset, bool]:
    """Ask which day a date such as 05/06/2026 is; return the dataset, and whether nothing is left to ask."""
    if dataset.mapping.timestamp is None:
        return dataset, True
    survey = cached.survey(dataset, needs_chunks=needs_chunks)
    dates = survey.report.ambiguous_dates
    if not dates:
        return dataset, True
    labels = {order: label for order in (DAY_FIRST, MONTH_FIRST) if (label := _reading(dates[0], order))}
    labels[_LEAVE_OUT] = "Ignore these dates"
    told = survey.told_date_order
    chosen = st.segmented_control(
        f"Which day is {fmt.literal(dates[0])} in *{fmt.literal(dataset.mapping.timestamp)}*?",
        list(labels),
        default=told if told in labels else None,
        format_func=lambda order: labels[order],
        key=f"upload.date_order.{dataset.content_key}.{dataset.mapping.timestamp}",
        help=_told_help(survey),
    )
    if chosen is None:
        return dataset, False
    return dataset.override({"date_order": () if chosen == _LEAVE_OUT else (chosen,)}), True


def survey_words(survey: Survey, *, is_settled: bool = True) -> str:
    """Return what a file's rows amount to, in plain text: "120 answers, 4 chunks each, 19 Oct 2026".

    Of a large file only the first rows are looked at, and the text says so.

    No time is named until it is settled which day the dates mean.
    """
    parts = [fmt.plural(survey.answers, "answer"), _chunks_each(survey)]
    if survey.segments:
        parts.append(fmt.plural(survey.segments, "segment"))
    if is_settled and survey.first is not None and survey.last is not None:
        first, last = fmt.day(survey.first), fmt.day(survey.last)
        parts.append(first if first == last else f"{first} to {last}")
        if untimed := survey.answers - survey.timed:
            parts.append(f"{fmt.count(untimed)} without a time")
    text = ", ".join(parts)
    return f"First {fmt.count(survey.report.rows)} rows: {text}" if survey.is_partial else text


def _chunks_each(survey: Survey) -> str:
    numbers = sorted(survey.chunks)
    if not numbers:
        return "no chunks"
    if len(numbers) == 1:
        return f"{fmt.plural(numbers[0], 'chunk')} each"
    text = f"{numbers[0]} to {numbers[-1]} chunks each"
    if numbers[0] == 0:
        text += f" ({fmt.plural(survey.chunks[0], 'answer')} without any)"
    return text


def _chunk_counts(separator: Separator) -> str:
    if separator.fewest == separator.most:
        return f"{separator.most} each"
    return f"{separator.fewest} to {separator.most}"


def _reading(text: str, order: str) -> str | None:
    moment = parse_timestamp(text, date_order=order)
    if moment is None:
        return None
    at: datetime = moment.at.astimezone(UTC)
    return f"{at.day} {at:%B %Y} ({order.replace('-', ' ')})"


def _told_help(survey: Survey) -> str:
    number = fmt.plural(survey.report.ambiguous_date_count, "date")
    if survey.told_date_order is None:
        return f"{number} of the file can mean two days."
    return f"{number} of the file can mean two days. Others can only be {survey.told_date_order.replace('-', ' ')}."
