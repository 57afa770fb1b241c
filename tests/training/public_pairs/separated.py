"""Data sets whose rows are lines of values apart by tabs or commas."""

import ast
import csv
import io
from collections.abc import Callable, Iterator

from tests.training.public_pairs.pairs import Row, detokenised, label_of
from tests.training.public_pairs.repositories import Repositories

_LONGEST_FIELD = 1 << 30
_FEVER_LABELS = {"1": "entailed", "2": "contradicted"}


def read_tabs(repositories: Repositories, name: str, path: str) -> list[dict[str, str]]:
    """Return the rows of a file of tab-separated values by the names in its first line; quotes mean nothing in it."""
    text = repositories.read_text(name, path)
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter="\t", quoting=csv.QUOTE_NONE))


def read_commas(repositories: Repositories, name: str, path: str) -> list[dict[str, str]]:
    """Return the rows of a file of comma-separated values by the names in its first line."""
    csv.field_size_limit(_LONGEST_FIELD)  # whole articles
    return list(csv.DictReader(io.StringIO(repositories.read_text(name, path), newline="")))


def tabs(premise: str, hypothesis: str, label: str, *paths: str) -> Callable[[Repositories, str], Iterator[Row]]:
    """Return how rows are read from tab-separated files whose columns have those names."""

    def read(repositories: Repositories, name: str) -> Iterator[Row]:
        for path in paths:
            for row in read_tabs(repositories, name, path):
                yield row[premise], row[hypothesis], label_of(row[label]), f"{name} {path}"

    return read


def commas(premise: str, hypothesis: str, label: str, *paths: str) -> Callable[[Repositories, str], Iterator[Row]]:
    """Return how rows are read from comma-separated files whose columns have those names."""

    def read(repositories: Repositories, name: str) -> Iterator[Row]:
        for path in paths:
            for row in read_commas(repositories, name, path):
                yield row[premise], row[hypothesis], label_of(row[label]), f"{name} {path}"

    return read


def nameless_tabs(*paths: str, split_into_words: bool = False) -> Callable[[Repositories, str], Iterator[Row]]:
    """Return how rows are read from lines of a label, a premise and a hypothesis, apart by tabs.

    `split_into_words` says that a space stands before each comma, which is put right.
    """

    def read(repositories: Repositories, name: str) -> Iterator[Row]:
        for path in paths:
            for line in repositories.read_text(name, path).split("\n"):
                values = line.split("\t")
                if len(values) != 3:
                    continue
                texts = [detokenised(value) for value in values[1:]] if split_into_words else values[1:]
                yield texts[0], texts[1], label_of(values[0]), f"{name} {path}"

    return read


def fever_evidence(*paths: str) -> Callable[[Repositories, str], Iterator[Row]]:
    """Return how claims of FEVER are read beside their evidence, a list of sentences in a column.

    Claims without evidence are left out.
    """

    def read(repositories: Repositories, name: str) -> Iterator[Row]:
        for path in paths:
            for row in read_commas(repositories, name, path):
                try:
                    sentences = ast.literal_eval(row["evidence"])
                except (SyntaxError, ValueError):
                    continue
                if sentences:
                    premise = detokenised(" ".join(sentences))
                    yield premise, detokenised(row["claim"]), _FEVER_LABELS.get(row["label"]), f"{name} {path}"

    return read
