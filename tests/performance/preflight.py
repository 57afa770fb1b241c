"""What a preflight finds of planted changes: `python -m tests.performance.preflight`. See README.md beside this.

A made-up help centre in which it is known what an update breaks: a number changed, a paragraph removed, a document
renamed, a document split in two, a paragraph split in two, a paragraph reworded with the same meaning.
"""

import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from faithview import Chunk, Sample
from faithview.domain.comparison import Change
from faithview.domain.run import JudgeSpec, Run
from faithview.services.comparison.compare import compare_runs
from faithview.services.container import Store
from faithview.services.knowledge.preflight import begin_preflight, plan_preflight
from faithview.services.knowledge.versions import save_knowledge_base
from faithview.services.results import iterate_answers
from faithview.services.runs.create import judge_here
from faithview.services.runs.judge_preflight import DOUBTED
from tests.factories import add_judged_run, open_services

KINDS = ("number", "removed", "renamed", "split document", "split paragraph", "reworded")


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement about a product, in two wordings, and its question; `{n}` is its number."""

    text: str
    again: str
    question: str
    low: int
    high: int


FACTS = (
    Fact(
        "The {name} plan includes {n} mailboxes for every team.",
        "With the {name} plan every team gets {n} mailboxes.",
        "How many mailboxes does the {name} plan include?",
        2,
        90,
    ),
    Fact(
        "Messages in {name} are kept for {n} days after they were closed.",
        "After they were closed, messages in {name} are kept for {n} days.",
        "For how long are closed messages in {name} kept?",
        5,
        400,
    ),
    Fact(
        "An administrator of {name} can invite up to {n} guests at once.",
        "Up to {n} guests can be invited at once by an administrator of {name}.",
        "How many guests can an administrator of {name} invite at once?",
        3,
        120,
    ),
    Fact(
        "Support for {name} replies within {n} hours on working days.",
        "On working days, support for {name} replies within {n} hours.",
        "How fast does support for {name} reply?",
        2,
        72,
    ),
    Fact(
        "The {name} subscription costs {n} euros per month.",
        "Per month, the {name} subscription costs {n} euros.",
        "What does the {name} subscription cost?",
        4,
        250,
    ),
    Fact(
        "Files that are sent with {name} may have up to {n} megabytes.",
        "Files may have up to {n} megabytes if they are sent with {name}.",
        "How large may files be that are sent with {name}?",
        5,
        500,
    ),
)
_START = (
    "bra",
    "cor",
    "del",
    "fen",
    "gal",
    "hol",
    "jun",
    "kel",
    "lor",
    "mar",
    "nor",
    "pel",
    "qua",
    "ros",
    "sil",
    "tor",
)
_MIDDLE = ("an", "el", "in", "or", "um", "as", "et", "ov", "ik", "ul")
_END = ("da", "ko", "mi", "ra", "tis", "vex", "za", "pol", "nix", "ber", "gon", "lyn", "sta", "dor", "fy", "que")


@dataclass(frozen=True, slots=True)
class Product:
    """One document: six facts in two paragraphs."""

    name: str
    numbers: tuple[int, ...]

    def sentence(self, at: int, *, again: bool = False) -> str:
        fact = FACTS[at]
        return (fact.again if again else fact.text).format(name=self.name, n=self.numbers[at])

    def paragraph(self, which: int, *, again: bool = False) -> str:
        return " ".join(self.sentence(at, again=again) for at in range(3 * which, 3 * which + 3))


def make_products(count: int, source: random.Random) -> list[Product]:
    """Return products with different names."""
    names = [f"{a}{b}{c}{d}".capitalize() for a in _START for b in _MIDDLE for c in _END for d in ("", "t", "l", "s")]
    source.shuffle(names)
    return [Product(name, tuple(source.randint(fact.low, fact.high) for fact in FACTS)) for name in names[:count]]


def chunk(product: Product, text: str, number: int | str, *, document: str = "") -> Chunk:
    """Return a paragraph of a document."""
    name = document or f"help/{product.name.lower()}.md"
    return Chunk(
        text=text,
        chunk_id=f"{product.name.lower()}-{number}",
        metadata={"document": name, "title": f"About {product.name}"},
    )


def old_version(products: Sequence[Product]) -> list[Chunk]:
    """Return the version that the answers were made with."""
    return [chunk(product, product.paragraph(which), which + 1) for product in products for which in (0, 1)]


def new_version(products: Sequence[Product], planted: Mapping[str, str], source: random.Random) -> list[Chunk]:
    """Return the version with the planted changes, which are given by the products' names."""
    return [one for product in products for one in _changed(product, planted.get(product.name, ""), source)]


def _changed(product: Product, kind: str, source: random.Random) -> Iterator[Chunk]:
    first, second = (product.paragraph(which) for which in (0, 1))
    file = product.name.lower()
    if kind == "number":
        old = product.sentence(0)
        changed = product.numbers[0] + source.randint(1, 9)
        yield chunk(product, first.replace(old, old.replace(str(product.numbers[0]), str(changed))), 1)
        yield chunk(product, second, 2)
    elif kind == "removed":
        yield chunk(product, second, 2)
    elif kind == "renamed":
        yield chunk(product, first, "a", document=f"articles/{file}/index.md")
        yield chunk(product, second, "b", document=f"articles/{file}/index.md")
    elif kind == "split document":
        yield chunk(product, first, 1)
        yield chunk(product, second, "b", document=f"help/{file}-2.md")
    elif kind == "split paragraph":
        yield chunk(product, f"{product.sentence(0)} {product.sentence(1)}", 1)
        yield chunk(product, product.sentence(2), "1b")
        yield chunk(product, second, 2)
    else:
        yield chunk(product, product.paragraph(0, again=kind == "reworded"), 1)
        yield chunk(product, second, 2)


def make_samples(products: Sequence[Product], asked: Sequence[Product], source: random.Random) -> list[Sample]:
    """Return an answer about each product that is asked for: two facts of its first paragraph.

    Three chunks are of other products, whose numbers differ.
    """
    samples: list[Sample] = []
    for product in asked:
        others = [other for other in source.sample(products, 12) if not _share_numbers(other, product)][:3]
        chunks = [chunk(product, product.paragraph(which), which + 1) for which in (0, 1)]
        chunks += [chunk(other, other.paragraph(0), 1) for other in others]
        samples.append(
            Sample(
                key=product.name,
                question=FACTS[0].question.format(name=product.name),
                answer=f"{product.sentence(0)} {product.sentence(1)}",
                segment=f"Team {len(samples) % 5}",
                chunks=tuple(chunks),
            )
        )
    return samples


def _share_numbers(product: Product, other: Product) -> bool:
    return any(a == b for a, b in zip(product.numbers[:2], other.numbers[:2], strict=True))


@dataclass(frozen=True, slots=True)
class Planted:
    """The planted claims of one kind: how many break as planted, and how many of the others break or are doubted."""

    kind: str
    should_break: int
    found: int
    should_hold: int
    wrong: int
    doubted: int


def check_planted(changes: Sequence[Change], doubted: Counter[str], planted: Mapping[str, str]) -> list[Planted]:
    """Return for each kind what was planted and what was found; claim 1 is of the changed sentence.

    `doubted` counts by the answers' keys the claims that stay supported although the judge doubts them.
    """
    broken: Counter[tuple[str, bool]] = Counter()
    unsure: Counter[str] = Counter()
    for change in changes:
        kind = planted.get(change.key, "")
        for term in change.terms:
            if term.value < 0:
                broken[kind, _should_break(kind, term.candidate or 0)] += 1
    for key, number in doubted.items():
        unsure[planted.get(key, "")] += number
    sizes = Counter(planted.values())
    rows = []
    for kind in (*KINDS, ""):
        breaking = sum(_should_break(kind, number) for number in (1, 2)) * sizes[kind]
        holding = 2 * sizes[kind] - breaking
        rows.append(Planted(kind, breaking, broken[kind, True], holding, broken[kind, False], unsure[kind]))
    return rows


def _should_break(kind: str, number: int) -> bool:
    return kind == "removed" or (kind == "number" and number == 1)


@dataclass(frozen=True, slots=True)
class Case:
    """A made-up help centre in a store, its new version, and the planted changes by the answers' keys."""

    run_id: str
    new: Sequence[Chunk]
    planted: Mapping[str, str]


def make_case(services: Store, *, documents: int, answers: int, changed: int) -> Case:
    """Store a help centre and judge answers over it; every changed document is asked for."""
    source = random.Random(11)
    products = make_products(documents, source)
    asked = products[:answers]
    planted = {product.name: KINDS[at % len(KINDS)] for at, product in enumerate(asked[:changed])}
    save_knowledge_base(services, "v1", old_version(products))
    run = add_judged_run(services, make_samples(products, asked, source), kb_version="v1", judge=JudgeSpec())
    return Case(run.run_id, new_version(products, planted, source), planted)


def check_case(services: Store, case: Case) -> list[Planted]:
    """Check the new version of a made-up help centre."""
    pair = begin_preflight(services, plan_preflight(services, case.run_id, case.new))
    assert pair is not None
    before, after = pair
    judge_here(services, after)
    changes = compare_runs(services, before.run_id, after.run_id).changes
    return check_planted(changes, _count_doubted(services, after), case.planted)


def _count_doubted(services: Store, run: Run) -> Counter[str]:
    return Counter(
        answer.sample.key
        for answer in iterate_answers(services, run.run_id)
        for claim in answer.result.claims
        if claim.explanation == DOUBTED
    )


def main() -> None:
    """Judge, check, and print the table."""
    with tempfile.TemporaryDirectory() as folder, open_services(Path(folder) / "planted.db") as services:
        case = make_case(services, documents=900, answers=300, changed=300)
        rows = check_case(services, case)
    print("planted                should break  found   should hold  wrongly broken         doubted")
    for one in rows:
        if one.kind:
            print(
                f"{one.kind:<22} {one.should_break:>12}  {one.found:>5}   {one.should_hold:>11}  {one.wrong:>14}  "
                f"{one.doubted:>14}"
            )


if __name__ == "__main__":
    main()
