"""ContractNLI: statements about contracts, beside the clauses that settle them or come nearest to it."""

import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence

from tests.training.public_pairs.pairs import Row, label_of
from tests.training.public_pairs.repositories import Repositories

_PATHS = ("dataset/dev.json", "dataset/test.json")
_NEIGHBOURS = 2
_NEAREST = 2
_MOST_WORDS = 900
_LONG_WORD = re.compile(r"[a-z]{4,}")
_SPACE = re.compile(r"\s+")


def contract_nli(repositories: Repositories, name: str) -> Iterator[Row]:
    """Return each statement beside clauses of a contract.

    The clauses are its evidence with two neighbours to each side; where the contract does not mention it, they are the
    two clauses that share most words with it, with their neighbours.
    """
    for path in _PATHS:
        data = json.loads(repositories.read_text(name, path))
        for document in data["documents"]:
            clauses = [document["text"][start:end] for start, end in document["spans"]]
            words = [_long_words(clause) for clause in clauses]
            for key, annotation in document["annotation_sets"][0]["annotations"].items():
                statement = data["labels"][key]["hypothesis"]
                shown = annotation["spans"] or nearest(_long_words(statement), words)
                premise = windows(clauses, shown)
                if len(premise.split()) <= _MOST_WORDS:
                    yield premise, statement, label_of(annotation["choice"]), f"{name} {path}"


def nearest(words: set[str], clauses: Sequence[set[str]]) -> list[int]:
    """Return the numbers of the clauses that share most words with the given ones, long clauses at a discount."""

    def likeness(number: int) -> float:
        return len(words & clauses[number]) / (5 + math.sqrt(len(clauses[number])))

    return sorted(range(len(clauses)), key=lambda number: -likeness(number))[:_NEAREST]


def windows(clauses: Sequence[str], chosen: Iterable[int]) -> str:
    """Return the chosen clauses with their neighbours, a line each; three dots stand for what is left out between."""
    shown = {
        near
        for number in chosen
        for near in range(max(0, number - _NEIGHBOURS), min(len(clauses), number + _NEIGHBOURS + 1))
    }
    lines: list[str] = []
    last = None
    for number in sorted(shown):
        if last is not None and number > last + 1:
            lines.append("...")
        lines.append(_SPACE.sub(" ", clauses[number]).strip())
        last = number
    return "\n".join(lines)


def _long_words(text: str) -> set[str]:
    return set(_LONG_WORD.findall(text.lower()))
