"""Data sets whose rows are JSON, a line each, in files or in the files of an archive."""

import io
import json
import random
import re
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

from tests.training.public_pairs.pairs import CONTRADICTED, ENTAILED, NEUTRAL, Row, detokenised, label_of
from tests.training.public_pairs.repositories import Repositories

_FOLIO_LABELS = {"True": ENTAILED, "False": CONTRADICTED, "Uncertain": NEUTRAL, "Unknown": NEUTRAL}
_DISTRACTORS = 3
_SENTENCE_NUMBER = re.compile(r" ?\bsent\d+: ?")


def read_lines(repositories: Repositories, name: str, path: str) -> list[dict[str, Any]]:
    """Return the JSON objects of a file's lines."""
    # Not splitlines(): a text may hold other characters that end a line.
    return [json.loads(line) for line in repositories.read_text(name, path).split("\n") if line.strip()]


def sentence_pairs(*paths: str) -> Callable[[Repositories, str], Iterator[Row]]:
    """Return how `sentence1`, `sentence2` and `gold_label` are read, as SNLI names them."""

    def read(repositories: Repositories, name: str) -> Iterator[Row]:
        for path in paths:
            for row in read_lines(repositories, name, path):
                yield row["sentence1"], row["sentence2"], label_of(row["gold_label"]), f"{name} {path}"

    return read


def fever_symmetric(*paths: str) -> Callable[[Repositories, str], Iterator[Row]]:
    """Return how pairs of FeverSymmetric are read: claims and evidence, each made so that the other must be read."""

    def read(repositories: Repositories, name: str) -> Iterator[Row]:
        for path in paths:
            for row in read_lines(repositories, name, path):
                evidence = row.get("evidence") or row["evidence_sentence"]
                label = row.get("gold_label") or row["label"]
                yield detokenised(evidence), detokenised(row["claim"]), label_of(label), f"{name} {path}"

    return read


def folio(*paths: str) -> Callable[[Repositories, str], Iterator[Row]]:
    """Return how stories of FOLIO are read, a list of sentences each, beside their conclusions."""

    def read(repositories: Repositories, name: str) -> Iterator[Row]:
        for path in paths:
            for row in read_lines(repositories, name, path):
                premise = " ".join(sentence.strip() for sentence in row["premises"])
                yield premise, row["conclusion"], _FOLIO_LABELS.get(row["label"]), f"{name} {path}"

    return read


def fool_me_twice(*paths: str) -> Callable[[Repositories, str], Iterator[Row]]:
    """Return how claims of Fool Me Twice are read.

    Each stands beside its evidence once, and once beside the evidence among sentences that were found for the claim
    and do not settle it, in a random order that the claim's id seeds.
    """

    def read(repositories: Repositories, name: str) -> Iterator[Row]:
        for path in paths:
            for row in read_lines(repositories, name, path):
                evidence = [sentence["text"] for sentence in row["gold_evidence"]]
                found = [sentence["text"] for sentence in row.get("retrieved_evidence", [])]
                others = [text for text in found if text not in evidence]
                claim = row.get("claim") or row["text"]
                label = label_of(row["label"])
                yield " ".join(evidence), claim, label, f"{name} {path}"
                if others:
                    shown = evidence + others[:_DISTRACTORS]
                    random.Random(row["id"]).shuffle(shown)
                    yield "\n".join(shown), claim, label, f"{name} {path}"

    return read


def vitamin_c(path: str) -> Callable[[Repositories, str], Iterator[Row]]:
    """Return how an archive of VitaminC is read: claims beside evidence, and beside the same evidence as edited.

    Both claims and both versions of the evidence of an edit are one group, whose name begins with their page's.
    """

    def read(repositories: Repositories, name: str) -> Iterator[Row]:
        for file, row in _archived(repositories.read(name, path)):
            # A letter that the makers lost was nearly always a space.
            evidence, claim = (detokenised(row[key].replace("\ufffd", " ")) for key in ("evidence", "claim"))
            yield evidence, claim, label_of(row["label"]), f"{name} {path}:{file}", f"{row['page']}/{row['case_id']}"

    return read


def curriculum(
    task: str, most: int | None = None, *, split_into_words: str = ""
) -> Callable[[Repositories, str], Iterator[Row]]:
    """Return how a task of the Curriculum benchmark is read: at most `most` rows of its archive, in a random order.

    `split_into_words` is "premise" or "both" where a space stands before each comma, which is put right.
    """

    def read(repositories: Repositories, name: str) -> Iterator[Row]:
        path = f"benchmark/tasks/{task}.zip"
        rows = _archived(repositories.read(name, path))
        random.Random(task).shuffle(rows)
        for file, row in rows[:most]:
            # Some tasks write a number in place of one of their labels.
            written = row.get("gold_label") or row.get("label")
            label = ENTAILED if str(written) == "0" else label_of(written)
            premise, hypothesis = row["premise"], row["hypothesis"]
            if isinstance(hypothesis, list):
                continue
            if task == "entailment_tree":
                premise = _SENTENCE_NUMBER.sub(". ", premise)
            if split_into_words:
                premise = detokenised(premise)
            if split_into_words == "both":
                hypothesis = detokenised(hypothesis)
            yield premise, hypothesis, label, f"{name} {path}:{file}"

    return read


def _archived(archive: bytes) -> list[tuple[str, dict[str, Any]]]:
    """Return the JSON objects of an archive's files with the files' names; lines that are not JSON are left out."""
    rows = []
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        for entry in opened.namelist():
            if "MACOSX" in entry or not entry.endswith(".jsonl"):
                continue
            for line in opened.read(entry).decode("utf-8", "replace").split("\n"):
                if not line.strip():
                    continue
                try:
                    rows.append((entry.rpartition("/")[2], json.loads(line)))
                except json.JSONDecodeError:
                    continue
    return rows
