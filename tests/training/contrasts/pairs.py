"""Contrast pairs of the help-desk documents: a statement as the document has it, and versions with one thing changed.

The document is shown as the sentence alone, as a few lines or as whole chunks, half of them without their markup. For
one statement in three the change is made in the document instead, so that no version looks wrong by itself.
"""

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from faithview.domain.sample import Chunk, Sample
from faithview.judges.embedded.passages import PassageIndex, ReaderInput, reader_input
from faithview.judges.lexical.splitting.claims import split_answer
from faithview.judges.text.sentences import split_sentences_quickly
from tests.helpdesk import HelpdeskAnswer
from tests.training.contrasts.edits import CONTRADICTED, NEUTRAL, paraphrase, wrong_edits
from tests.training.contrasts.plain import RULE, cells, without_marks, without_markup
from tests.training.reader_pairs import MOST_SHOWN, Pair, changed, varied

_SHORTEST, _LONGEST = 25, 260
_RIGHT, _WRONG = 2, 3
# Beside an answer's claim: how many other right versions, wrong ones of the sentence, and wrong ones of the claim.
_NEAR_RIGHT, _NEAR_WRONG, _OWN_WRONG = 2, 2, 1
_VERBATIM_SHARE = 0.3
_REVERSED_SHARE = 0.35
_PARAPHRASED_SHARE = 0.3
_ASKED_SHARE = 0.5
_FOLLOWS_SHARE = 0.3
_PLAIN_SHARE = 0.5
_LEAST_SHOWN = 350

# These fit nearly every statement. They come up less often than the others, or they would be half of all edits.
_FIT_ANYWHERE = {"reason": 0.5, "added": 0.4, "always": 0.4, "only": 0.4, "negation": 0.8}

_NAME = re.compile(r"(?<=[a-z,;:|] )[A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})?\b")
_LISTED = re.compile(r", ([a-z'-]{4,})(?=,| and | or )")
_IS_HEADING = re.compile(r"\s*(?:#|\*\*[^*]+\*\*:?\s*\Z)")
_WORD = re.compile(r"\d+|[a-z]{4,}")
_CELL_FORMS = (
    "{head}: {name} {cell}.",
    "For {head}, {name} is {cell}.",
    "{name} ({head}): {cell}.",
    "{head} – {name}: {cell}.",
)


@dataclass(frozen=True, slots=True)
class Document:
    """The chunks of a document, and the questions that were asked about each."""

    name: str
    chunks: list[str] = field(default_factory=list)
    questions: list[list[str]] = field(default_factory=list)


class _Statement(NamedTuple):
    """Something that a chunk says: `written` there, `plain` as a sentence of its own, `near` with what is beside it.

    Of a table's row it is one cell, and `others` are those that it is not to be mixed up with.
    """

    chunk: int
    written: str
    plain: str
    near: str
    others: tuple[str, ...] | None = None


def documents(answers: Iterable[HelpdeskAnswer]) -> list[Document]:
    """Return the documents that the answers are about, each chunk once."""
    found: dict[str, Document] = {}
    for answer in answers:
        document = found.setdefault(f"{answer.domain}/{answer.doc}", Document(f"{answer.domain}/{answer.doc}"))
        for chunk in answer.chunks:
            if chunk not in document.chunks:
                document.chunks.append(chunk)
                document.questions.append([])
            document.questions[document.chunks.index(chunk)].append(answer.question)
    return list(found.values())


def contrast_pairs(given: Sequence[Document], rng: random.Random, most: int = MOST_SHOWN) -> Iterator[Pair]:
    """Return the pairs of all statements of the documents, versions of one statement in one group.

    At most `most` characters of the chunks are shown.
    """
    words = sorted({word for document in given for chunk in document.chunks for word in _LISTED.findall(chunk)})
    for document in given:
        whole = "\n".join(document.chunks)
        names = sorted(set(_NAME.findall(whole)))
        for number, statement in enumerate(_statements(document, rng)):
            yield from _versions(document, statement, names, rng.sample(words, min(8, len(words))), number, rng, most)


def answers_beside_contrasts(
    answers: Iterable[HelpdeskAnswer], rng: random.Random, most: int = MOST_SHOWN
) -> Iterator[Pair]:
    """Return right claims of answers, each in a group with right and wrong versions of itself and of what it says.

    A group has the claim in its own words, the sentence that it paraphrases, copied or slightly reworded, and both with
    one thing changed. So neither words in common nor their lack decides. At most `most` characters of the chunks are
    shown.
    """
    for given in answers:
        answer, size = varied(given, rng, most)
        text, _ = changed(answer.answer, answer.errors)
        chunks = tuple(Chunk(chunk_id=str(number), text=chunk) for number, chunk in enumerate(answer.chunks, start=1))
        index = PassageIndex(chunks, answer.question)
        document = Document(given.answer_id, list(given.chunks), [[] for _ in given.chunks])
        names = sorted(set(_NAME.findall("\n".join(document.chunks))))
        statements = list(_statements(document, rng))
        for number, claim in enumerate(split_answer(text).claims):
            said = text[claim.start : claim.end]
            nearest = max(statements, key=lambda near: _in_common(near.plain, said), default=None)
            if nearest is None or not _in_common(nearest.plain, said):
                continue
            also_right = (nearest.plain, paraphrase(nearest.plain, rng), paraphrase(said, rng))
            right = dict.fromkeys((said, *rng.sample(also_right, _NEAR_RIGHT)))
            rows: list[tuple[str, tuple[int, int] | tuple[()] | None, str]] = [(v, (), "entailed") for v in right]
            for written, most_wrong in ((nearest.plain, _NEAR_WRONG), (said, _OWN_WRONG)):
                edits = wrong_edits(written, names, (), rng)
                wrong = [edits[family] for family in _in_random_order(edits, rng)][:most_wrong]
                rows += [(edit.text, edit.wrong, edit.label) for edit in wrong]
            before = text[: claim.start]
            for version, place, label in rows:
                sample = Sample(answer=before + version, chunks=chunks, question=answer.question)
                shown = reader_input(sample, index, len(before), len(before) + len(version), most=size)
                yield _pair(shown, label, place, f"near:{given.answer_id}:{number}")


def _pair(shown: ReaderInput, label: str, place: tuple[int, ...] | None, group: str) -> Pair:
    """Return a pair; `place` is the range of its wrong words, () for none and None where nobody knows."""
    wrong = None if place is None else ((place[0], place[1]),) if place else ()
    return Pair(claim=shown.claim, asked=shown.asked, passages=shown.passages, label=label, wrong=wrong, group=group)


def _in_common(one: str, other: str) -> int:
    return len(set(_WORD.findall(one.lower())) & set(_WORD.findall(other.lower())))


def some_groups(pairs: Iterable[Pair], share: float, rng: random.Random) -> list[Pair]:
    """Return the pairs of a share of the groups, chosen at random."""
    groups: dict[str, list[Pair]] = {}
    for pair in pairs if share else ():
        groups.setdefault(pair.group, []).append(pair)
    chosen = rng.sample(list(groups), round(share * len(groups)))
    return [pair for group in chosen for pair in groups[group]]


def _statements(document: Document, rng: random.Random) -> Iterator[_Statement]:
    for number, chunk in enumerate(document.chunks):
        lines = [line for line in chunk.split("\n") if line.strip() and not RULE.match(line)]
        heading = lines[0] if len(lines) > 1 and len(lines[0]) < 120 else ""
        table: list[str] = []
        for at, line in enumerate(lines):
            if line.lstrip().startswith("|"):
                table = table or cells(line)
                yield from _of_row(number, table, line, rng)
                continue
            table = []
            if _IS_HEADING.match(line) or line == heading:
                continue
            spans = split_sentences_quickly(line, 0, len(line))
            for place, (start, end) in enumerate(spans):
                written = line[start:end]
                plain = without_marks(written).strip()
                if not _SHORTEST <= len(plain) <= _LONGEST or len(plain.split()) < 5 or plain.endswith(":"):
                    continue
                first, last = spans[max(0, place - 1)][0], spans[min(len(spans) - 1, place + 1)][1]
                beside = lines[at + 1 : at + 2] if len(spans) == 1 else []
                near = "\n".join([*([heading] if heading != line else []), line[first:last], *beside])
                yield _Statement(number, written, plain, near)


def _of_row(chunk: int, header: Sequence[str], line: str, rng: random.Random) -> Iterator[_Statement]:
    row = cells(line)
    filled = [at for at in range(1, min(len(row), len(header))) if len(row[at]) > 1 and header[at]]
    if list(header) == row or not filled or not row[0]:
        return
    at = rng.choice(filled)
    plain = rng.choice(_CELL_FORMS).format(head=header[at], name=row[0], cell=row[at])
    others = tuple(row[other] for other in filled if row[other] != row[at])
    yield _Statement(chunk, row[at], plain, f"| {' | '.join(header)} |\n{line}", others)


def _versions(
    document: Document,
    statement: _Statement,
    names: Sequence[str],
    words: Sequence[str],
    number: int,
    rng: random.Random,
    most: int,
) -> Iterator[Pair]:
    base = statement.plain
    also_right: list[str] = []
    wrong: list[tuple[str, tuple[int, int] | None, str]] = []
    if statement.others is None and rng.random() < _REVERSED_SHARE:
        made = wrong_edits(base, names, words, rng)
        families = [family for family in _in_random_order(made, rng) if made[family].reversible]
        if families:
            change = made[families[0]]
            if change.label == NEUTRAL:
                also_right.append(base)
            else:
                wrong.append((base, _differing(base, change.text), CONTRADICTED))
            base = change.text
    shown = _shown(document, statement, base, rng, most)
    right = [base if rng.random() < _VERBATIM_SHARE else paraphrase(base, rng), paraphrase(base, rng), *also_right]
    start = paraphrase(base, rng) if rng.random() < _PARAPHRASED_SHARE else base
    edits = wrong_edits(start, names, words, rng)
    in_order = [edits[family] for family in _in_random_order(edits, rng)]
    wrong += [(edit.text, edit.wrong, edit.label) for edit in in_order]
    if statement.others:
        cell = rng.choice(statement.others)
        at = statement.plain.rindex(statement.written)
        mixed = statement.plain[:at] + cell + statement.plain[at + len(statement.written) :]
        wrong.insert(0, (mixed, (at, at + len(cell)), CONTRADICTED))
    group = f"contrast:{document.name}:{number}"
    rows = [(text, (), "entailed") for text in dict.fromkeys(right[: _RIGHT + 1])]
    for text, place, label in (*rows, *wrong[:_WRONG]):
        yield _pair(reader_input(*shown.with_claim(text, rng), most=shown.most), label, place, group)


def _in_random_order(families: Iterable[str], rng: random.Random) -> list[str]:
    return sorted(families, key=lambda family: -(rng.random() ** (1 / _FIT_ANYWHERE.get(family, 1.0))))


@dataclass(frozen=True, slots=True)
class _Shown:
    """What is shown of a document, and what else the answer says before its claim."""

    chunks: tuple[Chunk, ...]
    index: PassageIndex
    question: str
    before: str
    most: int

    def with_claim(self, text: str, rng: random.Random) -> tuple[Sample, PassageIndex, int, int]:
        """Return the sample, and the claim's place in its answer, as `reader_input` takes them."""
        before = self.before if rng.random() < 0.9 else ""
        sample = Sample(answer=before + text, chunks=self.chunks, question=self.question)
        return sample, self.index, len(before), len(before) + len(text)


def _shown(document: Document, statement: _Statement, base: str, rng: random.Random, most: int) -> _Shown:
    own = document.chunks[statement.chunk]
    kind = rng.choice(("sentence", "near", "near", "chunk", "chunks"))
    if statement.others is not None:
        text = own if kind.startswith("chunk") else statement.near
    else:
        text = {"sentence": statement.written, "near": statement.near}.get(kind, own)
        if base != statement.plain:
            text = text.replace(statement.written, base, 1)
    texts = [text]
    if kind == "chunks" and len(document.chunks) > 1:
        texts.insert(rng.randint(0, 1), rng.choice([chunk for chunk in document.chunks if chunk != own]))
    if rng.random() < _PLAIN_SHARE:
        texts = [without_markup(text) for text in texts]
    asked = document.questions[statement.chunk]
    question = rng.choice(asked) if rng.random() < _ASKED_SHARE else ""
    before = ""
    if rng.random() < _FOLLOWS_SHARE:
        others = [line for line in without_markup(own).split("\n")[1:] if 30 < len(line) < 200 and base not in line]
        before = f"{rng.choice(others)} " if others else ""
    chunks = tuple(Chunk(chunk_id=str(number), text=text) for number, text in enumerate(texts, start=1))
    return _Shown(chunks, PassageIndex(chunks, question), question, before, rng.randint(_LEAST_SHOWN, most))


def _differing(text: str, other: str) -> tuple[int, int]:
    start = 0
    while start < min(len(text), len(other)) and text[start] == other[start]:
        start += 1
    end = 0
    while end < min(len(text), len(other)) - start and text[-1 - end] == other[-1 - end]:
        end += 1
    return start, max(start + 1, len(text) - end)
