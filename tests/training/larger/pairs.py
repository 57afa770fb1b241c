"""What the larger reader learns from: written groups with their twins, first pairs, help-desk answers, public pairs."""

import argparse
import json
import random
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from tokenizers import Tokenizer

from faithview.domain.claim import Verdict
from tests.helpdesk import DRILLS, Part, read_answers
from tests.performance.first_pairs import read_pairs
from tests.training.contrasts.pairs import answers_beside_contrasts, contrast_pairs, documents, some_groups
from tests.training.contrasts.plain import without_markup
from tests.training.larger.network import FIRST, MOST_TOKENS, SEPARATOR
from tests.training.network import CLASSES
from tests.training.reader_pairs import Pair, helpdesk_pairs, is_kept_for_combining, public_pairs
from tests.training.train_reader import Encoded

TRAINED_HANDS = ("a", "c", "d")  # of first pairs
MOST_SHOWN = 1400  # characters of passages

_ASIDE = 8  # percent of the written groups
_LONG = 100  # words of a premise
_CHUNKED_SHARE = 0.2
_MOST_OTHERS = 3
_ELSEWHERE_SHARE = 0.1
_PLAIN_SHARE = 0.3
_ASKED_SHARE = 0.8
_AGAIN = "#2"

_WHOLE = "vitaminc_real"  # each claim beside two versions of a page
_MOST_OF_A_FILE = 2000

_NOT_ENTAILED = "not_entailed"
_LABELS = {name: number for number, name in enumerate((*CLASSES, _NOT_ENTAILED))}
_OF_VERDICT = {
    Verdict.SUPPORTED: "entailed",
    Verdict.CONTRADICTED: "contradicted",
    Verdict.NOT_MENTIONED: "neutral",
    Verdict.PARTIALLY_SUPPORTED: _NOT_ENTAILED,
}


class Side(NamedTuple):
    """A premise of a group, with the label of each statement beside it and the places of its wrong words."""

    premise: str
    labels: list[str]
    wrong: list[list[str]]


@dataclass(frozen=True, slots=True)
class Group:
    """Statements written about one premise, and about the premise of its twin where it has one."""

    id: str
    file: str
    question: str
    statements: list[str]
    sides: tuple[Side, ...]

    @property
    def is_aside(self) -> bool:
        """Whether it is kept aside, to measure; no group of these is ever trained on."""
        return zlib.crc32(self.id.encode()) % 100 < _ASIDE

    @property
    def is_long(self) -> bool:
        """Whether its premise is as long as what the product shows."""
        return len(self.sides[0].premise.split()) >= _LONG

    def drawn(self, most: int, rng: random.Random) -> list[int]:
        """Return a draw of at most so many statements, first of those whose label turns."""
        labels = list(zip(*(side.labels for side in self.sides), strict=True))
        every = rng.sample(range(len(labels)), len(labels))
        return sorted(every, key=lambda at: len(set(labels[at])) == 1)[:most]

    def pairs(
        self, others: Sequence[str] = (), after: int = 0, statements: Sequence[int] | None = None
    ) -> Iterator[Pair]:
        """Yield statements (default: each) beside each premise, which stands after `after` of the other premises."""
        for side in self.sides:
            shown = "\n\n".join((*others[:after], side.premise, *others[after:]))
            for at in range(len(self.statements)) if statements is None else statements:
                text, label, words = self.statements[at], side.labels[at], side.wrong[at]
                places = [(text.find(word), len(word)) for word in words]
                marks = tuple((start, start + size) for start, size in places if start >= 0)
                yield Pair(claim=text, asked=self.question, passages=shown, label=label, wrong=marks, group=self.id)


def written_groups(folders: Iterable[Path]) -> list[Group]:
    """Return the groups of the folders' files, in their order."""
    found = []
    for path in (path for folder in folders for path in sorted(folder.glob("*.jsonl"))):
        twins = {row["id"]: row for row in _lines(path.parent / "twins" / path.name)}
        for row in _lines(path):
            said = row["statements"]
            sides = [Side(row["premise"], [one["label"] for one in said], [one.get("wrong") or [] for one in said])]
            if twin := twins.get(row["id"]):
                sides.append(Side(twin["premise"], twin["labels"], twin["wrong"]))
            texts = [one["text"] for one in said]
            found.append(Group(row["id"], str(path), row.get("question") or "", texts, tuple(sides)))
    return found


def _lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def written_pairs(groups: Iterable[Group], rng: random.Random, short: float, most: int) -> Iterator[Pair]:
    """Yield a pass over the groups that are not kept aside: the long ones twice, some short ones among further chunks.

    Of the short ones the share `short` is drawn, and of each group at most so many statements.

    Both sides of a group get the same chunks, premises of other groups of its file; the labels stay. Some pairs come
    without markup or question. One statement in ten also stands beside the premise of another group, which says nothing
    of it.
    """
    of_file: dict[str, list[Group]] = {}
    for group in groups:
        if not group.is_aside:
            of_file.setdefault(group.file, []).append(group)
    for own in of_file.values():
        for group in own:
            if group.is_long:
                yield from _varied(group, own, rng, most)
                # A group of its own: two copies in one batch would teach nothing more.
                again = _varied(group, own, rng, most)
                yield from (replace(p, group=p.group and p.group + _AGAIN) for p in again)
            elif rng.random() < short:
                yield from _varied(group, own, rng, most)


def _varied(group: Group, own: Sequence[Group], rng: random.Random, most: int) -> Iterator[Pair]:
    others: list[str] = []
    if not group.is_long and rng.random() < _CHUNKED_SHARE:
        others = _further_chunks(group, own, rng)
    for pair in group.pairs(others, rng.randint(0, len(others)), group.drawn(most, rng)):
        asked = pair.asked if rng.random() < _ASKED_SHARE else ""
        shown = without_markup(pair.passages) if rng.random() < _PLAIN_SHARE else pair.passages
        yield replace(pair, asked=asked, passages=shown)
        if rng.random() < _ELSEWHERE_SHARE:
            other = rng.choice(own)
            if other is not group:
                premise = other.sides[0].premise
                yield Pair(claim=pair.claim, asked=asked, passages=premise, label="neutral")


def _further_chunks(group: Group, own: Sequence[Group], rng: random.Random) -> list[str]:
    found: list[str] = []
    left = MOST_SHOWN - max(len(side.premise) for side in group.sides)
    for other in rng.sample(own, min(len(own), rng.randint(1, _MOST_OTHERS))):
        premise = other.sides[0].premise
        if other is not group and len(premise) <= left:
            found.append(premise)
            left -= len(premise)
    return found


def first_pairs(hands: Iterable[str]) -> list[Pair]:
    """Return the first pairs of these hands; which words of a statement are wrong is not known."""
    return [
        Pair(claim=p.answer, asked=p.question or "", passages=p.chunk, label=_OF_VERDICT[Verdict(p.verdict)])
        for p in read_pairs()
        if p.hand in hands
    ]


def some_helpdesk_pairs(shares: argparse.Namespace, rng: random.Random) -> list[Pair]:
    """Return pairs of some help-desk answers and drills that may be trained on, as the options of `train` say."""
    answers = [a for a in read_answers() if a.part is Part.FIT and not is_kept_for_combining(a)]
    chosen = [a for a in (*answers, *read_answers(DRILLS)) if rng.random() < shares.helpdesk]
    return [
        *(
            replace(pair, asked=answer.question if rng.random() < shares.asked else "")
            for answer in chosen
            for pair in helpdesk_pairs([answer], versions=True, rng=rng, most=MOST_SHOWN)
        ),
        *some_groups(contrast_pairs(documents(chosen), rng, MOST_SHOWN), shares.contrasts, rng),
        *some_groups(answers_beside_contrasts(chosen, rng, MOST_SHOWN), shares.near, rng),
    ]


def some_public_pairs(folder: Path, most: int, rng: random.Random) -> list[Pair]:
    """Return about `most` pairs of what `public_pairs` made there: whole groups, where pairs are grouped."""
    groups: dict[object, list[Pair]] = {}
    for path in sorted(folder.glob("public_[123]/*.jsonl")):
        pairs = public_pairs(path)
        if path.stem != _WHOLE:
            pairs = rng.sample(pairs, min(len(pairs), _MOST_OF_A_FILE))
        for number, pair in enumerate(pairs):
            groups.setdefault(pair.group or (path.name, number), []).append(pair)
    chosen = list(groups.values())
    rng.shuffle(chosen)
    found: list[Pair] = []
    while chosen and len(found) < most:
        found += chosen.pop()
    return found


@dataclass(frozen=True, slots=True)
class Row(Encoded):
    """A pair in word pieces; `given_away` are the log odds of being wrong that its claim gives away by itself."""

    given_away: float = 0.0


def encode(tokenizer: Tokenizer, pair: Pair, given_away: float = 0.0) -> Row:
    """Return a pair as `<s> claim </s> question </s> passages </s>`, cut at MOST_TOKENS."""
    first, end = tokenizer.token_to_id(FIRST), tokenizer.token_to_id(SEPARATOR)
    claim = tokenizer.encode(pair.claim, add_special_tokens=False)
    asked, passages = (tokenizer.encode(text, add_special_tokens=False).ids for text in (pair.asked, pair.passages))
    head = [first, *claim.ids, end, *asked, end]
    tokens = [*[*head, *passages][: MOST_TOKENS - 1], end]
    sides = [int(at >= len(head)) for at in range(len(tokens))]
    marks = [-1] * len(tokens)
    if pair.wrong is not None:
        for at, (start, stop) in enumerate(claim.offsets[: len(tokens) - 2], start=1):
            marks[at] = int(any(a < stop and b > start for a, b in pair.wrong))
    group = zlib.crc32(pair.group.encode()) if pair.group else -1
    return Row(tokens, sides, marks, _LABELS[pair.label], group, given_away)


def given_away(pairs: Sequence[Pair]) -> list[float]:
    """Return the log odds of being wrong that each written statement gives away by itself; 0 for pairs of no group.

    They come from its words, its length and the share of them that stand in the premise, by a line fitted to the other
    groups. They are added to the network's logits in training and left out in use (a product of experts: Clark et al.
    2019, arXiv:1909.03683), so that the network learns what the statement alone does not tell.
    """
    from scipy.sparse import csr_matrix, hstack
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GroupKFold

    own = [at for at, pair in enumerate(pairs) if pair.group]
    texts = [pairs[at].claim for at in own]
    words = [_words(text) for text in texts]
    there = [set(_words(pairs[at].passages)) for at in own]
    shares = [
        [sum(word in beside for word in said) / max(1, len(said)), len(said) / 20]
        for said, beside in zip(words, there, strict=True)
    ]
    by_word = TfidfVectorizer(ngram_range=(1, 2), min_df=3, sublinear_tf=True).fit_transform(texts)
    table = hstack([by_word, csr_matrix(shares)]).tocsr()
    wrong = np.array([pairs[at].label != "entailed" for at in own])
    groups = [pairs[at].group.removesuffix(_AGAIN) for at in own]
    odds = np.zeros(len(pairs))
    for fitted, used in GroupKFold(5).split(table, wrong, groups):
        line = LogisticRegression(max_iter=300).fit(table[fitted], wrong[fitted])
        odds[np.array(own)[used]] = line.decision_function(table[used])
    return [float(value) for value in odds]


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())
