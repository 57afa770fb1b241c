"""The help-desk benchmark: reads the texts in `data/helpdesk/` and writes them as a labelled file.

See `data/helpdesk/README.md` for how it was made and for the format of the texts.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

TEXTS = Path(__file__).parent / "data" / "helpdesk"
# Single statements with two or three minimal pairs each, for training only.
DRILLS = TEXTS / "drills"

_MARK = re.compile(
    r"⟦(?P<says>[^⟦⟧⟪⟫⇒¦]+)⇒(?P<right>[^⟦⟧⟪⟫⇒¦]*)¦(?P<type>[a-z]+)⟧"
    r"|⟪(?P<holds>[^⟦⟧⟪⟫⇒¦]+)⇒(?P<wrong>[^⟦⟧⟪⟫⇒¦]+)¦(?P<trap>[a-z]+)⟫"
)
_HEAD = re.compile(
    r"(?:=== doc (?P<doc>\S+)|--- chunk (?P<chunk>\S+)"
    r"|--- answer (?P<style>\w+) \| (?P<ids>[^|]+?)(?: \| (?P<state>\w+))?)\Z"
)

TYPES = ("contradiction", "conflation", "invention", "extrapolation")


class Part(StrEnum):
    """What a document's answers may be used for: fitting, choosing settings, or measuring at the end."""

    FIT = "fit"
    TUNE = "tune"
    END = "end"


class State(StrEnum):
    """What became of an answer after the second reading: both agreed, or their dispute was settled or dropped it."""

    AGREED = "agreed"
    SETTLED = "settled"
    DROPPED = "dropped"


class Change(NamedTuple):
    """Words `[start, end)` of an answer and what stands in their place in the other version; `type` of the error."""

    start: int
    end: int
    becomes: str
    type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpdeskAnswer:
    """An answer with its chunks.

    `errors` are its wrong words with the right ones in their place ("" where they should go, or where nobody wrote
    them down, as for the first 160 answers), `traps` right words with wrong ones.
    """

    answer_id: str
    domain: str
    doc: str
    style: str
    question: str
    chunks: tuple[str, ...]
    answer: str
    errors: tuple[Change, ...]
    traps: tuple[Change, ...]
    state: State

    @property
    def part(self) -> Part:
        """The part of the benchmark that the answer's document belongs to."""
        return part_of(self.domain, self.doc)

    def row(self) -> dict[str, object]:
        """Return the answer as a row of a labelled benchmark file."""
        return {
            "id": self.answer_id,
            "source": "helpdesk",
            "task": self.domain,
            "question": self.question,
            "chunks": list(self.chunks),
            "answer": self.answer,
            "claim": None,
            "label": 0 if self.errors else 1,
            "spans": [{"start": error.start, "end": error.end, "type": error.type} for error in self.errors],
            "span_unit": "span",
            "doc": self.doc,
            "model": self.style,
        }


# Figures on the first 160 answers stay comparable only while nothing is fitted to them.
FIRST_DOMAINS = frozenset({"saas", "hr", "bank", "appliance", "city", "api"})


def part_of(domain: str, doc: str) -> Part:
    """Return the part of a document: of ten, six are fitted, one and a half tune, and the rest is for the end."""
    if domain in FIRST_DOMAINS:
        return Part.END
    at = int.from_bytes(sha256(f"{domain}/{doc}".encode()).digest()[:4]) % 100
    return Part.FIT if at < 65 else Part.TUNE if at < 80 else Part.END


def read_answers(folder: Path = TEXTS, *, dropped: bool = False) -> list[HelpdeskAnswer]:
    """Return all answers, by file and place; those that two readers could not settle only with `dropped`.

    Raises:
        ValueError: a text is malformed; says where.
    """
    answers = [answer for path in sorted(folder.glob("*.txt")) for answer in _read(path)]
    return [answer for answer in answers if dropped or answer.state is not State.DROPPED]


def _read(path: Path) -> Iterator[HelpdeskAnswer]:
    chunks: dict[str, list[str]] = {}
    asked: list[tuple[int, str, re.Match[str], list[str]]] = []
    doc, block = "", list[str]()
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        head = _HEAD.match(line)
        if head is None:
            block.append(line)
            continue
        block = []
        if head["doc"]:
            doc = head["doc"]
        elif head["chunk"]:
            chunks[head["chunk"]] = block
        else:
            asked.append((number, doc, head, block))
    for count, (number, its_doc, head, lines) in enumerate(asked, start=1):
        ids = head["ids"].split()
        text = "\n".join(lines).strip()
        question, found, answer = text.partition("\nA: ")
        if not question.startswith("Q: ") or not found:
            raise ValueError(f"{path.name}:{number}: an answer needs a line 'Q: …' and then a line 'A: …'.")
        lacking = [name for name in ids if name not in chunks]
        if lacking:
            raise ValueError(f"{path.name}:{number}: there is no chunk {lacking[0]!r} in this file.")
        plain, errors, traps = _plain(answer.strip(), where=f"{path.name}:{number}")
        yield HelpdeskAnswer(
            answer_id=f"{path.stem}/{count:03}",
            domain=path.stem,
            doc=its_doc,
            style=head["style"],
            question=question.removeprefix("Q: ").strip(),
            chunks=tuple("\n".join(chunks[name]).strip() for name in ids),
            answer=plain,
            errors=errors,
            traps=traps,
            state=State(head["state"] or State.AGREED),
        )


def _plain(marked: str, *, where: str) -> tuple[str, tuple[Change, ...], tuple[Change, ...]]:
    parts: list[str] = []
    errors: list[Change] = []
    traps: list[Change] = []
    at = length = 0
    for mark in _MARK.finditer(marked):
        before, says = marked[at : mark.start()], mark["says"] or mark["holds"]
        start = length + len(before)
        parts += [before, says]
        length = start + len(says)
        at = mark.end()
        if mark["says"]:
            errors.append(Change(start, length, mark["right"], mark["type"]))
        else:
            traps.append(Change(start, length, mark["wrong"], mark["trap"]))
    plain = "".join([*parts, marked[at:]])
    if broken := re.search("[⟦⟧⟪⟫⇒¦]", plain):
        raise ValueError(f"{where}: a mark is broken at {plain[max(0, broken.start() - 20) : broken.end() + 20]!r}.")
    if unknown := [change.type for change in (*errors, *traps) if change.type not in TYPES]:
        raise ValueError(f"{where}: {unknown[0]!r} is no type of error; types are {', '.join(TYPES)}.")
    return plain, tuple(errors), tuple(traps)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the answers as JSON lines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", type=Part, choices=list(Part), help="only this part (default: all)")
    options = parser.parse_args(arguments)
    for answer in read_answers():
        if options.part in (None, answer.part):
            sys.stdout.write(json.dumps(answer.row(), ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
