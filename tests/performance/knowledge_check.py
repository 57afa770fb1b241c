"""What `faithview kb check` finds, and how long it takes: `python -m tests.performance.knowledge_check`.

Contradictions on the bundled knowledge bases, on planted ones and on help-desk documents as they are; new words for
known things on the bundled updates and on renamed words; seconds and peak memory of the command on many documents.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter

from faithview.domain.contradiction import Contradiction
from faithview.domain.sample import Chunk
from faithview.judges.text.tokens import word_of
from faithview.services.knowledge.contradictions import find_contradictions
from faithview.services.knowledge.terms import find_terms
from faithview.services.knowledge.versions import read_knowledge_base
from tests.helpdesk import TEXTS, read_answers
from tests.performance import tables
from tests.planted import DATA, SETS, Found, helpdesk_chunks, read_planted

_ROOT = Path(__file__).parents[2]
_VERSIONS = ("2026-09", "2026-10", "2026-11")
# The three organisations that were written first, which the target is about.
_FIRST = ("saas", "telecom", "hrhandbook")
_LEAST_RECALL, _LEAST_PRECISION = 0.7, 0.8
_LONGEST_S, _MOST_MB = 180.0, 500.0
_RENAMED_IN_EACH = 4
_NEW_NAME = "grobnel"
_SHARE_REPLACED = 45
_WORDS = re.compile(r"([A-Za-z]+)")
_SYLLABLES = [first + last for first in "bdfklmnprstv" for last in "aeiou"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return 1 if a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--only", choices=["bundled", "planted", "terms", "speed"])
    parser.add_argument("--documents", type=int, default=10_000, help="for the speed")
    parser.add_argument("--show", action="store_true", help="print what was missed, and what was found wrongly")
    options = parser.parse_args(arguments)
    sys.stdout.write(f"{tables.machine()}\n")
    is_met = [
        part(options)
        for name, part in (("bundled", _bundled), ("planted", _planted), ("terms", _terms), ("speed", _speed))
        if options.only in (None, name)
    ]
    return int(not all(is_met))


def _read_bundled(version: str) -> list[Chunk]:
    chunks, _ = read_knowledge_base(_ROOT / "data" / "kb" / f"kb-{version}.jsonl")
    return list(chunks)


def _bundled(options: argparse.Namespace) -> bool:
    listed = tomllib.loads((DATA / "bundled.toml").read_text(encoding="utf-8"))["contradiction"]
    rows, all_false = [], 0
    for version in _VERSIONS:
        wanted = {_parties(one["one"], one["other"], one["words"]) for one in listed if one["version"] == version}
        found = find_contradictions(_read_bundled(version))
        named = {_parties(one.one.chunk_id, one.other.chunk_id, _words(one)): one for one in found}
        false = [one for parties, one in named.items() if parties not in wanted]
        all_false += len(false)
        rows.append([version, len(wanted), len(wanted & named.keys()), len(false)])
        _show(options, [], false)
    tables.show("Contradictions of the bundled knowledge bases", ["version", "by hand", "found", "false"], rows)
    return all_false == 0


def _words(one: Contradiction) -> list[str]:
    return [side.words.of(side.text) for side in (one.one, one.other)]


def _parties(one: str, other: str, words: Sequence[str]) -> frozenset[tuple[str, str]]:
    return frozenset({(one, words[0]), (other, words[1])})


def _planted(options: argparse.Namespace) -> bool:
    everything, first, rows = Found(), Found(), []
    for folder, what in SETS.items():
        for base in read_planted(folder):
            contradictions = find_contradictions(base.chunks)
            found = Found()
            for one in (found, everything, *([first] if base.domain in _FIRST and not folder else [])):
                one.add(base, contradictions)
            rows.append([f"{folder}/{base.domain}".lstrip("/"), what, *_counts(found)])
            _show(options, [f"{base.domain}: {one.name} ({one.kind})" for one in found.missed], found.others)
    rows.append(["the first three", "", *_counts(first)])
    rows.append(["all", "", *_counts(everything)])
    columns = ["organisation", "for", "planted", "found", "recall", "other findings", "precision"]
    tables.show("Planted contradictions", columns, rows)
    kinds = Counter(one.kind for one in (*everything.found, *everything.missed))
    found_of = Counter(one.kind for one in everything.found)
    by_kind = [[kind, count, found_of[kind], _share(found_of[kind], count)] for kind, count in kinds.most_common()]
    tables.show("Planted contradictions by kind", ["kind", "planted", "found", "recall"], by_kind)
    plain = {path.stem: find_contradictions(helpdesk_chunks(path.stem)) for path in sorted(TEXTS.glob("*.txt"))}
    false = [[domain, len(found)] for domain, found in plain.items() if found]
    tables.show(f"False findings in {len(plain)} organisations as they are", ["organisation", "false"], false)
    recall = len(first.found) / (len(first.found) + len(first.missed))
    return recall >= _LEAST_RECALL and _precision(everything) >= _LEAST_PRECISION


def _precision(found: Found) -> float:
    said = len(found.found) + len(found.others)
    return len(found.found) / said if said else 1.0


def _counts(found: Found) -> list[object]:
    planted = len(found.found) + len(found.missed)
    recall = _share(len(found.found), planted)
    return [planted, len(found.found), recall, len(found.others), f"{_precision(found):.0%}"]


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else "–"


def _show(options: argparse.Namespace, missed: Sequence[str], false: Sequence[Contradiction]) -> None:
    if not options.show:
        return
    for one in missed:
        sys.stdout.write(f"missed  {one}\n")
    for finding in false:
        sides = " | ".join(f"{side.chunk_id}: {side.statement.of(side.text)}" for side in (finding.one, finding.other))
        sys.stdout.write(f"other   {finding.kind}  {sides}\n")


def _terms(options: argparse.Namespace) -> bool:
    questions = [
        one["q"]
        for path in sorted((_ROOT / "data" / "source" / "questions").glob("*.toml"))
        for one in tomllib.loads(path.read_text(encoding="utf-8"))["question"]
    ]
    rows = []
    shown: dict[str, list[str]] = {}
    for before, after in (("2026-09", "2026-09"), ("2026-09", "2026-10"), ("2026-10", "2026-11")):
        found = find_terms(_read_bundled(before), _read_bundled(after), questions)
        shown[after if before != after else "same"] = [term.word for term in found]
        listed = "; ".join(f"{term.word} ({', '.join(word.word for word in term.known)})" for term in found)
        rows.append([f"{before} → {after}", len(found), listed or "–"])
    tables.show("New words for known things, bundled updates", ["update", "shown", "words"], rows)
    _renamed()
    return {"lane", "tray"} <= set(shown["2026-10"]) and not shown["same"]


def _renamed() -> None:
    """Give a word of each organisation another name in half of the passages with it, and look for it."""
    source = random.Random(1)
    answers = read_answers()
    cases = shown = first = among_three = others = 0
    for path in sorted(TEXTS.glob("*.txt")):
        chunks = helpdesk_chunks(path.stem)
        questions = [answer.question for answer in answers if answer.domain == path.stem]
        things = _frequent_things(chunks)
        for stem in source.sample(things, min(len(things), _RENAMED_IN_EACH)):
            old, new = _rename(chunks, stem, source)
            known_questions = [one for one in questions if stem not in _stems(one)]
            found = find_terms(old, new, known_questions)
            its = next((term for term in found if term.word == _NEW_NAME), None)
            words = [word_of(known.word).stem for known in its.known] if its else []
            cases += 1
            shown += its is not None
            first += words[:1] == [stem]
            among_three += stem in words
            others += len(found) - (its is not None)
    rows = [[cases, shown, first, among_three, others]]
    tables.show(
        "A word renamed in half of its passages", ["words", "shown", "right one first", "among three", "others"], rows
    )


def _stems(text: str) -> set[str]:
    return {word_of(word).stem for word in re.findall(r"[A-Za-z]+", text)}


def _frequent_things(chunks: Sequence[Chunk]) -> list[str]:
    """Return the words that six passages and at most half of them have, and that often follow an article."""
    count: Counter[str] = Counter()
    things: Counter[str] = Counter()
    passages: Counter[str] = Counter()
    for chunk in chunks:
        words = re.findall(r"[A-Za-z]+", chunk.text)
        passages.update({word_of(word).stem for word in words if word_of(word).is_content})
        for before, word in zip(["", *words], words, strict=False):
            count[word_of(word).stem] += 1
            things[word_of(word).stem] += before.lower() in {"a", "an", "the", "your", "each", "this", "no", "one"}
    frequent = (stem for stem, number in passages.items() if 6 <= number <= len(chunks) / 2)
    return sorted(stem for stem in frequent if things[stem] >= 0.4 * count[stem])


def _rename(chunks: Sequence[Chunk], stem: str, source: random.Random) -> tuple[list[Chunk], list[Chunk]]:
    """Return an older version, and a newer one in which new passages call something by another name."""
    having = [chunk for chunk in chunks if stem in _stems(chunk.text)]
    rest = [chunk for chunk in chunks if stem not in _stems(chunk.text)]
    source.shuffle(having)
    source.shuffle(rest)
    renamed = [
        Chunk(
            text=re.sub(r"[A-Za-z]+", lambda word: _NEW_NAME if word_of(word[0]).stem == stem else word[0], chunk.text),
            chunk_id=chunk.chunk_id,
        )
        for chunk in having[: len(having) // 2]
    ]
    old = [*having[len(having) // 2 :], *rest[: len(rest) * 2 // 3]]
    return old, [*old, *renamed, *rest[len(rest) * 2 // 3 :]]


def _speed(options: argparse.Namespace) -> bool:
    """Check a file of many documents against a stored older version, with the command itself."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "FAITHVIEW_DB": f"sqlite:///{folder}/store.db"}
        old, new = Path(folder) / "old.jsonl", Path(folder) / "new.jsonl"
        characters = _write(new, options.documents)
        _write(old, options.documents - options.documents // 10)
        command = [sys.executable, "-m", "faithview", "kb"]
        subprocess.run([*command, "add", "old", str(old)], env=environment, check=True, capture_output=True)
        begin = perf_counter()
        process = subprocess.Popen(
            [*command, "check", str(new), "--json"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        found = json.loads(process.stdout.read() if process.stdout else b"")
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = perf_counter() - begin
    peak = usage.ru_maxrss * 1024 / 1_000_000
    busy = usage.ru_utime + usage.ru_stime
    size = f"{characters / 1_000_000:.1f}"
    rows = [
        [f"{options.documents:,}", size, len(found["contradictions"]), f"{seconds:.0f}", f"{busy:.0f}", f"{peak:.0f}"]
    ]
    columns = ["documents", "million characters", "found", "seconds", "of the processor", "peak memory, MB"]
    tables.show(f"Checking a knowledge base (asked: {_LONGEST_S:.0f} s and {_MOST_MB:.0f} MB)", columns, rows)
    return min(seconds, busy) <= _LONGEST_S and peak <= _MOST_MB


def _write(path: Path, documents: int) -> int:
    characters = 0
    with path.open("w", encoding="utf-8") as lines:
        for number, text in enumerate(_made(documents)):
            characters += len(text)
            lines.write(json.dumps({"id": f"doc-{number}", "text": text}) + "\n")
    return characters


def _made(documents: int) -> Iterator[str]:
    """Yield texts of the help-desk documents, in each round with other words in place of nearly half of theirs."""
    texts = [chunk.text for path in sorted(TEXTS.glob("*.txt")) for chunk in helpdesk_chunks(path.stem)]
    for number in range(documents):
        turn, at = divmod(number, len(texts))
        yield "".join(_replaced(part, turn) if part.isalpha() else part for part in _WORDS.split(texts[at]))


def _replaced(written: str, turn: int) -> str:
    word = word_of(written)
    source = random.Random(f"{word.stem}/{turn}")
    if not turn or not word.is_content or source.randrange(100) >= _SHARE_REPLACED:
        return written
    made = "".join(source.choices(_SYLLABLES, k=3))
    return made.capitalize() if written[0].isupper() else made


if __name__ == "__main__":
    sys.exit(main())
