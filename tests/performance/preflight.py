"""How well and how fast a preflight says what an update breaks: `python -m tests.performance.preflight`.

Two parts. **Planted**: a made-up help centre in which it is known what an update breaks:
a number changed, a paragraph removed, a document renamed, a document split in two, a paragraph split in two, a
paragraph reworded with the same meaning. **Time**: the same with 10,000 documents, 500 of them changed, and 2,500
answers, as a command that is killed in the middle and started again.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from faithview import Chunk, Sample
from faithview.domain.preflight import Outcome, PreflightResult
from faithview.domain.run import JudgeSpec
from faithview.services.container import Store
from faithview.services.knowledge.preflight.counterparts import Counterparts
from faithview.services.knowledge.preflight.plan import make_plan
from faithview.services.knowledge.preflight.preflights import (
    delete_preflight,
    get_preflight,
    get_progress,
    judge_preflight,
    list_preflights,
    save_plan,
)
from faithview.services.knowledge.versions import save_knowledge_base
from faithview.store.knowledge import list_version
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
    """The planted claims of one kind: how many break as planted, and how many of the others break or are uncertain."""

    kind: str
    should_break: int
    found: int
    should_hold: int
    wrong: int
    unsure: int


def check_planted(result: PreflightResult, planted: Mapping[str, str]) -> list[Planted]:
    """Return for each kind what was planted and what was found; claim 1 is of the changed sentence."""
    broken: Counter[tuple[str, bool]] = Counter()
    unsure: Counter[str] = Counter()
    for claim in result.claims:
        kind = planted.get(claim.key, "")
        if claim.outcome in (Outcome.BROKEN, Outcome.OVERTAKEN):
            broken[kind, _should_break(kind, claim.number or 0)] += 1
        unsure[kind] += claim.outcome is Outcome.UNKNOWN
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
    spec = JudgeSpec(options={"workers": "2"} if answers > _MANY else {})
    run = add_judged_run(services, make_samples(products, asked, source), kb_version="v1", judge=spec)
    return Case(run.run_id, new_version(products, planted, source), planted)


_MANY = 500


def check_case(services: Store, case: Case) -> PreflightResult:
    """Check the new version of a made-up help centre."""
    record = save_plan(services, make_plan(services, case.run_id, case.new))
    judge_preflight(services, record.preflight_id)
    return get_preflight(services, record.preflight_id)


def main() -> None:
    """Run the parts and print what they find."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--part", choices=("planted", "time"), help="only this part")
    chosen = parser.parse_args().part
    parts = {"planted": _print_planted, "time": _print_time}
    for name, part in parts.items():
        if chosen in (None, name):
            with tempfile.TemporaryDirectory() as folder:
                part(Path(folder))


def _print_planted(folder: Path) -> None:
    with open_services(folder / "planted.db") as services:
        case = make_case(services, documents=900, answers=300, changed=300)
        result = check_case(services, case)
    print("planted                should break  found   should hold  wrongly broken       uncertain")
    for one in check_planted(result, case.planted):
        if one.kind:
            print(
                f"{one.kind:<22} {one.should_break:>12}  {one.found:>5}   {one.should_hold:>11}  {one.wrong:>14}  "
                f"{one.unsure:>14}"
            )


def _print_time(folder: Path) -> None:
    store, file = folder / "time.db", folder / "new.jsonl"
    with open_services(store) as services:
        case = make_case(services, documents=10_000, answers=2_500, changed=500)
        begin = perf_counter()
        counterparts = Counterparts(services, list_version(services.db, "v1"), case.new)
        print(f"comparing the versions  {perf_counter() - begin:6.1f} s   asked: under 5 s")
        print(f"  {len(counterparts.documents):,} documents differ")
    file.write_text("".join(f"{json.dumps(_row(one))}\n" for one in case.new), encoding="utf-8")
    command = [sys.executable, "-m", "faithview", "kb", "preflight", str(file), "--run", case.run_id, "--json"]
    command += ["--db", f"sqlite:///{store}"]
    whole = _timed(command)
    print(f"the whole command       {whole.seconds:6.1f} s   asked: under 60 s")
    print(f"  its memory            {whole.megabytes:6.0f} MB  asked: under 500 MB")
    print(f"  answers judged again  {whole.document['answers_judged']:,}")
    with open_services(store) as services:
        delete_preflight(services, whole.document["preflight_id"])
    _kill_in_the_middle(command, store)
    rest = _timed(command)
    print(f"killed, started again   {rest.seconds:6.1f} s   {rest.done}")
    same = rest.document["outcomes"] == whole.document["outcomes"]
    print(f"  the same result       {'yes' if same else 'no'}")


@dataclass(frozen=True, slots=True)
class _Timed:
    seconds: float
    megabytes: float
    document: Any
    done: str


def _timed(command: Sequence[str]) -> _Timed:
    """Run the command; its memory is the largest sum over its processes, with shared pages counted once."""
    begin = perf_counter()
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as said:
        running = subprocess.Popen(command, stdout=out, stderr=said, start_new_session=True)
        peak = 0.0
        while running.poll() is None:
            peak = max(peak, _megabytes_of(running.pid))
            time.sleep(0.3)
        seconds = perf_counter() - begin
        if running.returncode:
            raise SystemExit(f"The command ended with {running.returncode}.")
        out.seek(0)
        said.seek(0)
        judged_before = next((line.strip() for line in said if "judged before" in line), "")
        return _Timed(seconds, peak, json.load(out), judged_before)


def _megabytes_of(session: int) -> float:
    total = 0
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended
            if os.getsid(int(process.name)) == session:
                lines = (process / "smaps_rollup").read_text(encoding="ascii").splitlines()
                total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


def _kill_in_the_middle(command: Sequence[str], store: Path) -> None:
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    with open_services(store) as services:
        while not any(get_progress(services, one.preflight_id).done > 100 for one in list_preflights(services)):
            time.sleep(0.2)
            if running.poll() is not None:
                raise SystemExit("The command ended before it was killed.")
    os.killpg(running.pid, signal.SIGKILL)
    running.wait()


def _row(one: Chunk) -> Mapping[str, object]:
    return {"id": one.chunk_id, "text": one.text, "metadata": dict(one.metadata)}


if __name__ == "__main__":
    main()
